import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventChangeErrorCodes, eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { uploadPicture } from '../../shared/catalog/events/picture.ts';
import { savedEvent, toSavedEvent } from '../../shared/catalog/events/read-events.ts';
import { jpegInBase64 } from '../../shared/core/jpeg.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { paymentMethodSettings } from '../../shared/payments/payment-methods.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/events/{id}/picture',
    summary: 'Upload the picture of an event',
    description:
      'A JPEG of at most 180 KiB. Its comments and metadata are removed. It replaces an earlier upload, and `imageUrl` becomes its address.',
    caller: 'user',
    apiKey: acceptKeys('events:write'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    body: z.object({
      data: jpegInBase64.meta({ description: 'The JPEG in base64' }),
    }),
    response: savedEvent,
    errors: [...eventChangeErrorCodes, 'too-many-attempts'],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem', 'DeleteItem', 'Query'],
    sends: ['run-event-jobs', 'deliver-webhooks'],
    settings: [
      'PUBLIC_URL',
      'TICKET_CONTRACTS',
      'STOCK_SHARD_SIZE',
      'MAIL_FROM',
      'PUBLISHING_NEEDS_VERIFIED_EMAIL',
      'PUBLISHED_EVENTS_PER_DAY',
      ...paymentMethodSettings,
    ],
  },
  async ({ caller, path, body }) => toSavedEvent(await uploadPicture(path.id, caller.userId, body.data)),
);
