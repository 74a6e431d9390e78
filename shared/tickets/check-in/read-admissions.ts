import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import type { PageQuery } from '../../dynamo/query.ts';
import type { Event } from '../../events/event.ts';
import { getEvent, toEvent } from '../../events/store.ts';
import type { Order } from '../../orders/order.ts';
import { toOrder } from '../../orders/store.ts';
import { findTickets } from '../store.ts';
import { seatNumber, type Ticket } from '../ticket.ts';
import { toTicketView } from '../ticket-view.ts';
import { signCode } from './code.ts';
import { endOfCodes, type Seat, whyRefused } from './rules.ts';
import { findCheckIns, readCheckIns } from './store.ts';
import type { AdmissionView, TicketWithAdmission } from './views.ts';

/** How many seats of one order are answered with their codes: more would not fit into an answer. */
const maximumSeats = 5_000;

/** What lets each seat of an order in; nothing for others than the buyer, and where the order lets nobody in. */
export async function admissionsOf(order: Order, userId: string): Promise<AdmissionView[]> {
  if (order.userId !== userId || order.paymentStatus !== 'COMPLETED') return [];
  const event = await getEvent(order.eventId);
  if (whyRefused(order, event)) return [];
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

/** A page of a user's tickets, with what lets each of them in. */
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

/** The event of each ticket whose order lets it in. */
async function findAdmitting(tickets: readonly Ticket[]): Promise<(Event | undefined)[]> {
  const items = await getItems(
    tickets.flatMap(({ orderId, eventId }) => [keys.order(orderId), keys.event(eventId)]),
  );
  return tickets.map((_, at) => {
    const [order, event] = [items[2 * at], items[2 * at + 1]];
    return order && event && !whyRefused(toOrder(order), toEvent(event)) ? toEvent(event) : undefined;
  });
}

async function codeOf(seat: Seat, event: Event) {
  const end = endOfCodes(event);
  const checkInCode = await signCode(seat, end);
  return {
    checkInCode,
    checkInCodeExpiresAt: new Date(end).toISOString(),
    qr: `/api/tickets/qr/${checkInCode}`,
  };
}

const noCode = { checkInCode: null, checkInCodeExpiresAt: null, qr: null };
