import { endpoint } from '../../shared/http/endpoint.ts';
import { initializeOrder } from '../../shared/orders/initialize-order.ts';
import { orderRequest } from '../../shared/orders/order.ts';
import { toInitializedView } from '../../shared/orders/order-view.ts';

export const handler = endpoint(
  { caller: 'user', body: orderRequest, status: 201 },
  async ({ caller, body }) => toInitializedView(await initializeOrder(caller.userId, body)),
);
