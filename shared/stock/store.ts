import { getItems, type Item, snapshot } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { put, remove, update, type Write } from '../dynamo/write.ts';
import type { Pool, Sale, ShardChange, Taking } from './stock.ts';

/** A shard held less than was to be taken. */
export class StockShort extends Error {
  readonly pool: string;
  readonly available: number;
  constructor(pool: string, available: number) {
    super(`Pool ${pool} is short`);
    this.pool = pool;
    this.available = available;
  }
}

/** The event's sale is no longer what the decision was based on: read it again and decide anew. */
export class SaleChanged extends Error {}

/** What each shard of a pool holds now. */
export async function readPool(eventId: string, pool: Pool): Promise<number[]> {
  return (await readPools(eventId, [pool]))[0] ?? [];
}

/** As readPool, but all shards at one instant; undefined when orders kept getting in between. */
export async function readPoolAtOnce(eventId: string, pool: Pool): Promise<number[] | undefined> {
  return (await snapshot(shardKeys(eventId, pool)))?.map((item) => item?.available ?? 0);
}

/** What each shard of several pools holds now, in the order of the pools. */
export async function readPools(eventId: string, pools: readonly Pool[]): Promise<number[][]> {
  const items = await getItems(pools.flatMap((pool) => shardKeys(eventId, pool)));
  return pools.map((pool) => items.splice(0, pool.shards).map((item) => item?.available ?? 0));
}

/** Takes tickets from shards of a pool. @throws StockShort or SaleChanged from the transaction */
export function takeStock(sale: Sale, pool: string, takings: readonly Taking[]): Write[] {
  return takings.map(({ shard, quantity }) =>
    update(
      keys.stock(sale.eventId, pool, shard),
      { add: { available: -quantity } },
      {
        when: '#saleVersion = :version AND #available >= :quantity',
        values: { version: sale.version, quantity },
        refused: (current) => explain(sale, pool, current),
      },
    ),
  );
}

/** Puts tickets back into a shard of each pool. @throws SaleChanged from the transaction */
export function giveBackStock(
  sale: Sale,
  pools: readonly string[],
  shard: number,
  quantity: number,
): Write[] {
  return pools.map((pool) =>
    update(
      keys.stock(sale.eventId, pool, shardWithin(sale, pool, shard)),
      { add: { available: quantity } },
      {
        when: '#saleVersion = :version',
        values: { version: sale.version },
        refused: () => new SaleChanged(),
      },
    ),
  );
}

/**
 * Moves all shards of a sale to its next version, with the changes planned for some of them.
 * @throws StockShort or SaleChanged from the transaction
 */
export function changeStock(before: Sale, nextVersion: number, changes: readonly ShardChange[]): Write[] {
  return changes.map(({ pool, shard, change }) => {
    const key = keys.stock(before.eventId, pool, shard);
    const set = { saleVersion: nextVersion };
    const values = { version: before.version };
    const refused = (current: Item | undefined) => explain(before, pool, current);
    if (change === 'closed') {
      return remove(key, { when: '#saleVersion = :version', values, refused });
    }
    if ('initial' in change) {
      return put(
        { ...key, available: change.initial, ...set },
        { when: 'attribute_not_exists(#pk)', refused: () => new SaleChanged() },
      );
    }
    return update(
      key,
      { set, add: { available: change.add } },
      {
        when: '#saleVersion = :version AND #available >= :taken',
        values: { ...values, taken: Math.max(0, -change.add) },
        refused,
      },
    );
  });
}

/** Removes all shards of an event that nobody has bought of. @throws SaleChanged from the transaction */
export function removeStock(sale: Sale): Write[] {
  return changeStock(
    sale,
    sale.version,
    sale.pools.flatMap((pool) =>
      Array.from({ length: pool.shards }, (_, shard) => ({
        pool: pool.id,
        shard,
        change: 'closed' as const,
      })),
    ),
  );
}

function explain(sale: Sale, pool: string, current: Item | undefined): Error {
  return current?.saleVersion === sale.version ? new StockShort(pool, current.available) : new SaleChanged();
}

function shardWithin(sale: Sale, pool: string, shard: number): number {
  return shard % (sale.pools.find(({ id }) => id === pool)?.shards ?? 1);
}

function shardKeys(eventId: string, pool: Pool) {
  return Array.from({ length: pool.shards }, (_, shard) => keys.stock(eventId, pool.id, shard));
}
