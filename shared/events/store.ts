import { isDeepStrictEqual } from 'node:util';
import { notFound } from '../core/errors.ts';
import { getItem } from '../dynamo/client.ts';
import { dueAt, type Key, keys, partitions } from '../dynamo/keys.ts';
import { put, remove, update, type Write } from '../dynamo/write.ts';
import { type Event, isListed, toEvent } from './event.ts';

/** The event has changed since it was read. The caller reads it and decides again. */
export class EventChanged extends Error {}

function toItem(event: Event): Key & Record<string, unknown> {
  return {
    ...keys.event(event.id),
    ...event,
    ownerPk: partitions.organizerEvents(event.organizerId),
    ownerSk: event.id,
    ...(isListed(event) && { eventPk: partitions.publicEvents, eventSk: `${event.eventDate}#${event.id}` }),
  };
}

/** Reads an event. @throws DomainError 404 */
export async function getEvent(id: string): Promise<Event> {
  const item = await getItem(keys.event(id));
  if (!item) throw notFound('Event');
  return toEvent(item);
}

export function insertEvent(event: Event): Write {
  return put(toItem(event));
}

/**
 * Writes the differences between two versions of an event. The condition compares `updatedAt`, so the new version's must
 * differ. A cancelled event becomes due for the sweep, which starts the job that fails or refunds its orders.
 * @throws EventChanged from the write
 */
export function updateEvent(before: Event, after: Event): Write {
  const old = toItem(before);
  const next = toItem(after);
  const names = Object.keys({ ...old, ...next });
  const changed = names.filter((name) => !isDeepStrictEqual(old[name], next[name]));
  const isCancelled = before.status !== 'CANCELLED' && after.status === 'CANCELLED';
  const set = {
    ...Object.fromEntries(changed.map((name) => [name, next[name]])),
    ...(isCancelled && dueAt(after.id, Date.parse(after.updatedAt))),
  };
  return update(keys.event(before.id), { set }, unchanged(before));
}

/** Deletes an event. @throws EventChanged from the write */
export function removeEvent(event: Event): Write {
  return remove(keys.event(event.id), unchanged(event));
}

/** Clears a cancelled event's due time. @throws EventChanged from the write, when it has changed */
export function clearCancellationDue(id: string, dueAt: string): Write {
  const set = { duePk: undefined, dueAt: undefined };
  const asRead = { when: '#dueAt = :seen', values: { seen: dueAt }, refused: () => new EventChanged() };
  return update(keys.event(id), { set }, asRead);
}

function unchanged({ updatedAt }: Event) {
  return { when: '#updatedAt = :seen', values: { seen: updatedAt }, refused: () => new EventChanged() };
}
