import { type Actor, admin, authorize, organizerOf } from '../../auth/authorize.ts';
import { conflict, type DomainError, forbidden } from '../../core/errors.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import type { PageQuery } from '../../dynamo/query.ts';
import { write } from '../../dynamo/write.ts';
import { type Event, toEvent } from '../../events/event.ts';
import { getEvent } from '../../events/store.ts';
import { type Order, toOrder } from '../../orders/order.ts';
import { getOrder } from '../../orders/store.ts';
import { findCheckIns, findTickets, insertCheckIn, readCheckIns } from '../store.ts';
import { seatNumber, type Ticket, toTicketView } from '../ticket.ts';
import { openCode, type Seat, signCode } from './code.ts';
import type { AdmissionView, CheckInRequest, CheckInView, TicketWithAdmission } from './views.ts';

/**
 * Admits the seat of a code, once, even when several doors scan it at the same time. A refund that begins between
 * reading the order and writing the admission counts as later than the admission.
 * @throws DomainError 400 for an invalid code; 403 for others than the event's organizer and administrators; 409 for
 * an expired code, an order whose seats are no longer admitted, another event, or a seat that was admitted before
 */
export async function checkIn(caller: Actor, { code, eventId }: CheckInRequest): Promise<CheckInView> {
  const seat = await openCode(code);
  const order = await getOrder(seat.orderId);
  const event = await getEvent(order.eventId);
  authorize(caller, [organizerOf(event), admin], forbidden('Only the organizer of the event may check in'));
  if (eventId !== undefined && eventId !== event.id) {
    throw conflict('other-event', 'The ticket is for another event');
  }
  const refusal = admissionRefusal(order, event);
  if (refusal) throw refusal;
  const checkedInAt = new Date().toISOString();
  await write(insertCheckIn({ ...seat, checkedInAt, checkedInBy: caller.userId }));
  return {
    ...seat,
    quantity: order.quantity,
    eventId: event.id,
    tierId: order.tierId,
    tierName: event.tiers.find(({ id }) => id === order.tierId)?.name ?? '',
    customerName: order.customerName,
    checkedInAt,
  };
}

/** The largest number of seats returned with their codes: more would exceed Lambda's response limit. */
const maximumSeats = 5_000;

/** Lists the codes of an order's seats; empty for others than the buyer, and while the order admits nobody. */
export async function admissionsOf(order: Order, userId: string): Promise<AdmissionView[]> {
  if (order.userId !== userId || order.paymentStatus !== 'COMPLETED') return [];
  const event = await getEvent(order.eventId);
  if (admissionRefusal(order, event)) return [];
  const checkedIn = await readCheckIns(order.id);
  const numbers = Array.from({ length: Math.min(order.quantity, maximumSeats) }, (_, at) => at + 1);
  return Promise.all(
    numbers.map(async (number) => ({
      number,
      ...(await codeOf({ orderId: order.id, number }, event)),
      checkedInAt: checkedIn.get(number) ?? null,
    })),
  );
}

/** Lists a page of a user's tickets with their check-in codes. */
export async function listTickets(userId: string, query: PageQuery & { orderId?: string; eventId?: string }) {
  const { tickets, nextCursor } = await findTickets(userId, query);
  const seats = tickets.map(({ id, orderId }) => ({ orderId, number: seatNumber(id) }));
  const [admitting, checkedIn] = await Promise.all([findAdmitting(tickets), findCheckIns(seats)]);
  const shown = tickets.map(async (ticket, at): Promise<TicketWithAdmission> => {
    const event = admitting[at];
    return {
      ...toTicketView(ticket),
      ...(event ? await codeOf(seats[at] as Seat, event) : noCode),
      checkedInAt: checkedIn[at] ?? null,
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

async function codeOf(seat: Seat, event: Event) {
  const end = codesExpireAt(event);
  const checkInCode = await signCode(seat, end);
  return {
    checkInCode,
    checkInCodeExpiresAt: new Date(end).toISOString(),
    qr: `/api/tickets/qr/${checkInCode}`,
  };
}

const noCode = { checkInCode: null, checkInCodeExpiresAt: null, qr: null };

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * When the codes of an event expire, in epoch milliseconds: a day after the event. A long life lets buyers print a
 * ticket, or show it without reception; the scan at the door decides whether it admits.
 */
function codesExpireAt({ eventDate, saleEnd }: Event): number {
  return Math.max(Date.parse(eventDate), Date.parse(saleEnd)) + dayMilliseconds;
}

/** Why an order's seats are not admitted; undefined when they are. */
function admissionRefusal(order: Order, event: Event): DomainError | undefined {
  if (event.status === 'CANCELLED') return conflict('event-cancelled', 'The event is cancelled');
  if (order.refund) return conflict('refunded', 'The order was refunded');
  if (order.paymentStatus !== 'COMPLETED') return conflict('not-paid', 'The order is not paid');
  return order.holdsSeat ? undefined : conflict('no-seat', 'The order has no seat');
}
