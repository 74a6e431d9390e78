import { type Actor, authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import { conflict, DomainError, notFound } from '../../core/errors.ts';
import { BreakerOpen, callThroughBreaker } from '../../payments/breaker.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import type { Order } from '../order.ts';
import {
  changeOrder,
  findOrder,
  getOrder,
  type NextDue,
  OrderTransitionRefused,
  writeOrder,
} from '../store.ts';
import {
  finalityDelaySeconds,
  followCryptoPayment,
  mayStillPay,
  settleSubmittedPayments,
} from './crypto-payment.ts';
import { failOrder, nextLateCheckAt } from './fail-order.ts';
import { settle } from './settle-order.ts';

/** The timeout of each call, in milliseconds. A gateway may need two calls, and an endpoint has ten seconds. */
const timeoutMilliseconds = 4_000;

/** Of an unpaid order, `open` means that its buyer can still pay at the gateway. */
type VerificationResult = 'settled' | 'closed' | 'open' | 'unanswered';

/**
 * Closes an order's checkout, if the gateway supports that, and asks the gateway whether the order was paid. A full
 * payment settles the order. A partial payment counts as unpaid, and an operator has to review the order. A gateway
 * that is no longer configured can't be asked: its orders are checked again, in case it is configured again.
 */
export async function endAndVerifyPayment(order: Order): Promise<VerificationResult> {
  if (!order.gateway) return 'closed';
  const gateway = await findConfiguredGateway(order.gateway);
  if (!gateway) {
    log.warn('The gateway of an order is not configured', { orderId: order.id, gateway: order.gateway });
    return 'unanswered';
  }
  try {
    const signal = await callThroughBreaker(gateway.name, () =>
      gateway.endPayment(order, timeoutMilliseconds),
    );
    if (signal && (await settle(order, signal, { gateway })) !== 'under-review') return 'settled';
    // Without its address, nobody can pay at the checkout.
    return gateway.closesCheckout || !order.checkoutUrl ? 'closed' : 'open';
  } catch (error) {
    const isProviderFailure = error instanceof DomainError && error.kind === 'provider-failed';
    if (!isProviderFailure && !(error instanceof BreakerOpen)) throw error;
    log.warn('Gateway could not be asked whether an order was paid', { orderId: order.id });
    return 'unanswered';
  }
}

const minuteMilliseconds = 60_000;
/** The grace period after a hold, in which an order keeps its tickets while its gateway does not answer. */
export const holdGraceMilliseconds = 15 * minuteMilliseconds;

/**
 * Ends the hold of an order that was not paid in time. The gateway is asked first: a payment whose webhook never
 * arrived completes the order. The sweep checks a failed order until its gateway has answered, and for three days while
 * its buyer can still pay.
 */
export async function expireOrder(order: Order): Promise<void> {
  const isPending = order.paymentStatus === 'PENDING';
  const millisecondsPastHold = Date.now() - Date.parse(order.expiresAt);
  if (order.paymentStatus === 'COMPLETED' || (isPending && millisecondsPastHold < 0)) return;
  const answer = await endAndVerifyPayment(order);
  if (answer === 'settled') return;
  const nextDueAt = nextDueAfter(answer, order);
  if (!isPending || (answer === 'unanswered' && millisecondsPastHold < holdGraceMilliseconds)) {
    await reschedule(order, nextDueAt);
    return;
  }
  if (answer === 'unanswered') {
    log.error('Hold ended without an answer', new Error('The gateway does not answer'), {
      orderId: order.id,
    });
  }
  const currentOrder = await failOrder(order, 'expired', nextDueAt);
  if (currentOrder.failureReason === 'expired') incrementCounter('OrdersExpired');
}

function nextDueAfter(answer: Exclude<VerificationResult, 'settled'>, order: Order): NextDue {
  if (answer === 'closed') return 'never';
  return answer === 'open' ? nextLateCheckAt(order) : nextVerificationAt(order);
}

/**
 * Returns when to ask a gateway again after it did not answer, in epoch milliseconds. The first pause is a minute; each
 * later pause is as long as the time waited so far. A pause is at most four minutes while the order keeps its tickets,
 * and at most an hour afterwards.
 */
export function nextVerificationAt({ paymentStatus, expiresAt, updatedAt }: Order): number {
  const now = Date.now();
  const hasFailed = paymentStatus === 'FAILED';
  const waitedMilliseconds = now - Date.parse(hasFailed ? updatedAt : expiresAt);
  const longestPauseMilliseconds = hasFailed
    ? 60 * minuteMilliseconds
    : Math.min(4 * minuteMilliseconds, holdGraceMilliseconds - waitedMilliseconds);
  return (
    now + Math.min(Math.max(minuteMilliseconds, waitedMilliseconds), Math.max(0, longestPauseMilliseconds))
  );
}

async function reschedule(order: Order, nextDueAt: NextDue): Promise<void> {
  const { paymentStatus } = order;
  try {
    await writeOrder(changeOrder(order.id, {}, { nextDueAt, unchanged: { paymentStatus } }));
  } catch (error) {
    // The order was settled in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/**
 * Cancels an unpaid order for its buyer. First it asks the gateway, or the chain, whether the order was paid. Without
 * an answer the order is cancelled, and the sweep asks again later.
 * @throws DomainError 404 for other callers, 409 for an order that is paid or failed, or whose payment is under way
 */
export async function cancelOrder(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  authorize(caller, [buyerOf(order)], notFound('Order'));
  if (order.paymentStatus !== 'PENDING') throw notPending();
  const checkResult = await checkForPayment(order);
  const currentOrder =
    checkResult === 'settled' ? undefined : await failOrder(order, 'cancelled', checkResult);
  if (currentOrder?.paymentStatus !== 'FAILED') throw notPending();
  return currentOrder;
}

/** Checks whether the order was paid. @returns `settled`, or the time of the sweep's next check */
async function checkForPayment(order: Order): Promise<'settled' | NextDue> {
  if (!order.cryptoTxHash) {
    const answer = await endAndVerifyPayment(order);
    if (answer === 'settled') return 'settled';
    return nextDueAfter(answer, order);
  }
  const outcomes = (await settleSubmittedPayments(order)).map(({ outcome }) => outcome);
  if (outcomes.includes('settled')) return 'settled';
  if (outcomes.some(mayStillPay)) {
    throw conflict(
      'payment-under-way',
      'The payment of this order is on its way',
      finalityDelaySeconds(order),
    );
  }
  return outcomes.includes('unclear') ? Date.now() + finalityDelaySeconds(order) * 1000 : 'never';
}

const notPending = () =>
  conflict('not-pending', 'Only an order that is waiting for payment can be cancelled');

/** Advances an unpaid order that is due: ends its hold, or checks the transactions that its buyer submitted. */
export async function settleDueOrder(orderId: string): Promise<void> {
  const order = await findOrder(orderId);
  if (!order || order.paymentStatus === 'COMPLETED') return;
  await (order.cryptoTxHash ? followCryptoPayment(order) : expireOrder(order));
}
