import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { savedEvent, toSavedEvent } from '../../shared/catalog/events/read-events.ts';
import { newOwnedId } from '../../shared/core/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { runIdempotently } from '../../shared/http/idempotency.ts';
import { paymentMethodSettings } from '../../shared/payments/payment-methods.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events',
    summary: 'Create an event',
    caller: 'organizer',
    apiKey: acceptKeys('events:write', 'all-events'),
    body: eventCreation,
    response: savedEvent,
    status: 201,
    idempotent: true,
    errors: ['email-not-verified', 'too-many-attempts'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    settings: [
      'TICKET_CONTRACTS',
      'STOCK_SHARD_SIZE',
      'PUBLISHING_NEEDS_VERIFIED_EMAIL',
      'PUBLISHED_EVENTS_PER_DAY',
      'EVENTS_PER_DAY',
      ...paymentMethodSettings,
    ],
  },
  ({ caller: { userId }, body, header }) => {
    // The seed becomes the event's id. A repeat of an interrupted call gets that call's seed and finds its event.
    const call = { userId, key: header('idempotency-key'), request: body, seed: newOwnedId(userId) };
    return runIdempotently(call, async (id, isContinued) =>
      toSavedEvent(await createEvent(body, userId, id, isContinued)),
    );
  },
);
