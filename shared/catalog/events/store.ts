import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../../core/errors.ts';
import { bulkDueAttributes, type Key, keys, partitions } from '../../dynamo/keys.ts';
import { getItem, getItems, type Item, queryAll } from '../../dynamo/read.ts';
import { put, remove, update, type Write, write } from '../../dynamo/write.ts';
import { mapInChunks } from '../../runtime/retry.ts';
import {
  type Event,
  isListed,
  textLength,
  textsOf,
  toEvent,
  toEventTexts,
  withoutTexts,
  withTexts,
} from './event.ts';

/** The event has changed since it was read. The caller reads it again and retries. */
export class EventChanged extends Error {}

function toItem(event: Event): Key & Record<string, unknown> {
  return {
    ...keys.event(event.id),
    ...withoutTexts(event),
    ownerPk: partitions.organizerEvents(event.organizerId),
    ownerSk: event.id,
    ...(isListed(event) && { eventPk: partitions.publicEvents, eventSk: `${event.eventDate}#${event.id}` }),
  };
}

/** Reads an event without its descriptions. @throws DomainError 404 */
export async function getEvent(id: string): Promise<Event> {
  const item = await getItem(keys.event(id));
  if (!item) throw notFound('Event');
  return toEvent(item);
}

/** Reads an event with its descriptions in one request. @throws DomainError 404 */
export async function getEventWithTexts(id: string): Promise<Event> {
  const event = await findEventWithTexts(id);
  if (!event) throw notFound('Event');
  return event;
}

/** Reads an event with its descriptions in one request; undefined for an unknown event. */
export async function findEventWithTexts(id: string): Promise<Event | undefined> {
  return toEventWithTexts(await getItems(eventKeys(id)));
}

/** The keys of an event and its descriptions, for callers that read more in the same request. */
export const eventKeys = (id: string) => [keys.event(id), keys.eventTexts(id)];

/** Parses what was read by `eventKeys`. */
export function toEventWithTexts([item, texts]: readonly (Item | undefined)[]): Event | undefined {
  return item && withTexts(toEvent(item), texts && toEventTexts(texts));
}

/** Adds the descriptions to events, with one request per hundred. */
export async function addTexts(events: readonly Event[]): Promise<Event[]> {
  const items: (Item | undefined)[] = await getItems(events.map(({ id }) => keys.eventTexts(id)));
  return events.map((event, index) => withTexts(event, items[index] && toEventTexts(items[index])));
}

/** Returns the writes that insert an event. */
export function insertEvent(event: Event): Write[] {
  return [
    put({ ...toItem(event), ...toDueAttributes(event) }),
    ...(textLength(event) > 0 ? [putTexts(event)] : []),
  ];
}

function putTexts(event: Event): Write {
  return put({ ...keys.eventTexts(event.id), ...textsOf(event) });
}

/**
 * Returns the writes that change an event from one version to the next. Their condition compares `updatedAt`, so
 * `after` needs another `updatedAt`.
 * @throws EventChanged from the write
 */
export function updateEvent(before: Event, after: Event): Write[] {
  const currentItem = toItem(before);
  const nextItem = toItem(after);
  const names = Object.keys({ ...currentItem, ...nextItem });
  const changed = names.filter((name) => !isDeepStrictEqual(currentItem[name], nextItem[name]));
  const set = {
    ...Object.fromEntries(changed.map((name) => [name, nextItem[name]])),
    ...toDueAttributes(after),
  };
  return [update(keys.event(before.id), { set }, whenUnchanged(before)), putTexts(after)];
}

/** Returns the attributes that make a changed event with a contract due for a check of the contract by the sweep. */
function toDueAttributes({ id, status, contractAddress, updatedAt }: Event) {
  if (status === 'CANCELLED') return { duePk: undefined, dueAt: undefined };
  return contractAddress === null ? {} : bulkDueAttributes('CONTRACT', id, Date.parse(updatedAt));
}

/**
 * Returns the write that schedules an event's next contract check for the start of its sale, if the sale has not
 * started.
 * @param now epoch milliseconds
 * @throws EventChanged from the write
 */
export function scheduleContractCheck(event: Event, now: number): Write {
  const saleStart = Date.parse(event.saleStart);
  const set =
    saleStart > now
      ? bulkDueAttributes('CONTRACT', event.id, saleStart)
      : { duePk: undefined, dueAt: undefined };
  return update(keys.event(event.id), { set }, whenUnchanged(event));
}

/**
 * Returns the write that records that earnings of an event become available; none when it is recorded already. Of this
 * write and a concurrent cancellation only one succeeds.
 * @param now epoch milliseconds
 * @throws EventChanged from the write
 */
export function recordUnlock(event: Event, now: number): Write[] {
  if (event.earningsUnlockedAt) return [];
  const updatedAt = new Date(Math.max(now, Date.parse(event.updatedAt) + 1)).toISOString();
  const set = { earningsUnlockedAt: new Date(now).toISOString(), updatedAt };
  return [update(keys.event(event.id), { set }, whenUnchanged(event))];
}

/** Returns the writes that delete an event. @throws EventChanged from the write */
export function removeEvent(event: Event): Write[] {
  return [remove(keys.event(event.id), whenUnchanged(event)), remove(keys.eventTexts(event.id))];
}

function whenUnchanged({ updatedAt }: Event) {
  return {
    when: '#updatedAt = :expected',
    values: { expected: updatedAt },
    orThrow: () => new EventChanged(),
  };
}

/** The time after which an index has every event that was created before, in seconds. */
export const indexDelaySeconds = 15;

/** The event has copied a later version, or was deleted. */
class LaterVersion extends Error {}

/**
 * Copies fields to all events of an organizer that the index has.
 * @param source the field with the version of what is copied. An event with the same or a later version keeps its fields
 */
export async function copyToEvents(
  organizerId: string,
  fields: Partial<Event>,
  source: { name: 'webhookVersion' | 'organizerVersion'; version: number },
): Promise<void> {
  const events: Event[] = [];
  for await (const event of queryOrganizerEvents(organizerId)) events.push(event);
  const { name, version } = source;
  const condition = {
    when: `attribute_exists(#pk) AND (attribute_not_exists(#${name}) OR #${name} < :version)`,
    values: { version },
    orThrow: () => new LaterVersion(),
  };
  await mapInChunks(events, async ({ id }) => {
    try {
      await write(update(keys.event(id), { set: fields }, condition));
    } catch (error) {
      if (!(error instanceof LaterVersion)) throw error;
    }
  });
}

/** Reads all events of an organizer without their descriptions, newest first. */
export async function* queryOrganizerEvents(organizerId: string): AsyncGenerator<Event> {
  const source = { index: 'byOwner', partition: partitions.organizerEvents(organizerId) } as const;
  for await (const item of queryAll(source)) yield toEvent(item);
}
