import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readBalances } from '../../shared/money/ledger/store.ts';
import { listPayoutGateways, payoutGatewayView } from '../../shared/money/payouts/payout-gateways.ts';
import { balanceView, toBalanceView } from '../../shared/money/payouts/payout-view.ts';

export const handler = endpoint(
  {
    summary: 'Get the caller’s balance per currency, and the gateways that pay it out',
    caller: 'organizer',
    response: z.object({ balances: z.array(balanceView), payoutGateways: z.array(payoutGatewayView) }),
  },
  async ({ caller }) => ({
    balances: (await readBalances(caller.userId)).map(toBalanceView),
    payoutGateways: listPayoutGateways(),
  }),
);
