import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import {
  confirmationErrorCodes,
  confirmationRequest,
  confirmOrder,
} from '../../shared/orders/settlement/crypto-payment.ts';
import { orderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/confirm',
    summary: 'Confirm the payment of a crypto order by its transaction',
    description:
      'If the transaction is not final yet, the service stores it and completes the order once it is final.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer',
    path: idPath('order'),
    body: confirmationRequest,
    response: z.object({ order: orderView }),
    errors: confirmationErrorCodes,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    settings: ['RETENTION_DAYS'],
    sends: ['fulfil-orders'],
    chains: true,
    timeoutSeconds: 20,
  },
  async ({ caller, path, body }) => ({
    order: await showOrder(await confirmOrder(caller, path.id, body.txHash)),
  }),
);
