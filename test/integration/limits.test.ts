import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getItem } from '../../shared/dynamo/client.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/http.ts';
import { createOrderClient, type OrderClient } from '../support/order-client.ts';
import { freshEmail, type Person, registerUser } from '../support/people.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';
import { connectToTable } from '../support/table.ts';

/** Limits per caller, on a separate stack with low limits. */

const registrationsPerHour = 14;
let stack: SeparateStack;
let { api, control, openSale }: OrderClient = {} as OrderClient;
let buyer: Person;

beforeAll(async () => {
  stack = await startStack({
    env: { OPEN_ORDERS_PER_USER: '2', REGISTRATIONS_PER_HOUR: String(registrationsPerHour) },
  });
  ({ api, control, openSale } = createOrderClient(stack));
  connectToTable(stack);
  buyer = await registerUser({}, stack);
});
afterAll(() => stack?.stop());

type Sale = Awaited<ReturnType<OrderClient['openSale']>>;
const initializeOrder = (sale: Sale, payment: object = { paymentMethod: 'FIAT', gateway: 'gateway-b' }) => {
  const body = { eventId: sale.id, tierId: sale.tiers[0]?.id, quantity: 1, ...payment };
  return api('POST', '/api/orders/initialize', { token: buyer.token, body });
};
const cancelOrder = (orderId: string) => api('POST', `/api/orders/${orderId}/cancel`, { token: buyer.token });
const expectRefusal = ({ status, headers }: Answer, code = 'too-many-open-orders', expectedStatus = 409) =>
  expect([status, headers.get('x-error-code')]).toEqual([expectedStatus, code]);

describe('open orders of a user for an event', () => {
  it('are limited by OPEN_ORDERS_PER_USER until one is cancelled or paid', async () => {
    const sale = await openSale();
    const [first, second] = [await initializeOrder(sale), await initializeOrder(sale)];
    expectRefusal(await initializeOrder(sale));
    expect((await initializeOrder(await openSale())).status).toBe(201);

    expect((await cancelOrder(first.body.orderId)).status).toBe(200);
    expect((await initializeOrder(sale)).status).toBe(201);
    expectRefusal(await initializeOrder(sale));

    await control(`payments/${second.body.reference}/pay`, { repeat: 3 });
    // On a busy machine the first webhooks may fail, and a redelivered one completes the order.
    await eventually('the order is paid', async () => {
      const { body } = await api('GET', `/api/orders/${second.body.orderId}`, { token: buyer.token });
      return body.order.paymentStatus === 'COMPLETED';
    });
    expect((await initializeOrder(sale)).status).toBe(201);
    expectRefusal(await initializeOrder(sale));
  });

  it('are limited when they are created concurrently', async () => {
    const sale = await openSale();
    const answers = await Promise.all(Array.from({ length: 8 }, () => initializeOrder(sale)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  });
});

describe('open crypto orders of a user', () => {
  const cryptoPayment = { paymentMethod: 'CRYPTO' };

  it('are limited to five over all events, and the sweep ignores a cancelled one that is confirmed with an unknown transaction', async () => {
    const sales = [await openSale('POL'), await openSale('POL'), await openSale('POL')];
    const answers = [];
    for (let index = 0; index < 5; index++)
      answers.push(await initializeOrder(sales[index % 3], cryptoPayment));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
    expectRefusal(await initializeOrder(sales[2], cryptoPayment));

    const { orderId } = answers[0]?.body ?? {};
    await cancelOrder(orderId);
    const body = { txHash: `0x${'ab'.repeat(32)}` };
    const answer = await api('POST', `/api/orders/${orderId}/confirm`, { token: buyer.token, body });
    expectRefusal(answer, 'transaction-not-final');
    expect(await getItem(keys.order(orderId))).not.toHaveProperty('dueAt');
    expect((await initializeOrder(sales[2], cryptoPayment)).status).toBe(201);
  });
});

describe('registrations from one IP address', () => {
  it('are limited by REGISTRATIONS_PER_HOUR', async () => {
    const register = () =>
      api('POST', '/api/auth/register', {
        body: { email: freshEmail(), name: 'Ann', password: 'correct horse battery' },
      });
    const answers = [];
    for (let index = 0; index < registrationsPerHour; index++) answers.push(await register());
    // The buyer's registration counts too, so at least the last of these is refused.
    const refusal = answers.find(({ status }) => status !== 201) as Answer;
    expectRefusal(refusal, 'too-many-attempts', 429);
    const retryAfter = Number(refusal.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(3_000);
    expect(retryAfter).toBeLessThanOrEqual(3_600);
  });
});
