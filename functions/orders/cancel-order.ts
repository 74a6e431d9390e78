import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import { cancelOrder } from '../../shared/orders/settlement/end-order.ts';
import { orderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/cancel',
    summary: 'Cancel an order before it is paid',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer',
    path: idPath('order'),
    response: z.object({ order: orderView }),
    errors: ['order-not-found', 'not-pending', 'payment-under-way'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query', 'ConditionCheckItem'],
    sends: ['fulfil-orders', 'deliver-webhooks'],
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY', 'GATEWAY_C_SECRET_KEY'],
    settings: [
      'GATEWAY_A_URL',
      'GATEWAY_B_URL',
      'GATEWAY_C_URL',
      'HOLD_PAUSE_SECONDS',
      'UNPAID_ORDERS_PER_ADDRESS',
      'RETENTION_DAYS',
      'MAIL_FROM',
    ],
    chains: true,
    timeoutSeconds: 20,
  },
  async ({ caller, path }) => ({ order: await showOrder(await cancelOrder(caller, path.id)) }),
);
