import { type Actor, admin, authorize, organizerOf } from '../../auth/authorize.ts';
import { conflict, type DomainError, forbidden, notFound } from '../../core/errors.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import type { PageQuery } from '../../dynamo/query.ts';
import { transact } from '../../dynamo/write.ts';
import { type Event, endOf, toEvent } from '../../events/event.ts';
import { getEvent } from '../../events/store.ts';
import { type Order, toOrder } from '../../orders/order.ts';
import { countSeat, OrderTransitionRefused } from '../../orders/store.ts';
import { holderOf, type Seat, seatOf } from '../seats/seat.ts';
import { admitSeat, readSeats, readSeatsOf, SeatChanged } from '../seats/store.ts';
import { findTickets } from '../store.ts';
import { seatNumber, type Ticket, toTicketView } from '../ticket.ts';
import { type CodedSeat, openCode, signCode } from './code.ts';
import type { AdmissionView, CheckInRequest, CheckInView, TicketWithAdmission } from './views.ts';

/**
 * Admits the seat of a code. One transaction requires that the seat was not admitted before, has not changed hands since
 * the code was made, and that its order still has its seats: of concurrent scans, changes of hands and a refund, one
 * succeeds.
 * @throws DomainError 400 for an invalid code; 403 for others than the event's organizer and administrators; 409 for
 * another event, one that ended more than a day ago, an order whose seats are no longer admitted, a seat that has changed
 * hands, or one that was admitted before
 */
export async function checkIn(caller: Actor, { code, eventId }: CheckInRequest): Promise<CheckInView> {
  const coded = await openCode(code);
  const { orderId, number } = coded;
  const [orderItem, seatItem] = await getItems([keys.order(orderId), keys.seat(orderId, number)]);
  if (!orderItem) throw notFound('Order');
  const order = toOrder(orderItem);
  const event = await getEvent(order.eventId);
  authorize(caller, [organizerOf(event), admin], forbidden('Only the organizer of the event may check in'));
  if (eventId !== undefined && eventId !== event.id) {
    throw conflict('other-event', 'The ticket is for another event');
  }
  const refusal = admissionRefusal(order, event) ?? seatRefusal(seatOf(coded, seatItem), coded);
  if (refusal) throw refusal;
  if (Date.now() > admissionEnd(event)) {
    throw conflict('code-expired', 'The event ended more than a day ago, so its tickets are no longer valid');
  }
  const checkedInAt = new Date().toISOString();
  await admit(coded, event, { checkedInAt, checkedInBy: caller.userId });
  return {
    orderId,
    number,
    quantity: order.quantity,
    eventId: event.id,
    tierId: order.tierId,
    tierName: event.tiers.find(({ id }) => id === order.tierId)?.name ?? '',
    customerName: order.customerName,
    checkedInAt,
  };
}

async function admit(
  coded: CodedSeat,
  event: Event,
  admission: { checkedInAt: string; checkedInBy: string },
) {
  try {
    await transact([admitSeat(coded, admission), countSeat(coded.orderId, 'admitted')]);
  } catch (error) {
    if (error instanceof SeatChanged) throw seatRefusal(error.current, coded) ?? error;
    if (error instanceof OrderTransitionRefused) throw admissionRefusal(error.current, event) ?? error;
    throw error;
  }
}

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
function admissionEnd(event: Event): number {
  return endOf(event) + dayMilliseconds;
}

/** Why an order's seats are not admitted; undefined when they are. */
function admissionRefusal(order: Order, event: Event): DomainError | undefined {
  if (event.status === 'CANCELLED') return conflict('event-cancelled', 'The event is cancelled');
  if (order.refund) return conflict('refunded', 'The order was refunded');
  if (order.paymentStatus !== 'COMPLETED') return conflict('not-paid', 'The order is not paid');
  return order.holdsSeat ? undefined : conflict('no-seat', 'The order has no seat');
}

/** Why a seat is not admitted with a code; undefined when it is. */
function seatRefusal({ epoch, checkedInAt }: Seat, coded: CodedSeat): DomainError | undefined {
  if (epoch !== coded.epoch)
    return conflict('moved', 'The ticket was handed to somebody else: ask for the new code');
  return checkedInAt === undefined
    ? undefined
    : conflict('already-checked-in', `Checked in already at ${checkedInAt}`);
}
