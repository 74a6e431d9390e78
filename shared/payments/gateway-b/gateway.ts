import { optional, required } from '../../runtime/config.ts';
import { requiredSecret, secret } from '../../runtime/secrets.ts';
import { takes, toMajor } from '../amounts.ts';
import type { Gateway, Refund, RefundState } from '../gateway.ts';
import { callProvider, type ProviderAnswer, providerFailed } from '../provider-call.ts';
import { paymentSignal } from './webhook.ts';

/** Payments by gateway-b. */
export const gatewayB: Gateway = {
  name: 'gateway-b',

  async isConfigured() {
    return Boolean(optional('GATEWAY_B_URL') && (await secret('GATEWAY_B_SECRET_KEY')));
  },

  supports: (currency, amount) => takes('gateway-b', currency, amount),

  async start({ reference, amount, currency, email, name, returnUrl, description }) {
    const { ok, status, body } = await callGatewayB('POST', '/payments', {
      body: {
        tx_ref: reference,
        amount: toMajor(amount, currency),
        currency,
        redirect_url: returnUrl,
        customer: { email, name },
        customizations: { title: description },
      },
    });
    const checkoutUrl = body.data?.link;
    if (!ok || body.status !== 'success' || typeof checkoutUrl !== 'string') {
      throw providerFailed(`start: ${status}`);
    }
    return { checkoutUrl };
  },

  async findPayment({ reference }, limitMilliseconds) {
    const path = `/transactions/verify_by_reference?tx_ref=${encodeURIComponent(reference)}`;
    const { body } = await callGatewayB('GET', path, { limitMilliseconds });
    return body.data?.status === 'successful' ? paymentSignal('paid', body.data) : undefined;
  },

  refund: refundGatewayB,
};

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

/**
 * One call to gateway-b, which speaks Flutterwave's v3 protocol: https://developer.flutterwave.com/v3.0
 * @throws DomainError as callProvider does, and when whoever answers does not speak the protocol
 */
export async function callGatewayB(
  method: 'GET' | 'POST',
  path: string,
  { body, limitMilliseconds }: { body?: object; limitMilliseconds?: number } = {},
): Promise<ProviderAnswer> {
  const bearer = await requiredSecret('GATEWAY_B_SECRET_KEY');
  const answer = await callProvider({
    method,
    url: required('GATEWAY_B_URL') + path,
    bearer,
    body,
    limitMilliseconds,
  });
  if (typeof answer.body.status !== 'string') throw providerFailed('an answer in another form');
  return answer;
}
