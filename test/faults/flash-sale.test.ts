import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDynamoDb } from '../../infra/local/services/aws.ts';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { createBuyers } from '../bench/load/buyers.ts';
import { eventually } from '../support/eventually.ts';
import { type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { registerUser } from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { Random } from '../support/random.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';

/**
 * Ten times as many buyers as tickets order concurrently over HTTP. A tenth of them get a ticket, the others a 409, and
 * the reconciliation of the inventory finds no inconsistency. Others order pairs of three tiers, while the table fails.
 * FLASH_BUYERS sets the number of buyers.
 */

const buyers = Number(process.env.FLASH_BUYERS ?? 80);
const tickets = buyers / 10;
const secret = 'only-for-tests-gateway-a';
const dataDir = mkdtempSync(path.join(tmpdir(), 'boxoffice-flash-sale-'));
/** All stacks use this table. Clients in this process keep the proxy's address. */
const startTable = () => startDynamoDb(path.join(dataDir, 'flash-sale.db'), path.join(dataDir, 'table.log'));
let table: Awaited<ReturnType<typeof startTable>>;
const targets = { table: '' };
let proxy: FaultProxy;
let stack: SeparateStack | undefined;

beforeAll(async () => {
  process.env.JWT_ACCESS_SECRET = 'only-for-tests-access-0123456789abcdef';
  table = await startTable();
  targets.table = table.url;
  proxy = await startProxy(targets);
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.stop();
  await table?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

// The nightly run has a tier without shards and one with many, too.
describe.each(process.env.FLASH_BUYERS ? [1, 4, 16] : [4])('with at most %i shards', (shards) => {
  test(`sells each of ${tickets} tickets once to ${buyers} concurrent buyers`, {
    timeout: 600_000,
  }, async () => {
    // given buyers, and an event whose tier has at most the given number of shards
    stack = await restartStack(table.url, Math.ceil(tickets / shards));
    const { apiUrl } = stack;
    const tokens = await createBuyers(buyers);
    const event = await createEvent(stack, [
      { name: 'Floor', price: 10, quantity: tickets, maxPerPerson: 1 },
    ]);

    // when each orders one ticket
    const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'FIAT' };
    const answers = await Promise.all(
      tokens.map((token) => call('POST', '/api/orders/initialize', { apiUrl, token, body })),
    );

    // then there are as many orders as tickets
    const accepted = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(countValues(refused.map(({ status }) => status))).toEqual({ 409: buyers - tickets });
    expect(countValues(refused.map(({ body }) => body.error))).toEqual({ 'Sold out': buyers - tickets });
    expect(accepted).toHaveLength(tickets);

    // when each order's webhook is delivered twice
    const deliveries = accepted.flatMap(({ body }, index) => [
      deliverWebhook(apiUrl, body, index),
      deliverWebhook(apiUrl, body, index),
    ]);
    expect(countValues((await Promise.all(deliveries)).map(({ status }) => status))).toEqual({
      200: tickets * 2,
    });

    // then each order is completed once
    expect(await findInventoryDifferences()).toEqual([]);
    const orders = await eventually('every order is posted', async () => {
      const listed = await listOrders(apiUrl, event);
      return listed.every(({ fulfilment }) => fulfilment.status === 'not-needed') && listed;
    });
    expect(orders).toHaveLength(tickets);
    expect(countValues(orders.map(({ paymentStatus }) => paymentStatus))).toEqual({ COMPLETED: tickets });
  });
});

test(`sells pairs of three tiers to ${buyers} concurrent buyers while answers are lost and the table restarts`, {
  timeout: 600_000,
}, async () => {
  // given three tiers with tickets for three of eight buyers, and a table behind a proxy
  const quantity = buyers / 4;
  stack = await restartStack(proxy.url('stack', 'table'), Math.ceil(quantity / 4));
  const { apiUrl } = stack;
  const tokens = await createBuyers(buyers);
  const event = await createEvent(
    stack,
    ['Floor', 'Balcony', 'Box'].map((name) => ({ name, price: 10, quantity, maxPerPerson: 1 })),
  );

  // when each orders two of the tiers, and repeats the request until the answer is final
  let transactions = 0;
  let restarted = 0;
  let restarts = Promise.resolve();
  const restartTable = async () => {
    await table.kill();
    table = await startTable();
    targets.table = table.url;
    restarted++;
  };
  const removeFault = proxy.intercept(async ({ worker, method }, forward) => {
    if (worker !== 'stack' || method !== 'TransactWriteItems') return forward();
    const number = ++transactions;
    if (number % Math.ceil(buyers / 4) === 0) restarts = restarts.then(restartTable);
    const answer = await forward();
    return number % 10 === 0 ? 'drop' : answer;
  });
  const random = new Random(buyers);
  const answers = await Promise.all(
    tokens.map(async (token) => {
      const omitted = random.between(0, 2);
      const pair: string[] = event.tiers
        .map(({ id }: Json) => id)
        .filter((_: string, index: number) => index !== omitted);
      const items = pair.map((tierId) => ({ tierId, quantity: 1 }));
      const headers = { 'idempotency-key': randomUUID() };
      const options = { apiUrl, token, headers, body: { eventId: event.id, items, paymentMethod: 'FIAT' } };
      const order = async () => {
        const answer = await call('POST', '/api/orders/initialize', options).catch(() => undefined);
        if (!answer || answer.status >= 500) return undefined;
        const isUnclear = ['in-progress', 'busy'].includes(String(errorOf(answer)[1]));
        return !isUnclear && { ...answer, pair };
      };
      return eventually('an order is accepted, or its tickets are sold out', order, {
        intervalMilliseconds: 1_000,
        seconds: 500,
      });
    }),
  );
  removeFault();
  await restarts;

  // then each accepted order has both tiers, no other order holds tickets, and no pair is left. One whose checkout could
  // not be stored has failed, before its buyer ordered again.
  expect(restarted).toBeGreaterThanOrEqual(4);
  const accepted = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(new Set(refused.map((answer) => errorOf(answer)[1]))).toEqual(new Set(['sold-out']));
  const bought = accepted.map(({ body, pair }) => [body.orderId, ...pair]).sort();
  const orders = await listOrders(apiUrl, event);
  const holding = orders.filter(({ paymentStatus }) => paymentStatus !== 'FAILED');
  expect(holding.map(({ id, items }) => [id, ...items.map(({ tierId }: Json) => tierId)]).sort()).toEqual(
    bought,
  );
  const { body } = await call('GET', `/api/events/${event.id}`, { apiUrl, token: event.token });
  const available: number[] = body.event.tiers.map((tier: Json) => tier.available);
  expect(available.filter((free) => free === 0).length).toBeGreaterThanOrEqual(2);
  expect(available.reduce((sum, free) => sum + free)).toBe(3 * quantity - 2 * accepted.length);
  expect(await findInventoryDifferences()).toEqual([]);
});

test('an order whose answer is lost is returned by the repetition, even after the table forgot the token', {
  timeout: 120_000,
}, async () => {
  // given a table that carries out each transaction again as if it had never received it
  stack = await restartStack(proxy.url('stack', 'table'), 25);
  const { apiUrl } = stack;
  const [token] = await createBuyers(1);
  const event = await createEvent(stack, [{ name: 'Floor', price: 10, quantity: 1, maxPerPerson: 1 }]);
  let repeated = 0;
  const removeFault = proxy.intercept(async ({ worker, method, body }, forward) => {
    const answer = await forward();
    if (worker !== 'stack' || method !== 'TransactWriteItems') return answer;
    repeated++;
    body.ClientRequestToken = randomUUID();
    return forward();
  });

  // when somebody orders the last ticket
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'FIAT' };
  const answer = await call('POST', '/api/orders/initialize', { apiUrl, token, body });
  removeFault();

  // then they have the order, rather than a refusal by what it reserved and counted itself
  expect(repeated).toBeGreaterThan(0);
  expect(answer.status).toBe(201);
  expect(await listOrders(apiUrl, event)).toMatchObject([{ id: answer.body.orderId }]);
});

// biome-ignore lint/suspicious/noExplicitAny: the tests read answers without types
type Json = any;

/** Starts a stack on the table, without the one before. */
async function restartStack(tableUrl: string, shardSize: number): Promise<SeparateStack> {
  await stack?.stop();
  const env = {
    GATEWAY_A_SECRET: secret,
    STOCK_SHARD_SIZE: String(shardSize),
    AWS_ENDPOINT_URL_DYNAMODB: tableUrl,
  };
  const started = await startStack({ dataDir, env });
  connectToTable({ ...started, dynamodbUrl: proxy.url('test', 'table') });
  return started;
}

async function createEvent(target: SeparateStack, tiers: object[]): Promise<Json> {
  const { apiUrl } = target;
  const { token } = await registerUser({ role: 'ORGANIZER' }, target);
  const startDate = '2040-01-01T20:00:00Z';
  const body = { title: 'Flash sale', venue: 'Arena', startDate, tiers, maxPerWallet: tiers.length };
  const created = await call('POST', '/api/events', { apiUrl, token, body });
  expect(created.status).toBe(201);
  return { ...created.body.event, token };
}

async function listOrders(apiUrl: string, event: Json): Promise<Json[]> {
  const orders: Json[] = [];
  for (let cursor = ''; ; ) {
    const path = `/api/events/${event.id}/orders?limit=100${cursor && `&cursor=${cursor}`}`;
    const { body } = await call('GET', path, { apiUrl, token: event.token });
    orders.push(...body.orders);
    if (!body.nextCursor) return orders;
    cursor = body.nextCursor;
  }
}

function deliverWebhook(apiUrl: string, { reference, totalAmount }: Json, paymentId: number) {
  const data = { id: paymentId, reference, amount: totalAmount * 100, currency: 'USD' };
  const body = JSON.stringify({ event: 'charge.success', data });
  const signature = createHmac('sha512', secret).update(body).digest('hex');
  const headers = { 'x-gateway-a-signature': signature };
  return call('POST', '/api/webhooks/gateway-a', { apiUrl, body, headers });
}

function countValues(values: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
