import type { Refund, RefundState } from '../gateway.ts';
import { providerFailed } from '../provider-call.ts';
import { toMajor } from '../subunits.ts';
import { callGatewayB } from './call.ts';

/**
 * Gives a payment back. The provider knows no idempotency keys, so ours goes into the refund's comment, by which
 * a repeated call finds what the first one did; beyond that it refuses to give back more than was paid.
 */
export async function refundGatewayB(refund: Refund): Promise<RefundState> {
  const earlier = await findRefund(refund);
  if (earlier) return earlier;
  const path = `/transactions/${encodeURIComponent(refund.transactionId)}/refund`;
  const { ok, status, body } = await callGatewayB('POST', path, {
    body: { amount: toMajor(refund.amount, refund.currency), comments: refund.idempotencyKey },
  });
  if (!ok || body.status !== 'success') throw providerFailed(`refund: ${status}`);
  return stateOf(body.data);
}

async function findRefund({ transactionId, idempotencyKey }: Refund): Promise<RefundState | undefined> {
  const { body } = await callGatewayB('GET', `/refunds?id=${encodeURIComponent(transactionId)}`);
  const refunds: ProviderRefund[] = Array.isArray(body.data) ? body.data : [];
  const ours = refunds.find(({ comment, comments, status = '' }) => {
    return (comment ?? comments) === idempotencyKey && !status.startsWith('failed');
  });
  return ours && stateOf(ours);
}

interface ProviderRefund {
  /** It is sent as `comments`, and listed under either name. */
  comment?: string;
  comments?: string;
  /** Such as `pending`, `completed`, `completed-bank-transfer`, `failed`. */
  status?: string;
}

function stateOf(refund: ProviderRefund | undefined): RefundState {
  return refund?.status?.startsWith('completed') ? 'done' : 'pending';
}
