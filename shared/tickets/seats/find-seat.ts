import { type Actor, owns } from '../../accounts/auth/authorize.ts';
import { type Event, toEvent } from '../../catalog/events/event.ts';
import { conflict, type DomainError, notFound } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems } from '../../dynamo/read.ts';
import type { Write } from '../../dynamo/write.ts';
import { prepareErasure } from '../../orders/answers/erase-answers.ts';
import { AnswersChanged } from '../../orders/answers/store.ts';
import { type Order, toOrder } from '../../orders/order.ts';
import { OrderTransitionRefused } from '../../orders/store.ts';
import { retry } from '../../runtime/retry.ts';
import { admissionError } from '../check-in/admissions.ts';
import {
  holderOf,
  isHolder,
  type Seat,
  type SeatReference,
  seatOrInitial,
  type Ticket,
  ticketId,
  toTicket,
} from '../ticket.ts';
import { readSeatsOf, SeatChanged } from './store.ts';

/** A seat with its order, its event and the record of its token. */
export interface SeatContext {
  seat: Seat;
  order: Order;
  event: Event;
  /** Absent while the seat has no token. */
  ticket: Ticket | undefined;
}

/** Finds a seat; undefined when there is no such order, or the order has fewer seats. */
export async function findSeat(reference: SeatReference): Promise<SeatContext | undefined> {
  const { orderId, number } = reference;
  const [orderItem, seatItem] = await getItems([keys.order(orderId), keys.seat(orderId, number)]);
  const order = orderItem && toOrder(orderItem);
  if (!order || number > order.quantity) return undefined;
  const [event, ticket] = await getItems([
    keys.event(order.eventId),
    keys.ticket(order.userId, ticketId(orderId, number)),
  ]);
  if (!event) throw new Error(`Order ${orderId} has no event`);
  return {
    seat: seatOrInitial(reference, seatItem),
    order,
    event: toEvent(event),
    ticket: ticket && toTicket(ticket),
  };
}

/**
 * Returns a seat that the user holds and that can still be admitted.
 * @throws DomainError 404 for other users; 409 for the buyer who transferred the seat, for a seat that was admitted,
 * and while the order's seats can't be admitted
 */
export async function getHeldSeat(caller: Actor, reference: SeatReference): Promise<SeatContext> {
  const seatContext = await getSeatOfHolder(caller, reference);
  const refusal = usedSeatError(seatContext);
  if (refusal) throw refusal;
  return seatContext;
}

/**
 * Returns a seat that the user holds.
 * @throws DomainError 404 for other users; 409 `moved` for the buyer who transferred the seat
 */
export async function getSeatOfHolder(caller: Actor, reference: SeatReference): Promise<SeatContext> {
  const seatContext = await findSeat(reference);
  const isHeld = seatContext && isHolder(caller, seatContext.seat, seatContext.order);
  if (!seatContext || (!isHeld && !owns(caller, seatContext.order))) throw notFound('Seat');
  if (!isHeld) throw conflict('moved', 'You handed this ticket to somebody else');
  return seatContext;
}

/** Returns a check that a buyer has not transferred any of an order's seats. It throws a DomainError 409 `moved`. */
export const requireHeldSeats =
  (caller: Actor) =>
  async (order: Order, numbers: readonly number[]): Promise<void> => {
    const seats = await readSeatsOf(order.id);
    const isTransferred = (number: number) => {
      const seat = seats.get(number);
      return seat !== undefined && !isHolder(caller, seat, order);
    };
    if (numbers.some(isTransferred)) throw conflict('moved', 'You handed this ticket to somebody else');
  };

/** Requires that none of an order's seats was admitted or transferred. @throws DomainError 409 `admitted`, `moved` */
export async function requireUnusedSeats(order: Order, numbers: readonly number[]): Promise<void> {
  if (!order.admitted && !order.transferred) return;
  const stored = await readSeatsOf(order.id);
  const seats = numbers.flatMap((number) => stored.get(number) ?? []);
  if (seats.some(({ checkedInAt }) => checkedInAt !== undefined))
    throw conflict('admitted', 'Somebody was admitted with this ticket, so it is not refunded');
  if (seats.some((seat) => holderOf(seat, order) !== order.userId))
    throw conflict('moved', 'This ticket was transferred, so it is not refunded');
}

/** Like `requireUnusedSeats`, and none may be offered to somebody else. @throws DomainError also 409 `offered` */
export async function requireReturnableSeats(order: Order, numbers: readonly number[]): Promise<void> {
  await requireUnusedSeats(order, numbers);
  const stored = await readSeatsOf(order.id);
  if (numbers.some((number) => stored.get(number)?.offer?.status === 'open'))
    throw conflict('offered', 'This ticket is offered to somebody else. Withdraw the offer first.');
}

/** Returns why a seat can no longer be admitted or changed; undefined when it can. */
export function usedSeatError({ seat, order, event }: SeatContext): DomainError | undefined {
  const refusal = admissionError(order, event, seat.number);
  if (refusal) return refusal;
  return seat.checkedInAt === undefined
    ? undefined
    : conflict('admitted', `Somebody was admitted with this ticket at ${seat.checkedInAt}`);
}

/**
 * Returns why a seat can't be transferred to another account; undefined when it can. Where the event admits by token,
 * the token is transferred instead. A seat is not transferred while its token is being minted: the token would go
 * to the former holder.
 */
export function transferError({ order, event, ticket }: SeatContext): DomainError | undefined {
  if (!event.allowTransfers) {
    return conflict('transfers-not-allowed', 'The tickets of this event can not be transferred');
  }
  if (event.entry === 'account') return undefined;
  if (ticket) {
    return conflict('entry-by-token', 'The owner of the token is admitted: send the token instead');
  }
  return isMinting(order)
    ? conflict('minting', 'The tickets are being minted. Please try again in a minute.', 60)
    : undefined;
}

const isMinting = ({ fulfilmentStatus }: Order) =>
  fulfilmentStatus === 'queued' || fulfilmentStatus === 'minting';

/** Returns the writes that remove the answers of a seat's former holder, such as the number of a passport. */
export async function forgetAnswers({ seat, order }: SeatContext): Promise<Write[]> {
  return order.hasAnswers ? prepareErasure(order.id, (number) => number === seat.number) : [];
}

const changes = [SeatChanged, OrderTransitionRefused, AnswersChanged];

/** Runs an operation on a seat. Repeats it when the seat, its order or its answers changed after they were read. */
export function retryOnChange<Result>(operation: () => Promise<Result>): Promise<Result> {
  return retry(operation, {
    isRetryable: (error) => changes.some((change) => error instanceof change),
    exhaustedError: () => conflict('busy', 'The ticket is being changed right now, please try again', 1),
  });
}
