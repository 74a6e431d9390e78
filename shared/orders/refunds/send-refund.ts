import { getEvent } from '../../catalog/events/store.ts';
import { DomainError } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { burnIdsOf, locateTokens } from '../../nft/burning/refunded-tokens.ts';
import { BreakerOpen, breakerOpenMilliseconds, callThroughBreaker } from '../../payments/breaker.ts';
import type { RequestedRefund } from '../../payments/gateway.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { queueWhenDue, sendMessage } from '../../runtime/queue.ts';
import { backoffMilliseconds, leaseMilliseconds, maximumAttempts } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { type Order, paidAmountOf, seatsOf, tenantOf } from '../order.ts';
import { getOrder, OrderTransitionRefused } from '../store.ts';
import { recordWholeReturn } from './receive-return.ts';
import {
  beginRefund,
  completeRefund,
  failRefund,
  type RefundSlot,
  refundAnnouncementWrites,
  refundKey,
  refundsOf,
  resetAttempts,
  transitionRefund,
  withRefund,
} from './refund-order.ts';

/** A refund that this worker has leased, with its order. */
interface LeasedRefund {
  order: Order;
  slot: RefundSlot;
}

/**
 * Advances the refunds of an order: begins a refund that is due, then requests the next one from the gateway. Refunds of one
 * payment are sent one after the other, and a lease ensures that only one of several concurrent workers acts. Gateways
 * without idempotency keys need both: their adapters query for an earlier attempt first, which prevents a second refund
 * only when no other refund is requested meanwhile.
 */
export async function sendRefund(orderId: string): Promise<void> {
  const order = await getOrder(orderId);
  try {
    const isDue = order.fulfilmentStatus === 'refund-due' && !order.refund;
    const currentOrder = isDue ? await beginRefund(order) : order;
    const slot = findNextRefund(currentOrder);
    if (!slot) return;
    const place = await locateRefundedTokens(currentOrder, slot);
    if (place === 'moved')
      return await giveUp(currentOrder, { ...slot, refund: { ...slot.refund, isTokenSold: true } });
    if (place === 'held') return await waitForBurn(currentOrder, slot);
    if (currentOrder.paymentMethod === 'CRYPTO') return await leaveToOperator(currentOrder, slot);
    const leased = await lease(currentOrder, slot);
    await applyResult(leased, await requestFromGateway(leased));
  } catch (error) {
    // Another worker leased the refund.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** How long a refund waits for its tokens to be burned, in milliseconds: a burn can fail, and nodes can be silent. */
const longestWaitMilliseconds = 60 * 60_000;
const shortestPauseMilliseconds = 5_000;

/** Returns where the tokens of a refund are, before anything of it is sent. */
async function locateRefundedTokens(order: Order, { refund }: RefundSlot) {
  if (!refund.waitsForTokens || refund.attempts > 0) return 'gone';
  if ((await getEvent(order.eventId)).status === 'CANCELLED') return 'gone';
  // Its mint makes tokens of returned seats too, and then burns them.
  const isMinting = order.fulfilmentStatus === 'queued' || order.fulfilmentStatus === 'minting';
  const place = isMinting
    ? 'held'
    : await locateTokens(order, refund.seats ?? seatsOf(order)).catch((error) => {
        if (!(error instanceof DomainError) || error.code !== 'unavailable') throw error;
        return 'held' as const;
      });
  const isOver = Date.now() - Date.parse(refund.at) > longestWaitMilliseconds;
  return place === 'held' && isOver ? 'gone' : place;
}

/** Queues the burns of the refund's tokens, and postpones it by as long as it has waited so far, to the end of the wait at most. */
async function waitForBurn(order: Order, { refund, number }: RefundSlot): Promise<void> {
  for (const burnOrderId of burnIdsOf(order))
    await sendMessage('mint-tickets', { type: 'burn', burnOrderId }, { tenant: tenantOf(order) });
  const waited = Date.now() - Date.parse(refund.at);
  const pause = Math.max(shortestPauseMilliseconds, Math.min(waited, longestWaitMilliseconds - waited));
  await retryLater(order, { refund: { ...refund, dueAt: timeFromNow(pause) }, number });
}

/** Returns the refund to send now; undefined while another one is under way, and before its time. */
function findNextRefund(order: Order): RefundSlot | undefined {
  const pending = refundsOf(order).filter(({ refund }) => refund.status === 'pending');
  const isWaiting = ({ refund }: RefundSlot) => Date.parse(refund.dueAt) > Date.now();
  // A failed refund that was requested again comes before one that may be under way.
  if (pending.some((slot) => slot.refund.attempts > 0 && isWaiting(slot))) return undefined;
  const [next] = pending;
  return next && !isWaiting(next) ? next : undefined;
}

async function lease(order: Order, { refund, number }: RefundSlot): Promise<LeasedRefund> {
  const leased = { ...refund, attempts: refund.attempts + 1, dueAt: timeFromNow(leaseMilliseconds) };
  await transact(transitionRefund(order, 'attempt', { refund: leased, number }));
  return { order: withRefund(order, { refund: leased, number }), slot: { refund: leased, number } };
}

/**
 * Requests the refund.
 * @returns `not-asked` while the circuit breaker is open; undefined when the gateway refused the refund or its result
 * is unknown
 */
async function requestFromGateway({
  order,
  slot: { refund, number },
}: LeasedRefund): Promise<RequestedRefund | 'not-asked' | undefined> {
  const { id: orderId, reference, currency } = order;
  try {
    const gateway = order.gateway && (await findConfiguredGateway(order.gateway));
    if (!gateway)
      throw new DomainError('unavailable', 'gateway-not-configured', `${order.gateway} is not configured`);
    return await callThroughBreaker(gateway.name, () =>
      gateway.refund({
        transactionId: order.paymentTxId ?? '',
        reference,
        amount: refund.amount,
        currency,
        paidAmount: paidAmountOf(order),
        idempotencyKey: refundKey(orderId, number),
        finishedRefunds: refundsOf(order).flatMap(({ refund: { providerId } }) => providerId ?? []),
        mayRequest: (refund.acceptedIds?.length ?? 0) < maximumAttempts,
        // The time of the lease is unique to the attempt.
        attempt: String(Date.parse(refund.dueAt)),
      }),
    );
  } catch (error) {
    if (error instanceof BreakerOpen) return 'not-asked';
    if (!(error instanceof DomainError)) throw error;
    log.error('Refund request failed', error, { orderId, attempts: refund.attempts });
    return undefined;
  }
}

async function applyResult(
  leased: LeasedRefund,
  result: RequestedRefund | 'not-asked' | undefined,
): Promise<void> {
  const { order, slot } = leased;
  const { refund, number } = slot;
  if (result === 'not-asked') {
    // This does not count as an attempt.
    const attempts = refund.attempts - 1;
    const postponedRefund = { ...refund, attempts, dueAt: timeFromNow(breakerOpenMilliseconds) };
    await transact(transitionRefund(order, 'attempt', { refund: postponedRefund, number }));
  } else if (result?.state === 'done') {
    const currentOrder = number === undefined ? order : await recordWholeReturn(order);
    await completeRefund(currentOrder, slot, { providerId: result.id });
    log.info('Order refunded', { orderId: order.id, refund: number });
    await queueNext(order.id);
  } else if (result?.state === 'pending') {
    // The gateway accepted the refund: earlier failures no longer count, except those of requests that it had accepted.
    const acceptedIds = [...new Set([...(refund.acceptedIds ?? []), result.id ?? ''])];
    const dueAt = timeFromNow(backoffMilliseconds(maximumAttempts));
    await retryLater(order, {
      refund: { ...refund, acceptedIds, attempts: acceptedIds.length - 1, dueAt },
      number,
    });
  } else if (refund.attempts < maximumAttempts) {
    const dueAt = timeFromNow(backoffMilliseconds(refund.attempts));
    await retryLater(order, { refund: { ...refund, dueAt }, number });
  } else await giveUp(order, slot);
}

/** Leaves a refund of a payment on a chain, whose tokens are burned, to an operator. */
async function leaveToOperator(order: Order, { refund, number }: RefundSlot): Promise<void> {
  const timestamp = new Date().toISOString();
  const manualRefund = resetAttempts(refund, timestamp);
  const event = await getEvent(order.eventId);
  await transact([
    ...transitionRefund(order, 'leaveToOperator', { refund: manualRefund, number }),
    ...refundAnnouncementWrites(order, manualRefund, event, timestamp, { isManual: true, number }),
  ]);
  incrementCounter('RefundsByHand');
  await queueNext(order.id);
}

/** Leaves a refund to the organizer, who can request it again, or to an operator. */
async function giveUp(order: Order, slot: RefundSlot): Promise<void> {
  await failRefund(order, slot, 'giveUp');
  await queueNext(order.id);
}

/** Queues the refund that waited for the one that has ended. */
async function queueNext(orderId: string): Promise<void> {
  const order = await getOrder(orderId);
  if (findNextRefund(order))
    await queueWhenDue({ type: 'send-refund', orderId }, Date.now(), tenantOf(order));
}

async function retryLater(order: Order, slot: RefundSlot): Promise<void> {
  await transact(transitionRefund(order, 'attempt', slot));
  const dueAt = Date.parse(slot.refund.dueAt);
  await queueWhenDue({ type: 'send-refund', orderId: order.id }, dueAt, tenantOf(order));
}

function timeFromNow(milliseconds: number): string {
  return new Date(Date.now() + milliseconds).toISOString();
}
