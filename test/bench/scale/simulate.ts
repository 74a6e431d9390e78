import { stageDefaults } from '../../../infra/stages.ts';
import { divideEvenly } from '../../../shared/catalog/inventory/inventory.ts';
import { Random } from '../../support/random.ts';
import { assumedMilliseconds } from '../cost.ts';
import { quantile } from '../load/run-load.ts';
import { simulateColdStarts } from './cold-starts.ts';
import { runDrawJob } from './draw-job.ts';
import { type Answer, OrderInitialization } from './order-initialization.ts';
import { simulateQueue } from './queue.ts';
import { Bucket, SimulatedClock } from './simulated-clock.ts';
import { simulateSlowProvider } from './slow-provider.ts';
import { limits, TableModel } from './table-model.ts';

interface Settings {
  buyers: number;
  /** There are tickets for so many orders. */
  orders: number;
  /** The shards of each tier. */
  shards: number;
  tiers: number;
  /** The tiers of which each order has tickets, chosen at random. */
  items: number;
  /** The table's limit, in write units a second. */
  tableWrites: number;
  /** Whether buyers load the event through the CDN before each attempt, and give up when it is sold out. */
  isCached: boolean;
}

/** The result of a simulated sale. Times are in seconds after the sale opened. */
export interface SaleResult extends Settings {
  sold: number;
  soldOutAfter: number;
  /** When the last buyer got a final response. */
  overAfter: number;
  /** The wait from a buyer's first request to the final response. */
  p50: number;
  p99: number;
  longest: number;
  conflicts: number;
  throttledWrites: number;
  /** Of these, those for which a partition of an index was full. */
  throttledByIndexes: number;
  throttledReads: number;
  /** Responses that asked the buyer to retry: throttled, no free execution, or too many conflicts. */
  turnedAway: number;
}

/** The tickets of each item of an order. */
const quantity = 2;
/**
 * All buyers arrive within a minute, half of them in the first ten seconds. Usually there are tickets for a fifth of them.
 */
const usual: Settings = {
  buyers: 50_000,
  orders: 10_000,
  shards: 4,
  tiers: 1,
  items: 1,
  tableWrites: limits.warmTableWrites,
  isCached: true,
};
/** Returns when the given share of the buyers has arrived, in milliseconds. */
const arrivalOf = (share: number) => (share < 0.5 ? share * 20_000 : 10_000 + (share - 0.5) * 100_000);

/** The time for which the CDN caches a public event: `publicCaching` in shared/http/cache.ts. */
const cacheMilliseconds = 2_000;

/** Production, with one gateway. */
const stage = {
  ...stageDefaults.production,
  settings: { ...stageDefaults.production.settings, GATEWAY_A_URL: 'https://gateway-a.example' },
};

/** Concurrent executions for orders/initialize. */
const concurrency = stage.reservedConcurrency?.orders ?? 0;

async function simulateSales(): Promise<SaleResult[]> {
  const settings: Partial<Settings>[] = [
    ...[1, 2, 4, 8, 16].map((shards) => ({ shards })),
    { tableWrites: limits.newTableWrites },
    { isCached: false },
    ...[4, 16].flatMap((shards) => [1, 2, 3].map((items) => ({ shards, tiers: 3, items }))),
  ];
  const results: SaleResult[] = [];
  for (const setting of settings) results.push(await simulate({ ...usual, ...setting }));
  return results;
}

async function simulate(settings: Settings): Promise<SaleResult> {
  const { buyers, orders, shards, tiers, items, tableWrites, isCached } = settings;
  const clock = new SimulatedClock();
  const random = new Random(shards);
  const tickets = orders * items * quantity;
  const free = divideEvenly(tickets, tiers).flatMap((ofTier) => divideEvenly(ofTier, shards));
  const model = new TableModel(clock, tableWrites, free, new Random(shards + 100));
  const initialization = new OrderInitialization(clock, model, random, tiers);
  const result = { sold: 0, soldOutAfter: 0, turnedAway: 0 };
  const waitSeconds: number[] = [];
  let calls = 0;
  const cache = { readAt: Number.NEGATIVE_INFINITY, available: free };
  /** Returns whether the event that the CDN has cached, up to two seconds old, is sold out in one of the tiers. */
  const showsSoldOut = (chosen: readonly number[]) => {
    if (isCached && clock.now - cache.readAt >= cacheMilliseconds) {
      cache.readAt = clock.now;
      cache.available = model.available;
    }
    return chosen.some((tier) =>
      cache.available.slice(tier * shards, (tier + 1) * shards).every((free) => free === 0),
    );
  };
  const throttleBucket = new Bucket(stage.throttle.other.rate, stage.throttle.other.burst);

  const call = async (chosen: readonly number[]): Promise<Answer> => {
    if (!throttleBucket.take(1, clock.now) || calls >= concurrency) return 'try again';
    calls++;
    const answer = await initialization.run(quantity, chosen);
    if (answer === 'sold') {
      result.sold += items * quantity;
      result.soldOutAfter = clock.now / 1_000;
      await clock.wait(assumedMilliseconds.paymentProvider + assumedMilliseconds.request);
    }
    calls--;
    return answer;
  };

  const buy = async (arrivesAt: number) => {
    await clock.wait(arrivesAt);
    const startedAt = clock.now;
    const first = tiers > 1 ? random.between(0, tiers - 1) : 0;
    const chosen = Array.from({ length: items }, (_, index) => (first + index) % tiers);
    while (!showsSoldOut(chosen) && (await call(chosen)) === 'try again') {
      result.turnedAway++;
      await clock.wait(2_000 + random.next() * 4_000);
    }
    waitSeconds.push((clock.now - startedAt) / 1_000);
  };

  const purchases = Array.from({ length: buyers }, () => buy(arrivalOf(random.next())));
  await clock.run();
  await Promise.all(purchases);
  return {
    ...settings,
    ...result,
    ...model.counts,
    overAfter: clock.now / 1_000,
    p50: quantile(waitSeconds, 0.5),
    p99: quantile(waitSeconds, 0.99),
    longest: quantile(waitSeconds, 1),
  };
}

if (import.meta.main) {
  console.log('50,000 buyers:');
  console.table(await simulateSales());
  console.log('1,000,000 buyers for 50,000 tickets, without a queue:');
  console.table([await simulate({ ...usual, buyers: 1_000_000, orders: 25_000, shards: 16 })]);
  console.log('The same with a queue, which they join within ten minutes:');
  console.table([simulateQueue(1_000_000, 50_000, new Random(1))]);
  console.log('The job that draws a million places, with half of its function’s memory as heap:');
  console.table([await runDrawJob(1_000_000, 1_769 / 2)]);
  console.log('5,000 cold starts in ten seconds, of the function with most secrets:');
  console.table([await simulateColdStarts(5_000, 10_000, stage, new Random(1))]);
  console.log(
    'A minute of 500 orders a second at a provider that answers after 8 s, with and without reservations:',
  );
  const results = [stage, { ...stage, reservedConcurrency: undefined }].map(simulateSlowProvider);
  console.table(
    (await Promise.all(results)).map(({ throttled, ...orders }) => ({ ...orders, ...throttled })),
  );
}
