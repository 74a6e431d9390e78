import { dueAt, type Key } from '../dynamo/keys.ts';
import { update, write } from '../dynamo/write.ts';

class NoLongerDue extends Error {}

/**
 * Moves an item on in the index, so that the next sweep leaves it to the worker it is handed to.
 * @param id the item's id, which chooses its partition of the index
 * @param seen its due time as it was read, ISO 8601
 * @param until when it is due again (epoch milliseconds)
 * @returns false when the item changed since it was read
 */
export async function lease(key: Key, id: string, seen: string, until: number): Promise<boolean> {
  const asRead = { when: '#dueAt = :seen', values: { seen }, refused: () => new NoLongerDue() };
  try {
    await write(update(key, { set: dueAt(id, until) }, asRead));
    return true;
  } catch (error) {
    if (error instanceof NoLongerDue) return false;
    throw error;
  }
}
