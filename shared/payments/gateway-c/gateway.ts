import Stripe from 'stripe';
import { optionalSetting, requiredSetting } from '../../runtime/config.ts';
import { fetchWithRetry } from '../../runtime/http-client.ts';
import { readSecret, requiredSecret } from '../../runtime/secrets.ts';
import {
  type Gateway,
  type Payment,
  type PaymentSignal,
  type Refund,
  type RefundState,
  toShortText,
} from '../gateway.ts';
import {
  fromSubunits,
  providerFailed,
  providerRefused,
  providerTimeoutMilliseconds,
  readAllPages,
  readPaidAmount,
  supportsAmount,
  toSubunits,
} from '../provider.ts';

/** Payments by gateway-c: https://docs.stripe.com/api/checkout/sessions */
export const gatewayC: Gateway = {
  name: 'gateway-c',

  async isConfigured() {
    return Boolean(optionalSetting('GATEWAY_C_URL') && (await readSecret('GATEWAY_C_SECRET_KEY')));
  },

  supports: (currency, amount) => supportsAmount('gateway-c', currency, amount),

  async start(payment) {
    // The provider returns the same session for the same key, even when its first response was lost.
    const session = await callGatewayC(({ checkout }) =>
      checkout.sessions.create(sessionParameters(payment), { idempotencyKey: payment.reference }),
    );
    if (!session.url) throw providerFailed('session without an address');
    return { checkoutUrl: session.url, checkoutSession: session.id };
  },

  // The provider finds sessions only by its own ids. Without a session id, the buyer has never received a checkout
  // address.
  async findPayment({ checkoutSession }, timeoutMilliseconds) {
    if (!checkoutSession) return undefined;
    const session = await findSession(checkoutSession, timeoutMilliseconds);
    return isPaid(session) ? toPaymentSignal('paid', session) : undefined;
  },

  async endPayment(payment, timeoutMilliseconds) {
    const { checkoutSession } = payment;
    if (!checkoutSession) return undefined;
    const session = await findSession(checkoutSession, timeoutMilliseconds);
    if (session.status === 'open') {
      // The provider refuses to expire a session that was just paid or expired. The next check of the order reads its
      // status.
      await callGatewayC(({ checkout }) => checkout.sessions.expire(session.id), timeoutMilliseconds);
    }
    return isPaid(session) ? toPaymentSignal('paid', session) : undefined;
  },

  refund: refundGatewayC,

  async getReturnedAmount({ transactionId, currency }) {
    const refunds = await findRefunds(transactionId);
    const disputes = await listAll<Stripe.Dispute>(({ disputes }, page) =>
      disputes.list({ payment_intent: transactionId, ...page }),
    );
    const returnedItems = [
      ...refunds.filter(({ status }) => status === 'succeeded'),
      ...disputes.filter(isMoneyWithdrawn),
    ];
    return returnedItems.reduce(
      (sum, { amount }) => sum + fromSubunits('gateway-c', BigInt(amount), currency),
      0n,
    );
  },

  async findReference(transactionId) {
    const filter = { payment_intent: transactionId, limit: 1 };
    const sessions = await callGatewayC(({ checkout }) => checkout.sessions.list(filter));
    return sessions.data[0]?.client_reference_id ?? undefined;
  },
};

function findSession(id: string, timeoutMilliseconds?: number): Promise<Stripe.Checkout.Session> {
  return callGatewayC(({ checkout }) => checkout.sessions.retrieve(id), timeoutMilliseconds);
}

/** The shortest session that the provider allows. */
const shortestSessionSeconds = 30 * 60;

function sessionParameters(payment: Payment): Stripe.Checkout.SessionCreateParams {
  const priceData = {
    currency: payment.currency.toLowerCase(),
    unit_amount: Number(toSubunits('gateway-c', payment.amount, payment.currency)),
    product_data: { name: payment.description },
  };
  return {
    mode: 'payment',
    client_reference_id: payment.reference,
    customer_email: payment.email,
    line_items: [{ quantity: 1, price_data: priceData }],
    success_url: payment.returnUrl,
    cancel_url: payment.returnUrl,
    // Derived from the end of the hold, not from the current time: a repeated call with the same idempotency key must
    // have the same parameters.
    expires_at: Math.ceil(Date.parse(payment.expiresAt) / 1000) + shortestSessionSeconds,
  };
}

/**
 * Refunds a payment, at most once. An existing refund of the same amount that has not failed is an earlier attempt at
 * this refund.
 */
async function refundGatewayC(refund: Refund): Promise<RefundState> {
  const { transactionId, reference, currency, idempotencyKey, attempt } = refund;
  const amount = Number(toSubunits('gateway-c', refund.amount, currency));
  const earlierRefunds = await findRefunds(transactionId);
  const existingRefund = earlierRefunds.find((refund) => refund.amount === amount && !hasFailed(refund));
  if (existingRefund) return refundStateOf(existingRefund);
  const createdRefund = await callGatewayC(({ refunds }) =>
    refunds.create(
      { payment_intent: transactionId, amount, metadata: { reference } },
      { idempotencyKey: `${idempotencyKey}-${attempt}` },
    ),
  );
  if (hasFailed(createdRefund)) throw providerRefused(`refund ${createdRefund.status}`);
  return refundStateOf(createdRefund);
}

function findRefunds(transactionId: string): Promise<Stripe.Refund[]> {
  return listAll(({ refunds }, page) => refunds.list({ payment_intent: transactionId, ...page }));
}

function hasFailed({ status }: Stripe.Refund): boolean {
  return status === 'failed' || status === 'canceled';
}

/**
 * Returns whether the provider has withdrawn the money of a dispute. It does so when the dispute is opened, but not for
 * an inquiry (`warning_…`), nor for a dispute that it has blocked. It returns the money of a dispute that was won.
 */
function isMoneyWithdrawn({ status, payment_method_details: method }: Stripe.Dispute): boolean {
  return status !== 'won' && !status.startsWith('warning') && method?.card?.case_type !== 'block';
}

function refundStateOf({ status }: Stripe.Refund): RefundState {
  return status === 'succeeded' ? 'done' : 'pending';
}

/**
 * Returns whether a session is paid. With some payment methods the money arrives days after the session is completed.
 */
export function isPaid({ payment_status: status }: Stripe.Checkout.Session): boolean {
  return status === 'paid' || status === 'no_payment_required';
}

/** Converts a session to a signal. The transaction is the payment intent, which refunds require. */
export function toPaymentSignal(
  kind: PaymentSignal['kind'],
  { id, client_reference_id, payment_intent, amount_total, currency }: Stripe.Checkout.Session,
): PaymentSignal {
  const paymentIntentId = typeof payment_intent === 'string' ? payment_intent : payment_intent?.id;
  return {
    kind,
    reference: client_reference_id ?? '',
    transactionId: toShortText(paymentIntentId ?? id),
    ...readPaidAmount('gateway-c', 'subunit', amount_total, currency),
  };
}

/** Reads all pages of a list. @throws as `callGatewayC` */
function listAll<Item extends { id: string }>(
  list: (stripe: Stripe, page: Stripe.PaginationParams) => Promise<Stripe.Response<Stripe.ApiList<Item>>>,
): Promise<Item[]> {
  return readAllPages(async ({ previousItem, timeoutMilliseconds }) => {
    const page = { limit: 100, ...(previousItem && { starting_after: previousItem.id }) };
    const { data: items, has_more: hasMore } = await callGatewayC(
      (stripe) => list(stripe, page),
      timeoutMilliseconds,
    );
    return { items, hasMore };
  });
}

/**
 * Calls gateway-c by Stripe's protocol, with Stripe's package.
 * @throws DomainError `provider-failed` when the provider refuses, fails or does not answer in time
 */
async function callGatewayC<Result>(
  call: (stripe: Stripe) => Promise<Stripe.Response<Result>>,
  timeoutMilliseconds = providerTimeoutMilliseconds,
): Promise<Result> {
  const stripe = await createClient(timeoutMilliseconds);
  const response = await call(stripe).catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      throw providerRefused(error.code ?? error.type);
    if (error instanceof Stripe.errors.StripeError) throw providerFailed(error.code ?? error.type);
    throw error;
  });
  // The package accepts any JSON without an `error` field, such as a proxy's error response.
  const { statusCode } = response.lastResponse;
  if (statusCode >= 400) throw providerFailed(`answered ${statusCode}`);
  return response;
}

async function createClient(timeout: number): Promise<Stripe> {
  const base = requiredSetting('GATEWAY_C_URL');
  return new Stripe(await requiredSecret('GATEWAY_C_SECRET_KEY'), {
    timeout,
    // The package would also retry timeouts; `fetchWithRetry` retries failed connections only.
    maxNetworkRetries: 0,
    telemetry: false,
    // The package accepts a host, but no path prefix.
    httpClient: Stripe.createFetchHttpClient((url, init) => {
      const { pathname, search } = new URL(String(url));
      return fetchWithRetry(base + pathname + search, init ?? {});
    }),
  });
}
