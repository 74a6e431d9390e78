import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { verifyAccessToken } from '../../shared/orders/access-token.ts';
import { withdrawOffer } from '../../shared/tickets/seats/change-seat.ts';
import { toSeatView } from '../../shared/tickets/seats/list-seats.ts';
import { offerErrorCodes, seatView, transferPath } from '../../shared/tickets/seats/views.ts';
import { seatOfOffer } from '../../shared/tickets/ticket.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/transfers/{token}',
    summary: 'Withdraw the offer of a seat',
    caller: 'user',
    orderToken: (accessToken, { token = '' }) =>
      verifyAccessToken(accessToken, seatOfOffer(token)?.orderId ?? ''),
    callerDescription: 'the account that made the offer',
    path: transferPath,
    response: z.object({ seat: seatView }),
    errors: offerErrorCodes,
    table: ['BatchGetItem', 'UpdateItem'],
    secrets: ['CHECK_IN_SECRET'],
  },
  async ({ caller, path }) => ({
    seat: await toSeatView(caller, await withdrawOffer(caller, path.token)),
  }),
);
