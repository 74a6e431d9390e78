import * as z from 'zod';
import { idPath } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { quoteReturn } from '../../shared/orders/refunds/return-seats.ts';
import { quoteQuery, returnQuoteView } from '../../shared/orders/views.ts';
import { requireReturnableSeats } from '../../shared/tickets/seats/find-seat.ts';

export const handler = endpoint(
  {
    route: 'GET /api/orders/{id}/returns/quote',
    summary: 'Tell what a return of tickets gives back',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the buyer',
    path: idPath('order'),
    query: quoteQuery,
    response: z.object({ quote: returnQuoteView }),
    errors: [
      'order-not-found',
      'returns-not-allowed',
      'returns-closed',
      'not-paid',
      'refunded',
      'admitted',
      'moved',
      'offered',
    ],
    table: ['GetItem', 'BatchGetItem', 'Query'],
  },
  async ({ caller, path, query }) => ({
    quote: await quoteReturn(caller, path.id, query.seats, requireReturnableSeats),
  }),
);
