import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { cancelOrder } from '../../shared/orders/cancel-order.ts';
import { toOrderView } from '../../shared/orders/order-view.ts';

export const handler = endpoint({ caller: 'user', path: idPath }, async ({ caller, path }) => ({
  order: toOrderView(await cancelOrder(caller.userId, path.id)),
}));
