import * as z from 'zod';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listOrders, showOrders } from '../../shared/orders/read-orders.ts';
import { orderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders',
    summary: 'List the caller’s orders, newest first',
    caller: 'user',
    query: pageQuery,
    response: z.object({ orders: z.array(orderView), nextCursor }),
    table: ['BatchGetItem'],
    indexes: ['byOwner'],
  },
  async ({ caller, query }) => {
    const { orders, nextCursor } = await listOrders(caller, query);
    return { orders: await showOrders(orders), nextCursor };
  },
);
