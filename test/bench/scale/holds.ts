import { functions } from '../../../infra/functions.ts';
import { divideEvenly } from '../../../shared/catalog/inventory/inventory.ts';
import { longestPauseMilliseconds } from '../../../shared/runtime/retry.ts';
import { Random } from '../../support/random.ts';
import { assumedMilliseconds } from '../cost/prices.ts';
import { SimulatedClock } from './simulated-clock.ts';
import { limits, TableModel } from './table-model.ts';

/** The result of releasing holds that end together. */
export interface HoldRelease {
  holds: number;
  /** The time from the end of the holds until the last ticket was available again. */
  lastReleasedAfterSeconds: number;
  conflicts: number;
  throttledWrites: number;
}

/**
 * The number of items that the sweep reads, reschedules and queues in a second. An assumption, like the durations in
 * cost/prices.ts.
 */
const queuedPerSecond = 500;
/** The concurrent batches of a new queue consumer: their number at the start, and their growth per second. */
const scaling = { start: 5, perSecond: 5 };
const batchOverheadMilliseconds = 20;

/**
 * Simulates that all holds of one event end when a sweep begins, so that none of them was queued in advance. For each
 * hold, a worker asks the gateway for the payment and then releases the ticket to its shard.
 */
export async function simulateHoldRelease(holds: number, shards: number): Promise<HoldRelease> {
  const row = functions.find(({ entry }) => entry === 'workers/settle-orders');
  if (!row || !('queue' in row.trigger)) throw new Error('There is no worker for workers/settle-orders');
  const { batchSize, maxConcurrency } = row.trigger;
  const clock = new SimulatedClock();
  const random = new Random(shards);
  const table = new TableModel(clock, limits.newTableWrites, divideEvenly(0, shards));
  let queued = 0;
  let released = 0;
  let lastReleasedAt = 0;

  const queueHolds = async () => {
    for (let sent = 0; sent < holds; sent += batchSize) {
      queued += Math.min(batchSize, holds - sent);
      await clock.wait((batchSize / queuedPerSecond) * 1_000);
    }
  };
  const release = async () => {
    const shard = Math.floor(random.next() * shards);
    await clock.wait(assumedMilliseconds.paymentProvider * (0.5 + random.next()));
    for (let attempt = 1; ; attempt++) {
      // A release reserves a negative quantity from the shard that the ticket came from.
      if ((await table.reserve([{ shard, quantity: -1 }])) === 'done') break;
      await clock.wait(random.next() * longestPauseMilliseconds(attempt));
    }
    released++;
    lastReleasedAt = clock.now;
  };
  const worker = async (startsAt: number) => {
    await clock.wait(startsAt);
    while (released < holds) {
      const batch = Math.min(queued, batchSize);
      queued -= batch;
      await Promise.all(Array.from({ length: batch }, release));
      await clock.wait(batchOverheadMilliseconds);
    }
  };
  const startOfWorker = (index: number) =>
    index < scaling.start ? 0 : ((index - scaling.start + 1) / scaling.perSecond) * 1_000;
  const work = [
    queueHolds(),
    ...Array.from({ length: maxConcurrency }, (_, index) => worker(startOfWorker(index))),
  ];
  await clock.run();
  await Promise.all(work);
  return {
    holds,
    lastReleasedAfterSeconds: lastReleasedAt / 1_000,
    conflicts: table.counts.conflicts,
    throttledWrites: table.counts.throttledWrites,
  };
}

if (import.meta.main) {
  for (const shards of [10, 16])
    console.log(shards, JSON.stringify(await simulateHoldRelease(10_000, shards)));
}
