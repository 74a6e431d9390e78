import { endpoint } from '../../shared/http/endpoint.ts';
import { listSeats } from '../../shared/tickets/seats/list-seats.ts';
import { seatList, seatListQuery } from '../../shared/tickets/seats/seat-view.ts';

export const handler = endpoint(
  {
    summary: 'List the caller’s seats, newest order first',
    description:
      'Lists the seats that the caller holds, whether or not an NFT was minted for them, and the seats that the caller bought and transferred.',
    caller: 'user',
    query: seatListQuery,
    response: seatList,
  },
  ({ caller, query }) => listSeats(caller.userId, query),
);
