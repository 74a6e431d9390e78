import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { pictureUpload, pictureUploadView } from '../../shared/catalog/pictures/picture.ts';
import { requestLogo } from '../../shared/catalog/pictures/request-upload.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'POST /api/organizer/page/logo',
    summary: 'Upload the logo of the caller’s page',
    description:
      'As the picture of an event: answers a form, and the `logoUrl` of the page changes some seconds after the upload.',
    caller: 'organizer',
    apiKey: acceptKeys('events:write', 'all-events'),
    body: pictureUpload,
    response: pictureUploadView,
    status: 201,
    errors: ['page-not-found', 'too-many-attempts'],
    table: ['GetItem', 'UpdateItem', 'PutItem'],
    objects: { uploads: ['PutObject'] },
    settings: ['PUBLIC_URL'],
  },
  ({ caller, body }) => requestLogo(caller.userId, body),
);
