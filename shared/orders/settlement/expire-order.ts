import { log } from '../../runtime/log.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { changeOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import { endAndVerifyPayment } from './end-and-verify-payment.ts';
import { failOrder } from './settle-order.ts';

const minuteMilliseconds = 60_000;
/** The grace period after a hold, in which an order keeps its tickets while its gateway does not answer. */
export const holdGraceMilliseconds = 15 * minuteMilliseconds;

/**
 * Ends the hold of an order that was not paid in time. The gateway is asked first: a payment whose webhook never
 * arrived completes the order. The sweep checks a failed order until its gateway has answered.
 */
export async function expireOrder(order: Order): Promise<void> {
  const isPending = order.paymentStatus === 'PENDING';
  const millisecondsPastHold = Date.now() - Date.parse(order.expiresAt);
  if (order.paymentStatus === 'COMPLETED' || (isPending && millisecondsPastHold < 0)) return;
  const answer = await endAndVerifyPayment(order);
  if (answer === 'settled') return;
  const nextDueAt = answer === 'unanswered' ? nextVerificationAt(order) : 'never';
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

async function reschedule(order: Order, nextDueAt: number | 'never'): Promise<void> {
  const { paymentStatus } = order;
  try {
    await writeOrder(changeOrder(order.id, {}, { nextDueAt, unchanged: { paymentStatus } }));
  } catch (error) {
    // The order was settled in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}
