import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { changeOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import { askGateway } from './ask-gateway.ts';
import { failOrder } from './settle.ts';

const minute = 60_000;
/** The grace period after a hold, in which an order keeps its tickets while its gateway does not answer. */
export const graceMilliseconds = 15 * minute;

/**
 * Ends the hold of an order that was not paid in time. The gateway is asked first: a payment whose webhook never
 * arrived completes the order. An order that failed before its gateway answered stays due until it does.
 */
export async function expireOrder(order: Order): Promise<void> {
  const isOpen = order.paymentStatus === 'PENDING';
  const pastHold = Date.now() - Date.parse(order.expiresAt);
  if (order.paymentStatus === 'COMPLETED' || (isOpen && pastHold < 0)) return;
  const answer = await askGateway(order);
  if (answer === 'settled') return;
  const due = answer === 'unanswered' ? askAgainAt(order) : 'never';
  if (!isOpen || (answer === 'unanswered' && pastHold < graceMilliseconds)) {
    await reschedule(order, due);
    return;
  }
  if (answer === 'unanswered') {
    log.error('Hold ended without an answer', new Error('The gateway does not answer'), {
      orderId: order.id,
    });
  }
  const ended = await failOrder(order, 'expired', due);
  if (ended.failureReason === 'expired') count('OrdersExpired');
}

/**
 * Returns when to ask a gateway again that did not answer, in epoch milliseconds. The first pause is a minute; each
 * next one equals the time waited so far. It is at most four minutes while the order keeps its tickets, and an hour
 * afterwards.
 */
export function askAgainAt({ paymentStatus, expiresAt, updatedAt }: Order): number {
  const now = Date.now();
  const hasFailed = paymentStatus === 'FAILED';
  const waited = now - Date.parse(hasFailed ? updatedAt : expiresAt);
  const most = hasFailed ? 60 * minute : Math.min(4 * minute, graceMilliseconds - waited);
  return now + Math.min(Math.max(minute, waited), Math.max(0, most));
}

async function reschedule(order: Order, due: number | 'never'): Promise<void> {
  const { paymentStatus } = order;
  try {
    await writeOrder(changeOrder(order.id, {}, { due, unchanged: { paymentStatus } }));
  } catch (error) {
    // Settled in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}
