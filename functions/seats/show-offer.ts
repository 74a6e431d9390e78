import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { showOffer } from '../../shared/tickets/seats/change-seat.ts';
import { offerView, transferPath } from '../../shared/tickets/seats/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/transfers/{token}',
    summary: 'Show the offer of a seat',
    description:
      'For everybody with the link of the offer, so that its recipient sees the event before signing in.',
    caller: 'anyone',
    path: transferPath,
    response: z.object({ offer: offerView }),
    errors: ['gone'],
    table: ['GetItem', 'BatchGetItem'],
  },
  async ({ path }) => ({ offer: await showOffer(path.token) }),
);
