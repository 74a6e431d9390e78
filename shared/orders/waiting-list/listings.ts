import type { Event } from '../../catalog/events/event.ts';
import { InventoryChanged } from '../../catalog/inventory/store.ts';
import type { WaitingEntry } from '../../catalog/waiting-list/entry.ts';
import { conflict } from '../../core/errors.ts';
import { expectUnchanged } from '../../core/state-machine.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { getItems, queryAll } from '../../dynamo/read.ts';
import { check, put, remove, type Write, write } from '../../dynamo/write.ts';
import { canResell, itemOfSeat, type Listing, listingsOf, type Order, unlist } from '../order.ts';
import { changeOrder, findOrder, findOrders } from '../store.ts';

/**
 * Seats that buyers return when somebody on the waiting list takes them. They are stored with their order, which has them
 * until another one is paid. The item `listing(event, order)` only leads the waiting lists to the order.
 */

/** The listed seats of an order have changed since it was read. The caller reads it and decides again. */
export class ListingChanged extends InventoryChanged {}

/** A listed seat was admitted or transferred. */
export class ListingEnded extends Error {}

/** Returns the write that leads the waiting lists to an order with listed seats. @param version another one each time */
export function putListing({ id: orderId, eventId }: Order, version: string): Write {
  return put({ ...keys.listing(eventId, orderId), orderId, version });
}

/** Returns the write that changes the listed seats of an order. @throws ListingChanged from the write */
export function changeListings(order: Order, change: Pick<Order, 'listings'>): Write {
  const unchanged = {
    paymentStatus: 'COMPLETED',
    ...expectUnchanged(order, 'listings', 'refund', 'returned', 'openDisputes', 'fulfilmentStatus'),
  } as const;
  return { ...changeOrder(order.id, change, { unchanged }), orThrow: () => new ListingChanged() };
}

/**
 * Returns the checks that listed seats were neither admitted nor transferred.
 * @throws ListingEnded from the transaction
 */
export function checkSeats({ id, userId }: Order, listings: readonly Listing[]): Write[] {
  return listings.map(({ number }) =>
    check(keys.seat(id, number), {
      when: 'attribute_not_exists(#checkedInAt) AND (attribute_not_exists(#holderUserId) OR #holderUserId = :userId)',
      values: { userId },
      orThrow: () => new ListingEnded(),
    }),
  );
}

/**
 * Returns the writes by which listed seats back an offer.
 * @param chosen the seats; others of the same offer are free for other offers
 * @throws ListingChanged, ListingEnded from the transaction
 */
export function backOffer(
  order: Order,
  chosen: readonly Listing[],
  offer: NonNullable<Listing['offer']>,
): Write[] {
  const numbers = chosen.map(({ number }) => number);
  const listings = order.listings?.map(({ offer: before, ...listing }) => {
    if (numbers.includes(listing.number)) return { ...listing, offer };
    return before && before.id !== offer.id ? { ...listing, offer: before } : listing;
  });
  return [changeListings(order, { listings }), ...checkSeats(order, chosen)];
}

/**
 * Returns the write by which the seats of an offer are listed again; none when it has none any more.
 * @throws ListingChanged from the transaction
 */
export async function releaseListings(orderId: string, offerId: string | undefined): Promise<Write[]> {
  const order = await findOrder(orderId);
  if (!order || listingsOf(order, offerId).length === 0) return [];
  const listings = order.listings?.map(({ offer, ...listing }) =>
    offer && offer.id !== offerId ? { ...listing, offer } : listing,
  );
  return [changeListings(order, { listings })];
}

/** The listed seats of an order that can be sold. */
export interface ListedOrder {
  order: Order;
  listings: readonly Listing[];
}

/**
 * Reads the listed seats of an event, of the longest-listed order first. Ends the listing of seats that were admitted or
 * transferred meanwhile, and of orders that can't be resold any more.
 */
export async function readListedOrders(event: Event): Promise<ListedOrder[]> {
  const pointers: { orderId: string; version: string }[] = [];
  for await (const item of queryAll({ partition: partitions.listings(event.id), ascending: true }))
    pointers.push({ orderId: String(item.orderId), version: String(item.version) });
  const orders = new Map(
    (await findOrders(pointers.map(({ orderId }) => orderId))).map((order) => [order.id, order]),
  );
  const listed: ListedOrder[] = [];
  for (const pointer of pointers) {
    const order = orders.get(pointer.orderId);
    const current = order?.listings && (await endUnsellable(order, event));
    if (current?.listings) listed.push({ order: current, listings: current.listings });
    else await removePointer(event.id, pointer);
  }
  return listed.sort((a, b) => (firstReturn(a) < firstReturn(b) ? -1 : 1));
}

/** The ids of returns sort by their time. */
const firstReturn = ({ listings: [first] }: ListedOrder) => first?.returnId ?? '';

/** @returns the current order */
async function endUnsellable(order: Order, event: Event): Promise<Order> {
  const { listings = [], id, userId } = order;
  const seats = canResell(order, event)
    ? await getItems(listings.map(({ number }) => keys.seat(id, number)))
    : [];
  const isSellable = (_: Listing, index: number) => {
    const seat = seats[index];
    return !seat || (seat.checkedInAt === undefined && (seat.holderUserId ?? userId) === userId);
  };
  const sellable = canResell(order, event) ? listings.filter(isSellable) : [];
  if (sellable.length === listings.length) return order;
  const change = unlist(order, (listing) => !sellable.includes(listing));
  try {
    await write(changeListings(order, change));
  } catch (error) {
    // The next pass reads what has changed.
    if (!(error instanceof ListingChanged)) throw error;
  }
  return { ...order, listings: change.listings };
}

async function removePointer(
  eventId: string,
  { orderId, version }: { orderId: string; version: string },
): Promise<void> {
  const whenUnchanged = {
    when: '#version = :version',
    values: { version },
    orThrow: () => new ListingChanged(),
  };
  try {
    await write(remove(keys.listing(eventId, orderId), whenUnchanged));
  } catch (error) {
    // Seats were listed meanwhile.
    if (!(error instanceof ListingChanged)) throw error;
  }
}

/** Returns the listed seats of a tier that back no offer. */
export function freeListings({ order, listings }: ListedOrder, tierId: string): Listing[] {
  return listings.filter(({ number, offer }) => !offer && itemOfSeat(order, number).tierId === tierId);
}

/** Returns whether listed seats still back an offer. */
export function isBacked(listed: readonly ListedOrder[], { offer, quantity }: WaitingEntry): boolean {
  const found = listed.find(({ order }) => order.id === offer?.backedBy);
  return found !== undefined && listingsOf(found, offer?.id).length >= quantity;
}

export const offerEnded = () => conflict('offer-ended', 'This offer was taken or has expired');
