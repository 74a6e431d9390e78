import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gatewayNames } from '../../shared/payments/gateway.ts';
import { type Counter, counterOf } from '../support/counter.ts';
import { type OwnStack, startStack } from '../support/stack.ts';
import { openWallet } from '../support/wallet.ts';

/** What becomes of orders that nobody confirms in time. */

const holdSeconds = 9;
const alone = { concurrent: false };
let stack: OwnStack;
let { api, control, openSale, begin, availableOf }: Counter = {} as Counter;
beforeAll(async () => {
  stack = await startStack({ env: { HOLD_MINUTES: String(holdSeconds / 60) } });
  ({ api, control, openSale, begin, availableOf } = counterOf(stack));
});
afterAll(() => stack?.stop());

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
    // Before the hold ends: the sweep of another gateway's test looks at this order, too.
    await control('faults', { gateway, mode: 'error', times: 100 });
    await holdEnds();
    await stack.sweep();
    expect(await order.read()).toMatchObject({ paymentStatus: 'PENDING' });
  });
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
