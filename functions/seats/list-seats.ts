import { endpoint } from '../../shared/http/endpoint.ts';
import { listSeats } from '../../shared/tickets/seats/list-seats.ts';
import { seatList, seatListQuery } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/seats',
    summary: 'List the caller’s seats, newest order first',
    description:
      'Lists the seats that the caller holds, whether or not an NFT was minted for them, and the seats that the caller bought and transferred.',
    caller: 'user',
    query: seatListQuery,
    response: seatList,
    table: ['BatchGetItem'],
    indexes: ['byOwner'],
    secrets: ['CHECK_IN_SECRET'],
  },
  ({ caller, query }) => listSeats(caller, query),
);
