import { createEvent } from '../../shared/events/create-event.ts';
import { eventCreation } from '../../shared/events/event-input.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  { caller: 'organizer', body: eventCreation, status: 201 },
  async ({ caller, body }) => ({ event: await createEvent(body, caller.userId) }),
);
