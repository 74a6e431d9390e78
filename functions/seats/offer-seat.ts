import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { offerSeat } from '../../shared/tickets/seats/seat-offers.ts';
import {
  seatErrorCodes,
  seatPath,
  toTransferView,
  transferErrorCodes,
  transferRequest,
  transferView,
} from '../../shared/tickets/seats/seat-view.ts';

export const handler = endpoint(
  {
    summary: 'Offer a seat to another account',
    description:
      'Only the account with this e-mail accepts, now or once it exists; until then the seat stays with the caller. A new offer ends the earlier one.',
    caller: 'user',
    callerDescription: 'the holder',
    path: seatPath,
    body: transferRequest,
    response: z.object({ transfer: transferView }),
    status: 201,
    errors: [...seatErrorCodes, ...transferErrorCodes, 'too-many-attempts'],
  },
  async ({ caller, path: { id: orderId, number }, body: { email } }) => ({
    transfer: toTransferView(await offerSeat(caller, { orderId, number }, email)),
  }),
);
