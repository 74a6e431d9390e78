import { systemActor } from '../../audit/audit.ts';
import { conflict } from '../../core/errors.ts';
import { absent, applyTransitions, expectUnchanged, transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { getEvent } from '../../events/store.ts';
import { orderReversalEntry } from '../../ledger/ledger.ts';
import { postEntry, readUpcoming, subtractUpcoming, UpcomingChanged } from '../../ledger/store.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import { burnId } from '../../tickets/burning/burn.ts';
import { burnOfCurrentIssue } from '../../tickets/burning/current-issue.ts';
import { BurnTransitionRefused, findBurn, insertBurn, reopenBurn } from '../../tickets/burning/store.ts';
import { releaseSeats } from '../checkout/reserve-tickets.ts';
import { toSoldOrder } from '../fulfilment/post-orders.ts';
import { fulfilment, refund as refundMachine } from '../lifecycle.ts';
import type { Order } from '../order.ts';
import { OrderTransitionRefused, transitionOrder } from '../store.ts';
import { announceRefund } from './announce-refund.ts';
import { insertRefundAudit } from './refund-audit.ts';

/**
 * Begins the refund of a paid order, once. One transaction invalidates its tickets, releases its seats, reverses the
 * organizer's credit where there was one, and marks the order. Only the transfer of the money remains.
 * @param isMoneyReturned whether the money was returned already
 * @param by who requested it; the service itself for a cancelled event
 * @returns the order with its refund
 * @throws DomainError 409 when it is not paid; with Retry-After until it is posted; once one of its seats was admitted
 * or has changed hands, unless the event is cancelled or the money was returned already
 */
export async function beginRefund(
  order: Order,
  { isSent: isMoneyReturned = false, by = systemActor } = {},
): Promise<Order> {
  if (order.refund) return order;
  if (order.paymentStatus !== 'COMPLETED') throw conflict('not-paid', 'Only a paid order can be refunded');
  // Posting credits the organizer. Before it, whether there will be a credit to reverse is unknown.
  if (!order.isBooked) throw conflict('in-progress', 'The order is still being completed', 2);

  const event = await getEvent(order.eventId);
  const refusesUsedSeats = event.status !== 'CANCELLED' && !isMoneyReturned;
  if (refusesUsedSeats) refuseUsedSeats(order);
  const at = new Date().toISOString();
  const refund = { amount: paidFor(order), attempts: 0, dueAt: at, at };
  const begun = transition(refundMachine, isMoneyReturned ? 'beginSent' : beginEvent(order), { refund });
  const ended = transition(fulfilment, 'refund', {
    holdsSeat: false,
    fulfilmentReason: order.fulfilmentReason ?? 'refunded',
  });
  const isPending = begun.to === 'pending';
  const isManual = begun.to === 'manual';
  const writes = [
    transitionOrder(order.id, [begun, ended], at, {
      nextDueAt: isPending ? Date.parse(at) : 'never',
      unchanged: {
        ...expectUnchanged(order, 'holdsSeat', 'fulfilmentStatus'),
        ...(refusesUsedSeats && { admitted: absent, moved: absent }),
      },
    }),
    ...(await reversalWrites(order, event.organizerId, at)),
    ...(await burnWrites(order)),
    insertRefundAudit('refund-requested', order, refund, by),
    ...(isPending ? [] : announceRefund(order, refund, event, at, { isManual })),
  ];
  try {
    await (order.holdsSeat ? releaseSeats(order, ...writes) : transact(writes));
    if (isManual) incrementCounter('RefundsByHand');
    return applyTransitions({ ...order, updatedAt: at }, begun, ended);
  } catch (error) {
    // A concurrent write: another request began the refund, the order was minted, its burn was opened, or its credit
    // was released.
    if (error instanceof OrderTransitionRefused)
      return beginRefund(error.current, { isSent: isMoneyReturned, by });
    if (error instanceof BurnTransitionRefused || error instanceof UpcomingChanged) {
      return beginRefund(order, { isSent: isMoneyReturned, by });
    }
    throw error;
  }
}

/** @throws DomainError 409 for an order with a seat that was admitted or changed hands */
function refuseUsedSeats({ admitted = 0, moved = 0 }: Order): void {
  if (admitted > 0)
    throw conflict('admitted', 'Somebody was admitted with this order, so it is not refunded');
  if (moved > 0) throw conflict('moved', 'A ticket of this order was transferred, so it is not refunded');
}

/**
 * Reverses the organizer's credit, if there was one, in the ledger account that has it: `upcoming` until its release,
 * then `available`. The posting writes `isCredited`, so it no longer changes once the order is posted.
 */
async function reversalWrites(order: Order, organizerId: string, at: string): Promise<Write[]> {
  const { eventId, currency, isCredited, release } = order;
  if (!isCredited) return [];
  const owner = { organizerId, currency };
  const sold = toSoldOrder(order);
  const upcoming = release === undefined ? undefined : await readUpcoming({ ...owner, eventId });
  if (!upcoming || upcoming.release !== release)
    return postEntry(orderReversalEntry(owner, eventId, sold, at));
  return [
    ...postEntry(orderReversalEntry(owner, eventId, sold, at, 'upcoming')),
    subtractUpcoming(upcoming, sold.net),
  ];
}

/**
 * Burns minted tickets: the sweep queues the burn for the mint worker. The refund takes over a burn that was opened for
 * a reissue.
 */
async function burnWrites(order: Order): Promise<Write[]> {
  if (!order.mintedAt) return [];
  const opened = await burnOfCurrentIssue(order);
  const burn = await findBurn(burnId(opened));
  if (burn) return burn.status === 'failed' ? [reopenBurn(burn)] : [];
  return [insertBurn(opened)];
}

function beginEvent(order: Order) {
  if (paidFor(order) === 0n) return 'beginFree';
  return order.paymentMethod === 'CRYPTO' ? 'beginManual' : 'begin';
}

/** Returns the amount that the buyer paid, including an excess. */
export function paidFor({ paidAmount, totalAmount }: Order): bigint {
  return paidAmount ?? totalAmount;
}
