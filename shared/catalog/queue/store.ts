import { setTimeout } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { dueAttributes, keys, queuePartitions } from '../../dynamo/keys.ts';
import { documentClient, getItem, type Item, tableName } from '../../dynamo/read.ts';
import { put, putAll, remove, update, type Write, write } from '../../dynamo/write.ts';
import { type DrawPage, type DrawSource, pageOf } from './draw.ts';
import type { Place, QueuedEvent, QueueState } from './queue.ts';

/**
 * How long after `drawAt` the places are read, in milliseconds. A request that joins before the draw ends within the 10 s
 * of its function, so no place is added to the draw after it was read.
 */
export const settlingMilliseconds = 15_000;

/** Places are kept until the queue has ended, and then for a month, in which the draw can be checked. */
const retentionSeconds = 30 * 24 * 60 * 60;

/** The work on an event's queue. */
const queueTask = z.object({ eventId: z.string(), organizerId: z.string(), dueAt: z.string() });
export type QueueTask = z.infer<typeof queueTask>;

/** Parses a stored item as a task. @throws ZodError for any other item */
export function toQueueTask(item: unknown): QueueTask {
  return queueTask.parse(item);
}

/**
 * Returns the write that has the queue of an event drawn and then tended, if the event has one.
 * @param before the queue that it replaces. The work is due at the earlier of the two draws, since the change may be refused:
 * it waits for that of the event
 */
export function startQueue(
  { id, organizerId, queue }: QueuedEvent & { organizerId: string },
  before: QueuedEvent['queue'] = null,
): Write[] {
  if (!queue) return [];
  const draws = [queue, ...(before ? [before] : [])].map(({ drawAt }) => Date.parse(drawAt));
  const dueAt = Math.min(...draws) + settlingMilliseconds;
  return [put({ ...keys.queueTask(id), eventId: id, organizerId, ...dueAttributes(id, dueAt) })];
}

export async function findQueueTask(eventId: string): Promise<QueueTask | undefined> {
  const item = await getItem(keys.queueTask(eventId));
  return item && toQueueTask(item);
}

/** The task or the queue has changed since it was read. */
export class QueueChanged extends Error {}

/** Stores when the task continues (epoch milliseconds). @throws QueueChanged */
export async function postponeQueueTask({ eventId, dueAt }: QueueTask, nextDueAt: number): Promise<void> {
  const set = dueAttributes(eventId, nextDueAt);
  await write(update(keys.queueTask(eventId), { set }, whenDueAt(dueAt)));
}

/** @throws QueueChanged */
export async function removeQueueTask({ eventId, dueAt }: QueueTask): Promise<void> {
  await write(remove(keys.queueTask(eventId), whenDueAt(dueAt)));
}

const whenDueAt = (dueAt: string) => ({
  when: '#dueAt = :expected',
  values: { expected: dueAt },
  orThrow: () => new QueueChanged(),
});

/**
 * Stores what is decided about a queue. It is no new version of the event, since it changes nothing that the organizer
 * edits.
 * @param before the state as it was read
 * @returns the stored state
 * @throws QueueChanged
 */
export async function saveQueueState(
  eventId: string,
  before: QueueState,
  after: QueueState,
): Promise<QueueState> {
  const queueState = { ...after, version: before.version + 1 };
  const whenUnchanged = {
    when: '#queueState.#seed = :seed AND #queueState.#version = :expected',
    values: { seed: before.seed, expected: before.version },
    orThrow: () => new QueueChanged(),
  };
  await write(update(keys.event(eventId), { set: { queueState } }, whenUnchanged));
  return queueState;
}

/** A stored place. It does not contain its user. */
const storedPlace = z.object({
  /** Counts the places that joined after the draw, from 1; absent for a place of the draw. */
  late: z.number().optional(),
  joinedAt: z.number(),
});
export type StoredPlace = z.infer<typeof storedPlace>;

export async function findPlace(eventId: string, placeId: string): Promise<StoredPlace | undefined> {
  const item = await getItem(keys.queuePlace(eventId, placeId));
  return item && storedPlace.parse(item);
}

/** Stores a place, unless it exists. @returns the stored place */
export async function insertPlace(
  { id, queue }: QueuedEvent,
  placeId: string,
  place: StoredPlace,
): Promise<StoredPlace> {
  const ttl = Math.ceil(Date.parse(queue?.until ?? '') / 1000) + retentionSeconds;
  const whenNew = {
    when: 'attribute_not_exists(#pk)',
    orThrow: (current: unknown) => new PlaceExists(storedPlace.parse(current)),
  };
  try {
    await write(put({ ...keys.queuePlace(id, placeId), ...place, ttl }, whenNew));
    return place;
  } catch (error) {
    if (error instanceof PlaceExists) return error.place;
    throw error;
  }
}

/** Gives a place that was not drawn a number of those that joined later, unless it has one. @returns the stored place */
export async function moveBehindDraw(
  { id }: QueuedEvent,
  placeId: string,
  late: number,
  joinedAt: number,
): Promise<StoredPlace> {
  const key = keys.queuePlace(id, placeId);
  const item = await write(update(key, { setIfAbsent: { late }, set: { joinedAt } }));
  return storedPlace.parse(item);
}

class PlaceExists extends Error {
  readonly place: StoredPlace;
  constructor(place: StoredPlace) {
    super();
    this.place = place;
  }
}

/** Numbers of one event that an execution environment has taken from the counter. */
interface NumberBlock {
  next: number;
  last: number;
  /** The number of numbers. */
  size: number;
  takenAt: number;
}

const numberBlocks = new Map<string, NumberBlock>();

/** Older blocks are not used, so numbers follow the order of joining to within two seconds. */
const blockMilliseconds = 1_000;
const largestBlock = 128;

/**
 * Returns the number of a place that joins after the draw. The counter is one item, which accepts about 1,000 writes a
 * second, so each execution environment takes as many numbers at once as it needs in a second. Numbers are skipped when an
 * environment does not use all of them, and after a lost answer.
 */
export async function nextLateNumber({ id, queue }: QueuedEvent): Promise<number> {
  // From before the request, since the block may be taken at any time of it.
  const takenAt = Date.now();
  const block = numberBlocks.get(id);
  const isFresh = block !== undefined && takenAt - block.takenAt < blockMilliseconds;
  if (isFresh && block.next <= block.last) return block.next++;
  const isRecent = block !== undefined && takenAt - block.takenAt < 2 * blockMilliseconds;
  const used = isRecent ? block.size - (block.last - block.next + 1) : 0;
  const size = Math.min(largestBlock, Math.max(1, isFresh ? block.size * 2 : used));
  const ttl = Math.ceil(Date.parse(queue?.until ?? '') / 1000) + retentionSeconds;
  const item = await write(update(keys.queueCounter(id), { add: { late: size }, setIfAbsent: { ttl } }));
  const last = Number(item?.late);
  numberBlocks.set(id, { next: last - size + 2, last, size, takenAt });
  return last - size + 1;
}

export async function readLateCount(eventId: string): Promise<number> {
  return Number((await getItem(keys.queueCounter(eventId)))?.late ?? 0);
}

/** Reads the ids of the places that joined before the draw. */
export async function readDrawnPlaces(eventId: string): Promise<string[]> {
  const ids: string[] = [];
  const partitions = queuePartitions(eventId).values();
  const readPartitions = async () => {
    for (const partition of partitions) await readDrawnIds(partition, ids);
  };
  await Promise.all(Array.from({ length: 8 }, readPartitions));
  return ids;
}

/** Adds the ids of a partition to a list. A page of the query (1 MB) has about 9,000 places. */
async function readDrawnIds(partition: string, ids: string[]): Promise<void> {
  let startKey: Item | undefined;
  do {
    const page = await documentClient().send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: '#pk = :pk',
        ProjectionExpression: '#sk, #late',
        ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk', '#late': 'late' },
        ExpressionAttributeValues: { ':pk': partition },
        ConsistentRead: true,
        ExclusiveStartKey: startKey,
      }),
    );
    for (const { sk, late } of page.Items ?? [])
      if (late === undefined) ids.push(String(sk).slice('PLACE#'.length));
    startKey = page.LastEvaluatedKey;
  } while (startKey);
}

/** A page of 500 places takes 13 write units, and an on-demand table admits 4,000 a second at first. */
export const drawPagesPerSecond = 250;

/** Stores the pages of a draw, a million places in some eight seconds. Repeating it stores the same. */
export async function putDrawPages({ id, queue }: QueuedEvent, pages: readonly DrawPage[]): Promise<void> {
  const ttl = Math.ceil(Date.parse(queue?.until ?? '') / 1000) + retentionSeconds;
  const items = pages.map((page, index) => ({ ...keys.drawPage(id, index), ...page, ttl }));
  for (let start = 0; start < items.length; start += drawPagesPerSecond) {
    if (start > 0) await setTimeout(1_000);
    await putAll(items.slice(start, start + drawPagesPerSecond));
  }
}

const drawPage = z.object({ first: z.number(), ids: z.array(z.string()) });

export async function findDrawPage(eventId: string, index: number): Promise<DrawPage | undefined> {
  const item = await getItem(keys.drawPage(eventId, index));
  return item && drawPage.parse(item);
}

/** Returns the number of a place in the draw; undefined for one that was not drawn. */
export async function findDrawnNumber(
  eventId: string,
  placeId: Place['id'],
  source: DrawSource,
  pages: number,
): Promise<number | undefined> {
  const page = await findDrawPage(eventId, pageOf(placeId, source, pages));
  const index = page?.ids.indexOf(placeId) ?? -1;
  return page && index >= 0 ? page.first + index : undefined;
}
