import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { confirmOrder } from '../../shared/orders/confirm-order.ts';
import { confirmation } from '../../shared/orders/confirmation.ts';
import { toOrderView } from '../../shared/orders/order-view.ts';

export const handler = endpoint(
  { caller: 'user', path: idPath, body: confirmation },
  async ({ caller, path, body }) => ({
    order: toOrderView(await confirmOrder(caller.userId, path.id, body.txHash)),
  }),
);
