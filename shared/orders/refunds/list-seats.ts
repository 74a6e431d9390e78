import { type Actor, authorize, buyerOf } from '../../accounts/auth/authorize.ts';
import { type Event, isAddOn } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { EntryChanged, findEntry } from '../../catalog/waiting-list/store.ts';
import { conflict, notFound } from '../../core/errors.ts';
import { absent, expectUnchanged } from '../../core/state-machine.ts';
import { transact, write } from '../../dynamo/write.ts';
import { retry } from '../../runtime/retry.ts';
import { canResell, itemOfSeat, type Listing, maximumListings, type Order, unlist } from '../order.ts';
import { changeOrder, getOrder, OrderTransitionRefused } from '../store.ts';
import { type OpenReturnView, toOpenReturns } from '../views.ts';
import { endEntry } from '../waiting-list/end-entry.ts';
import { changeListings, ListingChanged } from '../waiting-list/listings.ts';
import { lastOfferAt } from '../waiting-list/offer-times.ts';
import { putListing } from '../waiting-list/put-listing.ts';

interface ListOptions {
  /** Becomes the id of the return, so that a repetition lists nothing twice. */
  requestId: string;
  /** Requires that the caller may give seats of an order back. @throws DomainError 409 */
  requireReturnable: (order: Order, numbers: readonly number[]) => Promise<void>;
}

/**
 * Lists seats of an order for the waiting list. They stay valid, and are refunded when somebody takes them.
 * @throws DomainError 409 for an order or seats that can't be sold to others, and once the sale ends; 409 `listed`,
 * `too-many-listed`; 409 as `requireReturnable`
 */
export function listSeats(order: Order, seats: readonly number[], options: ListOptions): Promise<void> {
  let current = order;
  const attempt = async () => {
    try {
      await writeListing(current, [...new Set(seats)], options);
    } catch (error) {
      if (error instanceof OrderTransitionRefused) current = error.current;
      throw error;
    }
  };
  return retry(attempt, {
    isRetryable: (error) => error instanceof OrderTransitionRefused,
    exhaustedError: busy,
  });
}

const busy = () => conflict('busy', 'The order is being changed right now, please try again', 1);

/** @throws OrderTransitionRefused after a concurrent change; as `listSeats` */
async function writeListing(
  order: Order,
  numbers: readonly number[],
  { requestId, requireReturnable }: ListOptions,
): Promise<void> {
  const { listings = [] } = order;
  if (listings.some(({ returnId }) => returnId === requestId)) return;
  const event = await requireSellable(order, numbers);
  await requireReturnable(order, numbers);
  const added = numbers.map((number): Listing => ({ number, returnId: requestId }));
  const listed = [...listings, ...added].map(({ number }) => number);
  const change = { listings: [...listings, ...added], updatedAt: new Date().toISOString() };
  const unchanged = {
    paymentStatus: 'COMPLETED',
    refund: absent,
    ...expectUnchanged(order, 'isPosted', 'fulfilmentStatus', 'openDisputes', 'returned', 'listings'),
    // They count the seats that may not be listed.
    ...expectUnchanged(order, 'admitted', 'admissionsUndone', 'transferred'),
  } as const;
  await transact([
    changeOrder(order.id, change, { unchanged }),
    putListing(order, listed, { event, version: requestId }),
  ]);
}

/** @returns the event @throws DomainError 409 */
async function requireSellable(order: Order, numbers: readonly number[]): Promise<Event> {
  const { paymentStatus, paymentMethod, refund, returned, openDisputes, listings = [] } = order;
  if (paymentStatus !== 'COMPLETED') throw conflict('not-paid', 'The order is not paid');
  if (refund || numbers.some((number) => returned?.includes(number)))
    throw conflict('refunded', 'A ticket was refunded already');
  if (openDisputes) throw conflict('disputed', 'The payment is disputed, so it is not refunded in part');
  const event = await getEvent(order.eventId);
  const isOpen = event.status !== 'CANCELLED' && event.waitingList && event.entry === 'account';
  if (!isOpen || paymentMethod !== 'FIAT')
    throw conflict('returns-not-allowed', 'The tickets of this order can’t be returned');
  for (const number of numbers) {
    const { tierId } = itemOfSeat(order, number);
    const tier = event.tiers.find(({ id }) => id === tierId);
    if (!tier || isAddOn(tier))
      throw conflict('returns-not-allowed', 'Nobody can wait for this, so it can’t be returned');
    if (lastOfferAt(event, tier) < Date.now())
      throw conflict('returns-closed', 'The sale ends, so nobody can take the ticket any more');
  }
  if (!canResell(order, event))
    throw conflict('in-progress', 'The order is being processed, please try again in a moment', 30);
  if (listings.some(({ number }) => numbers.includes(number)))
    throw conflict('listed', 'A ticket is listed already');
  if (listings.length + numbers.length > maximumListings)
    throw conflict('too-many-listed', `At most ${maximumListings} tickets of an order can be listed at once`);
  return event;
}

/**
 * Ends a return of the caller that waits for somebody to take its seats. An offer of them ends, and its person keeps the place;
 * an order that has taken the offer gets other tickets when it is paid, or its money back. Seats that are sold stay sold, and
 * a return that has ended stays ended.
 * @returns what is still listed of the order
 * @throws DomainError 404 for others than the buyer; 409 `busy` when the order keeps changing
 */
export function endReturn(caller: Actor, orderId: string, returnId: string): Promise<OpenReturnView[]> {
  const isEnded = (listing: Listing) => listing.returnId === returnId;
  const attempt = async () => {
    const order = await getOrder(orderId);
    authorize(caller, [buyerOf(order)], notFound('Order'));
    const offered = (order.listings ?? []).filter((listing) => isEnded(listing) && listing.offer);
    for (const { offer, number } of offered) {
      const { tierId } = itemOfSeat(order, number);
      const entry = offer && (await findEntry({ userId: offer.userId, eventId: order.eventId, tierId }));
      if (entry?.status === 'offered' && entry.offer?.id === offer?.id) await endEntry(entry, 'withdraw');
    }
    const current = offered.length > 0 ? await getOrder(orderId) : order;
    if (!current.listings?.some(isEnded)) return toOpenReturns(current);
    const change = unlist(current, isEnded);
    await write(changeListings(current, change));
    return toOpenReturns({ ...current, listings: change.listings });
  };
  return retry(attempt, {
    isRetryable: (error) => error instanceof ListingChanged || error instanceof EntryChanged,
    exhaustedError: busy,
  });
}
