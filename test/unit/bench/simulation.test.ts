import { describe, expect, it } from 'vitest';
import { OrderInitialization } from '../../bench/scale/order-initialization.ts';
import { Bucket, SimulatedClock } from '../../bench/scale/simulated-clock.ts';
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

  it.each([1, 4])(
    'with %i shards sells every ticket once, and refuses only when none is left',
    async (shards) => {
      const clock = new SimulatedClock();
      const table = new TableModel(clock, limits.warmTableWrites, Array(shards).fill(40 / shards));
      const initialization = new OrderInitialization(clock, table, new Random(1));
      const answers = Array.from({ length: 60 }, () => initialization.run(ticketsPerOrder));
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
      const table = new TableModel(clock, limits.warmTableWrites, Array(shards).fill(320 / shards));
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
