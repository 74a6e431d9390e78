import Stripe from 'stripe';
import { DomainError, unauthenticated } from '../core/errors.ts';
import { optionalSetting, requiredSetting } from '../runtime/config.ts';
import { fetchWithRetry } from '../runtime/retry.ts';
import { readAcceptedValues, readSecret, requiredSecret } from '../runtime/secrets.ts';
import type {
  Gateway,
  MoneyReturn,
  Payment,
  PaymentSignal,
  Refund,
  RefundState,
  RequestedRefund,
  WebhookReader,
} from './gateway.ts';
import {
  fromSubunits,
  parseWebhook,
  providerFailed,
  providerRefused,
  providerTimeoutMilliseconds,
  readAllPages,
  readPaidAmount,
  refundOnce,
  startTimeoutMilliseconds,
  supportsAmount,
  toShortText,
  toSubunits,
} from './provider.ts';

/** Payments by gateway-c: https://docs.stripe.com/api/checkout/sessions */
export const gatewayC: Gateway = {
  name: 'gateway-c',
  closesCheckout: true,

  async isConfigured() {
    return Boolean(optionalSetting('GATEWAY_C_URL') && (await readSecret('GATEWAY_C_SECRET_KEY')));
  },

  supports: (currency, amount) => supportsAmount('gateway-c', currency, amount),

  async start(payment) {
    // The provider returns the same session for the same key, even when its first response was lost.
    const session = await callGatewayC(
      ({ checkout }) =>
        checkout.sessions.create(sessionParameters(payment), { idempotencyKey: payment.reference }),
      startTimeoutMilliseconds,
    );
    if (!session.url) throw providerFailed('session without an address');
    return { checkoutUrl: session.url, checkoutSession: session.id };
  },

  // The provider finds sessions only by its own ids. Without a session id, the buyer has never received a checkout
  // address.
  async findPayment({ reference, checkoutSession }, timeoutMilliseconds) {
    if (!checkoutSession) return undefined;
    const session = await findSession(checkoutSession, timeoutMilliseconds);
    // A forged webhook may name the session of another payment.
    const isOwn = session.client_reference_id === reference;
    return isOwn && isPaid(session) ? toPaymentSignal('paid', session) : undefined;
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

  findReturns,

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

async function refundGatewayC(refund: Refund): Promise<RequestedRefund> {
  const { transactionId, reference, currency, idempotencyKey, attempt } = refund;
  return refundOnce(refund, await findReturns(refund), async (amount) => {
    const createdRefund = await callGatewayC(({ refunds }) =>
      refunds.create(
        {
          payment_intent: transactionId,
          amount: Number(toSubunits('gateway-c', amount, currency)),
          metadata: { reference, refund: idempotencyKey },
        },
        { idempotencyKey: `${idempotencyKey}-${attempt}` },
      ),
    );
    if (hasFailed(createdRefund)) throw providerRefused(`refund ${createdRefund.status}`);
    return { id: createdRefund.id, state: refundStateOf(createdRefund) };
  });
}

/** Reads the refunds of a payment, and the disputes whose money the provider has withdrawn. */
async function findReturns({
  transactionId,
  currency,
}: Pick<Refund, 'transactionId' | 'currency'>): Promise<MoneyReturn[]> {
  const refunds = await listAll<Stripe.Refund>(({ refunds }, page) =>
    refunds.list({ payment_intent: transactionId, ...page }),
  );
  const disputes = await listAll<Stripe.Dispute>(({ disputes }, page) =>
    disputes.list({ payment_intent: transactionId, ...page }),
  );
  const toReturn = ({ id, amount }: { id: string; amount: number }, state: RefundState, key = '') => ({
    id,
    amount: fromSubunits('gateway-c', BigInt(amount), currency),
    state,
    idempotencyKey: key,
  });
  return [
    ...refunds
      .filter((refund) => !hasFailed(refund))
      .map((refund) => toReturn(refund, refundStateOf(refund), refund.metadata?.refund)),
    ...disputes.filter(isMoneyWithdrawn).map((dispute) => toReturn(dispute, 'done')),
  ];
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
    checkoutSession: toShortText(id),
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

/** How far the time of a signature may be from now. It limits replays of a recorded delivery. */
const toleranceSeconds = 300;

/** A dispute that the merchant has won, an inquiry that ended without a dispute, and a dispute that was blocked. */
const wonDisputeStatuses = ['won', 'warning_closed', 'prevented'];

/**
 * Checks that the secret is configured, the signature present, and the signature valid, in this order. Parses nothing
 * before that.
 */
export const readGatewayCWebhook: WebhookReader = async (body, header) => {
  const keys = await readAcceptedValues('GATEWAY_C_WEBHOOK_SECRET');
  if (keys.length === 0)
    throw new DomainError('misconfigured', 'server-configuration', 'Server configuration error');
  const signature = header('stripe-signature');
  if (!signature) throw unauthenticated('No signature', 'no-signature');
  if (!keys.some((key) => hasValidSignature(body, signature, key)))
    throw unauthenticated('Invalid signature', 'invalid-signature');
  const { type, data } = parseWebhook(body);
  const eventObject = data?.object;
  const isDispute = typeof type === 'string' && type.startsWith('charge.dispute.');
  // A refund can still be pending when its charge is reported, and ends later.
  const isRefund = type === 'refund.updated' || type === 'refund.failed';
  if (isDispute || isRefund || type === 'charge.refunded') {
    const transactionId = toShortText(eventObject?.payment_intent);
    if (transactionId === '') return undefined;
    if (isRefund && hasFailed(eventObject))
      return { kind: 'returned', transactionId, isDispute, failedRefundId: toShortText(eventObject.id) };
    const isDisputeWon = wonDisputeStatuses.includes(eventObject.status);
    const isDisputeLost = eventObject.status === 'lost';
    const dispute = { disputeId: toShortText(eventObject.id), isDisputeWon, isDisputeLost };
    return { kind: 'returned', transactionId, isDispute, ...(isDispute && dispute) };
  }
  if (typeof eventObject?.client_reference_id !== 'string') return undefined;
  switch (type) {
    case 'checkout.session.completed':
      return isPaid(eventObject) ? toPaymentSignal('paid', eventObject) : undefined;
    case 'checkout.session.async_payment_succeeded':
      return toPaymentSignal('paid', eventObject);
    case 'checkout.session.async_payment_failed':
      return toPaymentSignal(eventObject.status === 'open' ? 'declined' : 'failed', eventObject);
    case 'checkout.session.expired':
      return toPaymentSignal('failed', eventObject);
    default:
      return undefined;
  }
};

function hasValidSignature(body: Buffer, signature: string, key: string): boolean {
  if (!isRecent(signature)) return false;
  try {
    return Stripe.webhooks.signature?.verifyHeader(body, signature, key, toleranceSeconds) ?? false;
  } catch {
    // The signature does not match, is too old, or is malformed. On `v1=` the package throws a TypeError.
    return false;
  }
}

/** The package accepts times in the future, and reads `t=NaN` and `t=1x` as times too. */
function isRecent(signature: string): boolean {
  const times = signature.split(',').filter((part) => part.startsWith('t='));
  if (times.length !== 1 || !/^t=\d+$/.test(times[0] ?? '')) return false;
  return Math.abs(Date.now() / 1000 - Number(times[0]?.slice(2))) <= toleranceSeconds;
}

/** The fields of a webhook's body that this service reads, as JSON Schema for the API reference. */
export const webhookBody = {
  type: 'object',
  properties: {
    type: { type: 'string', description: 'The kind of event', examples: ['checkout.session.completed'] },
    data: {
      type: 'object',
      description: 'What the event is about',
      properties: {
        object: {
          type: 'object',
          description: 'The Checkout Session, charge or dispute',
          properties: {
            client_reference_id: {
              type: 'string',
              description: 'Our reference',
              examples: ['BOX-Y6Z0AB-1795000000000-7Q2WK9XD'],
            },
            payment_intent: {
              type: ['string', 'null'],
              description: 'The gateway’s id of the payment',
              examples: ['pi_3Nq8sample'],
            },
            payment_status: {
              type: 'string',
              description: '`paid` and `no_payment_required` complete the order',
              examples: ['paid'],
            },
            amount_total: { type: 'integer', description: 'In subunits', examples: [10250] },
            currency: { type: 'string', description: 'ISO 4217, in lower case', examples: ['usd'] },
          },
          required: ['client_reference_id'],
        },
      },
      required: ['object'],
    },
  },
  required: ['type', 'data'],
} as const;
