import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { eventPath } from '../../shared/catalog/events/editing/event-input.ts';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { csvReply, prefersCsv } from '../../shared/http/csv.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { exportEventOrders, listEventOrders, showOrders } from '../../shared/orders/read-orders.ts';
import { orderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/events/{id}/orders',
    summary: 'List an event’s orders, newest first, or export them as CSV',
    caller: 'user',
    apiKey: acceptKeys('orders:read'),
    callerDescription: 'the event’s organizer and managers',
    path: eventPath,
    query: pageQuery,
    response: z.object({ orders: z.array(orderView), nextCursor }),
    csv: true,
    errors: ['forbidden', 'event-not-found', 'busy'],
    table: ['GetItem', 'BatchGetItem'],
    indexes: ['byEvent'],
    timeoutSeconds: 29,
    memoryMegabytes: 1024,
  },
  async ({ caller: { userId }, path: { id }, query, header }) => {
    if (prefersCsv(header))
      return csvReply(`orders-${id}`, await exportEventOrders(id, userId, query.cursor));
    const { orders, nextCursor } = await listEventOrders(id, userId, query);
    return { orders: await showOrders(orders), nextCursor };
  },
);
