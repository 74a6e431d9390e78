import * as z from 'zod';
import { pageQuery } from '../../shared/dynamo/page-query.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { id } from '../../shared/http/path.ts';
import { listTickets } from '../../shared/tickets/list-tickets.ts';
import { ticketView } from '../../shared/tickets/ticket-view.ts';
import { nextCursor } from '../../shared/views.ts';

const query = pageQuery.extend({ orderId: id.optional(), eventId: id.optional() });

export const handler = endpoint(
  {
    summary: 'List the caller’s minted tickets, the newest first',
    caller: 'user',
    query,
    response: z.object({ tickets: z.array(ticketView), nextCursor }),
  },
  ({ caller, query }) => listTickets(caller.userId, query),
);
