import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { withdrawOffer } from '../../shared/tickets/seats/change-seat.ts';
import { toSeatView } from '../../shared/tickets/seats/list-seats.ts';
import { offerErrorCodes, seatView, transferPath } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'DELETE /api/transfers/{token}',
    summary: 'Withdraw the offer of a seat',
    caller: 'user',
    callerDescription: 'the account that made the offer',
    path: transferPath,
    response: z.object({ seat: seatView }),
    errors: offerErrorCodes,
    table: ['BatchGetItem', 'UpdateItem'],
    secrets: ['CHECK_IN_SECRET'],
  },
  async ({ caller: { userId }, path }) => ({
    seat: await toSeatView(userId, await withdrawOffer(userId, path.token)),
  }),
);
