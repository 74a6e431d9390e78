import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { makeBuyers } from '../support/buyers.ts';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { registerUser } from '../support/people.ts';
import { type OwnStack, startStack } from '../support/stack.ts';

/**
 * Fault 21: many more buyers than tickets, all at once, over HTTP. A tenth of the buyers get a ticket, all others
 * are told there is none, and the table is audited item by item. FLASH_BUYERS sets how many come.
 */

const buyers = Number(process.env.FLASH_BUYERS ?? 300);
const tickets = buyers / 10;
const secret = 'only-for-tests-gateway-a';
let stack: OwnStack | undefined;

afterAll(() => stack?.stop());

describe.each([1, 4, 16])('with %i shards', (shards) => {
  test(`${buyers} buyers at once for ${tickets} tickets`, { timeout: 600_000 }, async () => {
    // given
    process.env.JWT_ACCESS_SECRET = 'only-for-tests-access-0123456789abcdef';
    await stack?.stop();
    // Clients of the stack before keep its address.
    vi.resetModules();
    stack = await startStack({
      env: {
        AWS_ENDPOINT_URL_DYNAMODB: '',
        JWT_ACCESS_SECRET: process.env.JWT_ACCESS_SECRET,
        GATEWAY_A_SECRET: secret,
        STOCK_SHARD_SIZE: String(Math.ceil(tickets / shards)),
      },
    });
    const { apiUrl } = stack;
    const tokens = await makeBuyers(stack, buyers);
    const event = await openEvent(apiUrl, stack);

    // when
    const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'FIAT' };
    const answers = await Promise.all(
      tokens.map((token) => call('POST', '/api/orders/initialize', { apiUrl, token, body })),
    );

    // then
    const sold = answers.filter(({ status }) => status === 201);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(count(refused.map(({ status }) => status))).toEqual({ 409: buyers - tickets });
    expect(count(refused.map(({ body }) => body.error))).toEqual({ 'Sold out': buyers - tickets });
    expect(sold).toHaveLength(tickets);

    // and when all of them are paid, each confirmation coming twice
    const paid = sold.flatMap(({ body }) => [body, body]).map((order, at) => webhook(apiUrl, order, at));
    expect(count((await Promise.all(paid)).map(({ status }) => status))).toEqual({ 200: tickets * 2 });

    // then
    const { auditStock } = await import('../../infra/operator/stock-audit.ts');
    expect(await auditStock()).toEqual([]);
    const summary = await eventually('every sale is booked', async () => {
      const orders = await listOrders(apiUrl, event);
      return orders.every(({ fulfilment }) => fulfilment.status === 'not-needed') && orders;
    });
    expect(summary).toHaveLength(tickets);
    expect(count(summary.map(({ paymentStatus }) => paymentStatus))).toEqual({ COMPLETED: tickets });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: answers as they come
type Json = any;

async function openEvent(apiUrl: string, on: OwnStack): Promise<Json> {
  const { token } = await registerUser({ role: 'ORGANIZER' }, on);
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

function webhook(apiUrl: string, { reference, totalAmount }: Json, id: number) {
  const data = { id, reference, amount: totalAmount * 100, currency: 'USD' };
  const body = JSON.stringify({ event: 'charge.success', data });
  const signature = createHmac('sha512', secret).update(body).digest('hex');
  const headers = { 'x-gateway-a-signature': signature };
  return call('POST', '/api/webhooks/gateway-a', { apiUrl, body, headers });
}

function count(values: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
