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
export interface Sale {
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

export interface Taking {
  shard: number;
  quantity: number;
}

/**
 * Where to take tickets from, given what each shard holds: from one shard where one has enough, otherwise
 * from several, fullest first. `pick` chooses among equals, so that buyers do not all rush to one shard.
 * @returns undefined when all shards together hold too little
 */
export function planTaking(
  available: readonly number[],
  quantity: number,
  pick: (count: number) => number,
): Taking[] | undefined {
  const enough = available.flatMap((free, shard) => (free >= quantity ? [shard] : []));
  const chosen = enough[pick(enough.length)];
  if (chosen !== undefined) return [{ shard: chosen, quantity }];
  const takings: Taking[] = [];
  let missing = quantity;
  const fullestFirst = available.map((free, shard) => ({ free, shard })).sort((a, b) => b.free - a.free);
  for (const { free, shard } of fullestFirst) {
    if (missing === 0) break;
    const taken = Math.min(free, missing);
    if (taken > 0) takings.push({ shard, quantity: taken });
    missing -= taken;
  }
  return missing === 0 ? takings : undefined;
}

/** What a shard holds after a pool was re-cut: a change of its number, or a first number. */
export interface ShardChange {
  pool: string;
  shard: number;
  /** Added to what is there; `initial` for a shard that does not exist yet; `closed` for one that goes. */
  change: { add: number } | { initial: number } | 'closed';
}

/**
 * How the shards change when a pool's capacity does. New tickets are spread evenly; tickets taken away come
 * from the fullest shards.
 * @returns undefined when fewer tickets are free than are to be taken away
 */
export function planCapacity(
  before: Pool,
  after: Pool,
  available: readonly number[],
): ShardChange[] | undefined {
  const more = after.capacity - before.capacity;
  const initial = (shard: number, amount: number): ShardChange => ({
    pool: after.id,
    shard,
    change: shard < before.shards ? { add: amount } : { initial: amount },
  });
  if (more >= 0) return spread(more, after.shards).map((amount, shard) => initial(shard, amount));
  const takings = planTaking(available, -more, () => 0);
  if (!takings) return undefined;
  return Array.from({ length: after.shards }, (_, shard) =>
    initial(shard, 0 - (takings.find((taking) => taking.shard === shard)?.quantity ?? 0)),
  );
}
