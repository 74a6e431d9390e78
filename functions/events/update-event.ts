import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import {
  eventChange,
  eventChangeErrorCodes,
  eventPath,
} from '../../shared/catalog/events/editing/event-input.ts';
import { reviseEvent } from '../../shared/catalog/events/editing/revise-event.ts';
import { savedEvent, toSavedEvent } from '../../shared/catalog/events/read-events.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { paymentMethodSettings } from '../../shared/payments/payment-methods.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/events/{id}',
    summary: 'Update, publish or cancel an event',
    description:
      'Absent fields stay unchanged. A cancellation is final: it ends sales and refunds paid orders. It is refused once the earnings of the event can be paid out after its end.',
    caller: 'user',
    apiKey: acceptKeys('events:write'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    body: eventChange,
    response: savedEvent,
    errors: [
      ...eventChangeErrorCodes,
      'question-kind-fixed',
      'seller-fixed',
      'queue-opened',
      'tickets-sold',
      'event-cancelled',
      'earnings-unlocked',
      'several-tiers',
      'price-too-precise',
      'email-not-verified',
      'too-many-attempts',
    ],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem', 'DeleteItem', 'Query'],
    sends: ['run-event-jobs', 'deliver-webhooks'],
    settings: [
      'TICKET_CONTRACTS',
      'STOCK_SHARD_SIZE',
      'MAIL_FROM',
      'PUBLISHING_NEEDS_VERIFIED_EMAIL',
      'PUBLISHED_EVENTS_PER_DAY',
      ...paymentMethodSettings,
    ],
  },
  async ({ caller, path, body }) =>
    toSavedEvent(await changeEvent(path.id, caller.userId, (event) => reviseEvent(event, body))),
);
