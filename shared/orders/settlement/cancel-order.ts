import { authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { Order } from '../order.ts';
import { getOrder, type NextDue } from '../store.ts';
import { endAndVerifyPayment } from './end-and-verify-payment.ts';
import { nextVerificationAt } from './expire-order.ts';
import { finalityDelaySeconds, mayStillPay, settleCryptoPayment } from './settle-crypto-payment.ts';
import { failOrder } from './settle-order.ts';

/**
 * Cancels an unpaid order for its buyer. First it asks the gateway, or the chain, whether the order was paid. Without
 * an answer the order is cancelled, and the sweep asks again later.
 * @throws DomainError 404 for other callers, 409 for an order that is paid or failed, or whose payment is under way
 */
export async function cancelOrder(userId: string, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  authorize({ userId }, [buyerOf(order)], notFound('Order'));
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
    return answer === 'unpaid' ? 'never' : nextVerificationAt(order);
  }
  const outcome = await settleCryptoPayment(order, order.cryptoTxHash);
  if (mayStillPay(outcome)) {
    throw conflict(
      'payment-under-way',
      'The payment of this order is on its way',
      finalityDelaySeconds(order),
    );
  }
  if (outcome === 'settled') return 'settled';
  return outcome === 'unclear' ? Date.now() + finalityDelaySeconds(order) * 1000 : 'never';
}

const notPending = () =>
  conflict('not-pending', 'Only an order that is waiting for payment can be cancelled');
