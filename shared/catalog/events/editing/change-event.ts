import { isDeepStrictEqual } from 'node:util';
import { type AuditActor, toAuditActor } from '../../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../../accounts/audit/store.ts';
import { countOpenedEvent } from '../../../accounts/users/store.ts';
import { conflict, DomainError } from '../../../core/errors.ts';
import { transact, type Write, write } from '../../../dynamo/write.ts';
import { isMailConfigured } from '../../../messaging/outbox/store.ts';
import { prepareOccurrences } from '../../../messaging/webhooks/store.ts';
import type { NewOccurrence } from '../../../messaging/webhooks/webhook.ts';
import { hasHadUpcomingEarnings } from '../../../money/ledger/store.ts';
import { retry } from '../../../runtime/retry.ts';
import { insertEventJob, type NewEventJob, queuedJobDueAt, queueEventJob } from '../../event-jobs/store.ts';
import { countUnavailable, planInventory, type ShardChange, sumByPool } from '../../inventory/inventory.ts';
import {
  changeInventory,
  decideOnInventory,
  hasSoldTickets,
  InventoryChanged,
  InventoryShort,
  ticketsPerShard,
} from '../../inventory/store.ts';
import { startQueue } from '../../queue/store.ts';
import { type Event, hasMoved, inventoryOf, isUnfinished, latestEndOf } from '../event.ts';
import type { EventView } from '../event-view.ts';
import { getManagedEvent, readEventView } from '../read-events.ts';
import { EventChanged, updateEvent } from '../store.ts';
import { refuseClosedAccount } from './create-event.ts';
import { countCausedWebhook, countMove, countPublication } from './event-limits.ts';
import { assignShards, refuseLongTexts } from './new-event.ts';

/**
 * Runs an operation on an event. After each conflict with an order or another change, it runs the operation again on
 * the event's current state.
 * @param read reads the event, and throws for a caller who may not change it
 * @throws DomainError as `read` and `operation` do; 409 with Retry-After when the conflicts outlast the retries
 */
export function retryOnEventConflict<Result>(
  read: () => Promise<Event>,
  operation: (event: Event) => Promise<Result>,
): Promise<Result> {
  return retry(async () => operation(await read()), {
    isRetryable: isConflict,
    exhaustedError: () =>
      conflict(
        'busy',
        'The event can’t be changed while so many tickets are being sold. Please try again.',
        1,
      ),
  });
}

function isConflict(error: unknown): boolean {
  return (
    error instanceof EventChanged || error instanceof InventoryChanged || error instanceof InventoryShort
  );
}

/**
 * Changes an event on behalf of its organizer or one of its managers.
 * @param revise returns the event with the change; may run several times
 * @param otherWrites writes of the same transaction
 * @returns the changed event
 * @throws DomainError as getManagedEvent, retryOnEventConflict and `revise` do; 403 for a change that opens an event
 * whose organizer has closed the account; as `countPublication`, `countMove` and `countCausedWebhook`; 409 for a change that the
 * tickets sold and held forbid
 */
export function changeEvent(
  id: string,
  userId: string,
  revise: (event: Event) => Event,
  otherWrites: readonly Write[] = [],
): Promise<EventView> {
  let isCounted = false;
  return retryOnEventConflict(
    () => getManagedEvent(id, userId),
    async (before) => {
      const after = assignShards(before, revise(before), ticketsPerShard());
      if (isDeepStrictEqual(before, after)) return readEventView(before);
      refuseLongTexts(after);
      const now = Date.now();
      refuseOtherDraw(before, after, now);
      const opens = isUnfinished(after, now) && !isUnfinished(before, now);
      if (opens) await refuseClosedAccount(after.organizerId);
      // A change that is repeated after a conflict counts once.
      if (!isCounted && after.status === 'PUBLISHED')
        await (before.status === 'PUBLISHED'
          ? hasMoved(before, after) && countMove(id)
          : countPublication(after));
      if (!isCounted && before.hasWebhooks && after.status !== 'CANCELLED') await countCausedWebhook(id);
      isCounted = true;
      const changed = { ...after, updatedAt: nextVersionTime(before.updatedAt) };
      const job = startedJob(before, changed);
      // Before the event: an interruption leaves a task without a queue, which ends itself, or one that is due too early. Also
      // for another end, since the task of a queue that has passed, or of a draft, is gone.
      const isPublished = before.status !== 'PUBLISHED' && changed.status === 'PUBLISHED';
      if (isPublished || !isDeepStrictEqual(before.queue, changed.queue))
        for (const start of startQueue(changed, before.queue)) await write(start);
      const jobWrites = job ? [insertEventJob(job, queuedJobDueAt())] : [];
      // The account may be closed meanwhile.
      const openingWrites = opens ? [countOpenedEvent(after.organizerId)] : [];
      const writes = [...otherWrites, ...jobWrites, ...openingWrites];
      const event = await writeChange(before, changed, writes, toAuditActor({ userId }));
      if (job) await queueEventJob(job);
      return readEventView(event);
    },
  );
}

/** @throws DomainError 409 for another chain of an event whose queue has opened: its draw takes a public value from the chain */
function refuseOtherDraw({ queue, chainId }: Event, after: Event, now: number): void {
  if (queue && Date.parse(queue.opensAt) <= now && after.chainId !== chainId)
    throw conflict('queue-opened', 'The queue has opened, so the chain of its draw stays');
}

/**
 * Returns the current time, but at least a millisecond after the last change, so that every version of an event has its
 * own time.
 */
function nextVersionTime(last: string): string {
  return new Date(Math.max(Date.now(), Date.parse(last) + 1)).toISOString();
}

/**
 * Writes a changed event. A change of the terms of sale also raises the version of the event's whole inventory, in the
 * same transaction. A concurrent order under the old terms then fails its condition and is retried under the new terms.
 * Any other change writes the event and its descriptions only. Once tickets are sold or held, an entry type that the
 * organizer did not choose stays as it is.
 * @param otherWrites writes of the same transaction
 * @returns the event as it was written
 * @throws DomainError 409 for a change that the tickets sold and held forbid; EventChanged, InventoryChanged or
 * InventoryShort after a concurrent change
 */
async function writeChange(
  before: Event,
  revised: Event,
  otherWrites: readonly Write[],
  actor: AuditActor,
): Promise<Event> {
  const after = await recordLatestEnd(before, revised);
  const occurrences = await prepareOccurrences(after.organizerId, before.hasWebhooks, [
    eventOccurrence(before, after),
  ]);
  if (isDeepStrictEqual(saleTermsOf(before), saleTermsOf(after)) && !endsEarlier(before, after)) {
    await transact([...updateEvent(before, after), ...otherWrites, ...occurrences.writes]);
    await occurrences.queue();
    return after;
  }
  const next = { ...after, saleVersion: before.saleVersion + 1 };
  try {
    const inventory = await planInventoryChange(before, after);
    // The hold of the earnings follows the event's currency.
    if (before.currency !== after.currency && (await hasEarned(before))) throw fixedOnceSold('currency');
    await transact([
      ...updateEvent(before, next),
      ...changeInventory(inventoryOf(before), next.saleVersion, inventory),
      ...auditChange(before, next, actor),
      ...otherWrites,
      ...occurrences.writes,
    ]);
    await occurrences.queue();
    return next;
  } catch (error) {
    const isSold = error instanceof DomainError && error.code === 'tickets-sold';
    if (isSold && before.entry !== after.entry && !after.isEntryChosen) {
      return writeChange(before, keepEntry(before, after), otherWrites, actor);
    }
    throw error;
  }
}

/** Describes a change of an event, for webhooks. */
function eventOccurrence(before: Event, after: Event): NewOccurrence {
  const { id: eventId, title, status, eventDate, endDate, venue, city, updatedAt: timestamp } = after;
  const isCancelled = status === 'CANCELLED' && before.status !== 'CANCELLED';
  return {
    type: isCancelled ? 'event.cancelled' : 'event.updated',
    eventId,
    timestamp,
    data: { eventId, title, status, eventDate, endDate, venue, city },
  };
}

/** Returns the writes that record a change of an event's status or contract in the audit trail. */
function auditChange(before: Event, after: Event, actor: AuditActor): Write[] {
  const formatContract = ({ chainId, contractAddress }: Event) =>
    contractAddress === null ? 'none' : `${contractAddress} on chain ${chainId}`;
  const details = {
    ...(before.status !== after.status && { status: after.status, statusBefore: before.status }),
    ...(formatContract(before) !== formatContract(after) && {
      contract: formatContract(after),
      contractBefore: formatContract(before),
    }),
  };
  if (Object.keys(details).length === 0) return [];
  return [insertAuditEntry({ action: 'event-changed', by: actor, eventId: after.id, details })];
}

/**
 * Returns the changed event with the entry type of the event before the change.
 * @throws DomainError 409 when the tickets are sold for entry by token, and the change ends their transfers
 */
function keepEntry({ entry }: Event, after: Event): Event {
  if (entry === 'token' && !after.allowTransfers) {
    throw conflict('tickets-sold', 'Tickets are sold for entry by token, so they stay transferable');
  }
  return { ...after, entry, isEntryChosen: true };
}

/**
 * Records the latest end of an event that is moved to an earlier end after tickets were sold, also when all were returned: the
 * organizer may have kept a fee, which a dispute may hold. When no tickets are sold, the new end counts as a change of the terms
 * of sale, so that no concurrent order is placed under the later end.
 */
async function recordLatestEnd(before: Event, after: Event): Promise<Event> {
  if (!endsEarlier(before, after)) return after;
  // The earnings are read last: a return changes both at once.
  const isEarning = (await hasSoldTickets(inventoryOf(before))) || (await hasEarned(before));
  return isEarning ? { ...after, latestEnd: new Date(latestEndOf(before)).toISOString() } : after;
}

const hasEarned = ({ organizerId, id: eventId }: Event) => hasHadUpcomingEarnings({ organizerId, eventId });

function endsEarlier(before: Event, after: Event): boolean {
  return latestEndOf(after) < latestEndOf(before);
}

/**
 * Raises an event's sale version in one transaction with other writes that orders depend on. An order that was drafted
 * before the change is refused and drafted again.
 * @param otherWrites at most two other writes, since a transaction has at most 100 items
 * @throws EventChanged, InventoryChanged or InventoryShort after a concurrent change; the errors of `otherWrites`
 */
export async function raiseSaleVersion(event: Event, otherWrites: readonly Write[]): Promise<void> {
  const saleVersion = event.saleVersion + 1;
  const next = { ...event, saleVersion, updatedAt: nextVersionTime(event.updatedAt) };
  const inventory = await planInventoryChange(event, next);
  await transact([
    ...otherWrites,
    ...updateEvent(event, next),
    ...changeInventory(inventoryOf(event), saleVersion, inventory),
  ]);
}

/** Which free tickets of an event are sold against offers of its waiting lists only. */
export interface ListSwitches {
  tierIds: readonly string[];
  poolSellsToList: boolean;
}

/**
 * Writes which free tickets of an event are sold against offers only, by one transaction over its whole inventory, so that
 * an order that was drafted before is refused and drafted again.
 * @param event with its descriptions
 * @param decide decides by the free tickets of each pool, and throws to leave the event as it is
 * @param otherWrites at most one other write, since a transaction has at most 100 items
 * @param requireExact whether the free tickets have to be those of the decision when it is written
 * @throws EventChanged, InventoryChanged or InventoryShort after a concurrent change; the errors of `decide`
 */
export async function writeListSwitches(
  event: Event,
  decide: (free: ReadonlyMap<string, number>) => ListSwitches,
  { otherWrites = [], requireExact }: { otherWrites?: readonly Write[]; requireExact: boolean },
): Promise<void> {
  const inventory = inventoryOf(event);
  const saleVersion = event.saleVersion + 1;
  const { switches, changes } = await decideOnInventory(inventory, (available) => ({
    switches: decide(sumByPool(inventory.pools, available)),
    changes: planInventory(inventory.pools, inventory.pools, available, requireExact),
  }));
  const next = { ...withListSwitches(event, switches), saleVersion };
  await transact([
    ...otherWrites,
    ...updateEvent(event, { ...next, updatedAt: nextVersionTime(event.updatedAt) }),
    ...changeInventory(inventory, saleVersion, changes),
  ]);
}

/** Returns the event with other list switches. */
function withListSwitches(event: Event, { tierIds, poolSellsToList }: ListSwitches): Event {
  const { poolSellsToList: _, ...others } = event;
  return {
    ...others,
    ...(poolSellsToList && { poolSellsToList }),
    tiers: event.tiers.map(({ sellsToList: __, ...tier }) => ({
      ...tier,
      ...(tierIds.includes(tier.id) && { sellsToList: true }),
    })),
  };
}

/** Returns the job over the event's orders that a change starts: refunds after a cancellation, or mails about a new date or venue. */
function startedJob(before: Event, after: Event): NewEventJob | undefined {
  const { id: eventId, organizerId, updatedAt: startedAt } = after;
  if (after.status === 'CANCELLED' && before.status !== 'CANCELLED') {
    return { eventId, organizerId, kind: 'cancel', startedAt };
  }
  const isAnnounced = isMailConfigured() && hasMoved(before, after);
  return isAnnounced ? { eventId, organizerId, kind: 'announce-reschedule', startedAt } : undefined;
}

/** Returns the terms of sale: the fields that orders depend on, and the inventory's pools. */
function saleTermsOf(event: Event) {
  const { status, currency, contractAddress, chainId, entry, feePaidBy } = event;
  const prices = event.tiers.map(({ price }) => price);
  return {
    status,
    currency,
    contractAddress,
    chainId,
    entry,
    feePaidBy,
    prices,
    pools: inventoryOf(event).pools,
  };
}

/** The fields that can't change once tickets are sold or held, as error messages name them. */
const fixedFieldNames = {
  currency: 'The currency',
  contractAddress: 'The ticket contract',
  chainId: 'The chain',
  entry: 'The kind of entry',
} as const;
const fixedFields = Object.keys(fixedFieldNames) as (keyof typeof fixedFieldNames)[];

const fixedOnceSold = (field: keyof typeof fixedFieldNames) =>
  conflict('tickets-sold', `${fixedFieldNames[field]} can't be changed once tickets are sold or held`);

function planInventoryChange(before: Event, after: Event): Promise<ShardChange[]> {
  const inventory = inventoryOf(before);
  const changedFixedField = fixedFields.find((name) => before[name] !== after[name]);
  return decideOnInventory(inventory, (available) => {
    if (changedFixedField && countUnavailable(inventory.pools, available) !== 0)
      throw fixedOnceSold(changedFixedField);
    // Tickets were sold after recordLatestEnd read the inventory.
    if (endsEarlier(before, after) && countUnavailable(inventory.pools, available) !== 0) {
      throw new InventoryChanged();
    }
    const requiresUnsold = changedFixedField !== undefined || endsEarlier(before, after);
    return planInventory(inventory.pools, inventoryOf(after).pools, available, requiresUnsold);
  });
}
