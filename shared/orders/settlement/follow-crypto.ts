import type { Write } from '../../dynamo/write.ts';
import { count } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { changeOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import { failOrder } from './settle.ts';
import { type ChainOutcome, finalityDelay, settleCryptoPayment } from './settle-crypto.ts';

const minute = 60_000;

/** How long past its hold an order keeps its tickets for a payment in a block, or while the nodes don't agree. */
const grace: Partial<Record<ChainOutcome, number>> = { unconfirmed: 60 * minute, unclear: 15 * minute };
/** How long past the hold a transaction that is in no block is looked for. */
const lookoutMilliseconds = 6 * 60 * minute;

/**
 * Checks again the transaction that a buyer named before it was final: completes the order, or fails it once its
 * hold ended. After that the check goes on for some hours, since a payment may arrive late.
 */
export async function followCryptoPayment(order: Order, hash: string): Promise<void> {
  const outcome = await settleCryptoPayment(order, hash);
  if (outcome === 'settled') return;
  const pastHold = Date.now() - Date.parse(order.expiresAt);
  if (pastHold >= (grace[outcome] ?? 0) && order.paymentStatus === 'PENDING') {
    const ended = await failOrder(order, 'expired');
    if (ended.failureReason === 'expired') count('OrdersExpired');
  }
  try {
    await writeOrder(checkAgain(order, outcome, pastHold));
  } catch (error) {
    // Completed in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** A transaction that can't pay any more is dropped; the order's hold keeps its end. */
function checkAgain(order: Order, outcome: ChainOutcome, pastHold: number): Write {
  const unchanged = { paymentStatus: ['PENDING', 'FAILED'] } as const;
  const mayPay = ['unconfirmed', 'unmined', 'unclear'].includes(outcome) && pastHold < lookoutMilliseconds;
  if (mayPay) return changeOrder(order.id, {}, { unchanged, due: Date.now() + finalityDelay(order) * 1000 });
  const due = pastHold < 0 && order.paymentStatus === 'PENDING' ? Date.parse(order.expiresAt) : 'never';
  return changeOrder(order.id, { cryptoTxHash: undefined }, { unchanged, due });
}
