import { pageQuery } from '../../shared/dynamo/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { toOrderView } from '../../shared/orders/order-view.ts';
import { listOrders } from '../../shared/orders/read-order.ts';

export const handler = endpoint({ caller: 'user', query: pageQuery }, async ({ caller, query }) => {
  const { orders, nextCursor } = await listOrders(caller.userId, query);
  return { orders: orders.map(toOrderView), nextCursor };
});
