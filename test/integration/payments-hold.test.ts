import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { gatewayNames } from '../../shared/core/schemas.ts';
import { dueAttributes, keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { openWallet } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  controlSandbox,
  countAvailable,
  openSale,
  type Person,
  type PlacedOrder,
  placeOrder,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';

/** Orders whose payment is not reported before the hold ends. */

const sequential = { concurrent: false };
let stack: SeparateStack;
let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  stack = await startStack();
  connectToTable(stack);
  [organizer, buyer] = [await registerUser({ role: 'ORGANIZER' }, stack), await registerUser({}, stack)];
});
afterAll(() => stack?.stop());

const control = (path: string, body: object = {}) => controlSandbox(path, body, 'POST', stack);
const openOwnSale = (currency = 'NGN') => openSale({ organizer, currency });

/** Ends the holds of orders now. */
async function endHolds(...orders: PlacedOrder[]): Promise<void> {
  const now = Date.now() - 1;
  const set = { expiresAt: new Date(now).toISOString() };
  const changes = orders.map(({ orderId }) =>
    update(keys.order(orderId), { set: { ...set, ...dueAttributes(orderId, now) } }),
  );
  await Promise.all(changes.map(write));
}

/** Sweeps until these orders are settled. Another sweep may have claimed one without having queued it yet. */
async function sweepUntilSettled(...orders: PlacedOrder[]): Promise<void> {
  await eventually('the orders are settled', async () => {
    await stack.sweep();
    const currentOrders = await Promise.all(orders.map(({ read }) => read()));
    return currentOrders.every(({ paymentStatus }) => paymentStatus !== 'PENDING');
  });
}

// The tests of different gateways run concurrently to save time. Those of one gateway run in sequence, since they share its faults.
describe.concurrent.each(gatewayNames)('the sweep of orders at %s', (gateway) => {
  afterEach(() => control('faults', { gateway, mode: 'error', times: 0 }));

  const orderTwo = (sale: Sale) => placeOrder(sale, buyer, { quantity: 2, gateway });
  const pay = (reference: string, body: object = {}) => control(`payments/${reference}/pay`, body);
  const partialAmount = gateway === 'gateway-b' ? 102.49 : 10249;

  it(
    'expires abandoned and underpaid orders after their hold, and completes an order paid without a webhook',
    sequential,
    async () => {
      const sale = await openOwnSale();
      const [abandonedOrder, unreportedOrder, underpaidOrder] = await Promise.all([
        orderTwo(sale),
        orderTwo(sale),
        orderTwo(sale),
      ]);
      expect(await countAvailable(sale.event, stack)).toBe(94);
      await control(`payments/${abandonedOrder.reference}/leave`);
      await pay(unreportedOrder.reference, { webhook: false });
      await pay(underpaidOrder.reference, { webhook: false, amount: partialAmount });

      await endHolds(abandonedOrder, unreportedOrder, underpaidOrder);
      await sweepUntilSettled(abandonedOrder, unreportedOrder, underpaidOrder);
      expect(await abandonedOrder.read()).toMatchObject({
        paymentStatus: 'FAILED',
        failureReason: 'expired',
        paymentReview: null,
      });
      expect(await unreportedOrder.read()).toMatchObject({ paymentStatus: 'COMPLETED' });
      expect(await underpaidOrder.read()).toMatchObject({
        paymentStatus: 'FAILED',
        failureReason: 'expired',
        paymentReview: 'Paid 10249, but 10250 minor units of NGN are due',
      });
      expect(await countAvailable(sale.event, stack)).toBe(98);

      // A payment after the hold still completes the order.
      expect(await pay(abandonedOrder.reference)).toMatchObject({ deliveries: [{ status: 200 }] });
      expect(await abandonedOrder.read()).toMatchObject({ paymentStatus: 'COMPLETED', failureReason: null });
      expect(await countAvailable(sale.event, stack)).toBe(96);
    },
  );

  it('does not expire an order while the provider fails', sequential, async () => {
    const order = await orderTwo(await openOwnSale());
    // The fault is set before the hold ends, since another gateway's test may sweep this order, too.
    await control('faults', { gateway, mode: 'error', times: 100 });
    await endHolds(order);
    await stack.sweep();
    expect(await order.read()).toMatchObject({ paymentStatus: 'PENDING' });
  });
});

describe('the sweep of crypto orders', () => {
  const rpc = (method: string, ...params: unknown[]) =>
    fetch(stack.chainRpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  it('does not expire an order whose payment is mined, and completes an expired order that is paid later', async () => {
    const sale = await openOwnSale('POL');
    const wallet = await openWallet(stack);
    const confirm = ({ orderId }: PlacedOrder, txHash: string) =>
      buyer.post(`/api/orders/${orderId}/confirm`, { txHash });
    await rpc('evm_setIntervalMining', 0);
    const minedOrder = await placeOrder(sale, buyer, { quantity: 2, paymentMethod: 'CRYPTO' });
    const minedHash = await wallet.pay(minedOrder.payment);
    await rpc('evm_mine');
    const lateOrder = await placeOrder(sale, buyer, { quantity: 2, paymentMethod: 'CRYPTO' });
    const lateHash = await wallet.pay(lateOrder.payment);
    expect((await confirm(minedOrder, minedHash)).status).toBe(409);
    expect((await confirm(lateOrder, lateHash)).status).toBe(409);

    await endHolds(minedOrder, lateOrder);
    await sweepUntilSettled(lateOrder);
    expect(await minedOrder.read()).toMatchObject({ paymentStatus: 'PENDING' });
    expect(await lateOrder.read()).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'expired' });
    expect(await countAvailable(sale.event, stack)).toBe(98);

    await rpc('evm_setIntervalMining', 1);
    await eventually('the sweep completes both orders', async () => {
      await stack.sweep();
      const orders = await Promise.all([minedOrder.read(), lateOrder.read()]);
      return orders.every(({ paymentStatus }) => paymentStatus === 'COMPLETED');
    });
    expect(await minedOrder.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: minedHash });
    expect(await lateOrder.read()).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: lateHash });
    expect(await countAvailable(sale.event, stack)).toBe(96);
    wallet.close();
  });

  it('expires an unpaid order after its hold', async () => {
    const sale = await openOwnSale('POL');
    const order = await placeOrder(sale, buyer, { quantity: 2, paymentMethod: 'CRYPTO' });
    await endHolds(order);
    await sweepUntilSettled(order);
    expect(await order.read()).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'expired' });
    expect(await countAvailable(sale.event, stack)).toBe(100);
  });
});
