import type { Write } from '../../dynamo/write.ts';
import type { Order } from '../order.ts';
import { moveOrder } from '../store.ts';
import type { Refund } from './refund.ts';

/**
 * Changes an order's refund; right only while nobody changed it since the order was read. While it is pending the
 * sweep finds it when it is due. @throws OrderMoved, here or from the transaction
 */
export function changeRefund(order: Order, refund: Refund): Write {
  const due = refund.status === 'pending' ? Date.parse(refund.dueAt) : 'never';
  const change = { refund, updatedAt: new Date().toISOString() };
  const asRead = { when: '#refund = :refundRead', values: { refundRead: order.refund } };
  return moveOrder(order.id, ['COMPLETED'], change, due, asRead);
}
