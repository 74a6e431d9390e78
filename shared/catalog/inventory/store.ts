import * as z from 'zod';
import { aboutTier, conflict, DomainError } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem, getItems, type Item, readSnapshot } from '../../dynamo/read.ts';
import { put, remove, update, type Write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { codeUsedUpByUser } from '../promo-codes/code.ts';
import {
  type Allocation,
  countTickets,
  countUnavailable,
  type Demand,
  type Inventory,
  nextUnpaidHolds,
  type Pool,
  type ShardChange,
  type TierQuantity,
  type UnpaidHolds,
} from './inventory.ts';

/** A stored shard of a pool. A missing shard has no tickets. */
const storedShard = z.object({
  available: z.number().default(0),
  saleVersion: z.number().optional(),
  /** Whether an order has ever reserved tickets from the shard. */
  ordered: z.boolean().default(false),
});

/** A shard has fewer free tickets than a reservation needs. */
export class InventoryShort extends Error {
  readonly pool: string;
  readonly available: number;
  constructor(pool: string, available: number) {
    super(`Pool ${pool} is short`);
    this.pool = pool;
    this.available = available;
  }
}

/** The inventory's version has changed since it was read. The caller reads it and decides again. */
export class InventoryChanged extends Error {}

/** Reads the free tickets of each shard of each pool. The reads of different shards are not a snapshot. */
export async function readInventory({ eventId, pools }: Inventory): Promise<number[][]> {
  return groupByPool(pools, await getItems(pools.flatMap((pool) => toShardKeys(eventId, pool))));
}

/** Returns whether tickets are sold or held. */
export async function hasSoldTickets(inventory: Inventory): Promise<boolean> {
  return countUnavailable(inventory.pools, await readInventory(inventory)) !== 0;
}

/**
 * Reads the free tickets of all shards in one snapshot; returns undefined after a concurrent write, or when the
 * inventory has another version.
 */
export async function readInventorySnapshot({
  eventId,
  version,
  pools,
}: Inventory): Promise<number[][] | undefined> {
  const items = await readSnapshot(pools.flatMap((pool) => toShardKeys(eventId, pool)));
  if (!items?.every((item) => item?.saleVersion === version)) return undefined;
  return groupByPool(pools, items);
}

/**
 * Calls `decide` with the free tickets of each shard. Separate reads of shards can add up to fewer tickets than were
 * free at any time. So when `decide` throws a DomainError, it runs again on a snapshot.
 * @throws DomainError as `decide` does; InventoryChanged when a concurrent write prevents the snapshot
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

/** Counts the free tickets of several inventories by pool id, in one request per 100 shards. */
export async function readAvailable(inventories: readonly Inventory[]): Promise<Map<string, number>[]> {
  const items = await getItems(
    inventories.flatMap(({ eventId, pools }) => pools.flatMap((pool) => toShardKeys(eventId, pool))),
  );
  return inventories.map(({ pools }) => {
    const available = groupByPool(pools, items.splice(0, countShards(pools)));
    return new Map(pools.map(({ id }, index) => [id, (available[index] ?? []).reduce((a, b) => a + b, 0)]));
  });
}

/** Returns the writes that reserve tickets. @throws InventoryShort or InventoryChanged from the transaction */
export function reserveInventory(
  inventory: Inventory,
  pool: string,
  allocations: readonly Allocation[],
): Write[] {
  return allocations.map(({ shard, quantity }) =>
    update(
      keys.inventoryShard(inventory.eventId, pool, shard),
      { set: { ordered: true }, add: { available: -quantity } },
      {
        when: '#saleVersion = :version AND #available >= :quantity',
        values: { version: inventory.version, quantity },
        orThrow: (current) => toInventoryError(inventory, pool, current),
      },
    ),
  );
}

/**
 * Returns the writes that release tickets into one shard of each pool.
 * @param shard the order's shard, which is reduced modulo each pool's number of shards
 * @throws InventoryChanged from the transaction
 */
export function releaseInventory(inventory: Inventory, demands: readonly Demand[], shard: number): Write[] {
  return demands.map(({ pool, quantity }) =>
    update(
      keys.inventoryShard(inventory.eventId, pool.id, shard % pool.shards),
      { add: { available: quantity } },
      {
        when: '#saleVersion = :version',
        values: { version: inventory.version },
        orThrow: () => new InventoryChanged(),
      },
    ),
  );
}

/**
 * Returns the writes that change the shards of an inventory as planned, and set the next version on all of them.
 * @throws InventoryShort or InventoryChanged from the transaction
 */
export function changeInventory(
  before: Inventory,
  nextVersion: number,
  changes: readonly ShardChange[],
): Write[] {
  return changes.map(({ pool, shard, change, expectedAvailable }) => {
    const key = keys.inventoryShard(before.eventId, pool, shard);
    const set = { saleVersion: nextVersion };
    if (typeof change === 'object' && 'initial' in change) {
      return put(
        { ...key, available: change.initial, ...set },
        { when: 'attribute_not_exists(#pk)', orThrow: () => new InventoryChanged() },
      );
    }
    const condition = {
      when: `#saleVersion = :version AND #available ${expectedAvailable === undefined ? '>=' : '='} :requiredAvailable`,
      values: {
        version: before.version,
        requiredAvailable: expectedAvailable ?? (change === 'closed' ? 0 : Math.max(0, -change.add)),
      },
      orThrow: (current: Item | undefined) => toInventoryError(before, pool, current),
    };
    return change === 'closed'
      ? remove(key, condition)
      : update(key, { set, add: { available: change.add } }, condition);
  });
}

/**
 * Returns the writes that remove an inventory if no ticket of it was ever reserved. This condition is strongly
 * consistent, unlike lists of orders.
 * @param available the free tickets of each shard of each pool
 * @param hasOrdersError returns the error for an inventory with a past or present order
 * @throws the error of `hasOrdersError`; InventoryShort or InventoryChanged from the transaction
 */
export function removeInventory(
  inventory: Inventory,
  available: readonly number[][],
  hasOrdersError: () => Error,
): Write[] {
  return inventory.pools.flatMap((pool, index) =>
    toShardKeys(inventory.eventId, pool).map((key, shard) =>
      remove(key, {
        when: '#saleVersion = :version AND #available = :free AND attribute_not_exists(#ordered)',
        values: { version: inventory.version, free: available[index]?.[shard] ?? 0 },
        orThrow: (current) =>
          storedShard.parse(current ?? {}).ordered
            ? hasOrdersError()
            : toInventoryError(inventory, pool.id, current),
      }),
    ),
  );
}

function toInventoryError(inventory: Inventory, pool: string, current: Item | undefined): Error {
  const { saleVersion, available } = storedShard.parse(current ?? {});
  return saleVersion === inventory.version ? new InventoryShort(pool, available) : new InventoryChanged();
}

function groupByPool(pools: readonly Pool[], items: readonly (Item | undefined)[]): number[][] {
  let start = 0;
  return pools.map(({ shards }) => {
    start += shards;
    return items.slice(start - shards, start).map((item) => storedShard.parse(item ?? {}).available);
  });
}

function countShards(pools: readonly Pool[]): number {
  return pools.reduce((count, { shards }) => count + shards, 0);
}

function toShardKeys(eventId: string, pool: Pool) {
  return Array.from({ length: pool.shards }, (_, shard) => keys.inventoryShard(eventId, pool.id, shard));
}

/** The parts of an order that count towards its buyer's limits. */
export interface Purchase {
  eventId: string;
  /** The hash of the buyer's address: see `hashBuyer`. */
  buyer: string;
  items: readonly TierQuantity[];
  /** The code that the order was placed with. */
  redemption?: { code: string } | undefined;
}

/** The limits of one buyer's purchases. */
export interface PurchaseLimits {
  /** The maximum number of unpaid orders. Unpaid orders are counted only with this limit. */
  maxOpenOrders?: number | undefined;
  /** The maximum number of tickets over all tiers of the event, without add-ons. */
  maxPerWallet: number;
  /** The maximum number of tickets of each tier, by its id. */
  maxPerPerson: ReadonlyMap<string, number>;
  /** The maximum number of orders with the code; absent without such a limit. */
  maxPerCode?: number | undefined;
  /** The current time, epoch milliseconds; refuses a buyer whose pause after unpaid orders has not ended. */
  refusesPausedAt?: number | undefined;
}

/**
 * Returns the write that adds an order's tickets and its code to the buyer's counters.
 * @throws DomainError 409, from the call or from the transaction, for the exceeded limit
 */
export function countPurchase(purchase: Purchase, limits: PurchaseLimits): Write {
  const { redemption } = purchase;
  const counted = countedTickets(purchase, limits);
  const findExceeded = (current: Item | undefined) =>
    counted.find(({ counter, quantity, maximum }) => Number(current?.[counter] ?? 0) + quantity > maximum);
  // The condition is true while the counters do not exist, so only this check limits a first purchase.
  const exceeded = findExceeded(undefined);
  if (exceeded) throw exceeded.error();
  const code = redemption && codeCounter(redemption.code);
  const isCodeLimited = code !== undefined && limits.maxPerCode !== undefined;
  const { refusesPausedAt: now } = limits;
  const belowCondition = (counter: string, value: string) =>
    `(attribute_not_exists(#${counter}) OR #${counter} < :${value})`;
  return update(
    keys.buyer(purchase.eventId, purchase.buyer),
    {
      add: {
        ...Object.fromEntries(counted.map(({ counter, quantity }) => [counter, quantity])),
        ...(limits.maxOpenOrders !== undefined && { open: 1 }),
        ...(code && { [code]: 1 }),
      },
    },
    {
      when: [
        ...counted.map(
          ({ counter }) => `(attribute_not_exists(#${counter}) OR #${counter} <= :maximum_${counter})`,
        ),
        ...(limits.maxOpenOrders === undefined ? [] : [belowCondition('open', 'maximumOpen')]),
        ...(isCodeLimited ? [belowCondition(code, 'maximumOfCode')] : []),
        ...(now === undefined ? [] : ['(attribute_not_exists(#pausedUntil) OR #pausedUntil <= :now)']),
      ].join(' AND '),
      values: {
        ...Object.fromEntries(
          counted.map(({ counter, quantity, maximum }) => [`maximum_${counter}`, maximum - quantity]),
        ),
        ...(limits.maxOpenOrders !== undefined && { maximumOpen: limits.maxOpenOrders }),
        ...(isCodeLimited && { maximumOfCode: limits.maxPerCode }),
        ...(now !== undefined && { now }),
      },
      orThrow: (current) => {
        const pausedUntil = Number(current?.pausedUntil ?? 0);
        if (now !== undefined && pausedUntil > now) return paused(pausedUntil - now);
        const exceeded = findExceeded(current);
        if (exceeded) return exceeded.error();
        if (isCodeLimited && Number(current?.[code] ?? 0) >= Number(limits.maxPerCode))
          return codeUsedUpByUser();
        return tooManyOpenOrders();
      },
    },
  );
}

/** Returns the buyer's counters that an order raises: one for each tier, then that of all tickets of the event. */
function countedTickets({ items }: Purchase, { maxPerPerson, maxPerWallet }: PurchaseLimits) {
  return [
    ...items.map(({ tierId, quantity }) => {
      const maximum = maxPerPerson.get(tierId) ?? 0;
      return {
        counter: tierCounter(tierId),
        quantity,
        maximum,
        error: () => aboutTier(tierId, tierLimitExceeded(maximum)),
      };
    }),
    {
      counter: 'total',
      quantity: countTickets(items),
      maximum: maxPerWallet,
      error: () => walletLimitExceeded(maxPerWallet),
    },
  ];
}

/**
 * Returns the write that subtracts an order's tickets and its code from the buyer's counters.
 * @param isCountedAsOpen whether the order is still counted as unpaid
 * @param unpaidHolds the buyer's orders that ended unpaid, with this one; unchanged when absent
 */
export function uncountPurchase(
  purchase: Purchase,
  isCountedAsOpen = false,
  unpaidHolds?: UnpaidHolds,
): Write {
  const { eventId, buyer, items, redemption } = purchase;
  const counters = {
    total: -countTickets(items),
    ...Object.fromEntries(items.map(({ tierId, quantity }) => [tierCounter(tierId), -quantity])),
    ...(redemption && { [codeCounter(redemption.code)]: -1 }),
  };
  return update(keys.buyer(eventId, buyer), {
    ...(unpaidHolds && { set: { ...unpaidHolds } }),
    add: { ...counters, ...(isCountedAsOpen && { open: -1 }) },
  });
}

/** Counts an order of a buyer that ends unpaid. @returns undefined where the stage has no pauses */
export async function countUnpaidHold({
  eventId,
  buyer,
}: Pick<Purchase, 'eventId' | 'buyer'>): Promise<UnpaidHolds | undefined> {
  const seconds = optionalSetting('HOLD_PAUSE_SECONDS');
  if (seconds === undefined) return undefined;
  const counters = await getItem(keys.buyer(eventId, buyer));
  return nextUnpaidHolds(counters ?? {}, Date.now(), Number(seconds) * 1000);
}

/** Counts the tickets for an event that a buyer's orders hold. */
export async function countHeldTickets(eventId: string, buyer: string): Promise<number> {
  return Number((await getItem(keys.buyer(eventId, buyer)))?.total ?? 0);
}

/** Counts a buyer's orders that hold tickets and use a code. */
export async function countCodeUses(eventId: string, buyer: string, code: string): Promise<number> {
  const counters = await getItem(keys.buyer(eventId, buyer));
  return Number(counters?.[codeCounter(code)] ?? 0);
}

/** Returns the write that stops counting a paid order as unpaid. Its tickets stay counted. */
export function uncountOpenOrder({ eventId, buyer }: Pick<Purchase, 'eventId' | 'buyer'>): Write {
  return update(keys.buyer(eventId, buyer), { add: { open: -1 } });
}

const tierCounter = (tierId: string) => `tier_${tierId}`;
/**
 * Replaces dashes by underscores, since attribute names in expressions can't have dashes. Codes have no underscores.
 */
export const codeCounter = (code: string) => `code_${code.replaceAll('-', '_')}`;

const tierLimitExceeded = (maximum: number) =>
  conflict('tier-limit', `You can have at most ${maximum} tickets of this tier`);
const paused = (milliseconds: number) =>
  new DomainError(
    'too-many-requests',
    'too-many-attempts',
    'Several of your orders were not paid. Please try again later',
    Math.ceil(milliseconds / 1000),
  );
const tooManyOpenOrders = () =>
  conflict('too-many-open-orders', 'Pay or cancel your other orders for this event first');
const walletLimitExceeded = (maximum: number) =>
  conflict('wallet-limit', `You can have at most ${maximum} tickets for this event`);

/** Returns the number of tickets per shard, by default 1,000. A larger pool has several shards. */
export function ticketsPerShard(): number {
  return Number(optionalSetting('STOCK_SHARD_SIZE') ?? 1000);
}
