import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cancelOrder } from '../../shared/orders/settlement/cancel-order.ts';
import { orderView, toOrderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    summary: 'Cancel an order before it is paid',
    caller: 'user',
    callerDescription: 'the buyer',
    path: idPath('order'),
    response: z.object({ order: orderView }),
    errors: ['order-not-found', 'not-pending', 'payment-under-way'],
  },
  async ({ caller, path }) => ({ order: toOrderView(await cancelOrder(caller.userId, path.id)) }),
);
