import { conflict } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { getEvent } from '../../events/store.ts';
import { insertNotification } from '../../notifications/store.ts';
import type { Order } from '../order.ts';
import { getOrder } from '../store.ts';
import { changeRefund } from './change-refund.ts';
import { moved, type Refund } from './refund.ts';
import { refundNotification } from './refund-notification.ts';

/** A refund is done: its money is on its way, and the buyer is told. @throws OrderMoved when somebody was quicker */
export async function completeRefund(
  order: Order & { refund: Refund },
  transactionId?: string,
): Promise<void> {
  const done = { ...moved(order.refund, 'complete', new Date().toISOString()), transactionId };
  const notification = refundNotification(order, done, await getEvent(order.eventId));
  await transact([changeRefund(order, done), insertNotification(notification)]);
}

/**
 * An operator sent back by hand what was paid on a chain, or what the gateway would not.
 * @param transactionId what proves it
 * @throws DomainError 404, 409 when there is nothing to be sent by hand
 */
export async function completeByHand(orderId: string, transactionId: string): Promise<void> {
  const order = await getOrder(orderId);
  const { refund } = order;
  if (refund?.status !== 'manual' && refund?.status !== 'failed') {
    throw conflict('nothing-to-refund', 'No refund of this order has to be sent by hand');
  }
  await completeRefund({ ...order, refund }, transactionId);
}
