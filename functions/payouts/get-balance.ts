import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { readBalances } from '../../shared/money/ledger/store.ts';
import { listPayoutGateways, payoutGatewayView } from '../../shared/money/payouts/request-payout.ts';
import { balanceView, toBalanceView } from '../../shared/money/payouts/views.ts';

export const handler = endpoint(
  {
    route: 'GET /api/organizer/balance',
    summary: 'Get the caller’s balance per currency, and the gateways that pay it out',
    caller: 'organizer',
    response: z.object({ balances: z.array(balanceView), payoutGateways: z.array(payoutGatewayView) }),
    table: ['Query'],
    settings: ['GATEWAY_A_URL', 'GATEWAY_A_NAME', 'GATEWAY_B_URL', 'GATEWAY_B_NAME'],
  },
  async ({ caller }) => ({
    balances: (await readBalances(caller.userId)).map(toBalanceView),
    payoutGateways: listPayoutGateways(),
  }),
);
