import { type AuditActor, toAuditActor } from '../../audit/audit.ts';
import { type Actor, admin, authorize } from '../../auth/authorize.ts';
import { notFound } from '../../core/errors.ts';
import { transact, write } from '../../dynamo/write.ts';
import { getEvent } from '../../events/store.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { managerOf } from '../../staff/entitlements.ts';
import { burnId } from '../../tickets/burning/burn.ts';
import { BurnTransitionRefused, findBurn, reopenBurn } from '../../tickets/burning/store.ts';
import { type Order, type Refund, tenantOf } from '../order.ts';
import { getOrder, OrderTransitionRefused } from '../store.ts';
import { beginRefund } from './begin-refund.ts';
import { insertRefundAudit } from './refund-audit.ts';
import { restartRefund, transitionRefund } from './transition-refund.ts';

/**
 * Refunds an order, once. Retries a failed refund and a failed burn of its tickets.
 * @throws DomainError 404 for callers other than the event's organizer, its managers and administrators, 409 when
 * nothing was paid
 */
export async function requestRefund(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [admin, await managerOf(event, caller)], notFound('Order'));
  const failed = order.refund?.status === 'failed' ? order.refund : undefined;
  const by = toAuditActor(caller);
  const refunded = await (failed ? repeatRefund(order, failed, by) : beginRefund(order, { by }));
  await retryBurn(refunded);
  if (refunded.refund?.status === 'pending')
    await queueWhenDue({ orderId }, Date.parse(refunded.refund.dueAt), tenantOf(order));
  return refunded;
}

async function repeatRefund(order: Order, failed: Refund, by: AuditActor): Promise<Order> {
  try {
    const repeated = restartRefund(failed, new Date().toISOString());
    const auditWrite = insertRefundAudit('refund-requested', order, repeated, by);
    await transact([transitionRefund(order, 'repeat', repeated), auditWrite]);
    return await getOrder(order.id);
  } catch (error) {
    if (error instanceof OrderTransitionRefused) return error.current;
    throw error;
  }
}

/** Opens a burn that failed; the sweep sends it to the mint worker. */
async function retryBurn({ id: orderId, issue }: Order): Promise<void> {
  const burn = await findBurn(burnId({ orderId, issue: issue?.number }));
  if (burn?.status !== 'failed') return;
  try {
    await write(reopenBurn(burn));
  } catch (error) {
    // Another request was first.
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}
