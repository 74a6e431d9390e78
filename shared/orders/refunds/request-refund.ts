import { type AuditActor, toAuditActor } from '../../accounts/audit/audit.ts';
import { type Actor, admin, authorize } from '../../accounts/auth/authorize.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { managerOf } from '../../catalog/staff/entitlements.ts';
import { notFound } from '../../core/errors.ts';
import { transact, write } from '../../dynamo/write.ts';
import { BurnTransitionRefused, burnId, findBurn, reopenBurn } from '../../nft/burning/store.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { type Order, type Refund, tenantOf } from '../order.ts';
import { getOrder, OrderTransitionRefused } from '../store.ts';
import { beginRefund, insertRefundAudit, resetAttempts, transitionRefund } from './refund-order.ts';

/**
 * Refunds an order, once. Retries a failed refund and a failed burn of its tickets.
 * @throws DomainError 404 for callers other than the event's organizer, its managers and administrators, 409 as by
 * `beginRefund`
 */
export async function requestRefund(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [admin, await managerOf(event, caller)], notFound('Order'));
  const failedRefund = order.refund?.status === 'failed' ? order.refund : undefined;
  const requestedBy = toAuditActor(caller);
  const refundedOrder = await (failedRefund
    ? repeatRefund(order, failedRefund, requestedBy)
    : beginRefund(order, { requestedBy }));
  await retryBurn(refundedOrder);
  if (refundedOrder.refund?.status === 'pending')
    await queueWhenDue(
      { type: 'send-refund', orderId },
      Date.parse(refundedOrder.refund.dueAt),
      tenantOf(order),
    );
  return refundedOrder;
}

async function repeatRefund(order: Order, failedRefund: Refund, requestedBy: AuditActor): Promise<Order> {
  try {
    const restartedRefund = resetAttempts(failedRefund, new Date().toISOString());
    const auditWrite = insertRefundAudit('refund-requested', order, restartedRefund, requestedBy);
    await transact([transitionRefund(order, 'repeat', restartedRefund), auditWrite]);
    return await getOrder(order.id);
  } catch (error) {
    if (error instanceof OrderTransitionRefused) return error.current;
    throw error;
  }
}

/** Reopens a failed burn; the sweep queues it for the mint worker. */
async function retryBurn({ id: orderId, issue }: Order): Promise<void> {
  const burn = await findBurn(burnId({ orderId, issue: issue?.number }));
  if (burn?.status !== 'failed') return;
  try {
    await write(reopenBurn(burn));
  } catch (error) {
    // Another request reopened it first.
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}
