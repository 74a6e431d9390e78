import { transact, type Write } from '../dynamo/write.ts';
import { conflict, type DomainError } from '../errors.ts';
import { pause } from '../pause.ts';
import { eventPool, type Pool, planTaking, type Sale, type Taking } from './stock.ts';
import { readSale, readSaleAtOnce, StockShort, takeStock } from './store.ts';

/** Tries before a buyer is told that too many others are at it. */
export const maximumTries = 10;

/**
 * Takes tickets of a tier and, in the same transaction, does what they are taken for. Begins with a shard
 * chosen at random; "sold out" is said only once all shards were looked at.
 * @param others the writes that belong to the taking, given the shard that tickets come from
 * @returns the shard to give the tickets back to, should it come to that
 * @throws DomainError 409 `Sold out`, `Only N left`, or `busy` with Retry-After; SaleChanged; what `others` refuse
 */
export async function takeTickets(
  sale: Sale,
  tierId: string,
  quantity: number,
  others: (shard: number) => Write[],
): Promise<number> {
  const pools = sale.pools.filter(({ id }) => id === tierId || id === eventPool);
  const plans = new Map(
    pools.map((pool) => [pool.id, [{ shard: random(pool.shards), quantity }] as Taking[]]),
  );
  for (let attempt = 1; attempt <= maximumTries; attempt++) {
    const shard = plans.get(tierId)?.[0]?.shard ?? 0;
    try {
      const takings = [...plans].flatMap(([pool, plan]) => takeStock(sale, pool, plan));
      await transact([...takings, ...others(shard)]);
      return shard;
    } catch (error) {
      if (!(error instanceof StockShort)) throw error;
      const pool = pools.find(({ id }) => id === error.pool) as Pool;
      plans.set(pool.id, await planAnew(sale, pool, quantity, error));
      if (attempt > 1) await pause(attempt);
    }
  }
  throw conflict('busy', 'Many others are buying right now, please try again', 1);
}

async function planAnew(sale: Sale, pool: Pool, quantity: number, short: StockShort): Promise<Taking[]> {
  if (pool.shards === 1) throw shortage(short.available);
  const own = { ...sale, pools: [pool] };
  const [seen = []] = await readSale(own);
  const plan = planTaking(seen, quantity, random);
  if (plan) return plan;
  // Read one after the other, shards may all look empty while a ticket came back to one: look again at once.
  const together = await readSaleAtOnce(own);
  if (!together) return [{ shard: random(pool.shards), quantity }];
  const [available = []] = together;
  const finalPlan = planTaking(available, quantity, random);
  if (finalPlan) return finalPlan;
  throw shortage(available.reduce((sum, free) => sum + free, 0));
}

function shortage(left: number): DomainError {
  return left === 0 ? conflict('sold-out', 'Sold out') : conflict('too-few-left', `Only ${left} left`);
}

function random(count: number): number {
  return Math.floor(Math.random() * count);
}
