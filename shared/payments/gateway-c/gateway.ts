import type Stripe from 'stripe';
import { optional } from '../../runtime/config.ts';
import { secret } from '../../runtime/secrets.ts';
import { readPaid, takes, toSubunits } from '../amounts.ts';
import type { Gateway, Payment, PaymentSignal, Refund, RefundState } from '../gateway.ts';
import { providerFailed } from '../provider-call.ts';
import { plainText } from '../webhook.ts';
import { callGatewayC } from './client.ts';

/** Payments by gateway-c: https://docs.stripe.com/api/checkout/sessions */
export const gatewayC: Gateway = {
  name: 'gateway-c',

  async isConfigured() {
    return Boolean(optional('GATEWAY_C_URL') && (await secret('GATEWAY_C_SECRET_KEY')));
  },

  supports: (currency, amount) => takes('gateway-c', currency, amount),

  async start(payment) {
    // Asked again with the same key the provider gives the same session, also when its first answer got lost.
    const session = await callGatewayC(({ checkout }) =>
      checkout.sessions.create(sessionOf(payment), { idempotencyKey: payment.reference }),
    );
    if (!session.url) throw providerFailed('session without an address');
    return { checkoutUrl: session.url, checkoutSession: session.id };
  },

  // The provider finds sessions by its own ids alone. Without one nobody was ever sent to pay.
  async findPayment({ checkoutSession }, limitMilliseconds) {
    if (!checkoutSession) return undefined;
    const session = await callGatewayC(
      ({ checkout }) => checkout.sessions.retrieve(checkoutSession),
      limitMilliseconds,
    );
    return isPaid(session) ? sessionSignal('paid', session) : undefined;
  },

  refund,
};

/** The provider ends sessions half an hour after they were made at the earliest. */
const shortestSessionSeconds = 30 * 60;

function sessionOf(payment: Payment): Stripe.Checkout.SessionCreateParams {
  const price = {
    currency: payment.currency.toLowerCase(),
    unit_amount: Number(toSubunits('gateway-c', payment.amount, payment.currency)),
    product_data: { name: payment.description },
  };
  return {
    mode: 'payment',
    client_reference_id: payment.reference,
    customer_email: payment.email,
    line_items: [{ quantity: 1, price_data: price }],
    success_url: payment.returnUrl,
    cancel_url: payment.returnUrl,
    // Counted from the hold and not from now: a repeated call must ask for exactly the same.
    expires_at: Math.ceil(Date.parse(payment.expiresAt) / 1000) + shortestSessionSeconds,
  };
}

async function refund({
  transactionId,
  reference,
  amount,
  currency,
  idempotencyKey,
}: Refund): Promise<RefundState> {
  const { status } = await callGatewayC(({ refunds }) =>
    refunds.create(
      {
        payment_intent: transactionId,
        amount: Number(toSubunits('gateway-c', amount, currency)),
        metadata: { reference },
      },
      { idempotencyKey },
    ),
  );
  if (status === 'failed' || status === 'canceled') throw providerFailed(`refund ${status}`);
  return status === 'succeeded' ? 'done' : 'pending';
}

/** Whether a session's money is there: some ways to pay are completed days before it is. */
export function isPaid({ payment_status: status }: Stripe.Checkout.Session): boolean {
  return status === 'paid' || status === 'no_payment_required';
}

/** What a session tells. Refunds ask for the payment's id, so that is the transaction. */
export function sessionSignal(
  kind: PaymentSignal['kind'],
  { id, client_reference_id, payment_intent, amount_total, currency }: Stripe.Checkout.Session,
): PaymentSignal {
  const payment = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
  return {
    kind,
    reference: client_reference_id ?? '',
    transactionId: plainText(payment ?? id),
    ...readPaid('gateway-c', 'sub', amount_total, currency),
  };
}
