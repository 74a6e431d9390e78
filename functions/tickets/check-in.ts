import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { checkIn } from '../../shared/tickets/check-in/admit-ticket.ts';
import { checkInRefusals, checkInRequest, checkInView } from '../../shared/tickets/check-in/views.ts';

export const handler = endpoint(
  {
    summary: 'Let somebody in at the door, once',
    description: 'A second scan of the same code is refused, and says when the first one was.',
    caller: 'organizer',
    who: 'the event’s organizer, or an admin',
    body: checkInRequest,
    response: z.object({ checkIn: checkInView }),
    errors: checkInRefusals,
  },
  async ({ caller, body }) => ({ checkIn: await checkIn(caller, body) }),
);
