import { functions } from '../../../infra/functions.ts';
import { stageDefaults } from '../../../infra/stages.ts';
import { divideEvenly } from '../../../shared/inventory/inventory.ts';
import { assumedMilliseconds } from '../cost/prices.ts';
import { quantile } from '../load/drive.ts';
import { number, table } from '../report/table.ts';
import { Agenda } from './agenda.ts';
import { Bucket } from './bucket.ts';
import { type Answer, Initialize } from './buyer.ts';
import { CachedEvent } from './cached-event.ts';
import { randomFrom } from './random.ts';
import { limits, TableModel } from './table-model.ts';

interface Settings {
  shards: number;
  /** The table's limit, in write units a second. */
  tableWrites: number;
  /** Whether buyers see the event through the CDN before each try, so that "Sold out" costs no request to the table. */
  isCached: boolean;
}

/** The result of a simulated sale. Times are in seconds after the sale opened. */
export interface Simulated extends Settings {
  sold: number;
  soldOutAfter: number;
  /** When the last buyer had a final response. */
  overAfter: number;
  /** From a buyer's first request to the final response. */
  p50: number;
  p99: number;
  longest: number;
  /** Retries within a call, after a conflict or a throttled request. */
  retries: number;
  conflicts: number;
  throttledWrites: number;
  throttledReads: number;
  /** Responses that asked the buyer to retry: throttled, no free execution, or too many conflicts. */
  turnedAway: number;
  /** Concurrent calls. */
  peakCalls: number;
}

/** 50,000 buyers of 2 tickets in a minute, half of them in the first ten seconds, with tickets for a fifth. */
const sale = { buyers: 50_000, quantity: 2, tickets: 20_000 };
const arrival = (share: number) => (share < 0.5 ? share * 20_000 : 10_000 + (share - 0.5) * 100_000);

const { throttle, webhookConcurrency = 0 } = stageDefaults.production;

/** Concurrent executions left for orders/initialize in an account with the default quota, without the reserved ones. */
const concurrency =
  1_000 -
  functions.reduce((sum, { trigger }) => {
    if ('queue' in trigger) return sum + trigger.maxConcurrency;
    return 'route' in trigger && trigger.route.includes('/webhooks/') ? sum + webhookConcurrency : sum;
  }, 0);

async function simulateSales(): Promise<Simulated[]> {
  const settings = [
    ...[1, 2, 4, 8, 16].map((shards) => ({ shards, tableWrites: limits.warmTableWrites, isCached: true })),
    { shards: 4, tableWrites: limits.newTableWrites, isCached: true },
    { shards: 4, tableWrites: limits.warmTableWrites, isCached: false },
  ];
  const results: Simulated[] = [];
  for (const one of settings) results.push(await simulate(one));
  return results;
}

async function simulate({ shards, tableWrites, isCached }: Settings): Promise<Simulated> {
  const agenda = new Agenda();
  const random = randomFrom(shards);
  const model = new TableModel(agenda, tableWrites, divideEvenly(sale.tickets, shards));
  const initialize = new Initialize(agenda, model, random);
  const result = { sold: 0, soldOutAfter: 0, turnedAway: 0, peakCalls: 0 };
  const waited: number[] = [];
  let calls = 0;
  const page = isCached ? new CachedEvent(agenda, model) : undefined;
  const door = new Bucket(throttle.other.rate, throttle.other.burst);

  const call = async (): Promise<Answer> => {
    if (!door.take(1, agenda.now) || calls >= concurrency) return 'try again';
    result.peakCalls = Math.max(result.peakCalls, ++calls);
    const answer = await initialize.answer(sale.quantity);
    if (answer === 'sold') {
      result.sold += sale.quantity;
      result.soldOutAfter = agenda.now / 1_000;
      await agenda.wait(assumedMilliseconds.paymentProvider + assumedMilliseconds.request);
    }
    calls--;
    return answer;
  };

  const buy = async (arrivesAt: number) => {
    await agenda.wait(arrivesAt);
    const begun = agenda.now;
    while (!page?.isSoldOut && (await call()) === 'try again') {
      result.turnedAway++;
      await agenda.wait(2_000 + random() * 4_000);
    }
    waited.push((agenda.now - begun) / 1_000);
  };

  const buyers = Array.from({ length: sale.buyers }, () => buy(arrival(random())));
  await agenda.run();
  await Promise.all(buyers);
  return {
    shards,
    tableWrites,
    isCached,
    ...result,
    ...model.counts,
    retries: initialize.retries,
    overAfter: agenda.now / 1_000,
    p50: quantile(waited, 0.5),
    p99: quantile(waited, 0.99),
    longest: quantile(waited, 1),
  };
}

/** Formats the results as the Markdown of docs/performance.md. */
function simulationTable(results: readonly Simulated[]): string {
  return table(
    [
      'shards',
      'table takes, units/s',
      'event through the CDN',
      'last ticket sold after',
      'everybody answered after',
      'a buyer waited, p50 / p99 / longest',
      'turned away, to come back',
      'conflicts',
      'throttled writes',
      'throttled reads',
    ],
    results.map((result) => [
      `${result.shards}`,
      number(result.tableWrites),
      result.isCached ? 'yes' : 'no',
      `${number(result.soldOutAfter)} s`,
      `${number(result.overAfter)} s`,
      `${number(result.p50)} / ${number(result.p99)} / ${number(result.longest)} s`,
      number(result.turnedAway),
      number(result.conflicts),
      number(result.throttledWrites),
      number(result.throttledReads),
    ]),
  );
}

if (import.meta.main) console.log(simulationTable(await simulateSales()));
