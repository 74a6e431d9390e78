import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { toOrderView } from '../../shared/orders/order-view.ts';
import { requestRefund } from '../../shared/refunds/request-refund.ts';

export const handler = endpoint({ caller: 'user', path: idPath }, async ({ caller, path }) => ({
  order: toOrderView(await requestRefund(caller, path.id)),
}));
