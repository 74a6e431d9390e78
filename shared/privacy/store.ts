import { dueAttributes, keys } from '../dynamo/keys.ts';
import { getItem } from '../dynamo/read.ts';
import { put, remove, update, type Write, write } from '../dynamo/write.ts';
import { type Erasure, toErasure } from './erasure.ts';

/** Returns the write that starts an erasure, due at once. */
export function insertErasure(userId: string, emailHash: string | undefined, timestamp: string): Write {
  const erasure: Erasure = { userId, emailHash, requestedAt: timestamp, updatedAt: timestamp };
  return put({ ...keys.erasure(userId), ...erasure, ...dueAttributes(userId, Date.parse(timestamp)) });
}

export async function findErasure(userId: string): Promise<Erasure | undefined> {
  const item = await getItem(keys.erasure(userId));
  return item && toErasure(item);
}

/**
 * Sets when the erasure is continued.
 * @param nextDueAt epoch milliseconds
 * @param pass where its pass is; empty for a new one
 */
export async function postponeErasure(
  { userId }: Erasure,
  nextDueAt: number,
  { passStartedAt, cursor }: Pick<Erasure, 'passStartedAt' | 'cursor'> = {},
): Promise<void> {
  const updatedAt = new Date().toISOString();
  const set = { passStartedAt, cursor, updatedAt, ...dueAttributes(userId, nextDueAt) };
  await write(update(keys.erasure(userId), { set }));
}

export async function removeErasure({ userId }: Erasure): Promise<void> {
  await write(remove(keys.erasure(userId)));
}
