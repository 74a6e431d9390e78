import { eventually } from '../../support/eventually.ts';
import { isQueueIdle } from '../../support/queue-state.ts';
import { createBuyers } from './buyers.ts';
import { startFloor } from './floor.ts';
import { type ProcessorTime, readProcessorTime, subtractTimes } from './processor-time.ts';
import { type LoadResult, quantile, runLoad } from './run-load.ts';
import { Shop } from './shop.ts';
import type { Stack } from './stack.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

export interface OrderLoad {
  concurrency: number;
  orders: number;
  /** Orders that were refused or not confirmed. No other figure includes them. */
  failed: number;
  ordersPerSecond: number;
  /** Orders per second, measured until all orders are fulfilled and their mails are sent. */
  finishedPerSecond: number;
  /** Orders per second of the floor: a bare loop that makes an order's requests without the service (floor-loop.ts). */
  floorPerSecond: number;
  /** How many orders were fulfilled together, on average; the floor does the same. */
  ordersPerBatch: number;
  /** `finishedPerSecond` divided by `floorPerSecond`. */
  shareOfFloor: number;
  /** Response times, in milliseconds. */
  initializeP50: number;
  initializeP99: number;
  webhookP50: number;
  webhookP99: number;
  /** CPU time per order of the stack's Node process. */
  nodeMilliseconds: number;
  /** CPU time per order of the local store. */
  storeMilliseconds: number;
}

const concurrencies = [1, 10, 50];

const warmUpSeconds = 60;

/** Runs of the service and of the floor at each concurrency. They alternate, since the load of the machine varies. */
const turns = 3;

/**
 * Places orders of 2 tickets at full speed, each confirmed by a signed webhook, while fulfilment runs concurrently.
 * @param seconds the duration of each run
 */
export async function loadOrders(stack: Stack, seconds: number): Promise<OrderLoad[]> {
  const shop = await Shop.open(stack, 1_000_000);
  const floor = startFloor(stack);
  const buyers = await createBuyers(4_000);
  let nextBuyer = 0;
  const processOrder = async (initializeTimes: number[], webhookTimes: number[]) => {
    const token = buyers[nextBuyer++ % buyers.length] ?? '';
    const ordered = await shop.initialize(token, 2);
    if (ordered.status !== 201) return false;
    const delivered = await shop.reportPayment(JSON.parse(ordered.text));
    if (delivered.status !== 200) return false;
    initializeTimes.push(ordered.milliseconds);
    webhookTimes.push(delivered.milliseconds);
    return true;
  };
  // Warm-up: functions start cold, and Node optimizes only hot code, in each execution environment anew. After a minute,
  // the time per order no longer falls. Cold starts are measured separately.
  await runLoad({ concurrency: 10, seconds: warmUpSeconds }, () => processOrder([], []));
  await waitUntilFinished(stack);
  await floor.run({ concurrency: 10, seconds: warmUpSeconds, ordersPerBatch: 2 });

  const loads: OrderLoad[] = [];
  for (const concurrency of concurrencies) {
    const [initializeTimes, webhookTimes]: [number[], number[]] = [[], []];
    const serviceRuns: LoadResult[] = [];
    const finishedRuns: LoadResult[] = [];
    const floorRuns: LoadResult[] = [];
    const processorTimes: ProcessorTime[] = [];
    await waitUntilIdle(stack);
    const batchesBefore = await shop.countFulfilmentBatches();
    let ordersPerBatch = 1;
    for (let turn = 0; turn < turns; turn++) {
      await waitUntilIdle(stack);
      const before = readProcessorTime(stack.pid);
      const startedAt = performance.now();
      const run = await runLoad({ concurrency, seconds }, () => processOrder(initializeTimes, webhookTimes));
      await waitUntilFinished(stack);
      serviceRuns.push(run);
      finishedRuns.push({ ...run, seconds: (performance.now() - startedAt) / 1000 });
      processorTimes.push(subtractTimes(readProcessorTime(stack.pid), before));
      await waitUntilIdle(stack);
      ordersPerBatch = countOrders(serviceRuns) / ((await shop.countFulfilmentBatches()) - batchesBefore);
      floorRuns.push(await floor.run({ concurrency, seconds, ordersPerBatch }));
    }
    const orders = countOrders(serviceRuns);
    loads.push({
      concurrency,
      orders,
      failed: serviceRuns.reduce((sum, { failed }) => sum + failed, 0),
      ordersPerSecond: perSecond(serviceRuns),
      finishedPerSecond: perSecond(finishedRuns),
      floorPerSecond: perSecond(floorRuns),
      ordersPerBatch,
      shareOfFloor: perSecond(finishedRuns) / perSecond(floorRuns),
      initializeP50: quantile(initializeTimes, 0.5),
      initializeP99: quantile(initializeTimes, 0.99),
      webhookP50: quantile(webhookTimes, 0.5),
      webhookP99: quantile(webhookTimes, 0.99),
      nodeMilliseconds: millisecondsPerOrder(processorTimes, 'MainThread', orders),
      storeMilliseconds: millisecondsPerOrder(processorTimes, 'dynoxide', orders),
    });
  }
  floor.stop();
  shop.close();
  return loads;
}

/** Waits until all orders are fulfilled and their mails are sent. */
async function waitUntilFinished({ queueUrls }: Stack): Promise<void> {
  for (const queue of ['fulfil', 'mail']) {
    await eventually(`The queue ${queue} is empty`, () => isQueueIdle(queueUrls[queue] ?? ''), {
      seconds: 60,
    });
  }
}

function countOrders(runs: readonly LoadResult[]): number {
  return runs.reduce((sum, { completed }) => sum + completed, 0);
}

function perSecond(runs: readonly LoadResult[]): number {
  return countOrders(runs) / runs.reduce((sum, run) => sum + run.seconds, 0);
}

/** Returns the CPU time that a program used per order. The name of Node's program is `MainThread`. */
function millisecondsPerOrder(
  processorTimes: readonly ProcessorTime[],
  program: string,
  orders: number,
): number {
  return (processorTimes.reduce((sum, times) => sum + (times[program] ?? Number.NaN), 0) * 1_000) / orders;
}
