import { findUser } from '../../accounts/users/store.ts';
import { retryOnEventConflict, writeListSwitches } from '../../catalog/events/editing/change-event.ts';
import { type Event, inventoryOf, isAddOn } from '../../catalog/events/event.ts';
import { findEventWithTexts, getEventWithTexts } from '../../catalog/events/store.ts';
import { eventPool, hashBuyer } from '../../catalog/inventory/inventory.ts';
import { InventoryChanged, readAvailable } from '../../catalog/inventory/store.ts';
import {
  entryLifecycle,
  heldByOffer,
  type OfferedEntry,
  type OfferTask,
  type WaitingEntry,
} from '../../catalog/waiting-list/entry.ts';
import {
  EntryChanged,
  findOfferTask,
  OfferTaskChanged,
  putOfferTask,
  queryOffered,
  queryOpen,
  queryWaiting,
  removeOfferTask,
  transitionEntry,
} from '../../catalog/waiting-list/store.ts';
import { DomainError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { applyTransitions, transition } from '../../core/state-machine.ts';
import { write } from '../../dynamo/write.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';
import { prepareOccurrences } from '../../messaging/webhooks/store.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import { chooseShard, reserveTickets } from '../checkout/reserve-tickets.ts';
import type { Listing } from '../order.ts';
import { endEntry } from './end-entry.ts';
import { readListedOrders } from './listed-orders.ts';
import {
  backingListings,
  backOffer,
  type ChosenSeats,
  chooseSeats,
  freeListings,
  isBacked,
  type ListedOrder,
  ListingEnded,
  toBacking,
} from './listings.ts';
import { endedNotification, offerNotification, withdrawnNotification } from './notifications.ts';
import { lastOfferAt, offerEndsAt } from './offer-times.ts';

const minuteMilliseconds = 60_000;
/** Shorter than the pause between two sweeps, so that each sweep finds the work. */
const pauseMilliseconds = minuteMilliseconds / 2;
/**
 * How long the work goes on after the last entry: somebody who has read that the list is open may still join, for at most
 * the 29 seconds of a request.
 */
const idleMilliseconds = 5 * minuteMilliseconds;

/**
 * Serves the waiting lists of an event: ends offers that were not taken, and offers free tickets to those who wait, in the
 * order of joining. Each offer takes its tickets out of the inventory in the transaction that makes it. The sweep repeats
 * this every minute as long as anybody waits, so nothing that releases tickets has to know of the lists.
 * @param deadline when to stop and queue another message (epoch milliseconds)
 */
export async function serveWaitingLists(eventId: string, deadline: number): Promise<void> {
  const task = await findOfferTask(eventId);
  if (!task) return;
  const event = await findEventWithTexts(eventId);
  const tierIds = [
    ...new Set([
      ...task.tierIds,
      ...(event?.tiers ?? []).filter((tier) => !isAddOn(tier)).map(({ id }) => id),
    ]),
  ];
  try {
    const listed = event ? await readListedOrders(event) : [];
    const ended = await endEntries({ event, listed }, eventId, tierIds, deadline);
    const offers = event ? await makeOffers(event, listed, deadline) : { isDone: true, poolIsMissing: false };
    const isDone = ended.isDone && offers.isDone;
    // A list that was not read to its end stays as it is.
    // Once the list is switched off, what is left is sold to everybody.
    const closedTierIds = event?.waitingList ? ended.openTierIds : [];
    if (event && isDone) await writeSwitches(event.id, closedTierIds, offers.poolIsMissing);
    await saveTask({ ...task, tierIds }, task, { isIdle: isDone && ended.openTierIds.length === 0, isDone });
    if (!isDone)
      await sendMessage('run-event-jobs', { type: 'offer-tickets', eventId }, { tenant: task.organizerId });
  } catch (error) {
    // Another worker continues, or the event or listed seats have changed: the next sweep does. Going on without seats that
    // have changed would serve others before the person they were chosen for.
    const isChanged =
      error instanceof OfferTaskChanged || error instanceof InventoryChanged || error instanceof ListingEnded;
    if (!isChanged) throw error;
  }
}

async function saveTask(
  { idleSince, version: _, ...task }: OfferTask,
  previous: OfferTask,
  { isIdle, isDone }: { isIdle: boolean; isDone: boolean },
): Promise<void> {
  const now = Date.now();
  const nowIdleSince = isIdle ? (idleSince ?? new Date(now).toISOString()) : undefined;
  if (nowIdleSince && now - Date.parse(nowIdleSince) >= idleMilliseconds) {
    await write(removeOfferTask(previous));
    return;
  }
  const nextAt = now + (isDone ? pauseMilliseconds : 2 * minuteMilliseconds);
  await write(putOfferTask({ ...task, ...(nowIdleSince && { idleSince: nowIdleSince }) }, nextAt, previous));
}

/**
 * Ends the offers that were not taken in time, and all entries where no offers are made any more. Takes back the offers of
 * listed seats that are no longer for sale: their entries wait on.
 * @returns the tiers for which somebody still waits or has an offer
 */
async function endEntries(
  { event, listed }: { event: Event | undefined; listed: readonly ListedOrder[] },
  eventId: string,
  tierIds: readonly string[],
  deadline: number,
): Promise<{ isDone: boolean; openTierIds: string[] }> {
  const openTierIds: string[] = [];
  for (const tierId of tierIds) {
    const isEnded = decideEnding(event, tierId, Date.now());
    let isOpen = false;
    // Those with an offer come first. Where offers are made, nobody after them ends.
    for await (const entry of queryOpen({ eventId, tierId })) {
      if (Date.now() > deadline) return { isDone: false, openTierIds };
      if (isEnded(entry)) await ignoreChange(() => expireEntry(entry, event));
      else {
        isOpen = true;
        if (event && entry.offer?.backedBy && !(await isBacked(listed, entry)))
          await ignoreChange(() =>
            endEntry(entry, 'withdraw', [insertNotification(withdrawnNotification(entry, event))]),
          );
      }
      if (isOpen && entry.status === 'waiting') break;
    }
    if (isOpen) openTierIds.push(tierId);
  }
  return { isDone: true, openTierIds };
}

/** Returns the rule by which the entries of a tier end. */
function decideEnding(event: Event | undefined, tierId: string, now: number) {
  const tier = event?.tiers.find(({ id }) => id === tierId);
  const isCancelled = !event || event.status === 'CANCELLED';
  const isOver = isCancelled || !event.waitingList || !tier || lastOfferAt(event, tier) < now;
  return ({ status, offer }: WaitingEntry) =>
    status === 'offered' ? isCancelled || Date.parse(offer?.expiresAt ?? '') <= now : isOver;
}

/**
 * Ends an open entry whose offer was not taken in time, or that gets no offer any more, and tells its person.
 * @param event undefined once it was deleted
 * @throws as `endEntry`
 */
async function expireEntry(entry: WaitingEntry, event: Event | undefined): Promise<void> {
  if (!event) return endEntry(entry, 'expire');
  const { id: entryId, userId, eventId, tierId } = entry;
  const content = { kind: 'waiting-list-ended', userId, eventId, tierId, entryId } as const;
  const dueAt = Date.now() + outboxDelayMilliseconds;
  await endEntry(entry, 'expire', [
    insertNotification(endedNotification(entry, event)),
    ...insertMail(content, userId, { eventId, dueAt }),
  ]);
  await queueMails([{ content, eventId }]);
}

/**
 * Offers free tickets, and listed seats where those do not suffice, in the order of joining. An entry that needs more than there
 * are does not block the others.
 */
async function makeOffers(
  event: Event,
  listed: readonly ListedOrder[],
  deadline: number,
): Promise<{ isDone: boolean; poolIsMissing: boolean }> {
  const { id: eventId } = event;
  const now = Date.now();
  let poolIsMissing = false;
  if (event.status !== 'PUBLISHED' || !event.waitingList) return { isDone: true, poolIsMissing };
  let free = await readFree(event);
  const freeOf = (id: string) => free.get(id) ?? 0;
  const freeOfPool = () => free.get(eventPool) ?? Number.POSITIVE_INFINITY;
  let forSale = listed;
  const isListed = (id: string) => forSale.some((order) => freeListings(order, id).length > 0);
  const tierIds = event.tiers
    .filter((tier) => !isAddOn(tier) && lastOfferAt(event, tier) >= now)
    .map(({ id }) => id)
    .filter((id) => freeOf(id) > 0 || isListed(id));
  const offeredTo = tierIds.length > 0 ? await countOffered(event) : new Map<string, number>();
  for await (const entry of queryWaiting(eventId, tierIds)) {
    const { userId, tierId, quantity } = entry;
    if (Date.now() > deadline) return { isDone: false, poolIsMissing };
    const isEmpty = tierIds.every((id) => freeOf(id) === 0) || (poolIsMissing && freeOfPool() === 0);
    if (isEmpty && !tierIds.some(isListed)) break;
    const freeOfTier = Math.min(quantity, freeOf(tierId));
    const held = Math.min(freeOfTier, freeOfPool());
    const chosen = await chooseListed(forSale, entry, quantity - held);
    if (!chosen) {
      poolIsMissing ||=
        held < freeOfTier && Boolean(await chooseListed(forSale, entry, quantity - freeOfTier));
      continue;
    }
    // Nobody is offered more than one person may buy.
    if (quantity + (offeredTo.get(userId) ?? 0) > event.maxPerWallet) continue;
    const made = await ignoreChange(() => offer(entry, event, chosen));
    if (made) {
      offeredTo.set(userId, (offeredTo.get(userId) ?? 0) + quantity);
      free.set(tierId, freeOf(tierId) - held);
      if (free.has(eventPool)) free.set(eventPool, freeOfPool() - held);
      forSale = forSale.map((listedOrder) => withoutOffered(listedOrder, chosen, { id: made.id, userId }));
    } else {
      // Another worker has offered tickets, or somebody has bought some of a tier without a list. What has come free since
      // is for the next pass: somebody who was skipped in this one may have waited longer.
      const current = await readFree(event);
      free = new Map([...free].map(([id, count]) => [id, Math.min(count, current.get(id) ?? 0)]));
    }
  }
  return { isDone: true, poolIsMissing };
}

async function readFree(event: Event): Promise<Map<string, number>> {
  const [free = new Map()] = await readAvailable([inventoryOf(event)]);
  return free;
}

/** Counts the tickets of an event that are offered to each person. */
async function countOffered({ id: eventId, tiers }: Event): Promise<Map<string, number>> {
  const offeredTo = new Map<string, number>();
  for (const tier of tiers.filter((each) => !isAddOn(each))) {
    for await (const { userId, quantity } of queryOffered({ eventId, tierId: tier.id })) {
      offeredTo.set(userId, (offeredTo.get(userId) ?? 0) + quantity);
    }
  }
  return offeredTo;
}

/** Chooses a number of listed seats for an entry; undefined when there are too few. */
async function chooseListed(
  listed: readonly ListedOrder[],
  { userId, tierId }: WaitingEntry,
  quantity: number,
): Promise<ChosenSeats[] | undefined> {
  if (quantity === 0) return [];
  const count = listed.reduce((sum, order) => sum + freeListings(order, tierId).length, 0);
  if (count < quantity) return undefined;
  const user = await findUser(userId);
  return chooseSeats(listed, { tierId, quantity }, { userId, buyer: user && hashBuyer(user.email) });
}

/** Returns a listed order as it is once the chosen seats back an offer. */
function withoutOffered(
  listedOrder: ListedOrder,
  chosen: readonly ChosenSeats[],
  offer: NonNullable<Listing['offer']>,
): ListedOrder {
  const { order } = listedOrder;
  const seats = chosen.find(({ seller }) => seller === order);
  if (!seats) return listedOrder;
  const listings = backingListings(order, seats.listings, offer);
  return { order: { ...order, listings }, listings };
}

/**
 * @param chosen the listed seats among the offered tickets
 * @returns undefined for a tier that was deleted
 * @throws EntryChanged, ListingChanged or ListingEnded after a concurrent change; DomainError 409 when too few tickets are left
 */
async function offer(
  entry: WaitingEntry,
  event: Event,
  chosen: readonly ChosenSeats[],
): Promise<OfferedEntry['offer'] | undefined> {
  const { id: entryId, userId, eventId, tierId, quantity } = entry;
  const tier = event.tiers.find(({ id }) => id === tierId);
  if (!tier) return undefined;
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  const expiresAt = offerEndsAt(entry, event, tier, now);
  const backedBy = toBacking(chosen);
  const change = transition(entryLifecycle, 'offer', {
    offer: {
      id: newId(now),
      expiresAt: new Date(expiresAt).toISOString(),
      ...(backedBy && { backedBy }),
    },
  });
  const offered = applyTransitions(entry, change) as OfferedEntry;
  const content = {
    kind: 'waiting-list-offered',
    userId,
    eventId,
    tierId,
    entryId,
    offerId: offered.offer.id,
  } as const;
  const occurrences = await prepareOccurrences(event.organizerId, event.hasWebhooks, [
    {
      type: 'waiting_list.offered',
      eventId,
      timestamp,
      data: {
        eventId,
        tierId,
        entryId,
        offerId: offered.offer.id,
        quantity,
        expiresAt: offered.offer.expiresAt,
      },
    },
  ]);
  const writes = [
    ...transitionEntry(entry, change, timestamp),
    insertNotification(offerNotification(offered, event, now)),
    ...insertMail(content, userId, { eventId, dueAt: now + outboxDelayMilliseconds }),
    ...occurrences.writes,
    ...chosen.flatMap(({ seller, listings }) =>
      backOffer(seller, listings, { id: offered.offer.id, userId }),
    ),
  ];
  const held = heldByOffer(offered);
  const items = held > 0 ? [{ tierId, quantity: held }] : [];
  await reserveTickets(inventoryOf(event), { items, shard: chooseShard() }, writes);
  await occurrences.queue();
  await queueMails([{ content, eventId }]);
  return offered.offer;
}

/** @returns undefined when the entry has changed, or tickets are missing after all */
async function ignoreChange<Result>(run: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await run();
  } catch (error) {
    const isShort = error instanceof DomainError && error.kind === 'conflict';
    if (!isShort && !(error instanceof EntryChanged)) throw error;
    log.info('Entry of a waiting list skipped', { cause: error.name });
    return undefined;
  }
}

/**
 * Lets tickets be sold to everybody again where nobody waits and nothing is offered. Closes sales where somebody has joined
 * while the list was being closed.
 */
async function writeSwitches(
  eventId: string,
  tierIds: readonly string[],
  poolSellsToList: boolean,
): Promise<void> {
  await retryOnEventConflict(
    () => getEventWithTexts(eventId),
    async (event) => {
      const isRight = event.tiers.every(
        ({ id, sellsToList = false }) => tierIds.includes(id) === sellsToList,
      );
      if (isRight && poolSellsToList === (event.poolSellsToList ?? false)) return;
      await writeListSwitches(event, () => ({ tierIds, poolSellsToList }), { requireExact: false });
    },
  );
}
