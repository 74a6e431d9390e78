import { toAuditActor } from '../../accounts/audit/audit.ts';
import { type Actor, authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { type Event, type ReturnPolicy, returnsEndAt } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { conflict, invalid, notFound } from '../../core/errors.ts';
import { toNumber } from '../../core/money.ts';
import { keys } from '../../dynamo/keys.ts';
import { queueWhenDue } from '../../runtime/queue.ts';
import { type Order, tenantOf } from '../order.ts';
import { planRefund, type RefundPart, seatWorths } from '../shares.ts';
import { getOrder } from '../store.ts';
import { listSeats } from './list-seats.ts';
import { beginRefund, refundsOf, requirePart } from './refund-order.ts';
import { requireUnsoldTokens } from './request-refund.ts';

/** Requires that the caller may give seats of an order back. @throws DomainError 409 */
type RequireReturnable = (order: Order, numbers: readonly number[]) => Promise<void>;

/**
 * Tells what a return of seats would give back, and what the organizer would keep.
 * @throws DomainError as `returnSeats`
 */
export async function quoteReturn(
  caller: Actor,
  orderId: string,
  seats: readonly number[],
  requireReturnable: RequireReturnable,
) {
  const order = await getOwnOrder(caller, orderId);
  const { until, feePercent } = requireReturns(order, await getEvent(order.eventId), seats);
  if (order.paymentStatus !== 'COMPLETED') throw conflict('not-paid', 'The order is not paid');
  if (seats.some((number) => order.returned?.includes(number)) || order.refund)
    throw conflict('refunded', 'A ticket was refunded already');
  await requireReturnable(order, seats);
  const part = planRefund(order, { seats, feePercent, includesKept: order.openDisputes !== undefined });
  if (!part.isFinal) requirePart(order, part);
  return { ...toAmounts(order, { ...part, seats: [...seats] }), currency: order.currency, until };
}

/**
 * Limits the returns, each of which costs the platform the minting and the burning of tokens. Those of free tickets cost the
 * buyer nothing, and seats that are listed can be kept again, while those who wait are mailed each time.
 */
const returnLimit = (isCheap: boolean) => ({
  maximum: isCheap ? 20 : 100,
  windowSeconds: 24 * 60 * 60,
  message: 'You returned tickets many times today, please try again tomorrow',
});

/**
 * Returns seats by their buyer, on the terms that the order was bought on. The refund begins at once, or the seats are listed
 * until somebody on the waiting list takes them; the organizer keeps the fee. The organizer's balance may become negative: the
 * buyer was promised the return.
 * @param requestId identifies the call, so that its repetition returns nothing twice
 * @throws DomainError 404 for other callers than the buyer; 400 for a seat that the order never had; 429 after a
 * hundred returns in a day, or twenty for listings and free tickets; 409 when the order's tickets can't be returned, or not any more; 409 as
 * `requireReturnable`, `beginRefund` and `listSeats`
 */
export async function returnSeats(
  caller: Actor,
  orderId: string,
  seats: readonly number[],
  options: { requestId: string; requireReturnable: RequireReturnable },
) {
  const order = await getOwnOrder(caller, orderId);
  const event = await getEvent(order.eventId);
  const { feePercent, mode } = requireReturns(order, event, seats);
  const worths = seatWorths(order);
  const isFree = (number: number) => worths[number - 1] === 0n;
  const limit = returnLimit(seats.some(isFree) || mode === 'when-resold');
  // Anybody can order with a guest's address, and must not use up the returns of the guest's other orders.
  const isGuest = order.guestVersion !== undefined && caller.userId === order.userId;
  await countAttempt(keys.attempts('RETURN', isGuest ? orderId : caller.userId), limit);
  // The organizer loses nothing by a free seat.
  if (mode === 'when-resold' && !seats.every(isFree)) {
    await listSeats(order, seats, options);
    const part = planRefund(order, { seats, feePercent });
    return {
      id: options.requestId,
      ...toAmounts(order, { ...part, seats: [...seats] }),
      status: 'listed' as const,
    };
  }
  await requireUnsoldTokens(order, event, seats);
  const returned = await beginRefund(order, {
    requestedBy: toAuditActor(caller),
    requireUnusedSeats: options.requireReturnable,
    part: { seats, feePercent },
    requestId: options.requestId,
  });
  await queueWhenDue({ type: 'send-refund', orderId }, Date.now(), tenantOf(order));
  const all = refundsOf(returned);
  const index = all.findIndex(
    ({ refund }) => refund.seats?.includes(seats[0] ?? 0) ?? refund.kind !== 'goodwill',
  );
  const refund = all[index]?.refund;
  if (!refund) throw new Error(`Order ${orderId} has no refund of its returned seats`);
  const { status } = refund;
  return {
    id: String(index + 1),
    ...toAmounts(order, { ...refund, seats: refund.seats ?? [...seats] }),
    status,
  };
}

async function getOwnOrder(caller: Actor, orderId: string): Promise<Order> {
  const order = await getOrder(orderId);
  authorize(caller, [buyerOf(order)], notFound('Order'));
  return order;
}

/** @throws DomainError 400, 409 */
function requireReturns({ returns, quantity }: Order, event: Event, seats: readonly number[]): ReturnPolicy {
  if (!returns) throw conflict('returns-not-allowed', 'The tickets of this order can’t be returned');
  const until = returnsEndAt(returns, event);
  if (Date.now() > Date.parse(until)) throw conflict('returns-closed', 'The time for returns has ended');
  if (seats.some((number) => number > quantity)) throw invalid('seats: the order has no such seat');
  return { ...returns, until };
}

function toAmounts({ currency }: Order, { seats = [], amount, kept = 0n }: RefundPart) {
  return { seats, refundAmount: toNumber(amount, currency), fee: toNumber(kept, currency) };
}
