import { authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import { conflict, type DomainError, invalid, notFound, unavailable } from '../../core/errors.ts';
import { absent } from '../../core/state-machine.ts';
import type { Order, PaymentStatus } from '../order.ts';
import { changeOrder, getOrder, OrderTransitionRefused, writeOrder } from '../store.ts';
import { finalityDelaySeconds, mayStillPay, settleCryptoPayment } from './settle-crypto-payment.ts';

/**
 * Completes a crypto order with the transaction that pays it. A transaction that is not final yet is stored, and the
 * sweep completes the order once it is final. A transaction that no node knows does not replace a stored one, and is
 * not stored on a failed order.
 * @param hash lower-case hex
 * @throws DomainError 404 for callers other than the buyer; 400 for a transaction that does not pay this order; 409 for
 * an order that is not paid on a chain, while the transaction is not final (with Retry-After), when it pays another
 * order or too little, and when another transaction paid the order; 503 when the chain can't be asked
 */
export async function confirmOrder(userId: string, orderId: string, hash: string): Promise<Order> {
  const order = await getOrder(orderId);
  authorize({ userId }, [buyerOf(order)], notFound('Order'));
  if (!order.chainTerms) throw conflict('not-crypto', 'The order is not paid on a chain');
  if (order.paymentStatus !== 'COMPLETED') {
    const outcome = await settleCryptoPayment(order, hash);
    if (mayStillPay(outcome)) await storeTransaction(order, hash, ['PENDING', 'FAILED']);
    else if (outcome === 'unclear') await storeTransaction(order, hash, ['PENDING', 'FAILED'], absent);
    else if (outcome === 'unknown') await storeTransaction(order, hash, ['PENDING'], absent);
    else if (outcome !== 'settled') await removeTransaction(order, hash);
    if (outcome !== 'settled') throw outcomeErrors[outcome](order);
  }
  const currentOrder = await getOrder(orderId);
  if (currentOrder.paymentTxId === hash) return currentOrder;
  throw conflict('already-paid', 'The order was paid by another transaction');
}

/**
 * Stores the transaction on the order if the order has one of the payment statuses.
 * @param expectedHash `absent` to keep a transaction that is stored already
 */
async function storeTransaction(
  order: Order,
  cryptoTxHash: string,
  paymentStatuses: readonly PaymentStatus[],
  expectedHash?: typeof absent,
): Promise<void> {
  // Submitting the same transaction again does not restart the pauses between its checks.
  if (order.paymentStatus === 'PENDING' && order.cryptoTxHash === cryptoTxHash) return;
  const now = Date.now();
  const change = { cryptoTxHash, cryptoTxAt: new Date(now).toISOString() };
  const unchanged = { paymentStatus: paymentStatuses, ...(expectedHash && { cryptoTxHash: expectedHash }) };
  try {
    await writeOrder(
      changeOrder(order.id, change, { unchanged, nextDueAt: now + finalityDelaySeconds(order) * 1000 }),
    );
  } catch (error) {
    // The order was completed in the meantime, or has a transaction already.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** Removes a stored transaction that can't pay the order. The order keeps its tickets until its hold ends. */
async function removeTransaction(order: Order, hash: string): Promise<void> {
  if (order.cryptoTxHash !== hash) return;
  const change = { cryptoTxHash: undefined, cryptoTxAt: undefined };
  const nextDueAt = order.paymentStatus === 'PENDING' ? Date.parse(order.expiresAt) : 'never';
  const unchanged = { paymentStatus: order.paymentStatus, cryptoTxHash: hash };
  try {
    await writeOrder(changeOrder(order.id, change, { unchanged, nextDueAt }));
  } catch (error) {
    // The order was completed, or has another transaction, in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

type UnsettledOutcome = Exclude<Awaited<ReturnType<typeof settleCryptoPayment>>, 'settled'>;

const outcomeErrors: Record<UnsettledOutcome, (order: Order) => DomainError> = {
  unconfirmed: (order) => notFinal(order, 'The transaction is not final yet'),
  unmined: (order) => notFinal(order, 'The transaction is not in a block yet'),
  unknown: (order) => notFinal(order, 'No node of the chain knows the transaction yet'),
  unclear: () => unavailable('The chain can’t be asked right now', 30),
  reverted: () => invalidTransaction('The transaction failed on the chain'),
  recipient: () =>
    invalidTransaction('The transaction does not send the right coin or token to the right address'),
  reference: () => invalidTransaction('The transaction does not carry the order’s reference'),
  'too-early': () => invalidTransaction('The transaction is older than the order'),
  taken: () => conflict('transaction-used', 'The transaction pays another order'),
  'too-little': () => conflict('paid-too-little', 'The transaction pays less than is due'),
};

function invalidTransaction(message: string): DomainError {
  return invalid(message, 'transaction-unfit');
}

function notFinal(order: Order, message: string): DomainError {
  return conflict('transaction-not-final', message, finalityDelaySeconds(order));
}
