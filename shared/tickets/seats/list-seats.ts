import { type Actor, ownIdsOf, owns } from '../../accounts/auth/authorize.ts';
import { tierNameOf, toEvent } from '../../catalog/events/event.ts';
import { toView } from '../../core/schemas.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { getItems, queryAll } from '../../dynamo/read.ts';
import { itemOfSeat, type Order, toOrder } from '../../orders/order.ts';
import { admissionError, signCode } from '../check-in/admissions.ts';
import { heldSeatStatus, isHolder, seatOrInitial, ticketId, toTicket } from '../ticket.ts';
import type { SeatContext } from './find-seat.ts';
import { type Candidate, type IdRange, listByHolder, type ReceivedSeat } from './store.ts';
import { type SeatListQuery, type SeatView, seatView } from './views.ts';

/**
 * A seat that the user bought. An unpaid order gives one candidate without a number. It is not shown, but it counts
 * towards the maximum number of candidates that a request examines (`listByHolder`).
 */
interface BoughtSeat extends Candidate {
  order: Order;
  number: number | undefined;
}

/**
 * Lists a page of the seats that a user holds or has bought and transferred, minted or not. The newest order comes
 * first.
 */
export async function listSeats(caller: Actor, query: SeatListQuery) {
  const { entries, nextCursor } = await listByHolder<BoughtSeat, SeatView>(
    query.received === 'true' ? 'received' : 'seats',
    {
      userIds: ownIdsOf(caller),
      query,
      listBought: (userId, range, pageSize) =>
        query.received === 'true' ? listNothing() : listBoughtSeats(userId, range, pageSize),
      toEntries: (candidates) => toSeatViews(caller, candidates, query.eventId),
    },
  );
  return { seats: entries, nextCursor };
}

async function* listNothing(): AsyncGenerator<never> {}

async function* listBoughtSeats(
  userId: string,
  { from, to }: IdRange,
  pageSize: number,
): AsyncGenerator<BoughtSeat> {
  // An order's id is the beginning of its seats' ids.
  const orderIds = { from: from.replace(/-$/, ''), to: to.replace(/-\d+$/, '') };
  const source = { index: 'byOwner', partition: partitions.userOrders(userId), ...orderIds } as const;
  for await (const item of queryAll(source, pageSize)) {
    const order = toOrder(item);
    const seatCount = order.paymentStatus === 'COMPLETED' ? order.quantity : 0;
    for (let number = seatCount; number > 0; number--) {
      const id = ticketId(order.id, number);
      if (id < to) yield { id, order, number };
    }
    if (seatCount === 0 && ticketId(order.id, 0) < to) {
      yield { id: ticketId(order.id, 0), order, number: undefined };
    }
  }
}

async function toSeatViews(
  caller: Actor,
  candidates: (BoughtSeat | ReceivedSeat)[],
  eventId: string | undefined,
): Promise<(SeatView | undefined)[]> {
  const seats = candidates.map((candidate) => {
    if ('received' in candidate) {
      const { received } = candidate;
      const { orderId, number, buyerUserId } = received;
      return { orderId, number, buyerUserId, eventId: received.eventId };
    }
    const { order, number } = candidate;
    return { orderId: order.id, number, buyerUserId: order.userId, eventId: order.eventId };
  });
  const shownFlags = seats.map(
    (seat) => seat.number !== undefined && (eventId ?? seat.eventId) === seat.eventId,
  );
  const items = await getItems(
    seats.flatMap(({ orderId, number = 0, buyerUserId, eventId }, index) =>
      shownFlags[index]
        ? [
            keys.order(orderId),
            keys.seat(orderId, number),
            keys.ticket(buyerUserId, ticketId(orderId, number)),
            keys.event(eventId),
          ]
        : [],
    ),
  );
  return Promise.all(
    seats.map(async ({ orderId, number = 0 }, index) => {
      if (!shownFlags[index]) return undefined;
      const [orderItem, seatItem, ticket, event] = items.splice(0, 4);
      if (!orderItem || !event) return undefined;
      const order = toOrder(orderItem);
      const seat = seatOrInitial({ orderId, number }, seatItem);
      if (!isHolder(caller, seat, order) && !owns(caller, order)) return undefined;
      return toSeatView(caller, {
        order,
        seat,
        ticket: ticket && toTicket(ticket),
        event: toEvent(event),
      });
    }),
  );
}

/** Converts a seat to the API's view, for its holder or for the buyer who transferred it. */
export async function toSeatView(caller: Actor, seatContext: SeatContext): Promise<SeatView> {
  const { seat, order, event, ticket } = seatContext;
  const { orderId, number, attendee, offer } = seat;
  const status = seatStatusOf(caller, seatContext);
  const { tierId } = itemOfSeat(order, number);
  const shown = { event, tier: { id: tierId, name: tierNameOf(event, { tierId }) }, status };
  // The buyer of a transferred seat sees neither its attendee nor its admission.
  if (!isHolder(caller, seat, order))
    return toView(seatView, { orderId, number }, { ...shown, attendee: null, checkedInAt: null });
  const code = admissionError(order, event, number) ? undefined : await signCode(seat);
  return toView(seatView, seat, {
    ...shown,
    attendee: attendee ? { ...attendee, email: attendee.email ?? null } : null,
    ...(code && { code, qr: `/api/tickets/qr/${code}` }),
    token: ticket?.burnedAt ? undefined : ticket,
    offer: status === 'offered' && offer ? { ...offer, createdAt: offer.at } : undefined,
  });
}

function seatStatusOf(caller: Actor, { seat, order }: SeatContext): SeatView['status'] {
  const isReturned = order.returned?.includes(seat.number);
  if (order.refund || isReturned || !order.holdsInventory || order.fulfilmentStatus === 'refund-due')
    return 'refunded';
  if (!isHolder(caller, seat, order)) return 'moved';
  return heldSeatStatus(seat);
}
