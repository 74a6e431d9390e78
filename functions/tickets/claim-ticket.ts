import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { claimSeat } from '../../shared/tickets/seats/claim-seat.ts';
import { toSeatView } from '../../shared/tickets/seats/list-seats.ts';
import { claimErrorCodes, claimRequest, seatView } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/tickets/claim',
    summary: 'Claim the seat of a token',
    description:
      'For events that admit by token. The seat moves to the caller, with a new check-in code, if the caller’s linked wallet owns the token in the newest final block.',
    caller: 'user',
    callerDescription: 'a user with a linked wallet',
    body: claimRequest,
    response: z.object({ seat: seatView }),
    errors: claimErrorCodes,
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'ConditionCheckItem', 'Query'],
    sends: ['deliver-webhooks'],
    secrets: ['CHECK_IN_SECRET'],
    chains: true,
    timeoutSeconds: 20,
    settings: ['RETENTION_DAYS'],
  },
  async ({ caller, body }) => ({
    seat: await toSeatView(caller, await claimSeat(caller, body)),
  }),
);
