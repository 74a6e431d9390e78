import { maximumShards, shardsFor } from '../../inventory/inventory.ts';
import { type Event, maximumTiers, type Tier } from '../event.ts';

/**
 * The event with shards for the pools that need some: tiers whose quantity is not what it was, and the pool for
 * the whole event where its supply is less than its tiers add up to. A pool never gets fewer than it has. One
 * shard is left over for each tier that may yet be added and for the event's own pool, so that all pools
 * together stay within one transaction for ever.
 * @param before the event as it was; none when it is new
 * @param ticketsPerShard how many tickets one shard is for
 */
export function assignShards(before: Event | undefined, after: Event, ticketsPerShard: number): Event {
  const grown = (shards: number, capacity: number, more: number) =>
    Math.max(shards, shardsFor(capacity, ticketsPerShard, shards + more));
  const isCut = (tier: Tier) =>
    before?.tiers.some(({ id, quantity }) => id === tier.id && quantity === tier.quantity);

  let free = freeShards(after);
  let uncut = after.tiers.filter((tier) => !isCut(tier)).length;
  const tiers = after.tiers.map((tier) => {
    if (isCut(tier)) return tier;
    const shards = grown(tier.shards, tier.quantity, Math.floor(free / uncut));
    free -= shards - tier.shards;
    uncut -= 1;
    return { ...tier, shards };
  });

  const sum = after.tiers.reduce((total, { quantity }) => total + quantity, 0);
  if (after.totalSupply >= sum) return { ...after, tiers, supplyShards: 0 };
  if (after.supplyShards === 0) return { ...after, tiers, supplyShards: grown(1, after.totalSupply, free) };
  if (before?.totalSupply === after.totalSupply) return { ...after, tiers };
  return { ...after, tiers, supplyShards: grown(after.supplyShards, after.totalSupply, free) };
}

/** How many shards are neither taken nor to be kept for pools that may yet come. */
function freeShards({ tiers, supplyShards }: Event): number {
  const taken = tiers.reduce((total, { shards }) => total + shards, supplyShards);
  const kept = maximumTiers - tiers.length + (supplyShards === 0 ? 1 : 0);
  return maximumShards - taken - kept;
}
