import { type AuditActor, toAuditActor } from '../../accounts/audit/audit.ts';
import { type Actor, admin, authorize } from '../../accounts/auth/authorize.ts';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { managerOf } from '../../catalog/staff/entitlements.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { transact, write } from '../../dynamo/write.ts';
import { haveTokensMoved } from '../../nft/burning/moved-tokens.ts';
import { BurnTransitionRefused, burnId, findBurn, reopenBurn } from '../../nft/burning/store.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { type Order, type Refund, tenantOf } from '../order.ts';
import { getOrder, OrderTransitionRefused } from '../store.ts';
import { beginRefund, insertRefundAudit, resetAttempts, transitionRefund } from './refund-order.ts';

/**
 * Refunds an order, once. The organizer's available balance has to cover it, unless an administrator requests it: an
 * organizer who was paid out could otherwise refund friends at the platform's cost. Retries a failed refund and a failed burn of its tickets.
 * @throws DomainError 404 for callers other than the event's organizer, its managers and administrators, 409 as by
 * `beginRefund`
 */
export async function requestRefund(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [admin, await managerOf(event, caller)], notFound('Order'));
  await requireUnsoldTokens(order, event);
  const failedRefund = order.refund?.status === 'failed' ? order.refund : undefined;
  const requestedBy = toAuditActor(caller);
  const refundedOrder = await (failedRefund
    ? repeatRefund(order, failedRefund, requestedBy)
    : beginRefund(order, { requestedBy, mustBeCovered: !admin(caller) }));
  await retryBurn(refundedOrder);
  if (refundedOrder.refund?.status === 'pending')
    await queueWhenDue(
      { type: 'send-refund', orderId },
      Date.parse(refundedOrder.refund.dueAt),
      tenantOf(order),
    );
  return refundedOrder;
}

/**
 * Where the event admits by token, a sold token can still claim its seat: its owner would lose it to the refund of the
 * seller. A cancelled event is refunded without asking the chain.
 * @throws DomainError 409 when a token is in another wallet, 503 when the chain does not answer
 */
async function requireUnsoldTokens(order: Order, event: Event): Promise<void> {
  const isAsked = event.entry === 'token' && event.status !== 'CANCELLED';
  if (!isAsked || !order.mintedAt || order.refund || order.admitted || order.transferred) return;
  if (await haveTokensMoved(order))
    throw conflict('moved', 'A ticket of this order was sold, so it is not refunded');
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
