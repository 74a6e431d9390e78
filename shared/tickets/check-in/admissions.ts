import { createHmac } from 'node:crypto';
import { type Actor, ownIdsOf, owns } from '../../accounts/auth/authorize.ts';
import { type Event, endOf, tierNameOf, toEvent } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { conflict, type DomainError, invalid } from '../../core/errors.ts';
import { toView } from '../../core/schemas.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems, type PageQuery } from '../../dynamo/read.ts';
import type { Answer } from '../../orders/answers/answer.ts';
import { readAnswersOf } from '../../orders/answers/store.ts';
import { itemOfSeat, type Order, seatsOf, toOrder } from '../../orders/order.ts';
import { isSameSecret, readKeyList } from '../../runtime/secrets.ts';
import { type Candidate, listByHolder, type ReceivedSeat, readSeatsOf } from '../seats/store.ts';
import { findTickets } from '../store.ts';
import {
  heldSeatStatus,
  holderOf,
  isHolder,
  type Seat,
  type SeatReference,
  seatNumber,
  seatOrInitial,
  type Ticket,
  toTicket,
} from '../ticket.ts';
import {
  type AdmissionView,
  type AttendedSeat,
  admissionView,
  attendedSeat,
  type TicketWithAdmission,
  ticketWithAdmission,
} from './views.ts';

/** The maximum number of seats that are returned with their codes: more would exceed Lambda's response limit. */
const maximumSeats = 5_000;

/** Like `listAdmissions`, for a reader of the order: empty for other users than the buyer. */
export async function listAdmissionsForBuyer(order: Order, caller: Actor): Promise<AdmissionView[]> {
  if (!owns(caller, order) || order.paymentStatus !== 'COMPLETED') return [];
  return listAdmissions(order, await getEvent(order.eventId));
}

/** Lists the check-in codes of an order's seats that its buyer still holds. Empty while none can be checked in. */
export async function listAdmissions(order: Order, event: Event): Promise<AdmissionView[]> {
  if (admissionError(order, event)) return [];
  return Promise.all(
    heldSeats(order, await readSeatsOf(order.id)).map(async (seat) => {
      const { tierId, isAddOn } = itemOfSeat(order, seat.number);
      return toView(admissionView, seat, {
        ...(await toCodeFields(seat, event)),
        tierId,
        tierName: tierNameOf(event, { tierId }),
        kind: isAddOn ? 'addon' : 'ticket',
        attendee: seat.attendee ? { ...seat.attendee, email: seat.attendee.email ?? null } : null,
        status: heldSeatStatus(seat),
      });
    }),
  );
}

/** Lists the codes as `listAdmissions` does. It reads the seats only when one was transferred. */
export async function listCheckInCodes(
  order: Order,
  event: Event,
): Promise<{ number: number; checkInCode: string }[]> {
  if (admissionError(order, event)) return [];
  const seats = heldSeats(order, order.transferred ? await readSeatsOf(order.id) : new Map());
  return Promise.all(seats.map(async (seat) => ({ number: seat.number, checkInCode: await signCode(seat) })));
}

/** Returns the seats that the buyer still holds. @param stored the stored seats by number */
function heldSeats(order: Order, stored: ReadonlyMap<number, Seat>): Seat[] {
  return seatsOf(order)
    .slice(0, maximumSeats)
    .map((number) => stored.get(number) ?? seatOrInitial({ orderId: order.id, number }, undefined))
    .filter((seat) => holderOf(seat, order) === order.userId);
}

/**
 * Lists the seats of an order that were named, transferred or admitted, for readers other than its buyer: the event's
 * organizer and managers.
 */
export async function listSeatsForOrganizer(order: Order, reader: Actor): Promise<AttendedSeat[]> {
  if (owns(reader, order) || order.paymentStatus !== 'COMPLETED') return [];
  const storedSeats = await readSeatsOf(order.id);
  const seats = [...storedSeats.values()].sort((a, b) => a.number - b.number);
  return seats.map((seat) =>
    toView(attendedSeat, seat, {
      attendeeName: seat.attendee?.name ?? null,
      isTransferred: holderOf(seat, order) !== order.userId,
    }),
  );
}

/**
 * Lists the answers of an order for its reader: the organizer and managers see all, the buyer those for the order and for
 * the seats that were not transferred.
 */
export async function listAnswers(order: Order, reader: Actor): Promise<Answer[]> {
  const answers = (await readAnswersOf([order])).get(order.id) ?? [];
  if (answers.length === 0 || !order.transferred || !owns(reader, order)) return answers;
  const seats = await readSeatsOf(order.id);
  return answers.filter(({ number }) => {
    const seat = number === undefined ? undefined : seats.get(number);
    return !seat || isHolder(reader, seat, order);
  });
}

/** Lists a page of the tickets that a user holds, with their check-in codes. The newest order comes first. */
export async function listTickets(caller: Actor, query: PageQuery & { orderId?: string; eventId?: string }) {
  const { entries, nextCursor } = await listByHolder<BoughtTicket, TicketWithAdmission>('tickets', {
    userIds: ownIdsOf(caller),
    query,
    listBought: async function* (userId, range, pageSize) {
      for await (const ticket of findTickets(userId, range, pageSize)) yield { id: ticket.id, ticket };
    },
    toEntries: (candidates) => toTicketEntries(caller, candidates, query.eventId),
  });
  return { tickets: entries, nextCursor };
}

/** A ticket that the user bought. */
type BoughtTicket = Candidate & { ticket: Ticket };

async function toTicketEntries(
  caller: Actor,
  candidates: (BoughtTicket | ReceivedSeat)[],
  eventId: string | undefined,
): Promise<(TicketWithAdmission | undefined)[]> {
  const items = await getItems(
    candidates.flatMap((candidate) => {
      const { orderId, eventId, buyerUserId } =
        'ticket' in candidate
          ? { ...candidate.ticket, buyerUserId: candidate.ticket.userId }
          : candidate.received;
      const number = seatNumber(candidate.id);
      return [
        keys.order(orderId),
        keys.event(eventId),
        keys.seat(orderId, number),
        keys.ticket(buyerUserId, candidate.id),
      ];
    }),
  );
  return Promise.all(
    candidates.map(async ({ id }, index) => {
      const [orderItem, eventItem, seatItem, ticketItem] = items.slice(4 * index, 4 * index + 4);
      const ticket = ticketItem && toTicket(ticketItem);
      if (!ticket || (eventId ?? ticket.eventId) !== ticket.eventId) return undefined;
      const seat = seatOrInitial({ orderId: ticket.orderId, number: seatNumber(id) }, seatItem);
      const [order, event] = [orderItem && toOrder(orderItem), eventItem && toEvent(eventItem)];
      if (!isHolder(caller, seat, order ?? ticket)) return undefined;
      const isAdmissible = order && event && !admissionError(order, event, seat.number);
      return toView(ticketWithAdmission, ticket, {
        owner: seat.wallet ?? ticket.owner,
        ...(isAdmissible ? await toCodeFields(seat, event) : noCodeFields),
        checkedInAt: seat.checkedInAt ?? null,
      });
    }),
  );
}

async function toCodeFields(seat: SignedSeat, event: Event) {
  const checkInCode = await signCode(seat);
  return {
    checkInCode,
    checkInCodeExpiresAt: new Date(admissionEnd(event)).toISOString(),
    qr: `/api/tickets/qr/${checkInCode}`,
  };
}

const noCodeFields = { checkInCode: null, checkInCodeExpiresAt: null, qr: null };

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Returns the end of check-in, in epoch milliseconds: a day after the event's current end. Check-in has no start:
 * organizers decide when to open the doors.
 */
export function admissionEnd(event: Event): number {
  return endOf(event) + dayMilliseconds;
}

/**
 * Returns why the seats of an order can't be checked in; undefined when they can.
 * @param number one of the seats: it may have been refunded while others are valid
 */
export function admissionError(order: Order, event: Event, number?: number): DomainError | undefined {
  if (event.status === 'CANCELLED') return conflict('event-cancelled', 'The event is cancelled');
  if (number !== undefined && order.returned?.includes(number))
    return conflict('refunded', 'The ticket was refunded');
  if (order.refund) return conflict('refunded', 'The order was refunded');
  if (order.paymentStatus !== 'COMPLETED') return conflict('not-paid', 'The order is not paid');
  return order.holdsInventory ? undefined : conflict('no-seat', 'The order has no seat');
}

/** Returns why a check-in code is refused for its seat; undefined when it is the code of the present holder. */
export function codeError({ transfers }: Seat, signedSeat: SignedSeat): DomainError | undefined {
  return transfers === signedSeat.transfers
    ? undefined
    : conflict('moved', 'The ticket was transferred to another account: ask for the new code');
}

/** The seat that a code is signed for, and how often it had been transferred. */
export type SignedSeat = SeatReference & Pick<Seat, 'transfers'>;

/**
 * Returns a seat's check-in code: the order, the number of the seat, the version of the format with the number of the
 * seat's transfers, and a signature. The code has no expiry, so a printed code stays valid when the event's date
 * changes. It is short enough for a QR code that scans from a scratched phone.
 */
export async function signCode(seat: SignedSeat): Promise<string> {
  const [code] = await signCodes(seat);
  return code;
}

/** Returns all valid codes of a seat: first the one that is handed out, then those by keys that are retiring. */
export async function signCodes({ orderId, number, transfers }: SignedSeat): Promise<[string, ...string[]]> {
  const [key, ...retiring] = await readKeyList('CHECK_IN_SECRET');
  const text = `${orderId}.${number}.v2-${transfers}`;
  const signWith = (each: string) => `${text}.${computeSignature(text, each)}`;
  return [signWith(key), ...retiring.map(signWith)];
}

/** Verifies a code and returns its seat. @throws DomainError 400 for an invalid code */
export async function verifyCode(code: string): Promise<SignedSeat> {
  const [, text = '', orderId = '', number, transfers, givenSignature = ''] =
    /^((\w+)\.([1-9]\d{0,7})\.v2-(0|[1-9]\d{0,5}))\.([\w-]+)$/.exec(code.trim()) ?? [];
  const keys = await readKeyList('CHECK_IN_SECRET');
  if (!keys.some((key) => isSameSecret(givenSignature, computeSignature(text, key)))) {
    throw invalid('This is not a check-in code', 'invalid-code');
  }
  return { orderId, number: Number(number), transfers: Number(transfers) };
}

/** Signs with 128 bits: short, and infeasible to guess. */
function computeSignature(text: string, key: string): string {
  return createHmac('sha256', key).update(`check-in:${text}`).digest().subarray(0, 16).toString('base64url');
}
