import { changeEvent } from '../../shared/events/change-event.ts';
import { eventChange, eventPath } from '../../shared/events/event-input.ts';
import { reviseEvent } from '../../shared/events/revise-event.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  { caller: 'user', path: eventPath, body: eventChange },
  async ({ caller, path, body }) => ({
    event: await changeEvent(path.id, caller.userId, (event) => reviseEvent(event, body)),
  }),
);
