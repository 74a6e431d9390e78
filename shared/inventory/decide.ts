import { DomainError } from '../core/errors.ts';
import type { Inventory } from './inventory.ts';
import { InventoryChanged, readInventory, readInventorySnapshot } from './store.ts';

/**
 * Decides by what each shard of each pool of a sale holds. Shards read one after the other may add up to less
 * than there was at any time: a refusal counts only when all of them, looked at together, confirm it.
 * @throws DomainError as `decide` does; InventoryChanged when orders kept getting in between
 */
export async function decideOnInventory<Result>(
  inventory: Inventory,
  decide: (available: number[][]) => Result,
): Promise<Result> {
  try {
    return decide(await readInventory(inventory));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const available = await readInventorySnapshot(inventory);
    if (!available) throw new InventoryChanged();
    return decide(available);
  }
}
