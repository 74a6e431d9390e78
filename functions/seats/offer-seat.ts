import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { orderTokenById } from '../../shared/orders/access-token.ts';
import { offerSeat } from '../../shared/tickets/seats/change-seat.ts';
import {
  seatErrorCodes,
  seatPath,
  toTransferView,
  transferErrorCodes,
  transferRequest,
  transferView,
} from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/orders/{id}/seats/{number}/transfer',
    summary: 'Offer a seat to another account',
    description:
      'Only the account with this e-mail can accept the offer; the account may be created later. The caller keeps the seat until the offer is accepted. A new offer replaces the earlier one.',
    caller: 'user',
    orderToken: orderTokenById,
    callerDescription: 'the holder',
    path: seatPath,
    body: transferRequest,
    response: z.object({ transfer: transferView }),
    status: 201,
    errors: ['invalid-token', ...seatErrorCodes, ...transferErrorCodes, 'too-many-attempts'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem'],
    sends: ['send-mail'],
    secrets: ['CHECK_IN_SECRET'],
    settings: ['RETENTION_DAYS', 'MAIL_FROM'],
  },
  async ({ caller, path: { id: orderId, number }, body: { email } }) => ({
    transfer: toTransferView(await offerSeat(caller, { orderId, number }, email)),
  }),
);
