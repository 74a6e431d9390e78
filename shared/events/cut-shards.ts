import { maximumShards, shardsFor } from '../stock/stock.ts';
import { type Event, maximumTiers } from './event.ts';

/**
 * The event with shards for the pools that need some: tiers whose quantity is not what it was, and the pool for
 * the whole event where its supply is less than its tiers add up to. A pool never gets fewer than it has. One
 * shard is left over for each tier that may yet be added and for the event's own pool, so that all pools
 * together stay within one transaction for ever.
 * @param before the event as it was; none when it is new
 * @param ticketsPerShard how many tickets one shard is for
 */
export function cutShards(before: Event | undefined, after: Event, ticketsPerShard: number): Event {
  const kept = new Map(before?.tiers.map((tier) => [tier.id, tier]));
  const isCut = (id: string, quantity: number) => kept.get(id)?.quantity === quantity;
  let free = maximumShards - (maximumTiers - after.tiers.length) - Math.max(1, after.supplyShards);
  for (const { shards } of after.tiers) free -= shards;
  let uncut = after.tiers.filter(({ id, quantity }) => !isCut(id, quantity)).length;
  const tiers = after.tiers.map((tier) => {
    if (isCut(tier.id, tier.quantity)) return tier;
    const room = tier.shards + Math.floor(free / uncut--);
    const shards = Math.max(tier.shards, shardsFor(tier.quantity, ticketsPerShard, room));
    free -= shards - tier.shards;
    return { ...tier, shards };
  });
  return { ...after, tiers, supplyShards: supplyShards(after, ticketsPerShard, free) };
}

function supplyShards(event: Event, ticketsPerShard: number, free: number): number {
  const sum = event.tiers.reduce((total, { quantity }) => total + quantity, 0);
  if (event.totalSupply >= sum) return 0;
  const room = Math.max(1, event.supplyShards) + free;
  return Math.max(event.supplyShards, shardsFor(event.totalSupply, ticketsPerShard, room));
}
