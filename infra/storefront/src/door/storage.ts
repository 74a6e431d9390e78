import type { Door, DoorSeat } from 'boxoffice-client';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

/**
 * What a device keeps to admit without network, in the browser's IndexedDB: the seats of each door, and the scans that the
 * service does not have yet. A door is an event and the check-in list by which it admits.
 */

/** A door as it was last loaded. */
export interface StoredDoor {
  id: string;
  event: Door['event'];
  cursor: string;
  /** Whether all seats are stored. */
  isComplete: boolean;
  /** When it was last up to date, in epoch milliseconds by this device's clock. */
  syncedAt: number;
}

/** An admission that was made offline. */
export interface StoredScan {
  scanId: string;
  door: string;
  eventId: string;
  listId?: string;
  seat: string;
  hash: string;
  direction: 'entry' | 'exit';
  /** ISO 8601 in UTC. */
  at: string;
}

interface Schema extends DBSchema {
  doors: { key: string; value: StoredDoor };
  seats: { key: [string, string]; value: DoorSeat & { door: string } };
  /** In the order in which they were made. */
  scans: { key: number; value: StoredScan };
}

let database: Promise<IDBPDatabase<Schema>> | undefined;

function open(): Promise<IDBPDatabase<Schema>> {
  database ??= openDB<Schema>('boxoffice-door', 1, {
    upgrade(db) {
      db.createObjectStore('doors', { keyPath: 'id' });
      db.createObjectStore('seats', { keyPath: ['door', 'seat'] });
      db.createObjectStore('scans', { autoIncrement: true });
    },
  });
  return database;
}

export const doorId = (eventId: string, listId: string | undefined) => `${eventId} ${listId ?? ''}`;

const rangeOf = (door: string) => IDBKeyRange.bound([door], [door, []]);

export async function readDoor(id: string): Promise<StoredDoor | undefined> {
  return (await open()).get('doors', id);
}

/** Returns what is stored of an event; undefined without a list of one of its doors. */
export async function findStoredEvent(eventId: string): Promise<StoredDoor['event'] | undefined> {
  const doors = await (await open()).getAll('doors');
  return doors.find(({ event }) => event.id === eventId)?.event;
}

/** Stores a page of a door's seats. The first page of a list removes the seats of the earlier list. */
export async function storePage(
  id: string,
  { event, seats, isFirst, isComplete, cursor }: Door,
): Promise<void> {
  const transaction = (await open()).transaction(['doors', 'seats'], 'readwrite');
  const [doorStore, seatStore] = [transaction.objectStore('doors'), transaction.objectStore('seats')];
  if (isFirst) await seatStore.delete(rangeOf(id));
  for (const seat of seats) void seatStore.put({ ...seat, door: id });
  await doorStore.put({ id, event, cursor, isComplete, syncedAt: Date.now() });
  await transaction.done;
}

export async function findSeat(door: string, seat: string): Promise<DoorSeat | undefined> {
  return (await open()).get('seats', [door, seat]);
}

/** Returns the scans that the service does not have yet, in the order in which they were made. @param door by default all */
export async function readScans(door?: string): Promise<{ key: number; scan: StoredScan }[]> {
  const { store } = (await open()).transaction('scans');
  const scans: { key: number; scan: StoredScan }[] = [];
  for await (const { primaryKey, value } of store) {
    if (door === undefined || value.door === door) scans.push({ key: primaryKey, scan: value });
  }
  return scans;
}

/**
 * Stores an admission. Resolves once it is on the disk, as far as the browser tells: then neither a closed page nor an
 * empty battery loses it.
 */
export async function storeScan(scan: StoredScan): Promise<void> {
  const transaction = (await open()).transaction('scans', 'readwrite', { durability: 'strict' });
  await transaction.store.add(scan);
  await transaction.done;
}

/** Removes scans that the service has answered. */
export async function removeScans(keys: readonly number[]): Promise<void> {
  const transaction = (await open()).transaction('scans', 'readwrite');
  for (const key of keys) void transaction.store.delete(key);
  await transaction.done;
}

/** Removes the lists of all doors, or of those that `isOver` selects. Scans that were not sent stay. */
export async function removeDoors(isOver: (door: StoredDoor) => boolean = () => true): Promise<void> {
  const db = await open();
  for (const { id } of (await db.getAll('doors')).filter(isOver)) {
    await db.delete('seats', rangeOf(id));
    await db.delete('doors', id);
  }
}
