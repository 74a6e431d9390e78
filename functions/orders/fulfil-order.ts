import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { orderView, toOrderView } from '../../shared/orders/order-view.ts';
import { requestFulfilment } from '../../shared/orders/request-fulfilment.ts';

export const handler = endpoint(
  {
    summary: 'Mint an order’s tickets after all, once the buyer has a wallet',
    caller: 'organizer',
    who: 'the event’s organizer, or an admin',
    path: idPath,
    response: z.object({ order: orderView }),
    errors: ['order-not-found', 'nothing-to-fulfil'],
  },
  async ({ caller, path }) => ({ order: toOrderView(await requestFulfilment(caller, path.id)) }),
);
