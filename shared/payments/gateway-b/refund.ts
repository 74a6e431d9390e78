import type { Refund, RefundState } from '../gateway.ts';
import { providerFailed } from '../provider-call.ts';
import { toMajor } from '../subunits.ts';
import { callGatewayB } from './call.ts';

/**
 * Gives a payment back. The provider knows no idempotency keys, and does not list the comments that refunds are
 * made with. A payment is given back at most once, so a refund of that amount is the one that is asked for.
 */
export async function refundGatewayB(refund: Refund): Promise<RefundState> {
  const amount = toMajor(refund.amount, refund.currency);
  const earlier = await findRefund(refund.transactionId, amount);
  if (earlier) return stateOf(earlier);
  const path = `/transactions/${encodeURIComponent(refund.transactionId)}/refund`;
  const { ok, status, body } = await callGatewayB('POST', path, {
    body: { amount, comments: refund.idempotencyKey },
  });
  if (!ok || body.status !== 'success') throw providerFailed(`refund: ${status}`);
  return stateOf(body.data ?? {});
}

async function findRefund(transactionId: string, amount: number): Promise<ProviderRefund | undefined> {
  const path = `/refunds?id=${encodeURIComponent(transactionId)}`;
  const { ok, status, body } = await callGatewayB('GET', path);
  if (!ok) throw providerFailed(`refunds: ${status}`);
  const refunds: ProviderRefund[] = Array.isArray(body.data) ? body.data : [];
  // The filter is asked of the provider; whether it heeds it is not left to trust.
  return refunds.find(
    ({ tx_id, amount_refunded, status }) =>
      String(tx_id) === transactionId && amount_refunded === amount && !status?.startsWith('failed'),
  );
}

interface ProviderRefund {
  tx_id?: number;
  amount_refunded?: number;
  /** Such as `pending`, `completed`, `completed-bank-transfer`, `failed`. */
  status?: string;
}

function stateOf({ status }: ProviderRefund): RefundState {
  return status?.startsWith('completed') ? 'done' : 'pending';
}
