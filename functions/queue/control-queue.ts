import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { queueControl, queueView } from '../../shared/catalog/queue/views.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { controlQueue } from '../../shared/orders/queue/control-queue.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/events/{id}/queue',
    summary: 'Pause the admission from an event’s queue, or change its rate',
    description: 'Nobody is admitted from the moment of a pause. Absent fields stay unchanged.',
    caller: 'user',
    apiKey: acceptKeys('events:write'),
    callerDescription: 'the event’s organizer and managers, or an admin',
    path: eventPath,
    body: queueControl,
    response: queueView,
    errors: ['forbidden', 'event-not-found', 'no-queue', 'queue-ended'],
    table: ['GetItem', 'BatchGetItem', 'UpdateItem'],
    settings: ['QUEUE_TURN_MINUTES'],
  },
  ({ caller, path, body }) => controlQueue(caller, path.id, body),
);
