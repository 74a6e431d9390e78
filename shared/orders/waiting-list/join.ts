import { addressNotConfirmed, getUser } from '../../accounts/users/store.ts';
import { isClosed } from '../../accounts/users/user.ts';
import { retryOnEventConflict, writeListSwitches } from '../../catalog/events/editing/change-event.ts';
import { type Event, inventoryOf, isAddOn, sellsToList, type Tier } from '../../catalog/events/event.ts';
import { getVisibleEvent } from '../../catalog/events/read-events.ts';
import { eventPool, hashBuyer } from '../../catalog/inventory/inventory.ts';
import { requireBuyerUnpaused } from '../../catalog/inventory/store.ts';
import { isQueued } from '../../catalog/queue/queue.ts';
import { isOpen, type WaitingEntry } from '../../catalog/waiting-list/entry.ts';
import {
  countWaiting,
  EntryChanged,
  findEntry,
  insertEntry,
  putOfferTask,
  readEntries,
} from '../../catalog/waiting-list/store.ts';
import { type EntryView, type JoinRequest, toEntryView } from '../../catalog/waiting-list/views.ts';
import { aboutTier, conflict, notFound, unauthenticated } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { transact } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { requireEligible } from '../checkout/draft-order.ts';
import { requireMinimum, requireOnSale } from '../checkout/price-items.ts';
import { endEntry } from './end-entry.ts';
import { lastOfferAt } from './offer-times.ts';

/**
 * Joins the waiting list of a tier that can't serve a quantity now. A user has one open entry in a list; the same call
 * returns it again. The first to join lets the free tickets be sold against offers only, in one transaction with the proof
 * that they do not suffice. All others only write their entry, so thousands can join at once.
 * @throws DomainError 409 `tickets-available` while the quantity can be bought; 409 for an event without a list and outside
 * of the sale; 404 for an unknown or hidden tier; as `requireEligible`, `requireBuyerUnpaused` and `retryOnEventConflict`
 */
export async function joinWaitingList(
  userId: string,
  eventId: string,
  { tierId, quantity }: JoinRequest,
): Promise<EntryView> {
  const user = await getUser(userId);
  if (isClosed(user)) throw unauthenticated('Authentication required');
  return retryOnEventConflict(
    () => getVisibleEvent(eventId, userId),
    async (event) => {
      const tier = requireList(event, tierId, quantity, Date.now());
      requireEligible(event, user);
      // Offers hold tickets for hours, so accounts with made-up addresses could hold them all.
      if (optionalSetting('WAITING_LIST_NEEDS_VERIFIED_EMAIL') === 'true' && !user.emailVerified)
        throw addressNotConfirmed();
      const previous = await findEntry({ userId, eventId, tierId });
      if (previous && isOpen(previous)) return showEntry(previous);
      await requireBuyerUnpaused({ eventId, buyer: hashBuyer(user.email) });
      if (!sellsToList(event, tier)) await openList(event, tier, quantity);
      const now = Date.now();
      const joinedAt = new Date(now).toISOString();
      const entry: WaitingEntry = {
        id: newId(now),
        userId,
        eventId,
        tierId,
        quantity,
        status: 'waiting',
        joinedAt,
        updatedAt: joinedAt,
      };
      try {
        await transact(insertEntry(entry, previous));
        return await showEntry(entry);
      } catch (error) {
        const current = error instanceof EntryChanged && (await findEntry(entry));
        if (!current) throw error;
        return showEntry(current);
      }
    },
  );
}

/** Requires that one can wait for tickets of a tier. @throws DomainError 400, 404, 409 */
function requireList(event: Event, tierId: string, quantity: number, now: number): Tier {
  if (event.status !== 'PUBLISHED') throw conflict('not-on-sale', 'The event is not on sale');
  const tier = event.tiers.find(({ id }) => id === tierId);
  if (!tier || tier.hidden) throw notFound('Tier');
  if (!event.waitingList) throw conflict('no-waiting-list', 'This event has no waiting list');
  if (isAddOn(tier)) throw conflict('addon-alone', 'This is sold together with a ticket only');
  requireOnSale(event, tier, now);
  if (now > lastOfferAt(event, tier)) throw conflict('sale-ended', 'The sale ends within half an hour');
  requireMinimum(tier, quantity);
  // More than there can ever be would wait for ever, and keep the tickets from everybody else.
  const capacities = inventoryOf(event).pools.flatMap(({ id, capacity }) =>
    id === tierId || id === eventPool ? capacity : [],
  );
  const maximum = Math.min(tier.maxPerPerson, event.maxPerWallet, ...capacities);
  if (quantity > maximum)
    throw aboutTier(tierId, conflict('tier-limit', `You can have at most ${maximum} tickets of this tier`));
  return tier;
}

/** @throws DomainError 409 while the tier can serve the quantity, or, during a queue, one ticket; as `writeListSwitches` */
function openList(event: Event, tier: Tier, quantity: number): Promise<void> {
  const { id: eventId, organizerId } = event;
  const needed = isQueued(event, Date.now()) ? 1 : quantity;
  const isServed = (free = Number.POSITIVE_INFINITY) => free >= needed;
  const openTiers = event.tiers.filter((other) => other.sellsToList).map(({ id }) => id);
  return writeListSwitches(
    event,
    (free) => {
      const hasTickets = isServed(free.get(tier.id));
      if (hasTickets && isServed(free.get(eventPool)))
        throw conflict('tickets-available', 'Tickets are available: buy them now');
      const tierIds = [...openTiers, tier.id];
      return { tierIds, poolSellsToList: event.poolSellsToList === true || hasTickets };
    },
    {
      otherWrites: [putOfferTask({ eventId, organizerId, tierIds: [tier.id] }, Date.now())],
      requireExact: true,
    },
  );
}

async function showEntry(entry: WaitingEntry): Promise<EntryView> {
  const isWaiting = entry.status === 'waiting';
  // An entry that has just got an offer is not counted.
  const position = isWaiting ? Math.max(1, await countWaiting(entry, entry.id)) : null;
  return toEntryView(entry, position);
}

/** The maximum number of entries of a user that are listed. */
const maximumEntries = 100;

/** Lists the entries of a user, newest first. */
export async function listOwnEntries(userId: string): Promise<EntryView[]> {
  const entries = await readEntries(userId);
  return Promise.all(entries.slice(0, maximumEntries).map(showEntry));
}

/**
 * Ends an entry of the caller: leaves the list, or declines the offer. An entry that has ended stays as it is.
 * @throws DomainError 404 for an unknown entry and another person's; 409 `busy` when it keeps changing
 */
export async function leaveWaitingList(userId: string, id: string): Promise<EntryView> {
  const entry = (await readEntries(userId)).find((candidate) => candidate.id === id);
  if (!entry) throw notFound('Entry');
  try {
    await endEntry(entry, 'leave');
  } catch (error) {
    if (!(error instanceof EntryChanged)) throw error;
    throw conflict('busy', 'Your place has just changed, please try again', 1);
  }
  const left = (await readEntries(userId)).find((candidate) => candidate.id === id);
  return showEntry(left ?? entry);
}
