import { describe, expect, it } from 'vitest';
import { applyValues } from '../../../infra/stages.ts';
import { simulateColdStarts } from '../../bench/scale/cold-starts.ts';
import { OrderInitialization } from '../../bench/scale/order-initialization.ts';
import { Bucket, SimulatedClock } from '../../bench/scale/simulated-clock.ts';
import { simulateSlowProvider } from '../../bench/scale/slow-provider.ts';
import { limits, TableModel } from '../../bench/scale/table-model.ts';
import { Random } from '../../support/random.ts';

describe('a token bucket', () => {
  it('gives only the units that were refilled since the last request', () => {
    const bucket = new Bucket(1_000);
    expect(bucket.take(1_000, 0)).toBe(true);
    expect(bucket.take(1, 0)).toBe(false);
    expect(bucket.take(500, 500)).toBe(true);
    expect(bucket.take(1, 500)).toBe(false);
    expect(bucket.take(1_001, 10_000)).toBe(false);
  });
});

describe('the simulation of a sale', () => {
  const ticketsPerOrder = 1;

  it.each([
    [1, 1],
    [4, 1],
    [4, 3],
  ])(
    'with %i shards and orders of %i tiers sells every ticket once, and refuses only when none is left',
    async (shards, tiers) => {
      const clock = new SimulatedClock();
      const table = new TableModel(
        clock,
        limits.warmTableWrites,
        Array(shards * tiers).fill(40 / shards),
        new Random(2),
      );
      const initialization = new OrderInitialization(clock, table, new Random(1), tiers);
      const items = Array.from({ length: tiers }, (_, tier) => tier);
      const answers = Array.from({ length: 60 }, () => initialization.run(ticketsPerOrder, items));
      await clock.run();
      const answersByKind = Map.groupBy(await Promise.all(answers), (answer) => answer);
      expect(answersByKind.get('sold')).toHaveLength(40);
      expect(answersByKind.get('refused')).toHaveLength(20);
      expect(table.available.every((free) => free === 0)).toBe(true);
      // All buyers ordered at once.
      expect(table.counts.conflicts).toBeGreaterThan(0);
    },
  );

  it('is slower with one shard than with several', async () => {
    const duration = async (shards: number) => {
      const clock = new SimulatedClock();
      const table = new TableModel(
        clock,
        limits.warmTableWrites,
        Array(shards).fill(320 / shards),
        new Random(2),
      );
      const initialization = new OrderInitialization(clock, table, new Random(1));
      const buy = async () => {
        while ((await initialization.run(ticketsPerOrder)) !== 'sold') await clock.wait(1_000);
      };
      const all = Array.from({ length: 320 }, buy);
      await clock.run();
      await Promise.all(all);
      return clock.now;
    };
    expect(await duration(1)).toBeGreaterThan(2 * (await duration(8)));
  });
});

const stage = applyValues('production', { settings: { GATEWAY_A_URL: 'https://gateway-a.example' } });

describe('5,000 cold starts in ten seconds', () => {
  it('stay below the quota of Secrets Manager', async () => {
    const { busiestSecond, ...starts } = await simulateColdStarts(5_000, 10_000, stage, new Random(1));
    expect(busiestSecond).toBeLessThan(10_000);
    expect(starts).toMatchObject({ environments: 5_000, throttledReads: 0, withoutSecrets: 0 });
  });

  it('exceed it when twice as many start within half a second, which the model shows', async () => {
    const { throttledReads } = await simulateColdStarts(10_000, 500, stage, new Random(1));
    expect(throttledReads).toBeGreaterThan(0);
  });
});

describe('a provider that answers after 8 s, at 500 orders a second', () => {
  const none = { 'event pages': 0, logins: 0, 'check-ins': 0, sweeps: 0 };

  it('takes the executions of orders only', async () => {
    const { ordersAtOnce, throttled } = await simulateSlowProvider(stage);
    expect(ordersAtOnce).toBe(stage.reservedConcurrency?.orders);
    expect(throttled).toEqual(none);
  });

  it('takes those of event pages, logins and the door without reservations', async () => {
    const { throttled } = await simulateSlowProvider({ ...stage, reservedConcurrency: undefined });
    for (const name of ['event pages', 'logins', 'check-ins'])
      expect(throttled[name], name).toBeGreaterThan(0);
  });
});

describe('the index of an event’s orders', () => {
  /** Lets 2,000 orders arrive in a second, each at a shard of its own. @returns those that an index throttled */
  const countThrottled = async (partitions: number) => {
    const clock = new SimulatedClock();
    const available = Array(2_000).fill(1);
    const table = new TableModel(clock, limits.warmTableWrites, available, new Random(1), [partitions]);
    const reserve = async (shard: number) => {
      await clock.wait(shard / 2);
      await table.reserve([{ shard, quantity: 1 }]);
    };
    const all = available.map((_, shard) => reserve(shard));
    await clock.run();
    await Promise.all(all);
    return table.counts.throttledByIndexes;
  };

  it('throttles no order with 16 partitions, and some with one', async () => {
    expect(await countThrottled(16)).toBe(0);
    expect(await countThrottled(1)).toBeGreaterThan(0);
  });
});
