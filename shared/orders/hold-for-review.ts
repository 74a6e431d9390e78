import { log } from '../log.ts';
import { count } from '../metrics.ts';
import type { Order } from './order.ts';
import { applyMove, moveOrder } from './store.ts';

/** Leaves an order as it is, but says why a payment that came in did not complete it: a person must look. */
export async function holdForReview(order: Order, paymentReview: string): Promise<void> {
  log.warn('Payment under review', { orderId: order.id });
  count('PaymentsUnderReview');
  await applyMove(moveOrder(order.id, ['PENDING', 'FAILED'], { paymentReview }));
}
