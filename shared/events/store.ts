import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../core/errors.ts';
import { getItem, getItems, type Item } from '../dynamo/client.ts';
import { dueAt, type Key, keys, partitions } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { put, remove, update, type Write } from '../dynamo/write.ts';
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

/** The event with its descriptions, by one request. @throws DomainError 404 */
export async function getEventWithTexts(id: string): Promise<Event> {
  const event = await findEventWithTexts(id);
  if (!event) throw notFound('Event');
  return event;
}

/** Returns an event with its descriptions, if it exists. */
export async function findEventWithTexts(id: string): Promise<Event | undefined> {
  const [item, texts] = await getItems([keys.event(id), keys.eventTexts(id)]);
  return item && withTexts(toEvent(item), texts && toEventTexts(texts));
}

/** Adds the descriptions to events, by one request per hundred. */
export async function addTexts(events: readonly Event[]): Promise<Event[]> {
  const items: (Item | undefined)[] = await getItems(events.map(({ id }) => keys.eventTexts(id)));
  return events.map((event, index) => withTexts(event, items[index] && toEventTexts(items[index])));
}

/** The writes of a new event. */
export function insertEvent(event: Event): Write[] {
  return [
    put({ ...toItem(event), ...sweepDueFields(event) }),
    ...(textLength(event) > 0 ? [putTexts(event)] : []),
  ];
}

function putTexts(event: Event): Write {
  return put({ ...keys.eventTexts(event.id), ...textsOf(event) });
}

/**
 * Writes the differences between two versions of an event. The condition compares `updatedAt`, so the new version's
 * must differ. Descriptions that the event's item holds move to their own.
 * @throws EventChanged from the write
 */
export function updateEvent(before: Event, after: Event): Write[] {
  const currentItem = toItem(before);
  const nextItem = toItem(after);
  const names = Object.keys({ ...currentItem, ...nextItem });
  const changed = names.filter((name) => !isDeepStrictEqual(currentItem[name], nextItem[name]));
  const set = {
    ...Object.fromEntries(changed.map((name) => [name, nextItem[name]])),
    description: nextItem.description,
    tiers: nextItem.tiers,
    ...((after.status !== 'CANCELLED' || before.status !== 'CANCELLED') && sweepDueFields(after)),
  };
  return [update(keys.event(before.id), { set }, whenUnchanged(before)), putTexts(after)];
}

/**
 * Returns the due mark of an event that was just saved. For a cancelled event the sweep starts the job that fails or
 * refunds its orders; for any other it queues a check of the contract.
 */
function sweepDueFields({ id, status, contractAddress, updatedAt }: Event) {
  return status === 'CANCELLED' || contractAddress !== null ? dueAt(id, Date.parse(updatedAt)) : {};
}

/**
 * Makes an event whose contract was checked due again when its sale begins, if that is still to come.
 * @param now epoch milliseconds
 * @throws EventChanged from the write
 */
export function scheduleContractCheck(event: Event, now: number): Write {
  const saleStart = Date.parse(event.saleStart);
  const set = saleStart > now ? dueAt(event.id, saleStart) : { duePk: undefined, dueAt: undefined };
  return update(keys.event(event.id), { set }, whenUnchanged(event));
}

/** Deletes an event. @throws EventChanged from the write */
export function removeEvent(event: Event): Write[] {
  return [remove(keys.event(event.id), whenUnchanged(event)), remove(keys.eventTexts(event.id))];
}

/** Clears a cancelled event's due time. @throws EventChanged from the write, when it has changed */
export function clearCancellationDue(id: string, dueAt: string): Write {
  const set = { duePk: undefined, dueAt: undefined };
  const whenUnchanged = {
    when: '#dueAt = :expected',
    values: { expected: dueAt },
    orThrow: () => new EventChanged(),
  };
  return update(keys.event(id), { set }, whenUnchanged);
}

function whenUnchanged({ updatedAt }: Event) {
  return {
    when: '#updatedAt = :expected',
    values: { expected: updatedAt },
    orThrow: () => new EventChanged(),
  };
}

/** Reads all events of an organizer without their descriptions, newest first. */
export async function* allEventsOf(organizerId: string): AsyncGenerator<Event> {
  const source = { index: 'byOwner', partition: partitions.organizerEvents(organizerId) } as const;
  for await (const item of queryAll(source)) yield toEvent(item);
}
