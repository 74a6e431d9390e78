import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tierCreation } from '../../../shared/catalog/events/editing/event-input.ts';
import { assignShards } from '../../../shared/catalog/events/editing/new-event.ts';
import { addTier, changeTier, reviseEvent } from '../../../shared/catalog/events/editing/revise-event.ts';
import { type Event, inventoryOf, maximumTiers } from '../../../shared/catalog/events/event.ts';
import {
  chooseShardCount,
  countUnavailable,
  divideEvenly,
  eventPool,
  maximumShards,
  nextUnpaidHolds,
  type Pool,
  planAllocation,
  planInventory,
  type ShardChange,
  type UnpaidHolds,
} from '../../../shared/catalog/inventory/inventory.ts';
import { buildEvent, tierInput } from './event-fixtures.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const chooseFirst = () => 0;
const pool = (id: string, capacity: number, shards: number): Pool => ({ id, capacity, shards });

describe('chooseShardCount', () => {
  it('gives one shard for each 1,000 tickets, at least one and at most sixteen', () => {
    const shards = [0, 1, 1000, 1001, 15_001, 10_000_000].map((capacity) =>
      chooseShardCount(capacity, 1000, 96),
    );
    expect(shards).toEqual([1, 1, 1, 2, 16, 16]);
  });

  it('gives at most the remaining shards', () => {
    expect(chooseShardCount(10_000, 1000, 3)).toBe(3);
  });
});

describe('divideEvenly', () => {
  it('splits any number into parts that differ by at most one', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 16 }), (total, parts) => {
        const shares = divideEvenly(total, parts);
        expect(shares).toHaveLength(parts);
        expect(sum(shares)).toBe(total);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('planAllocation', () => {
  it('allocates from one shard that has enough, chosen at random', () => {
    expect(planAllocation([1, 5, 5], 3, (count) => count - 1)).toEqual([{ shard: 2, quantity: 3 }]);
  });

  it('allocates from several shards, the fullest first, when none has enough', () => {
    expect(planAllocation([2, 4, 0, 1], 6, chooseFirst)).toEqual([
      { shard: 1, quantity: 4 },
      { shard: 0, quantity: 2 },
    ]);
  });

  it('allocates the exact quantity without exceeding any shard, or returns undefined when all shards together have less', () => {
    const shards = fc.array(fc.nat(20), { minLength: 1, maxLength: 16 });
    fc.assert(
      fc.property(shards, fc.integer({ min: 1, max: 100 }), fc.nat(15), (available, quantity, choice) => {
        const plan = planAllocation(available, quantity, (count) => choice % Math.max(1, count));
        if (quantity > sum(available)) {
          expect(plan).toBeUndefined();
          return;
        }
        expect(sum((plan ?? []).map((allocation) => allocation.quantity))).toBe(quantity);
        for (const allocation of plan ?? []) {
          expect(allocation.quantity).toBeGreaterThan(0);
          expect(allocation.quantity).toBeLessThanOrEqual(available[allocation.shard] ?? 0);
        }
        expect(new Set(plan?.map(({ shard }) => shard)).size).toBe(plan?.length);
      }),
    );
  });
});

describe('planInventory', () => {
  const tier = (capacity: number, shards: number, id = 'a') => pool(id, capacity, shards);

  it('distributes the tickets of a new pool evenly over its shards', () => {
    expect(planInventory([], [tier(5, 2)], [])).toEqual([
      { pool: 'a', shard: 0, change: { initial: 3 } },
      { pool: 'a', shard: 1, change: { initial: 2 } },
    ]);
  });

  it('keeps a pool whose capacity is unchanged', () => {
    expect(planInventory([tier(10, 2)], [tier(10, 2)], [[7, 1]]).map(({ change }) => change)).toEqual([
      { add: 0 },
      { add: 0 },
    ]);
  });

  it('rebalances the shards of a pool whose capacity changes', () => {
    // Two of ten tickets are sold. With two more, ten are available: five in each shard.
    expect(planInventory([tier(10, 2)], [tier(12, 2)], [[7, 1]]).map(({ change }) => change)).toEqual([
      { add: -2 },
      { add: 4 },
    ]);
  });

  it('gives a new event pool its capacity less the sold and held tickets, on condition that the tiers’ inventory is unchanged', () => {
    const before = [tier(10, 1), tier(5, 1, 'b')];
    const all = pool(eventPool, 12, 2);
    expect(planInventory(before, [...before, all], [[6], [5]])).toEqual([
      { pool: 'a', shard: 0, change: { add: 0 }, expectedAvailable: 6 },
      { pool: 'b', shard: 0, change: { add: 0 }, expectedAvailable: 5 },
      { pool: eventPool, shard: 0, change: { initial: 4 } },
      { pool: eventPool, shard: 1, change: { initial: 4 } },
    ]);
  });

  it('removes the shards of a pool that is removed', () => {
    const all = pool(eventPool, 12, 2);
    const changes = planInventory([tier(20, 1), all], [tier(20, 1)], [[20], [6, 6]]);
    expect(changes.slice(1).map(({ change }) => change)).toEqual(['closed', 'closed']);
  });

  it('refuses a capacity below what is sold and held', () => {
    expect(() => planInventory([tier(10, 2)], [tier(3, 2)], [[3, 3]])).toThrow('4 tickets are sold or held');
  });

  it('keeps the sum of available, held and sold tickets equal to the capacity, and no shard below zero', () => {
    fc.assert(
      fc.property(inventoryChanges, ({ before, after, available }) => {
        const unavailable = before.map((pool, index) => countUnavailable([pool], [available[index] ?? []]));
        const unavailableOfAll = sum(unavailable.filter((_, index) => before[index]?.id !== eventPool));
        const unavailableOf = (pool: Pool) =>
          pool.id === eventPool
            ? unavailableOfAll
            : (unavailable[before.findIndex(({ id }) => id === pool.id)] ?? 0);
        const fits = after.every((pool) => unavailableOf(pool) <= pool.capacity);
        if (!fits) {
          expect(() => planInventory(before, after, available)).toThrow('sold or held');
          return;
        }

        const levels = apply(before, available, planInventory(before, after, available));
        for (const pool of after) {
          const shards = levels.get(pool.id) ?? [];
          expect(shards).toHaveLength(pool.shards);
          expect(Math.min(...shards)).toBeGreaterThanOrEqual(0);
          expect(sum(shards)).toBe(pool.capacity - unavailableOf(pool));
        }
        expect([...levels.keys()].sort()).toEqual(after.map(({ id }) => id).sort());
      }),
    );
  });
});

/** Returns the shards' inventory after the changes, by pool, as the table would store it. */
function apply(before: readonly Pool[], available: readonly number[][], changes: readonly ShardChange[]) {
  const levels = new Map(before.map(({ id }, index) => [id, [...(available[index] ?? [])]]));
  for (const { pool, shard, change, expectedAvailable } of changes) {
    const shards = levels.get(pool) ?? [];
    if (expectedAvailable !== undefined) expect(shards[shard]).toBe(expectedAvailable);
    if (change === 'closed') levels.delete(pool);
    else levels.set(pool, applyToShard(shards, shard, change));
  }
  return levels;
}

function applyToShard(
  shards: number[],
  shard: number,
  change: Exclude<ShardChange['change'], 'closed'>,
): number[] {
  if ('initial' in change) {
    expect(shards[shard]).toBeUndefined();
    return [...shards, change.initial];
  }
  return shards.map((level, index) => (index === shard ? level + change.add : level));
}

const shardLevels = (maximum: number) => fc.array(fc.nat(maximum), { minLength: 1, maxLength: 5 });
const newPool = (id: string, maximumCapacity: number) =>
  fc.record({
    id: fc.constant(id),
    capacity: fc.nat(maximumCapacity),
    shards: fc.integer({ min: 1, max: 4 }),
  });
const tierChange = fc.record({
  available: shardLevels(30),
  unavailable: fc.nat(30),
  addedCapacity: fc.integer({ min: -40, max: 40 }),
  addedShards: fc.nat(3),
});

/** The inventory of an event before and after a change, with some tickets of each tier held or sold. */
const inventoryChanges = fc
  .record({
    tiers: fc.array(tierChange, { minLength: 1, maxLength: 4 }),
    added: fc.option(newPool('added', 50)),
    eventPoolAvailable: fc.option(shardLevels(40)),
    newEventPool: fc.option(newPool(eventPool, 150)),
  })
  .map(({ tiers, added, eventPoolAvailable, newEventPool }) => {
    const pools = tiers.map(({ available, unavailable }, index) =>
      pool(`tier${index}`, sum(available) + unavailable, available.length),
    );
    const unavailableOfAll = sum(tiers.map(({ unavailable }) => unavailable));
    const changed = tiers.map(({ addedCapacity, addedShards }, index) => {
      const { id, capacity, shards } = pools[index] as Pool;
      return pool(id, Math.max(0, capacity + addedCapacity), shards + addedShards);
    });
    const eventPoolAfter = newEventPool && {
      ...newEventPool,
      shards: Math.max(newEventPool.shards, eventPoolAvailable?.length ?? 0),
    };
    return {
      before: [
        ...pools,
        ...(eventPoolAvailable
          ? [pool(eventPool, sum(eventPoolAvailable) + unavailableOfAll, eventPoolAvailable.length)]
          : []),
      ],
      after: [...changed, ...(added ? [added] : []), ...(eventPoolAfter ? [eventPoolAfter] : [])],
      available: [
        ...tiers.map(({ available }) => available),
        ...(eventPoolAvailable ? [eventPoolAvailable] : []),
      ],
    };
  });

const ticketsPerShard = 1000;

const shardsOf = (event: Event) => inventoryOf(event).pools.map(({ shards }) => shards);

describe('dividing pools into shards', () => {
  it('gives a large tier many shards and a small one a single shard', () => {
    expect(shardsOf(buildEvent({ tiers: [tierInput(100), tierInput(4000), tierInput(1_000_000)] }))).toEqual([
      1, 4, 16,
    ]);
  });

  it('gives many large tiers about the same number of shards', () => {
    const shards = shardsOf(buildEvent({ tiers: Array(maximumTiers).fill(tierInput(1_000_000)) }));
    expect(Math.max(...shards) - Math.min(...shards)).toBeLessThanOrEqual(1);
  });

  it('creates a pool for the event only while its supply is below the sum of its tiers', () => {
    const event = buildEvent({ tiers: [tierInput(4000), tierInput(4000)] });
    const capped = assignShards(event, reviseEvent(event, { totalSupply: 5000 }), ticketsPerShard);
    expect(shardsOf(capped)).toEqual([4, 4, 5]);
    expect(
      shardsOf(assignShards(capped, reviseEvent(capped, { totalSupply: 8000 }), ticketsPerShard)),
    ).toEqual([4, 4]);
  });

  it('keeps the shards of a pool whose capacity is unchanged', () => {
    const event = buildEvent({ tiers: [tierInput(4000)] });
    const fewTicketsPerShard = 10;
    expect(shardsOf(assignShards(event, { ...event, title: 'New' }, fewTicketsPerShard))).toEqual([4]);
  });

  it('creates no more shards than one transaction can change, and never removes any', () => {
    const size = fc.nat(30_000);
    const step = fc.oneof(
      size.map((quantity) => ({ add: tierCreation.parse(tierInput(quantity)) })),
      fc.record({ tier: fc.nat(maximumTiers), quantity: size }),
      fc.record({ totalSupply: size }),
    );
    const tiers = fc.array(size, { minLength: 1, maxLength: maximumTiers });
    fc.assert(
      fc.property(tiers, fc.array(step, { maxLength: 40 }), (quantities, steps) => {
        let event = buildEvent({ tiers: quantities.map(tierInput) });
        for (const change of steps) {
          const next = assignShards(event, applyStep(event, change), ticketsPerShard);
          for (const { id, shards } of event.tiers) {
            expect(next.tiers.find((tier) => tier.id === id)?.shards).toBeGreaterThanOrEqual(shards);
          }
          const counts = shardsOf(next);
          expect(Math.min(...counts)).toBeGreaterThan(0);
          expect(Math.max(...counts)).toBeLessThanOrEqual(16);
          expect(counts.reduce((sum, shards) => sum + shards, 0)).toBeLessThanOrEqual(maximumShards);
          event = next;
        }
      }),
    );
  });
});

type Step =
  | { add: Parameters<typeof addTier>[1] }
  | { tier: number; quantity: number }
  | { totalSupply: number };

function applyStep(event: Event, step: Step): Event {
  if ('add' in step) return event.tiers.length < maximumTiers ? addTier(event, step.add) : event;
  if ('totalSupply' in step) return reviseEvent(event, step);
  const id = event.tiers[step.tier % event.tiers.length]?.id ?? '';
  return changeTier(event, id, { quantity: step.quantity });
}

describe('orders that end unpaid', () => {
  const minute = 60_000;
  it('are followed by a pause that doubles, up to six hours, and are forgotten after a day', () => {
    let holds: Partial<UnpaidHolds> = {};
    const pauses = Array.from({ length: 12 }, (_, index) => {
      const now = index * 100 * minute;
      const next = nextUnpaidHolds(holds, now, minute);
      holds = next;
      return (next.pausedUntil - now) / minute;
    });
    expect(pauses).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
    const nextDay = (holds.unpaidAt ?? 0) + 24 * 60 * minute;
    expect(nextUnpaidHolds(holds, nextDay, minute)).toEqual({
      unpaid: 1,
      unpaidAt: nextDay,
      pausedUntil: nextDay,
    });
  });
});
