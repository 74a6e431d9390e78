import * as z from 'zod';
import { nextCursor, pageQuery } from '../../shared/core/schemas.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { listPayouts } from '../../shared/money/payouts/store.ts';
import { payoutView, toPayoutView } from '../../shared/money/payouts/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/payouts',
    summary: 'List the caller’s payouts, newest first',
    caller: 'organizer',
    query: pageQuery,
    response: z.object({ payouts: z.array(payoutView), nextCursor }),
    table: ['BatchGetItem'],
    indexes: ['byOwner'],
  },
  async ({ caller, query }) => {
    const { payouts, nextCursor } = await listPayouts(caller.userId, query);
    return { payouts: payouts.map(toPayoutView), nextCursor };
  },
);
