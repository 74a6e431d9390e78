import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gatewayNames } from '../../shared/payments/gateway.ts';
import { eventually } from '../support/eventually.ts';
import { type OrderClient, orderClient } from '../support/order-client.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';
import { openWallet } from '../support/wallet.ts';

/** Orders whose payment is not reported before their hold ends. */

const holdSeconds = 9;
const alone = { concurrent: false };
let stack: SeparateStack;
let { api, control, openSale, initializeOrder, availableOf }: OrderClient = {} as OrderClient;
beforeAll(async () => {
  stack = await startStack({ env: { HOLD_MINUTES: String(holdSeconds / 60) } });
  ({ api, control, openSale, initializeOrder, availableOf } = orderClient(stack));
});
afterAll(() => stack?.stop());

/** Polls the clock until the hold of an order is over. */
/** Waits for the end of a hold. A scheduled sweep may have queued the order, with a delay that ends up to a second later. */
const holdEnds = ({ expiresAt }: { expiresAt: string }) =>
  eventually('the hold ends', () => Date.now() > Date.parse(expiresAt) + 1_500);

// Gateways run concurrently, since most of the time is waiting; each runs its tests in sequence, since they share its faults.
describe.concurrent.each(gatewayNames)('at %s', (gateway) => {
  afterEach(() => control('faults', { gateway, mode: 'error', times: 0 }));

  const fiat = { paymentMethod: 'FIAT', gateway };
  const pay = (reference: string, body: object = {}) => control(`payments/${reference}/pay`, body);
  const less = gateway === 'gateway-b' ? 102.49 : 10249;

  it(
    'the end of the hold expires abandoned and underpaid orders, and completes one paid without a webhook',
    alone,
    async () => {
      const event = await openSale();
      const [abandoned, unreported, underpaid] = await Promise.all([
        initializeOrder(event, fiat),
        initializeOrder(event, fiat),
        initializeOrder(event, fiat),
      ]);
      expect(await availableOf(event)).toBe(94);
      await control(`payments/${abandoned.reference}/leave`);
      await pay(unreported.reference, { webhook: false });
      await pay(underpaid.reference, { webhook: false, amount: less });

      await holdEnds(underpaid);
      await stack.sweep();
      expect(await abandoned.read()).toMatchObject({
        paymentStatus: 'FAILED',
        failureReason: 'expired',
        paymentReview: null,
      });
      expect(await unreported.read()).toMatchObject({ paymentStatus: 'COMPLETED' });
      expect(await underpaid.read()).toMatchObject({
        paymentStatus: 'FAILED',
        failureReason: 'expired',
        paymentReview: 'Paid 10249, but 10250 minor units of NGN are due',
      });
      expect(await availableOf(event)).toBe(98);

      // A payment after the hold still completes the order.
      expect(await pay(abandoned.reference)).toMatchObject({ deliveries: [{ status: 200 }] });
      expect(await abandoned.read()).toMatchObject({ paymentStatus: 'COMPLETED', failureReason: null });
      expect(await availableOf(event)).toBe(96);
    },
  );

  it('an order does not expire while the provider can’t be reached', alone, async () => {
    const order = await initializeOrder(await openSale(), fiat);
    // Set before the hold ends, since the sweep of another gateway's test checks this order, too.
    await control('faults', { gateway, mode: 'error', times: 100 });
    await holdEnds(order);
    await stack.sweep();
    expect(await order.read()).toMatchObject({ paymentStatus: 'PENDING' });
  });
});

describe('on chain', () => {
  const rpc = (method: string, ...params: unknown[]) =>
    fetch(stack.chainRpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  it('an order does not expire once its payment is in a block, and a later payment still completes it', async () => {
    const event = await openSale('POL');
    const wallet = await openWallet(stack);
    const confirm = ({ orderId, token }: { orderId: string; token: string }, txHash: string) =>
      api('POST', `/api/orders/${orderId}/confirm`, { token, body: { txHash } });
    await rpc('evm_setIntervalMining', 0);
    const mined = await initializeOrder(event, { paymentMethod: 'CRYPTO' });
    const minedHash = await wallet.pay(mined.payment);
    await rpc('evm_mine');
    const late = await initializeOrder(event, { paymentMethod: 'CRYPTO' });
    const lateHash = await wallet.pay(late.payment);
    expect((await confirm(mined, minedHash)).status).toBe(409);
    expect((await confirm(late, lateHash)).status).toBe(409);

    await holdEnds(late);
    await stack.sweep();
    expect(await mined.read()).toMatchObject({ paymentStatus: 'PENDING' });
    expect(await late.read()).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'expired' });
    expect(await availableOf(event)).toBe(98);

    await rpc('evm_setIntervalMining', 1);
    await eventually('the sweep completes both orders', async () => {
      await stack.sweep();
      const orders = await Promise.all([mined.read(), late.read()]);
      return orders.every(({ paymentStatus }) => paymentStatus === 'COMPLETED');
    });
    expect(await mined.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: minedHash });
    expect(await late.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: lateHash });
    expect(await availableOf(event)).toBe(96);
    wallet.close();
  });

  it('an unpaid order expires with its hold', async () => {
    const event = await openSale('POL');
    const order = await initializeOrder(event, { paymentMethod: 'CRYPTO' });
    await holdEnds(order);
    await stack.sweep();
    expect(await order.read()).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'expired' });
    expect(await availableOf(event)).toBe(100);
  });
});
