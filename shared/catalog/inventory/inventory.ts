import { conflict } from '../../core/errors.ts';
import { hashEmail } from '../../core/ids.ts';

/**
 * The inventory of an event: its free, held and sold tickets. A pool is a tier, or a whole event whose supply is less
 * than the sum of its tiers. The free tickets of a pool are divided among shards of one item each, because one item
 * accepts about 500 orders a second. `available + held + offered + sold = capacity` is true for every pool at all times,
 * since an order, or an entry of a waiting list, changes the inventory in the transaction that changes its own state.
 */

/** A pool of tickets. */
export interface Pool {
  /** A tier's id, or `eventPool`. */
  id: string;
  /** The number of its free, held and sold tickets. */
  capacity: number;
  /** The number of its shards. */
  shards: number;
  /** Whether it is an add-on, which the pool for the whole event does not contain. */
  isAddOn?: boolean;
}

/** The tickets or add-ons of one tier in an order. */
export interface TierQuantity {
  tierId: string;
  quantity: number;
  isAddOn?: boolean | undefined;
}

const dayMilliseconds = 24 * 60 * 60_000;
const longestPauseMilliseconds = 6 * 60 * 60_000;

/** How an unpaid order is counted: as open, or as its guest's only unpaid order, whose tickets are not counted. */
export type OpenCount = 'event' | 'guest';

/** A buyer's orders for an event that ended unpaid, as the buyer's item has them. */
export interface UnpaidHolds {
  /** The number of them within a day of each other. */
  unpaid: number;
  /** When the last one ended, epoch milliseconds. */
  unpaidAt: number;
  /** When the buyer may order again, epoch milliseconds. */
  pausedUntil: number;
}

/**
 * Counts an order that ended unpaid. After a number of them within a day of each other, each further one starts a pause,
 * twice as long as the one before, up to six hours.
 */
export function nextUnpaidHolds(
  { unpaid = 0, unpaidAt = 0 }: Partial<UnpaidHolds>,
  now: number,
  pauseMilliseconds: number,
  freeHolds = 1,
): UnpaidHolds {
  const count = now - unpaidAt < dayMilliseconds ? unpaid + 1 : 1;
  const excess = count - freeHolds;
  const pause = excess < 1 ? 0 : Math.min(pauseMilliseconds * 2 ** (excess - 1), longestPauseMilliseconds);
  return { unpaid: count, unpaidAt: now, pausedUntil: now + pause };
}

/** Counts the tickets of an order, without add-ons. */
export function countTickets(items: readonly TierQuantity[]): number {
  return items.reduce((sum, { quantity, isAddOn }) => sum + (isAddOn ? 0 : quantity), 0);
}

/** How many tickets of a pool an order takes. */
export interface Demand {
  pool: Pool;
  quantity: number;
}

/**
 * An event's pools. Every write is conditional on the version that was read, so that it fails after a concurrent change
 * of capacities, prices or the event's status.
 */
export interface Inventory {
  eventId: string;
  version: number;
  pools: Pool[];
}

/**
 * The id of the pool for a whole event. The pool exists while the event's total supply is less than the sum of its
 * tiers.
 */
export const eventPool = 'EVENT';

/** The largest number of shards of one event: with seven other writes, they fit in one transaction of 100 items. */
export const maximumShards = 93;
const maximumShardsPerPool = 16;

/** The largest number of allocations of one order: with its other writes they fit in one transaction of 100 items. */
export const maximumAllocations = 88;

/** Returns what an order takes from each pool: from its tiers, and from the whole event where that is limited. */
export function demandOf({ pools }: Inventory, items: readonly TierQuantity[]): Demand[] {
  return pools.flatMap((pool) => {
    const item = items.find(({ tierId }) => tierId === pool.id);
    const quantity = pool.id === eventPool ? countTickets(items) : (item?.quantity ?? 0);
    return quantity > 0 ? [{ pool, quantity }] : [];
  });
}

/** Returns what of a demand remains when tickets are taken over; a negative quantity is to be released. */
export function reduceDemands(demands: readonly Demand[], takenOver: readonly Demand[]): Demand[] {
  return demands.map(({ pool, quantity }) => {
    const other = takenOver.find((taken) => taken.pool.id === pool.id);
    return { pool, quantity: quantity - (other?.quantity ?? 0) };
  });
}

/**
 * Returns the number of shards for a pool, at least 1.
 * @param ticketsPerShard the number of tickets for which one shard suffices
 * @param remainingShards the number of further shards that the event may have
 */
export function chooseShardCount(capacity: number, ticketsPerShard: number, remainingShards: number): number {
  const sufficient = Math.ceil(capacity / ticketsPerShard);
  return Math.max(1, Math.min(sufficient, maximumShardsPerPool, remainingShards));
}

/** Divides a number into parts that differ by at most one. */
export function divideEvenly(total: number, parts: number): number[] {
  return Array.from(
    { length: parts },
    (_, index) => Math.floor(total / parts) + (index < total % parts ? 1 : 0),
  );
}

/** Tickets from one shard. */
export interface Allocation {
  shard: number;
  quantity: number;
}

/**
 * Plans which shards an order's tickets come from: one shard with enough free tickets, otherwise several, fullest
 * first.
 * @param available the free tickets of each shard
 * @param chooseIndex chooses an index below `count`; a random choice spreads concurrent orders over the shards
 * @returns undefined when all shards together have too few free tickets
 */
export function planAllocation(
  available: readonly number[],
  quantity: number,
  chooseIndex: (count: number) => number,
): Allocation[] | undefined {
  const sufficientShards = available.flatMap((free, shard) => (free >= quantity ? [shard] : []));
  const chosenShard = sufficientShards[chooseIndex(sufficientShards.length)];
  if (chosenShard !== undefined) return [{ shard: chosenShard, quantity }];
  const allocations: Allocation[] = [];
  let missingTickets = quantity;
  const fullestFirst = available.map((free, shard) => ({ free, shard })).sort((a, b) => b.free - a.free);
  for (const { free, shard } of fullestFirst) {
    if (missingTickets === 0) break;
    const share = Math.min(free, missingTickets);
    if (share > 0) allocations.push({ shard, quantity: share });
    missingTickets -= share;
  }
  return missingTickets === 0 ? allocations : undefined;
}

/** The planned change of one shard. */
export interface ShardChange {
  pool: string;
  shard: number;
  /**
   * `add`: the change of the shard's free tickets. `initial`: the tickets of a new shard. `closed`: the shard is
   * removed.
   */
  change: { add: number } | { initial: number } | 'closed';
  /** The free tickets that the plan is based on; the write fails when the shard has another number. */
  expectedAvailable?: number;
}

/**
 * Plans how the shards of an event change with its pools. The free tickets of a pool whose capacity changes are divided
 * evenly again, so that no shard is empty while others are full. A new pool for the whole event starts with its
 * capacity minus the tickets sold and held.
 * @param after no pool of `before` has fewer shards here; see `assignShards`
 * @param available the free tickets of each shard of each pool in `before`
 * @param requireExact whether the writes fail when a shard's free tickets no longer equal `available`; always so with a
 * new pool for the whole event
 * @throws DomainError 409 when a pool would be smaller than the tickets sold and held
 */
export function planInventory(
  before: readonly Pool[],
  after: readonly Pool[],
  available: readonly number[][],
  requireExact = false,
): ShardChange[] {
  const addsEventPool = !hasPool(before, eventPool) && hasPool(after, eventPool);
  const changes = before.flatMap((pool, index) => {
    const next = after.find(({ id }) => id === pool.id);
    const free = available[index] ?? [];
    const plannedChanges = next ? planChangedPool(pool, next, free) : planRemovedPool(pool);
    if (!requireExact && !addsEventPool) return plannedChanges;
    return plannedChanges.map((change) => ({ ...change, expectedAvailable: free[change.shard] }));
  });
  const newPoolChanges = after
    .filter(({ id }) => !hasPool(before, id))
    .flatMap((pool) =>
      planNewPool(pool, pool.id === eventPool ? countUnavailable(before, available, isOfEventPool) : 0),
    );
  return [...changes, ...newPoolChanges];
}

/**
 * Counts the tickets of pools that are sold or held.
 * @param available the free tickets of each shard
 * @param isCounted which pools to count; all by default
 */
export function countUnavailable(
  pools: readonly Pool[],
  available: readonly number[][],
  isCounted: (pool: Pool) => boolean = () => true,
): number {
  return pools.reduce(
    (total, pool, index) => total + (isCounted(pool) ? pool.capacity - sum(available[index] ?? []) : 0),
    0,
  );
}

/** Sums the free tickets of each pool. @param available the free tickets of each shard */
export function sumByPool(pools: readonly Pool[], available: readonly number[][]): Map<string, number> {
  return new Map(pools.map(({ id }, index) => [id, sum(available[index] ?? [])]));
}

const isOfEventPool = ({ isAddOn }: Pool) => !isAddOn;

function planChangedPool(before: Pool, after: Pool, available: readonly number[]): ShardChange[] {
  const isKept = before.capacity === after.capacity && before.shards === after.shards;
  if (isKept) return toShardChanges(after, () => ({ add: 0 }));
  const free = countFreeTickets(after, before.capacity - sum(available));
  const freePerShard = divideEvenly(free, after.shards);
  return toShardChanges(after, (shard) => {
    const freeInShard = freePerShard[shard] ?? 0;
    return shard < before.shards ? { add: freeInShard - (available[shard] ?? 0) } : { initial: freeInShard };
  });
}

function planNewPool(pool: Pool, unavailable: number): ShardChange[] {
  const freePerShard = divideEvenly(countFreeTickets(pool, unavailable), pool.shards);
  return toShardChanges(pool, (shard) => ({ initial: freePerShard[shard] ?? 0 }));
}

function planRemovedPool(pool: Pool): ShardChange[] {
  return toShardChanges(pool, () => 'closed');
}

function countFreeTickets({ capacity }: Pool, unavailable: number): number {
  if (unavailable <= capacity) return capacity - unavailable;
  throw conflict('below-sold', `${unavailable} tickets are sold or held, so there can't be fewer than that`);
}

function toShardChanges(pool: Pool, getChange: (shard: number) => ShardChange['change']): ShardChange[] {
  return Array.from({ length: pool.shards }, (_, shard) => ({
    pool: pool.id,
    shard,
    change: getChange(shard),
  }));
}

const hasPool = (pools: readonly Pool[], id: string) => pools.some((pool) => pool.id === id);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/**
 * Identifies a buyer by 72 bits of the hash of the address: the guest and the account of one address have their limits
 * together.
 */
export const hashBuyer = (email: string) => hashEmail(email).slice(0, 12);
