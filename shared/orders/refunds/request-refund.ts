import { type AuditActor, systemActor, toAuditActor } from '../../accounts/audit/audit.ts';
import { type Actor, admin, authorize } from '../../accounts/auth/authorize.ts';
import type { Event } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { managerOf } from '../../catalog/staff/entitlements.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { toMinor } from '../../core/money.ts';
import { transact, write } from '../../dynamo/write.ts';
import { burnIdsOf, locateTokens } from '../../nft/burning/refunded-tokens.ts';
import { BurnTransitionRefused, findBurn, reopenBurn } from '../../nft/burning/store.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { type Order, seatsOf, tenantOf } from '../order.ts';
import { type RefundRequest, stepOf } from '../shares.ts';
import { getOrder, OrderTransitionRefused } from '../store.ts';
import type { RefundBody } from '../views.ts';
import {
  beginRefund,
  insertRefundAudit,
  type RefundSlot,
  refundsOf,
  resetAttempts,
  transitionRefund,
} from './refund-order.ts';

/**
 * Refunds an order or a part of it, once. The organizer's available balance has to cover it, unless an administrator
 * requests it: an organizer who was paid out could otherwise refund friends at the platform's cost. Retries the failed
 * refund of the same part, and failed burns of its tickets.
 * @param options.requireUnusedSeats see `beginRefund`
 * @throws DomainError 404 for callers other than the event's organizer, its managers and administrators; 400 for a seat
 * that the order never had, and an amount that its gateway can't refund; 409 as by `beginRefund`
 */
export async function requestRefund(
  caller: Actor,
  orderId: string,
  { seats, amount: decimal }: RefundBody,
  options: {
    requestId?: string;
    requireUnusedSeats: (order: Order, numbers: readonly number[]) => Promise<void>;
  },
): Promise<Order> {
  const order = await getOrder(orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [admin, await managerOf(event, caller)], notFound('Order'));
  if (seats && decimal !== undefined) throw invalid('Give seats or an amount');
  const amount = decimal === undefined ? undefined : toGoodwill(decimal, order);
  if (seats?.some((number) => number > order.quantity)) throw invalid('seats: the order has no such seat');
  if (amount === undefined) await requireUnsoldTokens(order, event, seats);
  const part = { ...(seats && { seats }), ...(amount !== undefined && { amount }) };
  const failed = refundsOf(order).find((slot) => slot.refund.status === 'failed' && isSamePart(slot, part));
  const requestedBy = toAuditActor(caller);
  const refundedOrder = await (failed
    ? repeatRefund(order, failed, requestedBy, options.requestId)
    : beginRefund(order, { ...options, requestedBy, mustBeCovered: !admin(caller), part }));
  await retryBurns(refundedOrder);
  const next = refundsOf(refundedOrder).find(({ refund }) => refund.status === 'pending');
  if (next)
    await queueWhenDue({ type: 'send-refund', orderId }, Date.parse(next.refund.dueAt), tenantOf(order));
  return refundedOrder;
}

/** @throws DomainError 400 */
function toGoodwill(decimal: number | string, order: Order): bigint {
  const amount = toMinor(String(decimal), order.currency);
  if (amount === undefined || amount <= 0n || amount % stepOf(order) !== 0n)
    throw invalid(`amount: not an amount that can be refunded in ${order.currency}`);
  return amount;
}

/** Returns whether a refund is that of the requested part. A request of the whole order repeats any. */
function isSamePart({ refund }: RefundSlot, { seats, amount }: RefundRequest): boolean {
  if (amount !== undefined) return refund.kind === 'goodwill' && refund.amount === amount;
  if (!seats) return true;
  return refund.seats !== undefined && seats.every((number) => refund.seats?.includes(number));
}

/**
 * Where the event admits by token, a sold token can still claim its seat: its owner would lose it to the refund of the
 * seller. A cancelled event is refunded without asking the chain.
 * @throws DomainError 409 when a token is in another wallet, 503 when the chain does not answer
 */
export async function requireUnsoldTokens(
  order: Order,
  event: Event,
  seats?: readonly number[],
): Promise<void> {
  const isAsked = event.entry === 'token' && event.status !== 'CANCELLED';
  if (!isAsked || order.refund) return;
  if (!seats && (order.admitted || order.transferred)) return;
  if ((await locateTokens(order, seats ?? seatsOf(order))) === 'moved')
    throw conflict('moved', 'A ticket of this order was sold, so it is not refunded');
}

/**
 * Requests the refunds of an order again that failed since a token was sold: its event was cancelled, and is refunded without
 * asking the chain.
 */
export async function repeatSoldRefunds(order: Order): Promise<void> {
  const sold = refundsOf(order).filter(({ refund }) => refund.status === 'failed' && refund.isTokenSold);
  if (sold.length === 0) return;
  let current = order;
  for (const slot of sold) current = await repeatRefund(current, slot, systemActor);
  await queueWhenDue({ type: 'send-refund', orderId: order.id }, Date.now(), tenantOf(order));
}

async function repeatRefund(
  order: Order,
  { refund, number }: RefundSlot,
  requestedBy: AuditActor,
  requestId = refund.requestId,
): Promise<Order> {
  try {
    const restartedRefund = {
      ...resetAttempts(refund, new Date().toISOString()),
      isTokenSold: undefined,
      // A repetition of this call finds it, and begins no other.
      requestId,
    };
    const auditWrite = insertRefundAudit('refund-requested', order, restartedRefund, requestedBy);
    await transact([...transitionRefund(order, 'repeat', { refund: restartedRefund, number }), auditWrite]);
    return await getOrder(order.id);
  } catch (error) {
    if (error instanceof OrderTransitionRefused) return error.current;
    throw error;
  }
}

/** Reopens failed burns; the sweep queues them for the mint worker. */
async function retryBurns(order: Order): Promise<void> {
  for (const id of burnIdsOf(order)) await retryBurn(id);
}

async function retryBurn(id: string): Promise<void> {
  const burn = await findBurn(id);
  if (burn?.status !== 'failed') return;
  try {
    await write(reopenBurn(burn));
  } catch (error) {
    // Another request reopened it first.
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}
