import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { idPath } from '../../shared/http/path.ts';
import { orderView, toOrderView } from '../../shared/orders/order-view.ts';
import { requestRefund } from '../../shared/refunds/request-refund.ts';

export const handler = endpoint(
  {
    summary: 'Give a buyer the money back, and put the tickets on sale again',
    caller: 'user',
    who: 'the event’s organizer, or an admin',
    path: idPath,
    response: z.object({ order: orderView }),
    errors: ['order-not-found', 'not-paid', 'in-progress'],
  },
  async ({ caller, path }) => ({ order: toOrderView(await requestRefund(caller, path.id)) }),
);
