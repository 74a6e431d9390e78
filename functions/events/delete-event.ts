import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { deleteEvent } from '../../shared/catalog/events/editing/delete-event.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { createMessageView } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/events/{id}',
    summary: 'Delete an event without orders',
    caller: 'user',
    apiKey: acceptKeys('events:write'),
    callerDescription: 'the event’s organizer',
    path: eventPath,
    response: createMessageView('Event deleted'),
    errors: ['forbidden', 'event-not-found', 'has-orders'],
    table: ['GetItem', 'BatchGetItem', 'DeleteItem', 'Query'],
    indexes: ['byEvent'],
    sends: ['resize-pictures'],
  },
  async ({ caller, path }) => {
    await deleteEvent(path.id, caller.userId);
    return { message: 'Event deleted' };
  },
);
