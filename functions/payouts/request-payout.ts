import * as z from 'zod';
import { requireLiveCaller, requirePayoutSession } from '../../shared/accounts/auth/step-up.ts';
import { newId } from '../../shared/core/ids.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { runIdempotently } from '../../shared/http/idempotency.ts';
import { requestPayout } from '../../shared/money/payouts/request-payout.ts';
import { payoutRequest, payoutView, toPayoutView } from '../../shared/money/payouts/views.ts';

export const handler = endpoint(
  {
    route: 'POST /api/payouts',
    summary: 'Request a payout to a bank account',
    caller: 'organizer',
    fresh: requirePayoutSession,
    description:
      'The first payouts to a bank account wait, where the stage says so (`waitsFor` is `new-account`), and the organizer is mailed a link that stops them.',
    body: payoutRequest,
    response: z.object({ payout: payoutView }),
    status: 201,
    idempotent: true,
    errors: [
      'second-factor-required',
      'insufficient-balance',
      'currency-not-supported',
      'gateway-not-configured',
    ],
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['send-money', 'send-links'],
    secrets: ['GATEWAY_A_SECRET', 'GATEWAY_B_SECRET_KEY'],
    settings: ['GATEWAY_A_URL', 'GATEWAY_B_URL', 'REQUIRE_SECOND_FACTOR', 'NEW_ACCOUNT_HOURS', 'MAIL_FROM'],
  },
  ({ caller, body, header }) => {
    const { userId } = caller;
    // The seed becomes the payout's id. A repeat of an interrupted call gets that call's seed and finds its payout.
    const call = { userId, key: header('idempotency-key'), request: body, seed: newId() };
    return runIdempotently(call, async (id) => ({
      payout: toPayoutView(await requestPayout(userId, body, id, [await requireLiveCaller(caller)])),
    }));
  },
);
