import { duplicateEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventDuplication } from '../../shared/catalog/events/editing/event-input.ts';
import { savedEvent, toSavedEvent } from '../../shared/catalog/events/read-events.ts';
import { newOwnedId } from '../../shared/core/ids.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { runIdempotently } from '../../shared/http/idempotency.ts';
import { paymentMethodSettings } from '../../shared/payments/payment-methods.ts';

export const handler = endpoint(
  {
    route: 'POST /api/events/{id}/duplicate',
    summary: 'Copy an event',
    description:
      'The copy is a draft that begins at another time; its other times keep their distances from the start. Tiers and questions are copied, but neither codes nor staff. The copy has an uploaded picture some seconds later.',
    caller: 'organizer',
    callerDescription: 'the event’s organizer',
    path: idPath('event'),
    body: eventDuplication,
    response: savedEvent,
    status: 201,
    idempotent: true,
    errors: ['forbidden', 'event-not-found', 'too-many-attempts'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['resize-pictures'],
    settings: [
      'PUBLIC_URL',
      'TICKET_CONTRACTS',
      'STOCK_SHARD_SIZE',
      'EVENTS_PER_DAY',
      ...paymentMethodSettings,
    ],
  },
  ({ caller: { userId }, path, body, header }) => {
    const call = {
      userId,
      key: header('idempotency-key'),
      request: { ...body, eventId: path.id },
      seed: newOwnedId(userId),
    };
    return runIdempotently(call, async (id, isContinued) =>
      toSavedEvent(await duplicateEvent(path.id, userId, body, id, isContinued)),
    );
  },
);
