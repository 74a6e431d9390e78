import type { TierQuantity } from '../../catalog/inventory/inventory.ts';
import { InventoryChanged } from '../../catalog/inventory/store.ts';
import type { Backing, WaitingEntry } from '../../catalog/waiting-list/entry.ts';
import { conflict } from '../../core/errors.ts';
import { expectUnchanged } from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { check, type Write } from '../../dynamo/write.ts';
import {
  itemOfSeat,
  type Listing,
  listingsOf,
  maximumListings,
  maximumSellers,
  type Order,
} from '../order.ts';
import { changeOrder, findOrders } from '../store.ts';

/**
 * Seats that buyers return when somebody on the waiting list takes them. They are stored with their order, which has them
 * until another one is paid. See listed-orders.ts for how the waiting lists find them.
 */

/** The listed seats of an order have changed since it was read. The caller reads it and decides again. */
export class ListingChanged extends InventoryChanged {}

/** A listed seat was admitted or transferred. */
export class ListingEnded extends Error {}

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
  return [
    changeListings(order, { listings: backingListings(order, chosen, offer) }),
    ...checkSeats(order, chosen),
  ];
}

/** Returns the listed seats of an order once chosen ones back an offer. */
export function backingListings(
  order: Pick<Order, 'listings'>,
  chosen: readonly Listing[],
  offer: NonNullable<Listing['offer']>,
): Listing[] {
  const numbers = chosen.map(({ number }) => number);
  return withoutOffer(order, offer.id).map((listing) =>
    numbers.includes(listing.number) ? { ...listing, offer } : listing,
  );
}

/** Returns the listed seats of an order once none backs an offer. */
function withoutOffer({ listings = [] }: Pick<Order, 'listings'>, offerId: string | undefined): Listing[] {
  return listings.map(({ offer, ...listing }) =>
    offer && offer.id !== offerId ? { ...listing, offer } : listing,
  );
}

/**
 * Returns the writes by which the seats of an offer are listed again; none when it has none any more.
 * @throws ListingChanged from the transaction
 */
export async function releaseListings(
  backedBy: Backing | undefined,
  offerId: string | undefined,
): Promise<Write[]> {
  const orders = await findOrders(backedBy?.orderIds ?? []);
  return orders
    .filter((order) => listingsOf(order, offerId).length > 0)
    .map((order) => changeListings(order, { listings: withoutOffer(order, offerId) }));
}

/** The listed seats of an order that can be sold. */
export interface ListedOrder {
  order: Order;
  listings: readonly Listing[];
}

/** Returns the listed seats of a tier that back no offer. */
export function freeListings({ order, listings }: ListedOrder, tierId: string): Listing[] {
  return listings.filter(({ number, offer }) => !offer && itemOfSeat(order, number).tierId === tierId);
}

/**
 * Returns whether listed seats still back an offer.
 * @param listed read before: orders that another worker has changed since, to make the offer, are read again
 */
export async function isBacked(listed: readonly ListedOrder[], { offer }: WaitingEntry): Promise<boolean> {
  const { orderIds, quantity } = offer?.backedBy ?? { orderIds: [], quantity: 0 };
  const isEnough = (orders: readonly { listings?: readonly Listing[] | undefined }[]) =>
    orders.flatMap((order) => listingsOf(order, offer?.id)).length >= quantity;
  return isEnough(listed) || isEnough(await findOrders(orderIds));
}

/** Listed seats of an order that are chosen for an offer. */
export interface ChosenSeats {
  seller: Order;
  listings: readonly Listing[];
}

/**
 * Chooses listed seats for somebody who waits, of the longest-listed order first. Nobody gets their own: one transaction can't
 * change the counters of one buyer in two ways.
 * @param person their id, and what their tickets are counted by
 * @returns undefined when there are too few
 */
export function chooseSeats(
  listed: readonly ListedOrder[],
  { tierId, quantity }: TierQuantity,
  person: { userId: string; buyer: string | undefined },
): ChosenSeats[] | undefined {
  if (quantity > maximumListings) return undefined;
  const chosen: ChosenSeats[] = [];
  let missing = quantity;
  for (const listedOrder of listed) {
    const { order } = listedOrder;
    if (missing === 0 || chosen.length === maximumSellers) break;
    if (order.userId === person.userId || order.buyer === person.buyer) continue;
    const listings = freeListings(listedOrder, tierId).slice(0, missing);
    if (listings.length > 0) chosen.push({ seller: order, listings });
    missing -= listings.length;
  }
  return missing === 0 ? chosen : undefined;
}

/** Returns which orders chosen seats are of, and how many they are; undefined when there are none. */
export function toBacking(chosen: readonly ChosenSeats[]): Backing | undefined {
  const quantity = chosen.reduce((sum, { listings }) => sum + listings.length, 0);
  return quantity === 0 ? undefined : { orderIds: chosen.map(({ seller }) => seller.id), quantity };
}

export const offerEnded = () => conflict('offer-ended', 'This offer was taken or has expired');
