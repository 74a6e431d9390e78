import { getItem } from '../dynamo/client.ts';
import { dueAt, keys, partitions } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { put, remove, update, type Write, write } from '../dynamo/write.ts';
import { type Event, toEvent } from '../events/event.ts';
import { type Order, toOrder } from '../orders/order.ts';
import { type Payout, toPayout } from '../payouts/payout.ts';
import { type Seat, toSeat } from '../tickets/seats/seat.ts';
import { type Erasure, toErasure } from './erasure.ts';

/** Returns the write that starts an erasure, due at once. */
export function insertErasure(userId: string, at: string): Write {
  const erasure: Erasure = { userId, requestedAt: at, updatedAt: at };
  return put({ ...keys.erasure(userId), ...erasure, ...dueAt(userId, Date.parse(at)) });
}

export async function findErasure(userId: string): Promise<Erasure | undefined> {
  const item = await getItem(keys.erasure(userId));
  return item && toErasure(item);
}

/** @param due when the next pass begins (epoch milliseconds) */
export async function postponeErasure({ userId }: Erasure, due: number): Promise<void> {
  const set = { updatedAt: new Date().toISOString(), ...dueAt(userId, due) };
  await write(update(keys.erasure(userId), { set }));
}

export async function removeErasure({ userId }: Erasure): Promise<void> {
  await write(remove(keys.erasure(userId)));
}

/** All orders of a buyer, newest first. */
export async function* ordersOf(userId: string): AsyncGenerator<Order> {
  const source = { index: 'byOwner', partition: partitions.userOrders(userId) } as const;
  for await (const item of queryAll(source)) yield toOrder(item);
}

/** All payouts of an organizer, newest first. */
export async function* payoutsOf(userId: string): AsyncGenerator<Payout> {
  const source = { index: 'byOwner', partition: partitions.organizerPayouts(userId) } as const;
  for await (const item of queryAll(source)) yield toPayout(item);
}

/** All seats of others' orders that a user holds. */
export async function* receivedSeatsOf(userId: string): AsyncGenerator<Seat> {
  const source = { index: 'byOwner', partition: partitions.userSeats(userId) } as const;
  for await (const item of queryAll(source)) yield toSeat(item);
}

/** Removes the buyer's name and address from an order. The records of its sale, payment and mint stay. */
export async function eraseCustomer({ id }: Order): Promise<void> {
  await write(update(keys.order(id), { set: { customerName: '', customerEmail: '' } }));
}

/** Removes the names and addresses of a seat: those of its holder, and of the recipient of an offer. */
export async function eraseAttendee({ orderId, number }: Seat): Promise<void> {
  await write(update(keys.seat(orderId, number), { set: { attendee: undefined, offer: undefined } }));
}

/** Removes a user's sessions and notifications. */
export async function removeMessages(userId: string): Promise<void> {
  const { pk } = keys.user(userId);
  for (const prefix of ['SESSION#', 'NOTIFICATION#']) {
    for await (const { sk } of queryAll({ partition: pk, prefix })) {
      await write(remove({ pk, sk: String(sk) }));
    }
  }
}

/** All events of an organizer, newest first, without their texts. */
export async function* eventsOf(userId: string): AsyncGenerator<Event> {
  const source = { index: 'byOwner', partition: partitions.organizerEvents(userId) } as const;
  for await (const item of queryAll(source)) yield toEvent(item);
}
