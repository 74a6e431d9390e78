import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import * as api from '../client/index.ts';
import {
  createEvent,
  expectStatus,
  type Person,
  type Removal,
  register,
  runRemovals,
  useApi,
} from './smoke-test.ts';

export interface LoadOptions {
  /** The address of the API. */
  url: string;
  /** Orders a second. They start at this rate, however long the answers take. */
  rate: number;
  seconds: number;
  /** The accounts that order in turn. */
  buyers: number;
  /** A currency that the payment provider supports in test mode. */
  currency: string;
}

/** Times from the request to the response, in milliseconds. */
export interface LoadReport {
  orders: number;
  /** Orders that were accepted and have a checkout page. */
  accepted: number;
  /** The other answers, by status and error code. */
  refused: Record<string, number>;
  ordersPerSecond: number;
  p50: number;
  p99: number;
  longest: number;
}

/**
 * Orders tickets at a steady rate, each up to the provider's checkout page, and cancels each order at once. In the end it
 * cancels its unlisted event and closes its accounts.
 */
export async function loadTest({ url, rate, seconds, buyers, currency }: LoadOptions): Promise<LoadReport> {
  useApi(url);
  const removals: Removal[] = [];
  try {
    const suffix = randomBytes(6).toString('hex');
    const organizer = await register(suffix, 'ORGANIZER', removals);
    const orders = Math.ceil(rate * seconds);
    const { id: eventId, tiers } = await createEvent(organizer, currency, suffix, removals, orders);
    const people: Person[] = [];
    for (let index = 0; index < buyers; index++)
      people.push(await register(`${suffix}-${index}`, 'USER', removals));
    const tierId = tiers[1]?.id ?? '';
    return await orderAtRate(people, { eventId, tierId }, { rate, orders });
  } finally {
    await runRemovals(removals);
  }
}

async function orderAtRate(
  people: readonly Person[],
  item: { eventId: string; tierId: string },
  { rate, orders }: { rate: number; orders: number },
): Promise<LoadReport> {
  const times: number[] = [];
  const refused: Record<string, number> = {};
  const startedAt = performance.now();
  const order = async (index: number) => {
    await wait(Math.max(0, startedAt + (index * 1_000) / rate - performance.now()));
    const { asPerson } = people[index % people.length] as Person;
    const sentAt = performance.now();
    const request = { ...item, quantity: 1, paymentMethod: 'FIAT' } as const;
    const response = await api.initializeOrder(request, {}, asPerson);
    times.push(performance.now() - sentAt);
    if (response.status === 201) {
      await expectStatus(api.cancelOrder(response.data.orderId, asPerson), 200);
      return;
    }
    const answer = `${response.status} ${response.headers.get('x-error-code')}`;
    refused[answer] = (refused[answer] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: orders }, (_, index) => order(index)));
  times.sort((a, b) => a - b);
  const quantile = (share: number) => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0);
  const refusals = Object.values(refused).reduce((sum, count) => sum + count, 0);
  return {
    orders,
    accepted: orders - refusals,
    refused,
    ordersPerSecond: Math.round((10_000 * orders) / (performance.now() - startedAt)) / 10,
    p50: quantile(0.5),
    p99: quantile(0.99),
    longest: quantile(1),
  };
}

const numbers = z.object({
  rate: z.coerce.number().positive().max(1_000),
  seconds: z.coerce.number().positive().max(3_600),
  buyers: z.coerce.number().int().positive().max(1_000),
});

/** Runs the load test, and prints its report beside that of the simulation of the same orders. */
export async function runLoadTest(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      rate: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '30' },
      buyers: { type: 'string', default: '10' },
      currency: { type: 'string', default: 'USD' },
    },
  });
  const { url, currency } = values;
  if (!url) throw new Error('Pass the address of the API: --url https://…');
  const options = numbers.parse(values);
  const { refused, ...measured } = await loadTest({ ...options, url, currency });
  console.table({ measured, simulated: simulate(options) });
  for (const [answer, count] of Object.entries(refused))
    console.log(`${count} orders were refused: ${answer}`);
}

/** Runs the simulation in a process of its own, since it replaces the clock of its process. */
function simulate({ rate, seconds }: { rate: number; seconds: number }): object {
  const program = path.resolve(import.meta.dirname, '../../test/bench/scale/steady-orders.ts');
  const { stdout } = spawnSync(process.execPath, [program, String(rate), String(seconds)], {
    encoding: 'utf8',
  });
  return JSON.parse(stdout);
}
