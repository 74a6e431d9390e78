import type { Write } from '../../dynamo/write.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { changeOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import {
  type ChainOutcome,
  finalityDelaySeconds,
  mayStillPay,
  settleCryptoPayment,
} from './settle-crypto-payment.ts';
import { failOrder } from './settle-order.ts';

const minuteMilliseconds = 60_000;

/**
 * How long an order keeps its tickets after the end of its hold: while its payment is in a block but not final, or
 * while the nodes disagree.
 */
const graceMillisecondsByOutcome: Partial<Record<ChainOutcome, number>> = {
  unconfirmed: 60 * minuteMilliseconds,
  unclear: 15 * minuteMilliseconds,
};
/**
 * For this long after the end of the hold, a transaction that no node knows is still looked up, and a transaction in a
 * block is still checked every minute or more often.
 */
const lookupMilliseconds = 6 * 60 * minuteMilliseconds;
/** The longest pause between two checks. */
const longestPauseMilliseconds = 15 * minuteMilliseconds;

/**
 * Checks a submitted transaction again: completes the order, or fails it once its hold has ended. A transaction that
 * may still pay is checked until it is final or fails, even after the order or its event was cancelled.
 */
export async function followCryptoPayment(order: Order, hash: string): Promise<void> {
  const outcome = await settleCryptoPayment(order, hash);
  if (outcome === 'settled') return;
  const millisecondsPastHold = Date.now() - Date.parse(order.expiresAt);
  if (
    millisecondsPastHold >= (graceMillisecondsByOutcome[outcome] ?? 0) &&
    order.paymentStatus === 'PENDING'
  ) {
    const currentOrder = await failOrder(order, 'expired', nextCheckAt(order, outcome, millisecondsPastHold));
    if (currentOrder.failureReason === 'expired') incrementCounter('OrdersExpired');
  }
  try {
    await writeOrder(scheduleCheck(order, hash, outcome, millisecondsPastHold));
  } catch (error) {
    // The order was completed, or has another transaction, in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/**
 * Returns when to check again (epoch milliseconds). For a transaction in a block, the pause is short. For any other
 * transaction, it grows with the time since the buyer submitted the transaction. During the hold, the next check is at
 * its end at the latest.
 */
function nextCheckAt(order: Order, outcome: ChainOutcome, millisecondsPastHold: number): number {
  const now = Date.now();
  const shortestPauseMilliseconds = finalityDelaySeconds(order) * 1000;
  const ageMilliseconds = now - Date.parse(order.cryptoTxAt ?? order.createdAt);
  const isInBlock = outcome === 'unconfirmed' && millisecondsPastHold < lookupMilliseconds;
  const pauseMilliseconds = isInBlock
    ? shortestPauseMilliseconds
    : Math.min(longestPauseMilliseconds, Math.max(shortestPauseMilliseconds, ageMilliseconds / 2));
  return millisecondsPastHold < 0 && order.paymentStatus === 'PENDING'
    ? now + Math.min(pauseMilliseconds, -millisecondsPastHold)
    : now + pauseMilliseconds;
}

/**
 * Returns the write that schedules the next check. It removes a transaction that can no longer pay, without changing
 * the order's hold.
 */
function scheduleCheck(
  order: Order,
  hash: string,
  outcome: ChainOutcome,
  millisecondsPastHold: number,
): Write {
  const unchanged = { paymentStatus: ['PENDING', 'FAILED'], cryptoTxHash: hash } as const;
  const isStillLookedUp = outcome === 'unknown' && millisecondsPastHold < lookupMilliseconds;
  if (mayStillPay(outcome) || outcome === 'unclear' || isStillLookedUp) {
    return changeOrder(
      order.id,
      {},
      { unchanged, nextDueAt: nextCheckAt(order, outcome, millisecondsPastHold) },
    );
  }
  const nextDueAt =
    millisecondsPastHold < 0 && order.paymentStatus === 'PENDING' ? Date.parse(order.expiresAt) : 'never';
  return changeOrder(order.id, { cryptoTxHash: undefined, cryptoTxAt: undefined }, { unchanged, nextDueAt });
}
