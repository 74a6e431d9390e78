import * as z from 'zod';
import { idInput, nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listTickets } from '../../shared/tickets/check-in/admissions.ts';
import { ticketWithAdmission } from '../../shared/tickets/check-in/views.ts';

const query = pageQuery.extend({
  orderId: idInput.optional().meta({ description: 'Only tickets of this order' }),
  eventId: idInput.optional().meta({ description: 'Only tickets of this event' }),
});

export const handler = endpoint(
  {
    route: 'GET /api/tickets',
    summary: 'List the caller’s tickets, newest first',
    caller: 'user',
    query,
    response: z.object({ tickets: z.array(ticketWithAdmission), nextCursor }),
    table: ['Query', 'BatchGetItem'],
    indexes: ['byOwner'],
    secrets: ['CHECK_IN_SECRET'],
  },
  ({ caller, query }) => listTickets(caller, query),
);
