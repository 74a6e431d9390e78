import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { orderView, toOrderView } from '../../shared/orders/order-view.ts';
import { readOrder } from '../../shared/orders/read-order.ts';

export const handler = endpoint(
  {
    summary: 'Read an order',
    caller: 'user',
    who: 'the buyer, or the event’s organizer',
    path: idPath,
    response: z.object({ order: orderView }),
    errors: ['order-not-found'],
  },
  async ({ caller, path }) => ({ order: toOrderView(await readOrder(caller.userId, path.id)) }),
);
