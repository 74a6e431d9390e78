import { conflict } from '../core/errors.ts';

/**
 * How what is for sale is counted. A pool (a tier, or a whole event that sells less than its tiers add up to)
 * keeps its free tickets in shards, one item each, since one item takes only about 500 orders a second.
 * `available + held + sold = capacity` holds for every pool at every instant: each order moves stock in the
 * same transaction that changes its own state.
 */

/** One pool of an event: how many tickets it has in all, and over how many shards the free ones are spread. */
export interface Pool {
  /** A tier's id, or `eventPool`. */
  id: string;
  capacity: number;
  shards: number;
}

/**
 * What an event has on sale. Every movement of stock names the version it was decided under, so that none
 * slips through while capacities, prices or the event's status change.
 */
export interface Inventory {
  eventId: string;
  version: number;
  pools: Pool[];
}

/** The pool that holds all tiers of an event to its total supply, present only when that is the tighter limit. */
export const eventPool = 'EVENT';

/** Shards of all pools of one event together: with the event itself they must fit in one transaction of 100. */
export const maximumShards = 96;
const maximumShardsPerPool = 16;

/** Over how many shards to spread a pool, given how many tickets one shard is for and how many shards are free. */
export function shardsFor(capacity: number, ticketsPerShard: number, room: number): number {
  const wanted = Math.ceil(capacity / ticketsPerShard);
  return Math.max(1, Math.min(wanted, maximumShardsPerPool, room));
}

/** A number cut into parts that differ by one at most. */
export function spread(total: number, parts: number): number[] {
  return Array.from({ length: parts }, (_, at) => Math.floor(total / parts) + (at < total % parts ? 1 : 0));
}

export interface Allocation {
  shard: number;
  quantity: number;
}

/**
 * Where to take tickets from, given what each shard holds: from one shard where one has enough, otherwise
 * from several, fullest first. `pick` chooses among equals, so that buyers do not all rush to one shard.
 * @returns undefined when all shards together hold too little
 */
export function planAllocation(
  available: readonly number[],
  quantity: number,
  pick: (count: number) => number,
): Allocation[] | undefined {
  const enough = available.flatMap((free, shard) => (free >= quantity ? [shard] : []));
  const chosen = enough[pick(enough.length)];
  if (chosen !== undefined) return [{ shard: chosen, quantity }];
  const allocations: Allocation[] = [];
  let missing = quantity;
  const fullestFirst = available.map((free, shard) => ({ free, shard })).sort((a, b) => b.free - a.free);
  for (const { free, shard } of fullestFirst) {
    if (missing === 0) break;
    const taken = Math.min(free, missing);
    if (taken > 0) allocations.push({ shard, quantity: taken });
    missing -= taken;
  }
  return missing === 0 ? allocations : undefined;
}

/** How one shard changes together with the rest of its event's sale. */
export interface ShardChange {
  pool: string;
  shard: number;
  /** Added to what is there; `initial` for a shard that does not exist yet; `closed` for one that goes. */
  change: { add: number } | { initial: number } | 'closed';
  /** The change is right only while the shard holds exactly so many. */
  seen?: number;
}

/**
 * How all shards of an event change when its pools do. A pool of another capacity is re-cut evenly, so that
 * none of its shards is left empty beside full ones; the pool for the whole event begins with what its capacity
 * leaves beside the tickets sold and held.
 * @param available what each shard of each pool in `before` holds
 * @param exactly whether the plan is right only if the shards hold precisely that; a new pool for the whole
 * event makes it so in any case
 * @throws DomainError 409 when a pool would be smaller than what is sold and held of it
 */
export function planInventory(
  before: readonly Pool[],
  after: readonly Pool[],
  available: readonly number[][],
  exactly = false,
): ShardChange[] {
  const opensEventPool = !has(before, eventPool) && has(after, eventPool);
  const changes = before.flatMap((pool, at) => {
    const next = after.find(({ id }) => id === pool.id);
    const free = available[at] ?? [];
    const planned = next ? planPool(pool, next, free) : closePool(pool);
    if (!exactly && !opensEventPool) return planned;
    return planned.map((planning) => ({ ...planning, seen: free[planning.shard] }));
  });
  const opened = after
    .filter(({ id }) => !has(before, id))
    .flatMap((pool) => openPool(pool, pool.id === eventPool ? heldAndSold(before, available) : 0));
  return [...changes, ...opened];
}

/** How many tickets of some pools are sold or held, given what each of their shards holds. */
export function heldAndSold(pools: readonly Pool[], available: readonly number[][]): number {
  return pools.reduce((taken, { capacity }, at) => taken + capacity - sum(available[at] ?? []), 0);
}

function planPool(before: Pool, after: Pool, available: readonly number[]): ShardChange[] {
  const isKept = before.capacity === after.capacity && before.shards === after.shards;
  if (isKept) return shardsOf(after, () => ({ add: 0 }));
  const free = freeOf(after, before.capacity - sum(available));
  const levels = spread(free, after.shards);
  return shardsOf(after, (shard) => {
    const level = levels[shard] ?? 0;
    return shard < before.shards ? { add: level - (available[shard] ?? 0) } : { initial: level };
  });
}

function openPool(pool: Pool, taken: number): ShardChange[] {
  const levels = spread(freeOf(pool, taken), pool.shards);
  return shardsOf(pool, (shard) => ({ initial: levels[shard] ?? 0 }));
}

function closePool(pool: Pool): ShardChange[] {
  return shardsOf(pool, () => 'closed');
}

function freeOf({ capacity }: Pool, taken: number): number {
  if (taken <= capacity) return capacity - taken;
  throw conflict('below-sold', `${taken} tickets are sold or held, there can't be fewer in all`);
}

function shardsOf(pool: Pool, changeOf: (shard: number) => ShardChange['change']): ShardChange[] {
  return Array.from({ length: pool.shards }, (_, shard) => ({
    pool: pool.id,
    shard,
    change: changeOf(shard),
  }));
}

const has = (pools: readonly Pool[], id: string) => pools.some((pool) => pool.id === id);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
