import type { Write } from '../../dynamo/write.ts';
import { count } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { applyMove, moveOrder, OrderMoved } from '../store.ts';
import { failOrder } from './fail-order.ts';
import { type ChainOutcome, finalityDelay, settleCryptoPayment } from './settle-crypto.ts';

const minute = 60_000;
const unpaid = ['PENDING', 'FAILED'] as const;

/** How long past its hold an order keeps its tickets for a payment that is in a block, or that nobody can tell of. */
const patience: Partial<Record<ChainOutcome, number>> = { unconfirmed: 60 * minute, unclear: 15 * minute };
/** How long past its hold a transaction is looked for that was told of but did not come; then it is too late. */
const lookoutMilliseconds = 6 * 60 * minute;

/**
 * Looks again at the transaction that a buyer told of before it was final: completes the order, or gives it up
 * once its hold ended. After that it looks on for some hours, since a payment may arrive late.
 */
export async function followCryptoPayment(order: Order, hash: string): Promise<void> {
  const outcome = await settleCryptoPayment(order, hash);
  if (outcome === 'settled') return;
  const pastHold = Date.now() - Date.parse(order.expiresAt);
  if (pastHold >= (patience[outcome] ?? 0) && order.paymentStatus === 'PENDING') {
    const ended = await failOrder(order, 'expired');
    if (ended.failureReason === 'expired') count('OrdersExpired');
  }
  try {
    await applyMove(lookAgain(order, outcome, pastHold));
  } catch (error) {
    // Completed in the meantime.
    if (!(error instanceof OrderMoved)) throw error;
  }
}

/** A transaction that can't pay any more is forgotten; the order's hold still ends when it was to end. */
function lookAgain(order: Order, outcome: ChainOutcome, pastHold: number): Write {
  const mayPay = ['unconfirmed', 'unmined', 'unclear'].includes(outcome) && pastHold < lookoutMilliseconds;
  if (mayPay) return moveOrder(order.id, unpaid, {}, Date.now() + finalityDelay(order) * 1000);
  const due = pastHold < 0 && order.paymentStatus === 'PENDING' ? Date.parse(order.expiresAt) : 'never';
  return moveOrder(order.id, unpaid, { cryptoTxHash: undefined }, due);
}
