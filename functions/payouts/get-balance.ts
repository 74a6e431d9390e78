import { endpoint } from '../../shared/http/endpoint.ts';
import { readBalances } from '../../shared/ledger/store.ts';
import { toBalanceView } from '../../shared/payouts/payout-view.ts';

export const handler = endpoint({ caller: 'organizer' }, async ({ caller }) => ({
  balances: (await readBalances(caller.userId)).map(toBalanceView),
}));
