import { DomainError } from '../core/errors.ts';
import type { Sale } from './inventory.ts';
import { readSale, readSaleAtOnce, SaleChanged } from './store.ts';

/**
 * Decides by what each shard of each pool of a sale holds. Shards read one after the other may add up to less
 * than there was at any time: a refusal counts only when all of them, looked at together, confirm it.
 * @throws DomainError as `decide` does; SaleChanged when orders kept getting in between
 */
export async function decideOnStock<Result>(
  sale: Sale,
  decide: (available: number[][]) => Result,
): Promise<Result> {
  try {
    return decide(await readSale(sale));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const available = await readSaleAtOnce(sale);
    if (!available) throw new SaleChanged();
    return decide(available);
  }
}
