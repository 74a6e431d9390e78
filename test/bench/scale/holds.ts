import { functions } from '../../../infra/functions.ts';
import { divideEvenly } from '../../../shared/inventory/inventory.ts';
import { longestPauseMilliseconds } from '../../../shared/runtime/retry.ts';
import { assumedMilliseconds } from '../cost/prices.ts';
import { Agenda } from './agenda.ts';
import { randomFrom } from './random.ts';
import { limits, TableModel } from './table-model.ts';

/** The release of holds that ended together. Times are in seconds after their end. */
export interface Released {
  holds: number;
  /** When the last ticket was available again. */
  allAfter: number;
  conflicts: number;
  throttledWrites: number;
}

/**
 * The number of items that the sweep reads, reschedules and queues in a second. Assumed, as are the durations of
 * cost/prices.ts.
 */
const handedOverPerSecond = 500;
/** The concurrent batches of a new queue consumer: their number at the start, and their growth per second. */
const scaling = { start: 5, perSecond: 5 };
const batchOverhead = 20;

/**
 * Ends all holds of one event at the instant at which a sweep begins, so that none of them was queued in advance. Each
 * order asks its gateway, and then returns its ticket to its shard.
 */
export async function releaseHolds(holds: number, shards: number): Promise<Released> {
  const row = functions.find(({ entry }) => entry === 'workers/settle-orders');
  if (!row || !('queue' in row.trigger)) throw new Error('No worker ends holds');
  const { batchSize, maxConcurrency } = row.trigger;
  const agenda = new Agenda();
  const random = randomFrom(shards);
  const table = new TableModel(agenda, limits.newTableWrites, divideEvenly(0, shards));
  let queued = 0;
  let released = 0;
  let lastAt = 0;

  const handOver = async () => {
    for (let sent = 0; sent < holds; sent += batchSize) {
      queued += Math.min(batchSize, holds - sent);
      await agenda.wait((batchSize / handedOverPerSecond) * 1_000);
    }
  };
  const release = async () => {
    const shard = Math.floor(random() * shards);
    await agenda.wait(assumedMilliseconds.paymentProvider * (0.5 + random()));
    for (let attempt = 1; ; attempt++) {
      // A release is a reservation of a negative quantity in the shard that the tickets came from.
      if ((await table.take([{ shard, quantity: -1 }])) === 'done') break;
      await agenda.wait(random() * longestPauseMilliseconds(attempt));
    }
    released++;
    lastAt = agenda.now;
  };
  const worker = async (startsAt: number) => {
    await agenda.wait(startsAt);
    while (released < holds) {
      const batch = Math.min(queued, batchSize);
      queued -= batch;
      await Promise.all(Array.from({ length: batch }, release));
      await agenda.wait(batchOverhead);
    }
  };
  const startOf = (at: number) =>
    at < scaling.start ? 0 : ((at - scaling.start + 1) / scaling.perSecond) * 1_000;
  const work = [handOver(), ...Array.from({ length: maxConcurrency }, (_, index) => worker(startOf(index)))];
  await agenda.run();
  await Promise.all(work);
  return {
    holds,
    allAfter: lastAt / 1_000,
    conflicts: table.counts.conflicts,
    throttledWrites: table.counts.throttledWrites,
  };
}

if (import.meta.main) {
  for (const shards of [10, 16]) console.log(shards, JSON.stringify(await releaseHolds(10_000, shards)));
}
