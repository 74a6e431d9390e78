import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { cancelOrder } from '../../shared/orders/cancel-order.ts';
import { orderView, toOrderView } from '../../shared/orders/order-view.ts';

export const handler = endpoint(
  {
    summary: 'Give up an order before it is paid',
    caller: 'user',
    who: 'the buyer',
    path: idPath,
    response: z.object({ order: orderView }),
    errors: ['order-not-found', 'not-pending'],
  },
  async ({ caller, path }) => ({ order: toOrderView(await cancelOrder(caller.userId, path.id)) }),
);
