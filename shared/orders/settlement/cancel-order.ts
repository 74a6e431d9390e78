import { authorize, buyerOf } from '../../auth/authorize.ts';
import { conflict, notFound } from '../../core/errors.ts';
import type { Order } from '../order.ts';
import { getOrder } from '../store.ts';
import { failOrder } from './settle.ts';

/** Cancels an unpaid order for its buyer. @throws DomainError 404 for other callers, 409 once it is paid or failed */
export async function cancelOrder(userId: string, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  authorize({ userId }, [buyerOf(order)], notFound('Order'));
  const failed = order.paymentStatus === 'PENDING' ? await failOrder(order, 'cancelled') : undefined;
  if (failed?.failureReason !== 'cancelled') {
    throw conflict('not-pending', 'Only an order that is waiting for payment can be cancelled');
  }
  return failed;
}
