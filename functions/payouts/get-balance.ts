import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readBalances } from '../../shared/ledger/store.ts';
import { balanceView, toBalanceView } from '../../shared/payouts/payout-view.ts';

export const handler = endpoint(
  {
    summary: 'Get the caller’s balance per currency',
    caller: 'organizer',
    response: z.object({ balances: z.array(balanceView) }),
  },
  async ({ caller }) => ({ balances: (await readBalances(caller.userId)).map(toBalanceView) }),
);
