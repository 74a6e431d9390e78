import { conflict, type DomainError } from '../../core/errors.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import type { PageQuery } from '../../dynamo/query.ts';
import { type Event, endOf, toEvent } from '../../events/event.ts';
import { getEvent } from '../../events/store.ts';
import { type Order, toOrder } from '../../orders/order.ts';
import { holderOf, type Seat, seatOf } from '../seats/seat.ts';
import { readSeats, readSeatsOf } from '../seats/store.ts';
import { findTickets } from '../store.ts';
import { seatNumber, type Ticket, toTicketView } from '../ticket.ts';
import { type CodedSeat, signCode } from './code.ts';
import type { AdmissionView, TicketWithAdmission } from './views.ts';

/** The largest number of seats returned with their codes: more would exceed Lambda's response limit. */
const maximumSeats = 5_000;

/**
 * Lists the codes of an order's seats that the buyer still holds; empty for others than the buyer, and while the order
 * admits nobody.
 */
export async function admissionsOf(order: Order, userId: string): Promise<AdmissionView[]> {
  if (order.userId !== userId || order.paymentStatus !== 'COMPLETED') return [];
  const event = await getEvent(order.eventId);
  if (admissionRefusal(order, event)) return [];
  const stored = await readSeatsOf(order.id);
  const numbers = Array.from({ length: Math.min(order.quantity, maximumSeats) }, (_, at) => at + 1);
  const seats = numbers.map(
    (number) => stored.get(number) ?? seatOf({ orderId: order.id, number }, undefined),
  );
  const held = seats.filter((seat) => holderOf(seat, order) === userId);
  return Promise.all(
    held.map(async (seat) => ({
      number: seat.number,
      ...(await codeOf(seat, event)),
      checkedInAt: seat.checkedInAt ?? null,
    })),
  );
}

/** Lists a page of a user's tickets with their check-in codes. */
export async function listTickets(userId: string, query: PageQuery & { orderId?: string; eventId?: string }) {
  const { tickets, nextCursor } = await findTickets(userId, query);
  const references = tickets.map(({ id, orderId }) => ({ orderId, number: seatNumber(id) }));
  const [admitting, seats] = await Promise.all([findAdmitting(tickets), readSeats(references)]);
  const shown = tickets.map(async (ticket, at): Promise<TicketWithAdmission> => {
    const [event, seat] = [admitting[at], seats[at] as Seat];
    return {
      ...toTicketView(ticket),
      ...(event ? await codeOf(seat, event) : noCode),
      checkedInAt: seat.checkedInAt ?? null,
    };
  });
  return { tickets: await Promise.all(shown), nextCursor };
}

/** Finds the event of each ticket that would be admitted; undefined for the others. */
async function findAdmitting(tickets: readonly Ticket[]): Promise<(Event | undefined)[]> {
  const items = await getItems(
    tickets.flatMap(({ orderId, eventId }) => [keys.order(orderId), keys.event(eventId)]),
  );
  return tickets.map((_, at) => {
    const [order, event] = [items[2 * at], items[2 * at + 1]];
    return order && event && !admissionRefusal(toOrder(order), toEvent(event)) ? toEvent(event) : undefined;
  });
}

async function codeOf(seat: CodedSeat, event: Event) {
  const checkInCode = await signCode(seat);
  return {
    checkInCode,
    checkInCodeExpiresAt: new Date(admissionEnd(event)).toISOString(),
    qr: `/api/tickets/qr/${checkInCode}`,
  };
}

const noCode = { checkInCode: null, checkInCodeExpiresAt: null, qr: null };

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * When it becomes too late to check in, in epoch milliseconds: a day after the event's end as it stands. It is never
 * too early, so that doors open when the organizer wants.
 */
export function admissionEnd(event: Event): number {
  return endOf(event) + dayMilliseconds;
}

/** Why an order's seats are not admitted; undefined when they are. */
export function admissionRefusal(order: Order, event: Event): DomainError | undefined {
  if (event.status === 'CANCELLED') return conflict('event-cancelled', 'The event is cancelled');
  if (order.refund) return conflict('refunded', 'The order was refunded');
  if (order.paymentStatus !== 'COMPLETED') return conflict('not-paid', 'The order is not paid');
  return order.holdsSeat ? undefined : conflict('no-seat', 'The order has no seat');
}

/** Why a seat is not admitted with a code; undefined when it is. */
export function seatRefusal({ epoch, checkedInAt }: Seat, coded: CodedSeat): DomainError | undefined {
  if (epoch !== coded.epoch)
    return conflict('moved', 'The ticket was handed to somebody else: ask for the new code');
  return checkedInAt === undefined
    ? undefined
    : conflict('already-checked-in', `Checked in already at ${checkedInAt}`);
}
