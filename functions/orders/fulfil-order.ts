import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { toOrderView } from '../../shared/orders/order-view.ts';
import { requestFulfilment } from '../../shared/orders/request-fulfilment.ts';

export const handler = endpoint({ caller: 'organizer', path: idPath }, async ({ caller, path }) => ({
  order: toOrderView(await requestFulfilment(caller, path.id)),
}));
