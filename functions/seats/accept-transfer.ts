import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import {
  endRefusals,
  seatView,
  transferPath,
  transferRefusals,
} from '../../shared/tickets/seats/seat-view.ts';
import { toSeatView } from '../../shared/tickets/seats/show-seats.ts';
import { acceptOffer } from '../../shared/tickets/seats/transfer.ts';

export const handler = endpoint(
  {
    summary: 'Accept a seat',
    description: 'The seat moves to the caller with a new check-in code; earlier codes are no longer valid.',
    caller: 'user',
    who: 'the account that it was offered to',
    path: transferPath,
    response: z.object({ seat: seatView }),
    errors: [...endRefusals, ...transferRefusals, 'event-cancelled', 'refunded', 'no-seat'],
  },
  async ({ caller: { userId }, path }) => ({
    seat: await toSeatView(userId, await acceptOffer(userId, path.token)),
  }),
);
