import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { pictureUpload, pictureUploadView } from '../../shared/catalog/pictures/picture.ts';
import { requestPicture } from '../../shared/catalog/pictures/request-upload.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/image',
    summary: 'Upload the picture of an event',
    description:
      'Answers a form, valid for ten minutes, to post a JPEG, PNG or WebP of at most 5 MiB with, whose sides have at most 4,000 pixels. The event changes some seconds after the upload: then its `imageUrl` is the one in the answer. A file that is not such a picture changes nothing, and neither does an upload that was requested before the one whose picture the event has.',
    caller: 'user',
    apiKey: acceptKeys('events:write'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    body: pictureUpload,
    response: pictureUploadView,
    status: 201,
    errors: ['forbidden', 'event-not-found', 'too-many-attempts'],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'],
    objects: { uploads: ['PutObject'] },
    settings: ['PUBLIC_URL'],
  },
  ({ caller, path, body }) => requestPicture(path.id, caller.userId, body),
);
