import type { Write } from '../../dynamo/write.ts';
import { count } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { changeOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import { failOrder } from './settle.ts';
import { type ChainOutcome, finalityDelay, isUnderWay, settleCryptoPayment } from './settle-crypto.ts';

const minute = 60_000;

/**
 * The grace period after a hold, in which an order keeps its tickets for a payment in a block, or while the nodes
 * disagree.
 */
const grace: Partial<Record<ChainOutcome, number>> = { unconfirmed: 60 * minute, unclear: 15 * minute };
/** How long after the hold an unknown transaction is still checked, and one in a block is checked every minute. */
const lookoutMilliseconds = 6 * 60 * minute;
/** The longest pause between two checks. */
const longestPause = 15 * minute;

/**
 * Checks again a submitted transaction that was not final: completes the order, or fails it once its hold has ended. A
 * transaction that may still pay is checked until it is final or fails, even after the order or its event was
 * cancelled.
 */
export async function followCryptoPayment(order: Order, hash: string): Promise<void> {
  const outcome = await settleCryptoPayment(order, hash);
  if (outcome === 'settled') return;
  const pastHold = Date.now() - Date.parse(order.expiresAt);
  if (pastHold >= (grace[outcome] ?? 0) && order.paymentStatus === 'PENDING') {
    const ended = await failOrder(order, 'expired', nextCheck(order, outcome, pastHold));
    if (ended.failureReason === 'expired') count('OrdersExpired');
  }
  try {
    await writeOrder(checkAgain(order, outcome, pastHold));
  } catch (error) {
    // Completed in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/**
 * Returns when to check again. A transaction in a block is checked until it is final. For any other, the pause grows
 * with the time since the buyer submitted it. The order is checked at the end of its hold at the latest.
 */
function nextCheck(order: Order, outcome: ChainOutcome, pastHold: number): number {
  const now = Date.now();
  const shortest = finalityDelay(order) * 1000;
  const age = now - Date.parse(order.cryptoTxAt ?? order.createdAt);
  const isInBlock = outcome === 'unconfirmed' && pastHold < lookoutMilliseconds;
  const pause = isInBlock ? shortest : Math.min(longestPause, Math.max(shortest, age / 2));
  return pastHold < 0 && order.paymentStatus === 'PENDING' ? now + Math.min(pause, -pastHold) : now + pause;
}

/**
 * The write that schedules the next check. It removes a transaction that can no longer pay, without changing the
 * order's hold.
 */
function checkAgain(order: Order, outcome: ChainOutcome, pastHold: number): Write {
  const unchanged = { paymentStatus: ['PENDING', 'FAILED'] } as const;
  const isLookedFor = outcome === 'unknown' && pastHold < lookoutMilliseconds;
  if (isUnderWay(outcome) || outcome === 'unclear' || isLookedFor) {
    return changeOrder(order.id, {}, { unchanged, due: nextCheck(order, outcome, pastHold) });
  }
  const due = pastHold < 0 && order.paymentStatus === 'PENDING' ? Date.parse(order.expiresAt) : 'never';
  return changeOrder(order.id, { cryptoTxHash: undefined, cryptoTxAt: undefined }, { unchanged, due });
}
