import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDynamoDb } from '../../infra/local/services/aws.ts';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { queryOffered, queryWaiting } from '../../shared/catalog/waiting-list/store.ts';
import { createBuyers } from '../bench/load/buyers.ts';
import { type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { createEvent, expectStatus, type Person, registerUser } from '../support/fixtures.ts';
import { type Answer, call } from '../support/http.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';

/**
 * Many people join one waiting list over HTTP, and many tickets come back at once. The writes of each item are counted, since
 * an item that each of them writes would limit how many can join. WAITING_PEOPLE and WAITING_TICKETS set their numbers.
 */

const people = Number(process.env.WAITING_PEOPLE ?? 400);
const tickets = Number(process.env.WAITING_TICKETS ?? people / 20);
/** Those who join at once when the tickets are sold out. */
const firstPeople = 50;
const perOrder = 10;
const dataDir = mkdtempSync(path.join(tmpdir(), 'boxoffice-waiting-'));
let table: Awaited<ReturnType<typeof startDynamoDb>> | undefined;
let proxy: FaultProxy;
let stack: SeparateStack;
let organizer: Person;

// biome-ignore lint/suspicious/noExplicitAny: the tests read answers without types
type Json = any;

beforeAll(async () => {
  process.env.JWT_ACCESS_SECRET = 'only-for-tests-access-0123456789abcdef';
  table = await startDynamoDb(path.join(dataDir, 'waiting.db'), path.join(dataDir, 'table.log'));
  proxy = await startProxy({ table: table.url });
  stack = await startStack({
    dataDir,
    env: { AWS_ENDPOINT_URL_DYNAMODB: proxy.url('stack', 'table') },
  });
  connectToTable({ ...stack, dynamodbUrl: proxy.url('test', 'table') });
  organizer = await registerUser({ role: 'ORGANIZER' }, stack);
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.stop();
  await table?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs something for each of many, for 16 at the same time: the table of the test answers few more in time. */
async function forAll<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>) {
  const results: Result[] = [];
  const waiting = items.entries();
  const runNext = async () => {
    for (const [index, item] of waiting) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: 16 }, runNext));
  return results;
}

const writesOf = (method: string, body: Json): Json[] => {
  if (method === 'TransactWriteItems')
    return body.TransactItems.flatMap(({ Put, Update, Delete }: Json) => Put ?? Update ?? Delete ?? []);
  return ['PutItem', 'UpdateItem', 'DeleteItem'].includes(method) ? [body] : [];
};

/** Counts what the service writes while something runs, also what is refused: by item, and by partition. */
async function countWrites<Result>(run: () => Promise<Result>) {
  const items = new Map<string, number>();
  const partitions = new Map<string, number>();
  let requests = 0;
  const increment = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);
  const stop = proxy.intercept(({ worker, method, body }, forward) => {
    if (worker !== 'stack') return forward();
    requests++;
    for (const { Item, Key = Item } of writesOf(method, body)) {
      increment(items, `${Key.pk.S} ${Key.sk.S}`);
      increment(partitions, Key.pk.S);
    }
    return forward();
  });
  const result = await run();
  stop();
  return { result, items, partitions, requests };
}

const busiest = (counts: Map<string, number>) => Math.max(...counts.values());

const join = ({ id, tiers }: Json, token: string): Promise<Answer> =>
  call('POST', `/api/events/${id}/waiting-list`, {
    apiUrl: stack.apiUrl,
    token,
    body: { tierId: tiers[0].id, quantity: 1 },
  });

/** How often somebody tries to join while the service is too busy. */
const maximumAttempts = 5;

async function joinAtLast(event: Json, token: string): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await join(event, token);
    if (answer.status !== 503 || attempt === maximumAttempts) return answer;
  }
}

function countStatuses(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const buy = ({ id, tiers }: Json, token: string): Promise<Answer> =>
  call('POST', '/api/orders/initialize', {
    apiUrl: stack.apiUrl,
    token,
    body: { eventId: id, tierId: tiers[0].id, quantity: perOrder, paymentMethod: 'FIAT' },
  });

/** Serves the lists once, as the sweep has it done every minute. */
const serve = ({ id }: Json) =>
  stack.invoke('workers-run-event-jobs', {
    Records: [
      { messageId: '1', body: JSON.stringify({ type: 'offer-tickets', eventId: id }), attributes: {} },
    ],
  });

async function readAll<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}

test(`lets ${people} people join one waiting list without an item that all write, and offers ${tickets} returned tickets`, {
  timeout: 1_800_000,
}, async () => {
  const event: Json = await createEvent(organizer, {
    waitingList: true,
    tiers: [{ name: 'Floor', price: 0, quantity: tickets, maxPerPerson: perOrder }],
  });
  const tierId: string = event.tiers[0].id;
  const buyers = await createBuyers(tickets / perOrder);
  const orders = (await forAll(buyers, (token) => buy(event, token))).map((answer) =>
    expectStatus(201, answer),
  );

  // when the first people join at the same time, then the list is opened by one of them
  const firstTokens = await createBuyers(firstPeople);
  const first = await countWrites(() => Promise.all(firstTokens.map((token) => join(event, token))));
  expect(first.result.map(({ status }) => status)).toEqual(Array(firstPeople).fill(201));

  // when all others join, then each writes only items of their own, in partitions that share the load
  const others = await countWrites(async () => {
    const answers: Answer[] = [];
    // Access tokens are valid for 15 minutes.
    for (let left = people - firstPeople; left > 0; left -= 1_000) {
      const tokens = await createBuyers(Math.min(left, 1_000));
      answers.push(...(await forAll(tokens, (token) => joinAtLast(event, token))));
    }
    return answers;
  });
  const joined = people - firstPeople;
  expect(countStatuses(others.result)).toEqual({ 201: joined });
  // The sweep writes the task of the lists every minute.
  expect(busiest(others.items)).toBeLessThanOrEqual(Math.max(maximumAttempts, joined / 100));
  expect(busiest(others.partitions)).toBeLessThan(0.5 * joined);
  const waiting = (await readAll(queryWaiting(event.id, [tierId]))).map(({ id }) => id);
  expect(waiting).toHaveLength(people);

  // when all tickets come back, then one pass offers them, each to the next
  await forAll(orders, async ({ orderId }) =>
    expectStatus(200, await organizer.post(`/api/orders/${orderId}/refund`)),
  );
  const startedAt = performance.now();
  let passes = 0;
  const offering = await countWrites(async () => {
    let offered = await readAll(queryOffered({ eventId: event.id, tierId }));
    for (; offered.length < tickets; passes++) {
      await serve(event);
      offered = await readAll(queryOffered({ eventId: event.id, tierId }));
    }
    return offered.map(({ id }) => id);
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(offering.result).toEqual(waiting.slice(0, tickets));
  // One after the other: at 10 ms each, 1,000 offers take less than a minute and a half.
  expect(offering.requests).toBeLessThan(8 * tickets + 100);
  expect(await findInventoryDifferences()).toEqual([]);
  console.info(
    `${people} people: the first ${firstPeople} wrote one item up to ${busiest(first.items)} times, the others up to ${busiest(others.items)} times; ` +
      `the busiest partition had ${busiest(others.partitions)} writes. ` +
      `${tickets} offers: ${passes} passes, ${offering.requests} requests to the table, ${seconds.toFixed(1)} s`,
  );
});
