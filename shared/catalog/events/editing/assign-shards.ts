import { chooseShardCount, maximumShards } from '../../inventory/inventory.ts';
import { type Event, maximumTiers, type Tier } from '../event.ts';

/**
 * Returns the event with a new number of shards for each pool (inventory.ts) whose capacity changed. The event has its
 * own pool when its supply is below the sum of its tiers. A pool's number of shards never decreases. One shard is
 * reserved for each tier that can still be added and one for the event's pool, so that one transaction can always change
 * all pools.
 * @param before the event before the change; undefined for a new one
 * @param ticketsPerShard the number of tickets for which one shard suffices
 */
export function assignShards(before: Event | undefined, after: Event, ticketsPerShard: number): Event {
  const increaseShards = (shards: number, capacity: number, maximumIncrease: number) =>
    Math.max(shards, chooseShardCount(capacity, ticketsPerShard, shards + maximumIncrease));
  const isUnchanged = (tier: Tier) =>
    before?.tiers.some(({ id, quantity }) => id === tier.id && quantity === tier.quantity);

  let unassignedShards = countFreeShards(after);
  let remainingTiers = after.tiers.filter((tier) => !isUnchanged(tier)).length;
  const tiers = after.tiers.map((tier) => {
    if (isUnchanged(tier)) return tier;
    const shards = increaseShards(tier.shards, tier.quantity, Math.floor(unassignedShards / remainingTiers));
    unassignedShards -= shards - tier.shards;
    remainingTiers -= 1;
    return { ...tier, shards };
  });

  const sum = after.tiers.reduce((total, { quantity }) => total + quantity, 0);
  if (after.totalSupply >= sum) return { ...after, tiers, supplyShards: 0 };
  if (after.supplyShards === 0)
    return { ...after, tiers, supplyShards: increaseShards(1, after.totalSupply, unassignedShards) };
  if (before?.totalSupply === after.totalSupply) return { ...after, tiers };
  return {
    ...after,
    tiers,
    supplyShards: increaseShards(after.supplyShards, after.totalSupply, unassignedShards),
  };
}

/** Returns how many shards are neither used nor reserved for pools that can still be added. */
function countFreeShards({ tiers, supplyShards }: Event): number {
  const used = tiers.reduce((total, { shards }) => total + shards, supplyShards);
  const reserved = maximumTiers - tiers.length + (supplyShards === 0 ? 1 : 0);
  return maximumShards - used - reserved;
}
