import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import { sendTickets } from '../../shared/orders/ticket-mail.ts';
import { orderView } from '../../shared/orders/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/send',
    summary: 'Mail the tickets of an order again',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer, or the event’s organizer and managers',
    path: idPath('order'),
    response: z.object({ order: orderView }),
    errors: [
      'order-not-found',
      'not-paid',
      'event-cancelled',
      'refunded',
      'no-seat',
      'too-many-attempts',
      'unavailable',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    sends: ['send-mail'],
    settings: ['MAIL_FROM'],
  },
  async ({ caller, path }) => ({ order: await showOrder(await sendTickets(caller, path.id)) }),
);
