import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import { requestRefund } from '../../shared/orders/refunds/request-refund.ts';
import { orderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/refund',
    summary: 'Refund an order and release its tickets',
    caller: 'user',
    callerDescription: 'the event’s organizer and managers, or an admin',
    path: idPath('order'),
    response: z.object({ order: orderView }),
    errors: [
      'order-not-found',
      'not-paid',
      'in-progress',
      'admitted',
      'moved',
      'insufficient-funds',
      'busy',
      'unavailable',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['send-money'],
    chains: true,
    timeoutSeconds: 29,
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  async ({ caller, path }) => ({ order: await showOrder(await requestRefund(caller, path.id)) }),
);
