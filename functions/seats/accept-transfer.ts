import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { acceptOffer } from '../../shared/tickets/seats/change-seat.ts';
import { toSeatView } from '../../shared/tickets/seats/list-seats.ts';
import {
  offerErrorCodes,
  seatView,
  transferErrorCodes,
  transferPath,
} from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/transfers/{token}/accept',
    summary: 'Accept the transfer of a seat',
    description:
      'The seat moves to the caller with a new check-in code, which is also mailed to them. Earlier codes are no longer valid.',
    caller: 'user',
    callerDescription: 'the account that the seat was offered to',
    path: transferPath,
    response: z.object({ seat: seatView }),
    errors: [
      ...offerErrorCodes,
      ...transferErrorCodes,
      'kyc-required',
      'event-cancelled',
      'refunded',
      'no-seat',
    ],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'Query'],
    sends: ['send-mail', 'deliver-webhooks'],
    secrets: ['CHECK_IN_SECRET'],
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  async ({ caller, path }) => ({
    seat: await toSeatView(caller, await acceptOffer(caller, path.token)),
  }),
);
