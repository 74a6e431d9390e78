import type { GatewayName } from '../../core/schemas.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Gateway, PaymentSignal } from '../../payments/gateway.ts';
import { sumExecuted, withOrderCurrency } from '../../payments/provider.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import {
  disputedPayment,
  findReviewReason,
  type Order,
  orderIdOf,
  tenantOf,
  unknownDispute,
} from '../order.ts';
import { changeOrder, findOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import { ListingEnded } from '../waiting-list/listings.ts';
import { completeOrder, type EarlyReturn } from './complete-order.ts';
import { failOrder, nextLateCheckAt, recordDecline } from './fail-order.ts';

export type SettlementResult = 'unknown' | 'completed' | 'repeated' | 'under-review';

/** Finds the order of a gateway's reference; undefined when the gateway has no such order. */
export async function findOrderByReference(
  gateway: GatewayName | undefined,
  reference: string,
): Promise<Order | undefined> {
  const id = orderIdOf(reference);
  const order = id === undefined ? undefined : await findOrder(id);
  return order?.reference === reference && order.gateway === gateway ? order : undefined;
}

/**
 * Settles a confirmed payment: the only path of a paid order to COMPLETED, for webhooks, crypto and the sweep. One
 * conditional write completes the order and makes it due for fulfilment. Then the order is queued. When queueing fails,
 * `settle` throws, and the next webhook delivery or the sweep queues the order.
 * @throws the errors of `otherWrites`; DomainError `provider-failed` when the gateway had to be asked what went back, and
 * did not answer
 */
export async function settle(
  order: Order,
  reportedSignal: PaymentSignal,
  source: PaymentSource = {},
): Promise<SettlementResult> {
  if (order.paymentStatus === 'COMPLETED') return acknowledgeRepeated(order, reportedSignal);
  const signal = withOrderCurrency(order, reportedSignal);
  const reviewReason = shortfallReason(order, signal);
  if (reviewReason) {
    await holdForReview(order, reviewReason);
    return 'under-review';
  }
  const earlyReturn = await readEarlyReturn(order, signal, source.gateway);
  try {
    const completedOrder = await completeOrder(order, {
      signal,
      earlyReturn,
      otherWrites: source.otherWrites,
    });
    reportCompleted(completedOrder);
    await queueFulfilment(completedOrder);
    return 'completed';
  } catch (error) {
    // The order changed between the read and the write: settle the current order.
    if (error instanceof OrderTransitionRefused) return settle(error.current, signal, source);
    // Until the payment is settled late, the sweep asks the gateway for it.
    if (error instanceof ListingEnded)
      return settle(await failOrder(order, 'listing-ended', Date.now()), signal, source);
    throw error;
  }
}

/** Where a payment was made. */
interface PaymentSource {
  gateway?: Gateway;
  /** Other writes of the same transaction. When one is refused, the order does not complete. */
  otherWrites?: readonly Write[];
}

/** Asks the gateway what went back, if it has reported a return of the unpaid order. */
async function readEarlyReturn(
  order: Order,
  { transactionId, amount }: PaymentSignal,
  gateway: Gateway | undefined,
): Promise<EarlyReturn | undefined> {
  const { reportedReturn, currency } = order;
  if (!reportedReturn || !gateway) return undefined;
  if (!(await gateway.isConfigured())) throw new Error(`${gateway.name} is not configured`);
  const returnedAmount = sumExecuted(await gateway.findReturns({ transactionId, currency }));
  const isWhole = returnedAmount >= (amount ?? order.totalAmount);
  const paymentReview = findReviewReason(order, reportedReturn, returnedAmount);
  const isOpen = !isWhole && paymentReview === disputedPayment;
  const openDisputes = { [reportedReturn.disputeId || unknownDispute]: new Date().toISOString() };
  return { isWhole, paymentReview, ...(isOpen && { openDisputes }) };
}

export function reportCompleted({ id: orderId, fulfilmentStatus }: Order): void {
  log.info('Order completed', { orderId, fulfilment: fulfilmentStatus });
  incrementCounter('OrdersCompleted');
}

/** Queues a completed order for the fulfilment worker; safe to repeat. */
async function queueFulfilment(order: Order): Promise<void> {
  const { id: orderId, eventId, userId } = order;
  await sendMessage(
    'fulfil-orders',
    { type: 'fulfil-order', orderId, eventId, userId },
    { tenant: tenantOf(order) },
  );
}

/**
 * Like `queueFulfilment`, after a request that made the order due. An error of the queue is only logged: the sweep
 * queues the order.
 */
export async function tryQueueFulfilment(order: Order): Promise<void> {
  try {
    await queueFulfilment(order);
  } catch (error) {
    log.error('Order could not be queued: the sweep finds it', error, { orderId: order.id });
  }
}

async function acknowledgeRepeated(
  order: Order,
  { transactionId }: PaymentSignal,
): Promise<SettlementResult> {
  if (transactionId !== order.paymentTxId) {
    // The buyer seems to have paid twice. The order does not change, so only the log has the second payment.
    log.warn('Second payment for an order', { orderId: order.id, transactionId });
    incrementCounter('PaymentsUnderReview');
  }
  if (!order.isPosted) await queueFulfilment(order);
  return 'repeated';
}

/**
 * Explains why a payment does not cover the order; undefined when it does. Fields that the signal omits are not
 * checked.
 */
function shortfallReason(order: Order, { amount, currency }: PaymentSignal): string | undefined {
  if (currency !== undefined && currency !== order.currency) {
    return `Paid in ${currency}, but the order is in ${order.currency}`;
  }
  if (amount !== undefined && amount < order.totalAmount) {
    return `Paid ${amount}, but ${order.totalAmount} minor units of ${order.currency} are due`;
  }
  return undefined;
}

/** Records on an unpaid order why a payment did not complete it, for review by an operator. */
async function holdForReview(order: Order, paymentReview: string): Promise<void> {
  if (order.paymentReview === paymentReview) return;
  log.warn('Payment under review', { orderId: order.id });
  incrementCounter('PaymentsUnderReview');
  await writeOrder(
    changeOrder(order.id, { paymentReview }, { unchanged: { paymentStatus: ['PENDING', 'FAILED'] } }),
  );
}

/**
 * The timeout of the verification. Gateways wait 10 s for the answer to a webhook; the remaining time is for settling
 * the order.
 */
const verificationTimeoutMilliseconds = 4_000;

/**
 * Settles or fails the order that a gateway's webhook is about; does nothing when there is no such order.
 * @throws DomainError `provider-failed` when the provider had to be asked and did not answer
 */
export async function receivePayment(gateway: Gateway, signal: PaymentSignal): Promise<void> {
  const order = await findOrderByReference(gateway.name, signal.reference);
  if (!order) {
    log.info('Webhook without an order', { gateway: gateway.name });
    incrementCounter('WebhooksUnknown');
  } else if (signal.kind === 'failed') {
    // The buyer may still pay with another card where the checkout stays open.
    const nextDueAt = gateway.closesCheckout ? 'never' : nextLateCheckAt(order);
    await failOrder(order, 'payment-failed', nextDueAt);
  } else if (signal.kind === 'declined') {
    await recordDecline(order);
  } else if (order.paymentStatus !== 'COMPLETED' && (await verifiesPayments(gateway))) {
    await verifyAndSettle(gateway, order, signal);
  } else {
    await settle(order, signal, { gateway });
  }
}

async function verifiesPayments(gateway: Gateway): Promise<boolean> {
  return optionalSetting('VERIFY_WITH_GATEWAY') === 'true' && (await gateway.isConfigured());
}

/**
 * Settles with the payment that the provider's API reports. The webhook alone is not trusted: its secret may have
 * leaked.
 */
async function verifyAndSettle(
  gateway: Gateway,
  order: Order,
  { checkoutSession }: PaymentSignal,
): Promise<void> {
  // The answer to the call that started the checkout may have been lost: then only the webhook has its id.
  const started = { reference: order.reference, checkoutSession: order.checkoutSession ?? checkoutSession };
  const payment = await gateway.findPayment(started, verificationTimeoutMilliseconds);
  if (payment) await settle(order, payment, { gateway });
  else await holdForReview(order, `${gateway.name} does not confirm the payment it reported`);
}
