import { pageQuery } from '../../shared/dynamo/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { toPayoutView } from '../../shared/payouts/payout-view.ts';
import { listPayouts } from '../../shared/payouts/store.ts';

export const handler = endpoint({ caller: 'organizer', query: pageQuery }, async ({ caller, query }) => {
  const { payouts, nextCursor } = await listPayouts(caller.userId, query);
  return { payouts: payouts.map(toPayoutView), nextCursor };
});
