import { conflict } from '../core/errors.ts';
import { getItems, type Item, snapshot } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { put, remove, update, type Write } from '../dynamo/write.ts';
import { optional } from '../runtime/config.ts';
import type { Allocation, Inventory, Pool, ShardChange } from './inventory.ts';

/** A shard held less than was to be taken. */
export class InventoryShort extends Error {
  readonly pool: string;
  readonly available: number;
  constructor(pool: string, available: number) {
    super(`Pool ${pool} is short`);
    this.pool = pool;
    this.available = available;
  }
}

/** The event's sale is no longer what the decision was based on: read it again and decide anew. */
export class InventoryChanged extends Error {}

/** What each shard of each pool of a sale holds now. */
export async function readInventory({ eventId, pools }: Inventory): Promise<number[][]> {
  return byPool(pools, await getItems(pools.flatMap((pool) => shardKeys(eventId, pool))));
}

/** As readInventory, but all shards at one instant; undefined when a write got in between, or the sale has changed. */
export async function readInventorySnapshot({
  eventId,
  version,
  pools,
}: Inventory): Promise<number[][] | undefined> {
  const items = await snapshot(pools.flatMap((pool) => shardKeys(eventId, pool)));
  if (!items?.every((item) => item?.saleVersion === version)) return undefined;
  return byPool(pools, items);
}

/** How many tickets the pools of several sales have free, by the pools' ids, in one request per 100 shards. */
export async function readAvailable(sales: readonly Inventory[]): Promise<Map<string, number>[]> {
  const items = await getItems(
    sales.flatMap(({ eventId, pools }) => pools.flatMap((pool) => shardKeys(eventId, pool))),
  );
  return sales.map(({ pools }) => {
    const available = byPool(pools, items.splice(0, shardCount(pools)));
    return new Map(pools.map(({ id }, at) => [id, (available[at] ?? []).reduce((a, b) => a + b, 0)]));
  });
}

/** Takes tickets from shards of a pool. @throws InventoryShort or InventoryChanged from the transaction */
export function reserveInventory(
  inventory: Inventory,
  pool: string,
  allocations: readonly Allocation[],
): Write[] {
  return allocations.map(({ shard, quantity }) =>
    update(
      keys.stock(inventory.eventId, pool, shard),
      { add: { available: -quantity } },
      {
        when: '#saleVersion = :version AND #available >= :quantity',
        values: { version: inventory.version, quantity },
        refused: (current) => explain(inventory, pool, current),
      },
    ),
  );
}

/** Puts tickets back into a shard of each pool. @throws InventoryChanged from the transaction */
export function releaseInventory(
  inventory: Inventory,
  pools: readonly string[],
  shard: number,
  quantity: number,
): Write[] {
  return pools.map((pool) =>
    update(
      keys.stock(inventory.eventId, pool, shardWithin(inventory, pool, shard)),
      { add: { available: quantity } },
      {
        when: '#saleVersion = :version',
        values: { version: inventory.version },
        refused: () => new InventoryChanged(),
      },
    ),
  );
}

/**
 * Moves all shards of a sale to its next version, with the changes planned for them.
 * @throws InventoryShort or InventoryChanged from the transaction
 */
export function changeInventory(
  before: Inventory,
  nextVersion: number,
  changes: readonly ShardChange[],
): Write[] {
  return changes.map(({ pool, shard, change, seen }) => {
    const key = keys.stock(before.eventId, pool, shard);
    const set = { saleVersion: nextVersion };
    if (typeof change === 'object' && 'initial' in change) {
      return put(
        { ...key, available: change.initial, ...set },
        { when: 'attribute_not_exists(#pk)', refused: () => new InventoryChanged() },
      );
    }
    const condition = {
      when: `#saleVersion = :version AND #available ${seen === undefined ? '>=' : '='} :least`,
      values: {
        version: before.version,
        least: seen ?? (change === 'closed' ? 0 : Math.max(0, -change.add)),
      },
      refused: (current: Item | undefined) => explain(before, pool, current),
    };
    return change === 'closed'
      ? remove(key, condition)
      : update(key, { set, add: { available: change.add } }, condition);
  });
}

function explain(inventory: Inventory, pool: string, current: Item | undefined): Error {
  return current?.saleVersion === inventory.version
    ? new InventoryShort(pool, current.available)
    : new InventoryChanged();
}

function shardWithin(inventory: Inventory, pool: string, shard: number): number {
  return shard % (inventory.pools.find(({ id }) => id === pool)?.shards ?? 1);
}

function byPool(pools: readonly Pool[], items: readonly (Item | undefined)[]): number[][] {
  let start = 0;
  return pools.map(({ shards }) => {
    start += shards;
    return items.slice(start - shards, start).map((item) => item?.available ?? 0);
  });
}

function shardCount(pools: readonly Pool[]): number {
  return pools.reduce((count, { shards }) => count + shards, 0);
}

function shardKeys(eventId: string, pool: Pool) {
  return Array.from({ length: pool.shards }, (_, shard) => keys.stock(eventId, pool.id, shard));
}

/** How many tickets of one tier of an event an order of a buyer is for. */
export interface Purchase {
  eventId: string;
  userId: string;
  tierId: string;
  quantity: number;
}

export interface Caps {
  /** Per user over all tiers of the event. */
  maxPerWallet: number;
  /** Per user within the tier. */
  maxPerPerson: number;
}

/**
 * Counts tickets held and bought towards a buyer's caps.
 * @throws DomainError 409, here or from the transaction, naming the cap that was hit
 */
export function countPurchase(purchase: Purchase, caps: Caps): Write {
  const { tierId, quantity } = purchase;
  // A buyer without counters yet has nothing the condition could compare: the order itself must fit.
  if (quantity > caps.maxPerPerson) throw tierLimit(caps);
  if (quantity > caps.maxPerWallet) throw walletLimit(caps);
  const tier = tierCounter(tierId);
  return update(
    keys.buyer(purchase.eventId, purchase.userId),
    { add: { total: quantity, [tier]: quantity } },
    {
      when: [
        `(attribute_not_exists(#${tier}) OR #${tier} <= :personRoom)`,
        '(attribute_not_exists(#total) OR #total <= :walletRoom)',
      ].join(' AND '),
      values: { walletRoom: caps.maxPerWallet - quantity, personRoom: caps.maxPerPerson - quantity },
      refused: (current) =>
        (current?.[tier] ?? 0) + quantity > caps.maxPerPerson ? tierLimit(caps) : walletLimit(caps),
    },
  );
}

/** Takes tickets off a buyer's counters again. */
export function uncountPurchase({ eventId, userId, tierId, quantity }: Purchase): Write {
  return update(keys.buyer(eventId, userId), { add: { total: -quantity, [tierCounter(tierId)]: -quantity } });
}

const tierCounter = (tierId: string) => `tier_${tierId}`;

const tierLimit = ({ maxPerPerson }: Caps) =>
  conflict('tier-limit', `At most ${maxPerPerson} tickets per person in this tier`);
const walletLimit = ({ maxPerWallet }: Caps) =>
  conflict('wallet-limit', `At most ${maxPerWallet} tickets per person for this event`);

/** How many tickets one shard is for: bigger pools are spread over several. Default 1,000. */
export function ticketsPerShard(): number {
  return Number(optional('STOCK_SHARD_SIZE') ?? 1000);
}
