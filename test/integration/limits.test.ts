import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getItem } from '../../shared/dynamo/client.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import type { Answer } from '../support/http.ts';
import { type OrderClient, orderClient } from '../support/order-client.ts';
import { freshEmail, type Person, registerUser } from '../support/people.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';
import { useTableOf } from '../support/table.ts';

/** Limits that keep one caller from holding what all share. */

const registrations = 14;
let stack: SeparateStack;
let { api, control, openSale }: OrderClient = {} as OrderClient;
let buyer: Person;

beforeAll(async () => {
  stack = await startStack({
    env: { OPEN_ORDERS_PER_USER: '2', REGISTRATIONS_PER_HOUR: String(registrations) },
  });
  ({ api, control, openSale } = orderClient(stack));
  useTableOf(stack);
  buyer = await registerUser({}, stack);
});
afterAll(() => stack?.stop());

type Sale = Awaited<ReturnType<OrderClient['openSale']>>;
const order = (sale: Sale, how: object = { paymentMethod: 'FIAT', gateway: 'gateway-b' }) => {
  const body = { eventId: sale.id, tierId: sale.tiers[0]?.id, quantity: 1, ...how };
  return api('POST', '/api/orders/initialize', { token: buyer.token, body });
};
const cancel = (orderId: string) => api('POST', `/api/orders/${orderId}/cancel`, { token: buyer.token });
const expectRefusal = ({ status, headers }: Answer, code = 'too-many-open-orders', expected = 409) =>
  expect([status, headers.get('x-error-code')]).toEqual([expected, code]);

describe('open orders of a user for an event', () => {
  it('are at most as many as the setting says, and others may be opened when one is cancelled or paid', async () => {
    const sale = await openSale();
    const [first, second] = [await order(sale), await order(sale)];
    expectRefusal(await order(sale));
    expect((await order(await openSale())).status).toBe(201);

    expect((await cancel(first.body.orderId)).status).toBe(200);
    expect((await order(sale)).status).toBe(201);
    expectRefusal(await order(sale));

    await control(`payments/${second.body.reference}/pay`, { repeat: 3 });
    expect((await order(sale)).status).toBe(201);
    expectRefusal(await order(sale));
  });

  it('are at most as many when many are asked for at once', async () => {
    const sale = await openSale();
    const answers = await Promise.all(Array.from({ length: 8 }, () => order(sale)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  });
});

describe('open crypto orders of a user', () => {
  const crypto = { paymentMethod: 'CRYPTO' };

  it('are at most five over all events; a hash that no node knows keeps none due once it is cancelled', async () => {
    const sales = [await openSale('POL'), await openSale('POL'), await openSale('POL')];
    const opened = [];
    for (let index = 0; index < 5; index++) opened.push(await order(sales[index % 3], crypto));
    expect(opened.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expectRefusal(await order(sales[2], crypto));

    const { orderId } = opened[0]?.body ?? {};
    await cancel(orderId);
    const body = { txHash: `0x${'ab'.repeat(32)}` };
    const confirmed = await api('POST', `/api/orders/${orderId}/confirm`, { token: buyer.token, body });
    expectRefusal(confirmed, 'transaction-not-final');
    expect(await getItem(keys.order(orderId))).not.toHaveProperty('dueAt');
    expect((await order(sales[2], crypto)).status).toBe(201);
  });
});

describe('registrations from one address', () => {
  it('are at most as many an hour as the setting says', async () => {
    const register = () =>
      api('POST', '/api/auth/register', {
        body: { email: freshEmail(), name: 'Ann', password: 'correct horse battery' },
      });
    const answers = [];
    for (let index = 0; index < registrations; index++) answers.push(await register());
    const refused = answers.find(({ status }) => status !== 201) as Answer;
    expectRefusal(refused, 'too-many-attempts', 429);
    const retryAfter = Number(refused.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(3_000);
    expect(retryAfter).toBeLessThanOrEqual(3_600);
  });
});
