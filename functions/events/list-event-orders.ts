import { pageQuery } from '../../shared/dynamo/page.ts';
import { eventPath } from '../../shared/events/event-input.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { exportEventOrders, listEventOrders } from '../../shared/orders/event-orders.ts';
import { toOrderView } from '../../shared/orders/order-view.ts';

export const handler = endpoint(
  { caller: 'user', path: eventPath, query: pageQuery },
  async ({ caller: { userId }, path: { id }, query, header }) => {
    if (header('accept')?.trim().toLowerCase().startsWith('text/csv')) {
      const { csv, nextCursor } = await exportEventOrders(id, userId, query.cursor);
      const headers = {
        'content-type': 'text/csv; charset=utf-8; header=present',
        'content-disposition': `attachment; filename="orders-${id}.csv"`,
        ...(nextCursor && { 'x-next-cursor': nextCursor }),
      };
      return new Reply(csv, { headers });
    }
    const { orders, nextCursor } = await listEventOrders(id, userId, query);
    return { orders: orders.map(toOrderView), nextCursor };
  },
);
