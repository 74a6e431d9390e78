import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { createBuyers } from '../bench/load/buyers.ts';
import { eventually } from '../support/eventually.ts';
import { registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';

/**
 * Ten times as many buyers as tickets order concurrently over HTTP. A tenth of them get a ticket, the others a 409, and
 * the reconciliation of the inventory finds no inconsistency. FLASH_BUYERS sets the number of buyers.
 */

const buyers = Number(process.env.FLASH_BUYERS ?? 300);
const tickets = buyers / 10;
const secret = 'only-for-tests-gateway-a';
/** All stacks use this directory, and so the same ports: clients in this process keep the first stack's addresses. */
const dataDir = mkdtempSync(path.join(tmpdir(), 'boxoffice-flash-sale-'));
let stack: SeparateStack | undefined;

beforeAll(() => {
  process.env.JWT_ACCESS_SECRET = 'only-for-tests-access-0123456789abcdef';
});
afterAll(async () => {
  await stack?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe.each([1, 4, 16])('with at most %i shards', (shards) => {
  test(`sells each of ${tickets} tickets once to ${buyers} concurrent buyers`, {
    timeout: 600_000,
  }, async () => {
    // given buyers, and an event whose tier has at most the given number of shards
    await stack?.stop();
    const shardSize = String(Math.ceil(tickets / shards));
    stack = await startStack({
      dataDir,
      env: { AWS_ENDPOINT_URL_DYNAMODB: '', GATEWAY_A_SECRET: secret, STOCK_SHARD_SIZE: shardSize },
    });
    const { apiUrl } = stack;
    connectToTable(stack);
    const tokens = await createBuyers(buyers);
    const event = await createEvent(apiUrl, stack);

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

// biome-ignore lint/suspicious/noExplicitAny: the tests read answers without types
type Json = any;

async function createEvent(apiUrl: string, target: SeparateStack): Promise<Json> {
  const { token } = await registerUser({ role: 'ORGANIZER' }, target);
  const tiers = [{ name: 'Floor', price: 10, quantity: tickets, maxPerPerson: 1 }];
  const body = { title: 'Flash sale', venue: 'Arena', startDate: '2040-01-01T20:00:00Z', tiers };
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
