import { conflict, type DomainError } from '../../core/errors.ts';
import type { Event } from '../../events/event.ts';
import type { Order } from '../../orders/order.ts';

/** One of an order's tickets, by its number from 1 on, whether or not a token was minted for it. */
export interface Seat {
  orderId: string;
  number: number;
}

const day = 24 * 60 * 60 * 1000;

/**
 * When the codes of an event end, in milliseconds: a day after it. They hold until then, so that a ticket can be
 * printed, or shown where there is no reception; what they open is decided when they are scanned.
 */
export function endOfCodes({ eventDate, saleEnd }: Event): number {
  return Math.max(Date.parse(eventDate), Date.parse(saleEnd)) + day;
}

/** Why nobody is let in with an order; undefined when its seats are good. */
export function whyRefused(order: Order, event: Event): DomainError | undefined {
  if (event.status === 'CANCELLED') return conflict('event-cancelled', 'The event is cancelled');
  if (order.refund) return conflict('refunded', 'The order was refunded');
  if (order.paymentStatus !== 'COMPLETED') return conflict('not-paid', 'The order is not paid');
  return order.holdsSeat ? undefined : conflict('no-seat', 'The order has no seat');
}
