import { endpoint } from '../../shared/http/endpoint.ts';
import { idempotent } from '../../shared/idempotency/idempotent.ts';
import { newId } from '../../shared/ids.ts';
import { payoutRequest } from '../../shared/payouts/payout-request.ts';
import { toPayoutView } from '../../shared/payouts/payout-view.ts';
import { requestPayout } from '../../shared/payouts/request-payout.ts';

export const handler = endpoint(
  { caller: 'organizer', body: payoutRequest, status: 201 },
  ({ caller: { userId }, body, header }) =>
    idempotent({ userId, key: header('idempotency-key'), request: body, seed: newId() }, async (id) => ({
      payout: toPayoutView(await requestPayout(userId, body, id)),
    })),
);
