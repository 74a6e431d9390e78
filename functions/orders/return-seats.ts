import * as z from 'zod';
import { newId } from '../../shared/core/ids.ts';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { runIdempotently } from '../../shared/http/idempotency.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { returnSeats } from '../../shared/orders/refunds/return-seats.ts';
import { returnRequest, returnView } from '../../shared/orders/views.ts';
import { requireReturnableSeats } from '../../shared/tickets/seats/find-seat.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/returns',
    summary: 'Return tickets for a refund',
    description:
      'On the terms that the order was bought on: see `returns` of the order. With the mode `always` the tickets are no longer valid at once, and the refund, less the fee that the organizer keeps, is sent. With `when-resold` they are listed: they stay valid, and are refunded when somebody on the waiting list has paid for them. An admission, a transfer, a refund, a dispute, the end of the sale and `DELETE` end that. The other tickets of the order stay valid.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer',
    path: idPath('order'),
    body: returnRequest,
    response: z.object({ return: returnView }),
    status: 201,
    idempotent: true,
    errors: [
      'order-not-found',
      'returns-not-allowed',
      'returns-closed',
      'not-paid',
      'refunded',
      'in-progress',
      'admitted',
      'moved',
      'minting',
      'offered',
      'listed',
      'too-many-listed',
      'disputed',
      'too-many-attempts',
      'busy',
      'unavailable',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'Query'],
    sends: ['send-money', 'deliver-webhooks'],
    chains: true,
    timeoutSeconds: 29,
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  ({ caller, path, body, header }) => {
    // A repeat of an interrupted call gets that call's seed and finds its return.
    const request = { returnOf: path.id, ...body };
    const call = { userId: caller.userId, key: header('idempotency-key'), request, seed: newId() };
    return runIdempotently(call, async (requestId) => ({
      return: await returnSeats(caller, path.id, body.seats, {
        requestId,
        requireReturnable: requireReturnableSeats,
      }),
    }));
  },
);
