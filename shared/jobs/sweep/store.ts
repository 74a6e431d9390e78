import { dueAttributes, type Key } from '../../dynamo/keys.ts';
import { update, write } from '../../dynamo/write.ts';

class NoLongerDue extends Error {}

/**
 * Postpones an item in the index of due items, so that no other sweep queues it while a worker processes it.
 * @param id the item's id, which determines its partition of the index
 * @param expectedDueAt its due time as it was read, ISO 8601
 * @param nextDueAt when it is due again (epoch milliseconds)
 * @returns false when the item changed since it was read
 */
export async function postponeDueItem(
  key: Key,
  id: string,
  expectedDueAt: string,
  nextDueAt: number,
): Promise<boolean> {
  const whenUnchanged = {
    when: '#dueAt = :expected',
    values: { expected: expectedDueAt },
    orThrow: () => new NoLongerDue(),
  };
  try {
    await write(update(key, { set: dueAttributes(id, nextDueAt) }, whenUnchanged));
    return true;
  } catch (error) {
    if (error instanceof NoLongerDue) return false;
    throw error;
  }
}
