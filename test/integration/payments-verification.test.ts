import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gatewayNames } from '../../shared/core/schemas.ts';
import {
  controlSandbox,
  countAvailable,
  openSale,
  type Person,
  placeOrder,
  registerUser,
  requestOrder,
  type Sale,
} from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';
import { deliverWebhook, providers } from '../support/sandbox.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';

/** Webhooks that the service verifies with the provider, and providers that fail. */

/** The call that starts a payment. */
const startRoutes = {
  'gateway-a': 'POST /transaction/initialize',
  'gateway-b': 'POST /payments',
  'gateway-c': 'POST /v1/checkout/sessions',
};

const sequential = { concurrent: false };
let stack: SeparateStack;
let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  stack = await startStack({ env: { VERIFY_WITH_GATEWAY: 'true' } });
  [organizer, buyer] = [await registerUser({ role: 'ORGANIZER' }, stack), await registerUser({}, stack)];
});
afterAll(() => stack?.stop());

const control = (path: string, body: object = {}) => controlSandbox(path, body, 'POST', stack);

// The tests of different gateways run concurrently to save time. Those of one gateway run in sequence, since they share its faults.
describe.concurrent.each(gatewayNames)('at %s', (gateway) => {
  const orderTwo = (sale: Sale) => placeOrder(sale, buyer, { quantity: 2, gateway });
  const pay = (reference: string, body: object = {}) => control(`payments/${reference}/pay`, body);
  const partialAmount = gateway === 'gateway-b' ? 102.49 : 10249;

  it(
    'a webhook completes an order only if the provider confirms the payment and its amount',
    sequential,
    async () => {
      const sale = await openSale({ organizer });
      const [unpaidOrder, underpaidOrder, paidOrder] = await Promise.all([
        orderTwo(sale),
        orderTwo(sale),
        orderTwo(sale),
      ]);
      await pay(underpaidOrder.reference, { webhook: false, amount: partialAmount });
      await pay(paidOrder.reference, { webhook: false });
      for (const { reference } of [unpaidOrder, underpaidOrder, paidOrder]) {
        const webhook = providers[gateway].paid(reference, 102.5, 'NGN');
        expect(await deliverWebhook(gateway, webhook, stack.apiUrl)).toMatchObject({
          status: 200,
          body: { ok: true },
        });
      }
      expect(await unpaidOrder.read()).toMatchObject({
        paymentStatus: 'PENDING',
        paymentReview: `${gateway} does not confirm the payment it reported`,
      });
      expect(await underpaidOrder.read()).toMatchObject({
        paymentStatus: 'PENDING',
        paymentReview: 'Paid 10249, but 10250 minor units of NGN are due',
      });
      expect(await paidOrder.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentReview: null });
    },
  );

  it.each(['error', 'hang', 'lose'])(
    'a redelivered webhook completes the order after the verification failed with the fault %s',
    sequential,
    async (mode) => {
      const order = await orderTwo(await openSale({ organizer }));
      await pay(order.reference, { webhook: false });
      await control('faults', { gateway, mode });
      const webhook = providers[gateway].paid(order.reference, 102.5, 'NGN');
      expect(await deliverWebhook(gateway, webhook, stack.apiUrl)).toMatchObject({
        status: 500,
        body: { error: 'Something went wrong. Please try again later.' },
      });
      expect(await deliverWebhook(gateway, webhook, stack.apiUrl)).toMatchObject({ status: 200 });
      expect(await order.read()).toMatchObject({ paymentStatus: 'COMPLETED' });
    },
  );

  it.each(['error', 'hang', 'lose'])(
    'the order fails and its tickets are released when starting the payment fails with the fault %s',
    sequential,
    async (mode) => {
      const sale = await openSale({ organizer });
      const caller = await registerUser({}, stack);
      // The sweep may ask the provider about the failed order of an earlier test meanwhile, so only this call fails.
      await control('faults', { gateway, mode, route: startRoutes[gateway] });
      const answer = await requestOrder(sale, caller, { quantity: 2, gateway });
      expect(answer).toMatchObject({ status: 502, body: { error: 'The payment provider is not available' } });
      expect(await countAvailable(sale.event, stack)).toBe(100);
      const { orders } = (await caller.get('/api/orders')).body;
      expect(orders).toMatchObject([{ paymentStatus: 'FAILED', failureReason: 'gateway-failed' }]);
    },
  );
});

describe('GET /api/banks', () => {
  const gateway = 'gateway-b';
  // A later sweep would ask the providers about the failed orders of earlier tests. Each answer closes the breaker.
  beforeAll(() => stack.sweep());
  afterAll(async () => {
    for (const name of [gateway, 'gateway-a'])
      await control('faults', { gateway: name, mode: 'error', times: 0 });
  });

  it('asks the provider again when it has refused a country', async () => {
    const listBanks = () => organizer.get(`/api/banks?gateway=${gateway}&currency=GHS`);
    await control('faults', { gateway, mode: 'refuse', times: 1 });
    expect((await listBanks()).status).toBe(404);
    expect((await listBanks()).status).toBe(200);
  });

  it('returns 502 for a failing provider, then 503 for 30 seconds, and 200 for another provider', async () => {
    const listBanks = (from: string) => organizer.get(`/api/banks?gateway=${from}&currency=NGN`);
    await control('faults', { gateway, mode: 'error', times: 5 });
    for (let attempt = 1; attempt <= 5; attempt++)
      expect(errorOf(await listBanks(gateway))).toEqual([502, 'provider-failed']);
    expect(errorOf(await listBanks(gateway))).toEqual([503, 'unavailable']);
    expect((await listBanks(gateway)).headers.get('retry-after')).toBe('30');
    expect((await listBanks('gateway-a')).status).toBe(200);
    // The service has cached this list.
    await control('faults', { gateway: 'gateway-a', mode: 'error', times: 1 });
    expect((await listBanks('gateway-a')).status).toBe(200);
  });
});
