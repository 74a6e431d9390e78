import * as z from 'zod';
import type { Event } from '../../catalog/events/event.ts';
import { findEventWithTexts } from '../../catalog/events/store.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { getItem, getItems, type Item, queryAll } from '../../dynamo/read.ts';
import { remove, transact, type Write } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { canResell, itemOfSeat, type Listing, type Order, unlist } from '../order.ts';
import { findOrder, findOrders } from '../store.ts';
import { changeListings, type ListedOrder, ListingChanged } from './listings.ts';
import { unsoldNotification } from './notifications.ts';
import { findLastOfferAt, putListing } from './put-listing.ts';

/** Leads from an event's waiting lists to an order with listed seats. It is due when its listings have to be checked. */
const pointer = z.object({ eventId: z.string(), orderId: z.string(), version: z.string() });
type Pointer = z.infer<typeof pointer>;

/**
 * Reads the listed seats of an event, of the longest-listed order first. Ends the listing of seats that can't be sold any
 * more.
 */
export async function readListedOrders(event: Event): Promise<ListedOrder[]> {
  const pointers: Pointer[] = [];
  for await (const item of queryAll({ partition: partitions.listings(event.id), ascending: true }))
    pointers.push(pointer.parse(item));
  const orders = new Map(
    (await findOrders(pointers.map(({ orderId }) => orderId))).map((order) => [order.id, order]),
  );
  const listed: ListedOrder[] = [];
  for (const found of pointers) {
    const current = await endUnsellable(orders.get(found.orderId), event);
    if (current?.listings) listed.push({ order: current, listings: current.listings });
    else await removePointer(found);
  }
  return listed.sort((a, b) => (firstReturn(a) < firstReturn(b) ? -1 : 1));
}

/** The ids of returns sort by their time. */
const firstReturn = ({ listings: [first] }: ListedOrder) => first?.returnId ?? '';

/** Ends the listing of an order's seats that can't be sold any more, also when nobody waits for them. */
export async function checkListings(eventId: string, orderId: string): Promise<void> {
  const [item, event] = await Promise.all([
    getItem(keys.listing(eventId, orderId)),
    findEventWithTexts(eventId),
  ]);
  if (!item || !event) return;
  const found = pointer.parse(item);
  const order = await endUnsellable(await findOrder(orderId), event);
  if (!order?.listings) {
    await removePointer(found);
    return;
  }
  const seats = order.listings.map(({ number }) => number);
  await unlessChanged([putListing(order, seats, { ...found, event }, whenUnchanged(found))]);
}

/**
 * Ends the listing of seats that were admitted or transferred, of orders that can't be resold any more, and of seats that
 * are no longer offered. Tells the buyer when nothing else does.
 * @returns the current order
 */
async function endUnsellable(order: Order | undefined, event: Event): Promise<Order | undefined> {
  if (!order?.listings) return order;
  const { id: orderId, eventId, userId, listings } = order;
  const seats = await getItems(listings.map(({ number }) => keys.seat(orderId, number)));
  const now = Date.now();
  const kept = listings.filter((_, index) => isKept(seats[index], userId));
  const isForSale = ({ number, offer }: Listing) =>
    offer !== undefined || findLastOfferAt(event, itemOfSeat(order, number)).some((at) => at >= now);
  const sellable = canResell(order, event) ? kept.filter(isForSale) : [];
  if (sellable.length === listings.length) return order;
  const change = unlist(order, (listing) => !sellable.includes(listing));
  // A refund and a cancelled event have mails of their own.
  const isTold = order.refund !== undefined || event.status === 'CANCELLED';
  const unsold = kept.filter((listing) => !sellable.includes(listing)).map(({ number }) => number);
  if (isTold || unsold.length === 0)
    return (await unlessChanged([changeListings(order, change)])) ? { ...order, ...change } : order;
  const content = {
    kind: 'listing-ended',
    orderId,
    numbers: unsold,
    endedAt: new Date(now).toISOString(),
  } as const;
  const isWritten = await unlessChanged([
    changeListings(order, change),
    insertNotification(unsoldNotification(order, unsold, event, now)),
    ...insertMail(content, userId, { eventId, dueAt: now + outboxDelayMilliseconds }),
  ]);
  if (!isWritten) return order;
  await queueMails([{ content, eventId }]);
  return { ...order, ...change };
}

/** Returns whether a seat is still its buyer's, and was not admitted. */
const isKept = (seat: Item | undefined, userId: string) =>
  !seat || (seat.checkedInAt === undefined && (seat.holderUserId ?? userId) === userId);

const removePointer = (found: Pointer) =>
  unlessChanged([remove(keys.listing(found.eventId, found.orderId), whenUnchanged(found))]);

const whenUnchanged = ({ version }: Pointer) => ({
  when: '#version = :expected',
  values: { expected: version },
  orThrow: () => new ListingChanged(),
});

/** @returns false after a concurrent change: the next pass reads what has changed */
async function unlessChanged(writes: readonly Write[]): Promise<boolean> {
  try {
    await transact(writes);
    return true;
  } catch (error) {
    if (!(error instanceof ListingChanged)) throw error;
    return false;
  }
}
