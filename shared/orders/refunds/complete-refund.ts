import { type AuditActor, gatewayActor, operatorActor } from '../../accounts/audit/audit.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { conflict } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import type { Order, Refund } from '../order.ts';
import { getOrder } from '../store.ts';
import { refundAnnouncementWrites } from './announce-refund.ts';
import { insertRefundAudit } from './refund-audit.ts';
import { resetAttempts, transitionRefund } from './transition-refund.ts';

/**
 * Completes a refund whose money was sent, and notifies the buyer.
 * @throws OrderTransitionRefused when the refund has changed since the order was read
 */
export async function completeRefund(
  order: Order & { refund: Refund },
  { transactionId, completedBy = gatewayActor }: { transactionId?: string; completedBy?: AuditActor } = {},
): Promise<void> {
  const timestamp = new Date().toISOString();
  const completedRefund = { ...resetAttempts(order.refund, timestamp), transactionId };
  const event = await getEvent(order.eventId);
  await transact([
    transitionRefund(order, 'complete', completedRefund),
    ...refundAnnouncementWrites(order, completedRefund, event, timestamp),
    insertRefundAudit('refund-completed', order, completedRefund, completedBy),
  ]);
}

/**
 * Completes a refund that an operator sent by hand, since the order was paid on a chain or the gateway refused the
 * refund.
 * @param transactionId the transfer's hash or id
 * @throws DomainError 404 for an unknown order, 409 when it has no refund to send by hand
 */
export async function completeManualRefund(orderId: string, transactionId: string): Promise<void> {
  const order = await getOrder(orderId);
  const { refund } = order;
  if (refund?.status !== 'manual' && refund?.status !== 'failed') {
    throw conflict('nothing-to-refund', 'No refund of this order has to be sent by hand');
  }
  await completeRefund({ ...order, refund }, { transactionId, completedBy: operatorActor });
}
