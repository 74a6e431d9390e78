import { deleteEvent } from '../../shared/events/delete-event.ts';
import { eventPath } from '../../shared/events/event-input.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint({ caller: 'user', path: eventPath }, async ({ caller, path }) => {
  await deleteEvent(path.id, caller.userId);
  return { message: 'Event deleted' };
});
