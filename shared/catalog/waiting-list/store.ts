import { newId } from '../../core/ids.ts';
import { applyTransitions, expectUnchanged, type Transition } from '../../core/state-machine.ts';
import { dueAttributes, keys, waitingListPartitions } from '../../dynamo/keys.ts';
import { countItems, getItem, type PageQuery, queryAll, queryPage } from '../../dynamo/read.ts';
import { put, remove, toCondition, update, type Write } from '../../dynamo/write.ts';
import { isOpen, type OfferTask, toEntry, toOfferTask, type WaitingEntry } from './entry.ts';

/**
 * An entry is stored with its person and, while it is open, also in the list of its tier. Both are always written
 * together; the first has the condition.
 */

/** The entry has changed since it was read. */
export class EntryChanged extends Error {}

/** Identifies the list of a tier. */
interface ListReference {
  eventId: string;
  tierId: string;
}

/** Finds the last entry of a user in the list of a tier. */
export async function findEntry(of: ListReference & { userId: string }): Promise<WaitingEntry | undefined> {
  const item = await getItem(keys.waitingEntry(of));
  return item && toEntry(item);
}

/** Reads all entries of a user, newest first. */
export async function readEntries(userId: string): Promise<WaitingEntry[]> {
  const source = { partition: keys.user(userId).pk, from: 'WAITLIST#', to: 'WAITLIST#~' };
  const entries: WaitingEntry[] = [];
  for await (const item of queryAll(source)) entries.push(toEntry(item));
  return entries.sort((a, b) => (a.id < b.id ? 1 : -1));
}

/**
 * Returns the writes that insert an entry.
 * @param previous the user's last entry in this list, which has ended
 * @throws EntryChanged from the transaction, when the user has joined meanwhile, or the offer that was taken is open again
 */
export function insertEntry(entry: WaitingEntry, previous: WaitingEntry | undefined): Write[] {
  const whenUnchanged = {
    ...(previous
      ? { when: '#id = :id AND #status = :status', values: { id: previous.id, status: previous.status } }
      : { when: 'attribute_not_exists(#pk)' }),
    orThrow: () => new EntryChanged(),
  };
  return [
    put({ ...keys.waitingEntry(entry), ...entry }, whenUnchanged),
    ...(previous ? [put({ ...keys.formerWaitingEntry(previous), ...previous })] : []),
    put(toPlace(entry)),
  ];
}

/** Returns the writes of an entry's transition. @throws EntryChanged from the transaction */
export function transitionEntry(
  entry: WaitingEntry,
  change: Transition<WaitingEntry>,
  timestamp: string,
): Write[] {
  const set = { ...change.set, updatedAt: timestamp };
  const after = applyTransitions(entry, { set });
  return [
    update(
      keys.waitingEntry(entry),
      { set },
      {
        ...toCondition<WaitingEntry>([change], expectUnchanged(entry, 'id', 'offer', 'quantity')),
        orThrow: () => new EntryChanged(),
      },
    ),
    ...(isOpen(entry) ? [remove(placeKey(entry))] : []),
    ...(isOpen(after) ? [put(toPlace(after))] : []),
  ];
}

const placeKey = (entry: WaitingEntry) =>
  keys.waitingPlace(entry, entry.status === 'offered' ? 'OFFERED' : 'WAITING');

const toPlace = (entry: WaitingEntry) => ({ ...placeKey(entry), ...entry });

const waiting = { from: 'WAITING#', to: 'WAITING#~', ascending: true } as const;
const offered = { from: 'OFFERED#', to: 'OFFERED#~', ascending: true } as const;

/** The number of entries that one request reads of a long list. */
const longPage = 400;

/** Yields who waits for any of some tiers, in the order of joining. */
export async function* queryWaiting(
  eventId: string,
  tierIds: readonly string[],
): AsyncGenerator<WaitingEntry> {
  const partition = tierIds.flatMap((tierId) => waitingListPartitions(eventId, tierId));
  if (partition.length === 0) return;
  for await (const item of queryAll({ ...waiting, partition }, longPage)) yield toEntry(item);
}

/** Yields who has an offer for tickets of a tier. */
export async function* queryOffered({ eventId, tierId }: ListReference): AsyncGenerator<WaitingEntry> {
  const source = { ...offered, partition: waitingListPartitions(eventId, tierId) };
  for await (const item of queryAll(source, longPage)) yield toEntry(item);
}

/** Yields all open entries of a tier: those with an offer, then those who wait, each in the order of joining. */
export async function* queryOpen({ eventId, tierId }: ListReference): AsyncGenerator<WaitingEntry> {
  const source = { partition: waitingListPartitions(eventId, tierId), ascending: true };
  for await (const item of queryAll(source)) yield toEntry(item);
}

/** Lists a page of the open entries of a tier: those with an offer first, each in the order of joining. */
export async function listOpenEntries(eventId: string, tierIds: readonly string[], query: PageQuery) {
  const partition = tierIds.flatMap((tierId) => waitingListPartitions(eventId, tierId));
  const { items, nextCursor } = await queryPage({ partition, ascending: true }, query);
  return { entries: items.map(toEntry), nextCursor };
}

/** The number up to which people in a list are counted. */
const maximumCount = 1_000;

/** Counts who waits for a tier, up to `maximumCount`. @param upTo counts only those who joined before it, and this entry */
export function countWaiting({ eventId, tierId }: ListReference, upTo?: string): Promise<number> {
  const source = {
    ...waiting,
    ...(upTo && { to: keys.waitingPlace({ eventId, tierId, id: upTo }, 'WAITING').sk }),
    partition: waitingListPartitions(eventId, tierId),
  };
  return countItems(source, maximumCount);
}

/** The task has changed since it was read. */
export class OfferTaskChanged extends Error {}

export async function findOfferTask(eventId: string): Promise<OfferTask | undefined> {
  const item = await getItem(keys.offerTask(eventId));
  return item && toOfferTask(item);
}

/**
 * Returns the write that starts the work on an event's lists, or continues it.
 * @param previous the task as it was read; absent to start it, also when it exists
 * @param dueAt epoch milliseconds
 * @throws OfferTaskChanged from the write
 */
export function putOfferTask(task: Omit<OfferTask, 'version'>, dueAt: number, previous?: OfferTask): Write {
  const item = { ...keys.offerTask(task.eventId), ...task, version: newId() };
  return put({ ...item, ...dueAttributes(task.eventId, dueAt) }, previous && whenUnchanged(previous));
}

/** @throws OfferTaskChanged from the write */
export function removeOfferTask(task: OfferTask): Write {
  return remove(keys.offerTask(task.eventId), whenUnchanged(task));
}

const whenUnchanged = ({ version }: OfferTask) => ({
  when: '#version = :expected',
  values: { expected: version },
  orThrow: () => new OfferTaskChanged(),
});
