import { authorize, buyerOf } from '../../auth/authorize.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { Order } from '../order.ts';
import { type Due, getOrder } from '../store.ts';
import { askGateway } from './ask-gateway.ts';
import { askAgainAt } from './expire-order.ts';
import { failOrder } from './settle.ts';
import { finalityDelay, isUnderWay, settleCryptoPayment } from './settle-crypto.ts';

/**
 * Cancels an unpaid order for its buyer. First it asks the gateway, or the chain, whether the order was paid. Without
 * an answer the order is cancelled, and the sweep repeats the question.
 * @throws DomainError 404 for other callers, 409 once it is paid or failed, and while its payment is under way
 */
export async function cancelOrder(userId: string, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  authorize({ userId }, [buyerOf(order)], notFound('Order'));
  if (order.paymentStatus !== 'PENDING') throw notPending();
  const due = await lookForPayment(order);
  const ended = due === 'settled' ? undefined : await failOrder(order, 'cancelled', due);
  if (ended?.paymentStatus !== 'FAILED') throw notPending();
  return ended;
}

/** @returns `settled`, or when to look for the payment again */
async function lookForPayment(order: Order): Promise<'settled' | Due> {
  if (!order.cryptoTxHash) {
    const answer = await askGateway(order);
    if (answer === 'settled') return 'settled';
    return answer === 'unpaid' ? 'never' : askAgainAt(order);
  }
  const outcome = await settleCryptoPayment(order, order.cryptoTxHash);
  if (isUnderWay(outcome)) {
    throw conflict('payment-under-way', 'The payment of this order is on its way', finalityDelay(order));
  }
  if (outcome === 'settled') return 'settled';
  return outcome === 'unclear' ? Date.now() + finalityDelay(order) * 1000 : 'never';
}

const notPending = () =>
  conflict('not-pending', 'Only an order that is waiting for payment can be cancelled');
