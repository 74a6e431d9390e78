import { pageQuery } from '../../shared/dynamo/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { id } from '../../shared/http/path.ts';
import { listTickets } from '../../shared/tickets/list-tickets.ts';

const query = pageQuery.extend({ orderId: id.optional(), eventId: id.optional() });

export const handler = endpoint({ caller: 'user', query }, ({ caller, query }) =>
  listTickets(caller.userId, query),
);
