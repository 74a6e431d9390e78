import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gatewayNames } from '../../shared/payments/gateway.ts';
import { call } from '../support/http.ts';
import { registerUser } from '../support/people.ts';
import { deliver, providers } from '../support/providers.ts';
import { type OwnStack, startStack } from '../support/stack.ts';
import { openWallet } from '../support/wallet.ts';

/** What becomes of orders that nobody confirms in time, and of webhooks that the provider is asked about. */

const holdSeconds = 9;
const alone = { concurrent: false };
let stack: OwnStack;
beforeAll(async () => {
  stack = await startStack({ env: { HOLD_MINUTES: String(holdSeconds / 60), VERIFY_WITH_GATEWAY: 'true' } });
});
afterAll(() => stack?.stop());

async function control(path: string, body: object = {}) {
  const headers = { 'content-type': 'application/json' };
  const url = `${stack.sandboxUrl}/control/${path}`;
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}
const api = (method: string, path: string, options: object = {}) =>
  call(method, path, { apiUrl: stack.apiUrl, ...options });

async function openSale(currency = 'NGN') {
  const { token } = await registerUser({ role: 'ORGANIZER' }, stack);
  const startDate = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const tiers = [{ name: 'Standing', price: 50, quantity: 100 }];
  const body = { title: 'Jazz', venue: 'Club', startDate, tiers };
  const { event } = (await api('POST', '/api/events', { token, body })).body;
  return (await api('PUT', `/api/events/${event.id}`, { token, body: { currency } })).body.event;
}

async function begin(event: { id: string; tiers: { id: string }[] }, how: object) {
  const { token } = await registerUser({}, stack);
  const body = { eventId: event.id, tierId: event.tiers[0]?.id, quantity: 2, ...how };
  const { body: answer } = await api('POST', '/api/orders/initialize', { token, body });
  return {
    ...answer,
    token,
    read: async () => (await api('GET', `/api/orders/${answer.orderId}`, { token })).body.order,
  };
}

const availableOf = async ({ id }: { id: string }) =>
  (await api('GET', `/api/events/${id}`)).body.event.tiers[0].available;

const holdEnds = () => sleep(holdSeconds * 1000 + 100);

// Gateways side by side, since most of it is waiting; each with one thing at a time, since its faults are shared.
describe.concurrent.each(gatewayNames)('at %s', (gateway) => {
  afterEach(() => control('faults', { gateway, mode: 'error', times: 0 }));

  const fiat = { paymentMethod: 'FIAT', gateway };
  const pay = (reference: string, body: object = {}) => control(`payments/${reference}/pay`, body);
  const less = gateway === 'gateway-b' ? 102.49 : 10249;

  it(
    'the end of the hold finds who walked away, who paid unheard, and who paid too little',
    alone,
    async () => {
      const event = await openSale();
      const [away, unheard, short] = await Promise.all([
        begin(event, fiat),
        begin(event, fiat),
        begin(event, fiat),
      ]);
      expect(await availableOf(event)).toBe(94);
      await control(`payments/${away.reference}/leave`);
      await pay(unheard.reference, { webhook: false });
      await pay(short.reference, { webhook: false, amount: less });

      await holdEnds();
      await stack.sweep();
      expect(await away.read()).toMatchObject({
        paymentStatus: 'FAILED',
        failureReason: 'expired',
        paymentReview: null,
      });
      expect(await unheard.read()).toMatchObject({ paymentStatus: 'COMPLETED' });
      expect(await short.read()).toMatchObject({
        paymentStatus: 'FAILED',
        failureReason: 'expired',
        paymentReview: 'Paid 10249, but 10250 minor units of NGN are due',
      });
      expect(await availableOf(event)).toBe(98);

      // Better late than never.
      expect(await pay(away.reference)).toMatchObject({ deliveries: [{ status: 200 }] });
      expect(await away.read()).toMatchObject({ paymentStatus: 'COMPLETED', failureReason: null });
      expect(await availableOf(event)).toBe(96);
    },
  );

  it('a hold does not end while the provider can’t be asked', alone, async () => {
    const order = await begin(await openSale(), fiat);
    await holdEnds();
    await control('faults', { gateway, mode: 'error', times: 100 });
    await stack.sweep();
    expect(await order.read()).toMatchObject({ paymentStatus: 'PENDING' });
  });

  it('a webhook counts only as far as the provider confirms it', alone, async () => {
    const event = await openSale();
    const [forged, flattered, honest] = await Promise.all([
      begin(event, fiat),
      begin(event, fiat),
      begin(event, fiat),
    ]);
    await pay(flattered.reference, { webhook: false, amount: less });
    await pay(honest.reference, { webhook: false });
    for (const { reference } of [forged, flattered, honest]) {
      const said = providers[gateway].paid(reference, 102.5, 'NGN');
      expect(await deliver(gateway, said, stack.apiUrl)).toMatchObject({ status: 200, body: { ok: true } });
    }
    expect(await forged.read()).toMatchObject({
      paymentStatus: 'PENDING',
      paymentReview: `${gateway} does not confirm the payment it told of`,
    });
    expect(await flattered.read()).toMatchObject({
      paymentStatus: 'PENDING',
      paymentReview: 'Paid 10249, but 10250 minor units of NGN are due',
    });
    expect(await honest.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentReview: null });
  });

  it.each(['error', 'hang', 'lose'])(
    'a webhook is taken later when asking back fails: %s',
    alone,
    async (mode) => {
      const order = await begin(await openSale(), fiat);
      await pay(order.reference, { webhook: false });
      await control('faults', { gateway, mode });
      const said = providers[gateway].paid(order.reference, 102.5, 'NGN');
      const before = performance.now();
      expect(await deliver(gateway, said, stack.apiUrl)).toMatchObject({
        status: 500,
        body: { error: 'Something went wrong' },
      });
      expect(performance.now() - before).toBeLessThan(10_000);
      expect(await deliver(gateway, said, stack.apiUrl)).toMatchObject({ status: 200 });
      expect(await order.read()).toMatchObject({ paymentStatus: 'COMPLETED' });
    },
  );

  it.each(['error', 'hang', 'lose'])(
    'nothing is held when a payment can’t be begun: %s',
    alone,
    async (mode) => {
      const event = await openSale();
      const { token } = await registerUser({}, stack);
      await control('faults', { gateway, mode });
      const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 2, ...fiat };
      const before = performance.now();
      const answer = await api('POST', '/api/orders/initialize', { token, body });
      expect(answer).toMatchObject({ status: 502, body: { error: 'The payment provider is not available' } });
      expect(performance.now() - before).toBeLessThan(25_000);
      expect(await availableOf(event)).toBe(100);
      const { orders } = (await api('GET', '/api/orders', { token })).body;
      expect(orders).toMatchObject([{ paymentStatus: 'FAILED', failureReason: 'gateway-failed' }]);
    },
  );
});

describe('on a chain', () => {
  const rpc = (method: string, ...params: unknown[]) =>
    fetch(stack.chainRpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  it('a hold waits for a payment that is in a block, and a late one still counts', async () => {
    const event = await openSale('POL');
    const wallet = await openWallet(stack);
    const confirm = ({ orderId, token }: { orderId: string; token: string }, txHash: string) =>
      api('POST', `/api/orders/${orderId}/confirm`, { token, body: { txHash } });
    await rpc('evm_setIntervalMining', 0);
    const young = await begin(event, { paymentMethod: 'CRYPTO' });
    const youngHash = await wallet.pay(young.payment);
    await rpc('evm_mine');
    const late = await begin(event, { paymentMethod: 'CRYPTO' });
    const lateHash = await wallet.pay(late.payment);
    expect((await confirm(young, youngHash)).status).toBe(409);
    expect((await confirm(late, lateHash)).status).toBe(409);

    await holdEnds();
    await stack.sweep();
    expect(await young.read()).toMatchObject({ paymentStatus: 'PENDING' });
    expect(await late.read()).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'expired' });
    expect(await availableOf(event)).toBe(98);

    await rpc('evm_setIntervalMining', 1);
    await sleep(holdSeconds * 1000);
    await stack.sweep();
    expect(await young.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: youngHash });
    expect(await late.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: lateHash });
    expect(await availableOf(event)).toBe(96);
    wallet.end();
  });

  it('an order that nobody pays ends with its hold', async () => {
    const event = await openSale('POL');
    const order = await begin(event, { paymentMethod: 'CRYPTO' });
    await holdEnds();
    await stack.sweep();
    expect(await order.read()).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'expired' });
    expect(await availableOf(event)).toBe(100);
  });
});
