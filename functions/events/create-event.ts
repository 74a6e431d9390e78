import * as z from 'zod';
import { createEvent } from '../../shared/events/editing/create-event.ts';
import { eventCreation } from '../../shared/events/editing/event-input.ts';
import { eventView } from '../../shared/events/event-view.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    summary: 'Create an event',
    caller: 'organizer',
    body: eventCreation,
    response: z.object({ event: eventView }),
    status: 201,
  },
  async ({ caller, body }) => ({ event: await createEvent(body, caller.userId) }),
);
