import { operatorActor } from '../../accounts/audit/audit.ts';
import { latestEndOf } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { invalid } from '../../core/errors.ts';
import { toDecimal } from '../../core/money.ts';
import { expectUnchanged } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { type DisputeStep, disputeEntry, netOf } from '../../money/ledger/ledger.ts';
import {
  addUpcomingEarnings,
  findUpcomingCredit,
  postEntry,
  subtractUpcomingEarnings,
} from '../../money/ledger/store.ts';
import { disputedPayment, type Order } from '../order.ts';
import { excessOf, remainingSoldOrder } from '../shares.ts';
import { changeOrder, getOrder, type OrderChange } from '../store.ts';
import { insertRefundAudit } from './refund-order.ts';

/** Returns whether a dispute can cost the organizer something: the credit of an order, or what is kept of its returned seats. */
export function hasShare(order: Order): boolean {
  return !order.refund || netOf(remainingSoldOrder(order)) > 0n;
}

/**
 * Stores an open dispute of a paid order in which the organizer has a share, puts the order under review, and reserves the
 * share. The posting reserves the share of an order that is not posted yet.
 * @throws OrderTransitionRefused or UpcomingEarningsChanged after a concurrent change
 */
export async function openDispute(order: Order, disputeId: string): Promise<void> {
  const openDisputes = { [disputeId]: new Date().toISOString(), ...order.openDisputes };
  const change = { paymentReview: disputedPayment, openDisputes };
  const unchanged = {
    paymentStatus: 'COMPLETED',
    ...expectUnchanged(order, 'refund'),
    ...expectUnchanged(order, 'wonDisputes', 'isPosted', 'openDisputes', 'refunds'),
  } as const;
  await transact([
    changeOrder(order.id, change, { unchanged }),
    ...(order.openDisputes ? [] : await shareWrites(order, 'reserved')),
  ]);
}

/**
 * Removes a dispute that has ended without a return. The end of the last one releases the organizer's share and ends
 * the review, unless the review has another reason.
 * @throws as `openDispute`
 */
export async function endDispute(order: Order, disputeId: string): Promise<void> {
  const { [disputeId]: ended, ...otherDisputes } = order.openDisputes ?? {};
  if (Object.keys(otherDisputes).length === 0) return closeDisputes(order);
  if (!ended) return;
  const change = { openDisputes: otherDisputes };
  await transact([
    changeOrder(order.id, change, { unchanged: expectUnchanged(order, 'isPosted', 'openDisputes') }),
  ]);
}

/**
 * What an operator does with what was paid on a chain beyond the total, and no refund includes. `return`: sends it back, and
 * no later refund includes it. `keep`: a refund returns it.
 */
export const excessDecisions = ['return', 'keep'] as const;
export type ExcessDecision = (typeof excessDecisions)[number];

/**
 * Ends the review of an order, and with it any dispute: an operator knows the provider's decision.
 * @param decision required for an excess
 * @returns why the order was under review, and what the operator has to send back now, in minor units
 * @throws DomainError 400 for an order that is not under review, without the decision, and for the return of an excess of
 * which there is nothing to return, since a refund includes it; for keeping it after the refund of all that was left; as
 * `openDispute`
 */
export async function endReview(
  orderId: string,
  decision?: ExcessDecision,
): Promise<{ reason: string; order: Order; toReturn: bigint }> {
  const order = await getOrder(orderId);
  const { paymentReview, returnedExcess = 0n, currency } = order;
  if (paymentReview === undefined) throw invalid('The payment of this order is not under review');
  const excess = excessOf(order);
  if (excess > 0n && decision === undefined) {
    const paid = `${toDecimal(excess, currency)} ${currency}`;
    throw invalid(
      `The buyer paid ${paid} too much: give --excess return to send it back, or --excess keep if a refund will`,
    );
  }
  if (excess === 0n && decision === 'return')
    throw invalid('There is nothing to send back: a refund includes what was paid too much');
  if (excess > 0n && decision === 'keep' && order.refund)
    throw invalid('No refund will return what was paid too much: the whole order is refunded');
  const toReturn = decision === 'return' ? excess : 0n;
  if (toReturn === 0n) await closeDisputes(order, paymentReview);
  else {
    await closeDisputes(order, paymentReview, { returnedExcess: returnedExcess + toReturn }, [
      insertRefundAudit('refund-completed', order, { amount: toReturn }, operatorActor),
    ]);
  }
  return { reason: paymentReview, order, toReturn };
}

/** @param endedReview the reason of the review that ends; a review for another reason stays */
async function closeDisputes(
  order: Order,
  endedReview: string = disputedPayment,
  otherChange: Pick<OrderChange, 'returnedExcess'> = {},
  otherWrites: readonly Write[] = [],
): Promise<void> {
  const { paymentReview, openDisputes } = order;
  if (!openDisputes && paymentReview !== endedReview) return;
  const change = {
    openDisputes: undefined,
    paymentReview: paymentReview === endedReview ? undefined : paymentReview,
    ...otherChange,
  };
  const unchanged = expectUnchanged(
    order,
    'isPosted',
    'openDisputes',
    'paymentReview',
    'otherPayments',
    'returnedExcess',
    'refunds',
    'refund',
  );
  await transact([
    changeOrder(order.id, change, { unchanged }),
    ...(openDisputes ? await shareWrites(order, 'released') : []),
    ...otherWrites,
  ]);
}

/** Moves the organizer's share of a disputed order in the ledger, if the order was credited. */
async function shareWrites(order: Order, step: DisputeStep): Promise<Write[]> {
  if (!order.isCredited) return [];
  const event = await getEvent(order.eventId);
  const owner = { organizerId: event.organizerId, currency: order.currency };
  const share = netOf(remainingSoldOrder(order));
  const upcoming = await findUpcomingCredit(owner, order);
  const account = upcoming ? 'upcoming' : 'available';
  const entry = disputeEntry(owner, order.id, step, share, new Date().toISOString(), account);
  if (!upcoming) return postEntry(entry);
  const upcomingWrite =
    step === 'reserved'
      ? subtractUpcomingEarnings(upcoming, share)
      : addUpcomingEarnings(upcoming, share, latestEndOf(event));
  return [...postEntry(entry), upcomingWrite];
}
