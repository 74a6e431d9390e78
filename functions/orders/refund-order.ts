import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { newId } from '../../shared/core/ids.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { runIdempotently } from '../../shared/http/idempotency.ts';
import { showOrder } from '../../shared/orders/read-orders.ts';
import { requestRefund } from '../../shared/orders/refunds/request-refund.ts';
import { orderView, refundRequest } from '../../shared/orders/views.ts';
import { requireUnusedSeats } from '../../shared/tickets/seats/find-seat.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/refund',
    summary: 'Refund an order, some of its seats, or an amount',
    description:
      'Without a body, all that is left of the order is refunded, and its tickets are released. With `seats`, they are no longer valid, and the others stay. With `amount`, all seats stay valid. A seat is worth its part of the payment, with the fee. Refunds of one payment are sent one after the other.',
    caller: 'user',
    apiKey: acceptKeys('orders:refund'),
    callerDescription: 'the event’s organizer and managers, or an admin',
    path: idPath('order'),
    body: refundRequest.optional(),
    response: z.object({ order: orderView }),
    idempotent: true,
    errors: [
      'order-not-found',
      'not-paid',
      'in-progress',
      'admitted',
      'moved',
      'minting',
      'disputed',
      'refund-too-high',
      'too-many-refunds',
      'insufficient-funds',
      'busy',
      'unavailable',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    sends: ['send-money', 'deliver-webhooks'],
    chains: true,
    timeoutSeconds: 29,
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  ({ caller, path, body = {}, header }) => {
    // A repeat of an interrupted call gets that call's seed and finds its refund. With another API key,
    // which may be limited to other events, it is another request, and does not get the stored answer.
    const request = { refundOf: path.id, ...body, apiKey: caller.key?.id };
    const call = { userId: caller.userId, key: header('idempotency-key'), request, seed: newId() };
    return runIdempotently(call, async (requestId) => ({
      order: await showOrder(await requestRefund(caller, path.id, body, { requestId, requireUnusedSeats })),
    }));
  },
);
