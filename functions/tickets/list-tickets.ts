import * as z from 'zod';
import { ticketWithAdmission } from '../../shared/admissions/admission-view.ts';
import { listTickets } from '../../shared/admissions/read-admissions.ts';
import { pageQuery } from '../../shared/dynamo/page-query.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { id } from '../../shared/http/path.ts';
import { nextCursor } from '../../shared/views.ts';

const query = pageQuery.extend({ orderId: id.optional(), eventId: id.optional() });

export const handler = endpoint(
  {
    summary: 'List the caller’s minted tickets, the newest first',
    caller: 'user',
    query,
    response: z.object({ tickets: z.array(ticketWithAdmission), nextCursor }),
  },
  ({ caller, query }) => listTickets(caller.userId, query),
);
