import { conflict } from '../../core/errors.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { getEvent } from '../../events/store.ts';
import { orderReversal } from '../../ledger/ledger.ts';
import { post } from '../../ledger/store.ts';
import { insertNotification } from '../../notifications/store.ts';
import { count } from '../../runtime/metrics.ts';
import { BurnMoved, findBurn, insertBurn } from '../../tickets/burning/store.ts';
import { findTicket } from '../../tickets/store.ts';
import { ticketId } from '../../tickets/ticket.ts';
import { releaseSeats } from '../checkout/reserve.ts';
import { toSoldOrder } from '../fulfilment/post-orders.ts';
import type { Order } from '../order.ts';
import { moveOrder, OrderMoved } from '../store.ts';
import type { Refund, RefundStatus } from './refund.ts';
import { refundNotification } from './refund-notification.ts';

/**
 * Decides that a paid order gets its money back, once. One transaction takes its tickets away, puts them back on
 * sale, takes the organizer's credit back where there was one, and marks the order; whatever fails afterwards,
 * only the money itself is still to be sent.
 * @returns the order as it stands now, with its refund
 * @throws DomainError 409 when it is not paid; with Retry-After while its completion is still being booked
 */
export async function beginRefund(order: Order): Promise<Order> {
  if (order.refund) return order;
  if (order.paymentStatus !== 'COMPLETED') throw conflict('not-paid', 'Only a paid order can be refunded');
  // Booking credits the organizer: before it is through, nobody knows whether there is a credit to take back.
  if (!order.isBooked) throw conflict('in-progress', 'The order is still being completed', 2);

  const event = await getEvent(order.eventId);
  const at = new Date().toISOString();
  const refund: Refund = { status: firstStatus(order), amount: paidFor(order), attempts: 0, dueAt: at, at };
  const change = {
    refund,
    holdsSeat: false,
    fulfilmentStatus: 'refund-due',
    fulfilmentReason: order.fulfilmentReason ?? 'refunded',
    updatedAt: at,
  };
  const due = refund.status === 'pending' ? Date.parse(at) : 'never';
  const { holdsSeat, fulfilmentStatus } = order;
  const asRead = {
    when: 'attribute_not_exists(#refund) AND #holdsSeat = :holdsSeat AND #fulfilmentStatus = :fulfilmentStatus',
    values: { holdsSeat, fulfilmentStatus },
  };
  const writes = [
    moveOrder(order.id, ['COMPLETED'], change, due, asRead),
    ...reversalOf(order, event.organizerId, at),
    ...(await burnOf(order)),
    ...(refund.status === 'pending' ? [] : [insertNotification(refundNotification(order, refund, event))]),
  ];
  try {
    await (holdsSeat ? releaseSeats(order, ...writes) : transact(writes));
    if (refund.status === 'manual') count('RefundsByHand');
    return { ...order, ...change } as Order;
  } catch (error) {
    // Somebody else was quicker, or it was minted meanwhile, or its tickets are to be burned already.
    if (error instanceof OrderMoved) return beginRefund(error.current);
    if (error instanceof BurnMoved) return beginRefund(order);
    throw error;
  }
}

/**
 * Takes the organizer's credit back, if there was one. An order that is booked has its mark already or never gets
 * it: both are written at once, and an order is booked once.
 */
function reversalOf(order: Order, organizerId: string, at: string): Write[] {
  const { eventId, currency, isCredited } = order;
  return isCredited ? post(orderReversal({ organizerId, currency }, eventId, toSoldOrder(order), at)) : [];
}

/** Has the tickets burned, if there are any: the mint worker does it, when the sweep tells it to. */
async function burnOf(order: Order): Promise<Write[]> {
  const { id: orderId, userId, quantity } = order;
  if (!order.mintedAt || (await findBurn(orderId))) return [];
  const ticket = await findTicket(userId, ticketId(orderId, 1));
  if (!ticket) throw new Error(`Order ${orderId} is minted, but has no ticket`);
  const { chainId, contractAddress: contract, owner: holder } = ticket;
  return [insertBurn({ orderId, userId, quantity, chainId, contract, holder, status: 'open' })];
}

function firstStatus(order: Order): RefundStatus {
  if (paidFor(order) === 0n) return 'done';
  return order.paymentMethod === 'CRYPTO' ? 'manual' : 'pending';
}

/** What the buyer paid, also where it was more than was due. */
function paidFor({ paidAmount, totalAmount }: Order): bigint {
  return paidAmount ?? totalAmount;
}
