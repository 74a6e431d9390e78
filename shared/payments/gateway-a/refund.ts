import type { Refund, RefundState } from '../gateway.ts';
import { providerFailed } from '../provider-call.ts';
import { toSubunits } from '../subunits.ts';
import { callGatewayA } from './call.ts';

/**
 * Gives a payment back. The provider knows no idempotency keys, so ours goes into the refund's note, by which a
 * repeated call finds what the first one did.
 */
export async function refundGatewayA(refund: Refund): Promise<RefundState> {
  const earlier = await findRefund(refund);
  if (earlier) return earlier;
  const { ok, status, body } = await callGatewayA('POST', '/refund', {
    body: {
      transaction: refund.transactionId,
      amount: Number(toSubunits('gateway-a', refund.amount, refund.currency)),
      currency: refund.currency,
      merchant_note: refund.idempotencyKey,
    },
  });
  if (!ok || body.status !== true) throw providerFailed(`refund: ${status}`);
  return stateOf(body.data);
}

async function findRefund({ transactionId, idempotencyKey }: Refund): Promise<RefundState | undefined> {
  const path = `/refund?transaction=${encodeURIComponent(transactionId)}`;
  const { ok, status, body } = await callGatewayA('GET', path);
  if (!ok) throw providerFailed(`refunds: ${status}`);
  const refunds: ProviderRefund[] = Array.isArray(body.data) ? body.data : [];
  const ours = refunds.find((made) => made.merchant_note === idempotencyKey && made.status !== 'failed');
  return ours && stateOf(ours);
}

interface ProviderRefund {
  merchant_note?: string;
  status?: string;
}

function stateOf(refund: ProviderRefund | undefined): RefundState {
  return refund?.status === 'processed' ? 'done' : 'pending';
}
