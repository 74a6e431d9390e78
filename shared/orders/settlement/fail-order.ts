import { releaseSeats } from '../checkout/reserve.ts';
import { type FailureReason, type Order, paymentMoves } from '../order.ts';
import { moveOrder, OrderMoved } from '../store.ts';

/**
 * Gives a PENDING order up and its tickets back, once. Any other order is left as it is.
 * @returns the order as it stands now
 */
export async function failOrder(order: Order, failureReason: FailureReason): Promise<Order> {
  const change = {
    paymentStatus: paymentMoves.fail.to,
    failureReason,
    holdsSeat: false,
    updatedAt: new Date().toISOString(),
  };
  if (order.paymentStatus !== 'PENDING') return order;
  try {
    await releaseSeats(order, moveOrder(order.id, paymentMoves.fail.from, change, 'never'));
    return { ...order, ...change };
  } catch (error) {
    if (error instanceof OrderMoved) return error.current;
    throw error;
  }
}
