import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../infra/ops/reconcile-ledger.ts';
import { type GatewayName, gatewayNames } from '../../shared/core/schemas.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { sweep } from '../../shared/jobs/sweep/sweep-due.ts';
import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { encodeReference, type Order } from '../../shared/orders/order.ts';
import { listEventOrders } from '../../shared/orders/read-orders.ts';
import { sendRefund } from '../../shared/orders/refunds/send-refund.ts';
import { confirmOrder, followCryptoPayment } from '../../shared/orders/settlement/crypto-payment.ts';
import { cancelOrder, expireOrder } from '../../shared/orders/settlement/end-order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { type Backend, runWorkers, startBackend } from '../support/backend.ts';
import { type Sandbox, startPaymentSandbox } from '../support/sandbox.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { type StubNode, startStubNode } from './stub-nodes.ts';

/** Orders that end without a webhook. The gateway or the chain determines whether they were paid. */

const chainId = 31337;
const treasury = '0x00000000000000000000000000000000000b0d1e';
let backend: Backend;
let sandbox: Sandbox;
let nodes: [StubNode, StubNode];
let shop: Shop;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startPaymentSandbox();
  nodes = [await startStubNode(chainId), await startStubNode(chainId)];
  Object.assign(process.env, {
    HOLD_MINUTES: '15',
    TREASURY_ADDRESS: treasury,
    [`CHAIN_${chainId}_RPC_URLS`]: nodes.map(({ url }) => url).join(','),
  });
}, 60_000);
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  await sandbox.control('faults', {}, 'DELETE');
  for (const node of nodes) Object.assign(node, { isUp: true, payments: new Map() });
  expect([...(await findInventoryDifferences()), ...(await findLedgerDifferences())]).toEqual([]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await sandbox.stop();
  await backend.stop();
});

const minutes = 60_000;
/** Runs the sweep and the workers with the clock set ahead by a time, then resets the clock. */
async function sweepLater(milliseconds: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });
  await sweep(Date.now() + 10_000);
  await runWorkers(backend, ['run-event-jobs', 'settle-orders']);
  vi.useRealTimers();
}

const fulfil = ({ id: orderId, eventId, userId }: Order) => fulfilOrders([{ orderId, eventId, userId }]);
const injectErrors = (gateway: GatewayName, times = 1) =>
  sandbox.control('faults', { gateway, mode: 'error', times });
const payWithoutWebhook = ({ reference }: Order) =>
  sandbox.control(`payments/${reference}/pay`, { webhook: false });

describe.each(gatewayNames)('an order paid at %s, whose webhook is lost', (gateway) => {
  let order: Order;
  beforeEach(async () => {
    shop = await openShop();
    order = await shop.order({ gateway });
  });

  it('can’t be cancelled by its buyer, and completes', async () => {
    await payWithoutWebhook(order);
    await expect(cancelOrder(shop.buyerId, order.id)).rejects.toMatchObject({ code: 'not-pending' });
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED', holdsInventory: true });
    await fulfil(order);
  });

  it('completes later if the gateway does not answer when its buyer cancels it', async () => {
    await payWithoutWebhook(order);
    await injectErrors(gateway);
    expect(await cancelOrder(shop.buyerId, order.id)).toMatchObject({ paymentStatus: 'FAILED' });
    await injectErrors(gateway);
    await sweepLater(2 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'cancelled' });
    await sweepLater(10 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED', holdsInventory: true });
    await fulfil(order);
  });

  it('is refunded when its event is cancelled', async () => {
    await payWithoutWebhook(order);
    await shop.cancelEvent();
    await injectErrors(gateway);
    // The first sweep fails the order. The second one queries the gateway, which does not answer.
    await sweepLater(1);
    await sweepLater(10 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ failureReason: 'event-cancelled' });
    await sweepLater(60 * minutes);
    expect(await getOrder(order.id)).toMatchObject({
      paymentStatus: 'COMPLETED',
      fulfilmentReason: 'event-cancelled',
    });
    await fulfil(order);
    await sendRefund(order.id);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' }, holdsInventory: false });
  });

  it('is looked up at the gateway until the gateway answers, even long after the hold has expired', async () => {
    await payWithoutWebhook(order);
    await injectErrors(gateway, 2);
    await sweepLater(31 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ failureReason: 'expired' });
    await sweepLater(35 * minutes);
    await sweepLater(120 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
    await fulfil(order);
  });

  it('completes once its gateway is configured again, even after the hold has expired', async () => {
    await payWithoutWebhook(order);
    vi.stubEnv(`${gateway.toUpperCase().replace('-', '_')}_URL`, '');
    await sweepLater(31 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ failureReason: 'expired' });
    vi.unstubAllEnvs();
    await sweepLater(120 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
    await fulfil(order);
  });

  it('is looked up for three days after its buyer cancelled it, where the checkout can’t be closed', async () => {
    expect(await cancelOrder(shop.buyerId, order.id)).toMatchObject({ failureReason: 'cancelled' });
    await payWithoutWebhook(order);
    await sweepLater(24 * 60 * minutes);
    const paymentStatus = gateway === 'gateway-c' ? 'FAILED' : 'COMPLETED';
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus });
  });
});

it('expires the checkout at gateway-c when its order is cancelled', async () => {
  shop = await openShop();
  const order = await shop.order({ gateway: 'gateway-c' });
  await cancelOrder(shop.buyerId, order.id);
  expect(await sandbox.control(`payments/${order.reference}`, {}, 'GET')).toMatchObject({
    status: 'expired',
  });
});

it('looks up an order at the gateway when the answer to its checkout request was lost', async () => {
  shop = await openShop();
  await sandbox.control('faults', { gateway: 'gateway-a', mode: 'lose' });
  await expect(shop.order({ gateway: 'gateway-a' })).rejects.toMatchObject({ code: 'provider-failed' });
  const [failedOrder] = await listOrders(shop);
  if (!failedOrder) throw new Error('No order');
  await payWithoutWebhook(failedOrder);
  await sweepLater(1);
  expect(await getOrder(failedOrder.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
  await fulfil(failedOrder);
});

describe('an order whose payment on the chain is not final', () => {
  let order: Order;
  let hash: string;
  beforeEach(async () => {
    shop = await openShop({ currency: 'ETH', chainId });
    order = await shop.order({ paymentMethod: 'CRYPTO' });
    hash = `0x${randomBytes(32).toString('hex')}`;
  });

  /** Makes nodes report the payment in a state. */
  function reportPayment(state: 'pending' | 'mined' | 'final', reporters: readonly StubNode[] = nodes): void {
    const payment = {
      to: treasury,
      amount: order.totalAmount,
      data: encodeReference(order.reference),
      state,
    };
    for (const node of reporters) node.payments.set(hash, payment);
  }
  const confirm = (transactionHash = hash) =>
    confirmOrder(shop.buyerId, order.id, transactionHash).catch(({ code }) => code);
  const readStoredOrder = () => getItem(keys.order(order.id));
  const cancel = () => cancelOrder(shop.buyerId, order.id).catch(({ code }) => code);

  it.each(['pending', 'mined'] as const)(
    'is refunded once its payment is final, if its event was cancelled while the payment was %s',
    async (state) => {
      reportPayment(state);
      expect(await confirm()).toBe('transaction-not-final');
      await shop.cancelEvent();
      await sweepLater(1);
      expect(await getOrder(order.id)).toMatchObject({
        failureReason: 'event-cancelled',
        holdsInventory: false,
      });
      await sweepLater(24 * 60 * minutes);
      expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'FAILED' });
      reportPayment('final');
      await sweepLater(48 * 60 * minutes);
      expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: hash });
      await fulfil(order);
      await sendRefund(order.id);
      expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'manual' }, holdsInventory: false });
    },
  );

  it.each(['pending', 'mined', 'final'] as const)(
    'can’t be cancelled while one node reports the payment as %s',
    async (state) => {
      reportPayment(state, [nodes[0]]);
      expect(await confirm()).toBe('transaction-not-final');
      expect(await cancel()).toBe('payment-under-way');
      expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'PENDING', holdsInventory: true });
    },
  );

  it('completes instead of being cancelled once its payment is final', async () => {
    reportPayment('mined');
    await confirm();
    reportPayment('final');
    expect(await cancel()).toBe('not-pending');
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
    await fulfil(order);
  });

  it('can be cancelled while the nodes are down, and still completes', async () => {
    reportPayment('mined');
    await confirm();
    for (const node of nodes) node.isUp = false;
    expect(await cancel()).toMatchObject({ failureReason: 'cancelled' });
    for (const node of nodes) node.isUp = true;
    reportPayment('final');
    await sweepLater(5 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
    await fulfil(order);
  });

  it('can be cancelled when no node knows its transaction, which is not looked up afterwards', async () => {
    expect(await confirm()).toBe('transaction-not-final');
    expect(await cancel()).toMatchObject({ failureReason: 'cancelled' });
    expect(await confirm()).toBe('transaction-not-final');
    reportPayment('final');
    await sweepLater(60 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'FAILED' });
    expect(await confirm()).toMatchObject({ paymentStatus: 'COMPLETED' });
    await fulfil(order);
  });

  it('keeps its pending transaction when its buyer submits another one, which no node knows', async () => {
    reportPayment('mined');
    await confirm();
    expect(await confirm(`0x${'ab'.repeat(32)}`)).toBe('transaction-not-final');
    expect((await getOrder(order.id)).cryptoTxHash).toBe(hash);
  });

  it.each([
    ['can’t pay', { data: '0x' }],
    ['is still pending', { state: 'pending' as const }],
  ])(
    'follows a transaction that its buyer submits while an earlier one, which %s, is checked',
    async (_, change) => {
      const earlierHash = `0x${randomBytes(32).toString('hex')}`;
      await confirm(earlierHash);
      const orderWithEarlierHash = await getOrder(order.id);
      reportPayment('mined');
      await confirm();
      const dueAt = (await readStoredOrder())?.dueAt;
      for (const { payments } of nodes) {
        const payment = payments.get(hash);
        if (payment) payments.set(earlierHash, { ...payment, state: 'final', ...change });
      }
      await followCryptoPayment(orderWithEarlierHash, earlierHash);
      expect(await readStoredOrder()).toMatchObject({ paymentStatus: 'PENDING', cryptoTxHash: hash, dueAt });
      reportPayment('final');
      await sweepLater(20 * minutes);
      expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: hash });
      await fulfil(order);
    },
  );

  it('keeps its tickets when its buyer submits a transaction while its hold ends', async () => {
    const earlierHash = `0x${randomBytes(32).toString('hex')}`;
    const unpaidOrder = await getOrder(order.id);
    await confirm(earlierHash);
    const orderWithEarlierHash = await getOrder(order.id);
    reportPayment('mined');
    await confirm();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * minutes });
    await expireOrder(unpaidOrder);
    await followCryptoPayment(orderWithEarlierHash, earlierHash);
    vi.useRealTimers();
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'PENDING', cryptoTxHash: hash });
    reportPayment('final');
    await sweepLater(20 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: hash });
    await fulfil(order);
  });
});

async function listOrders({ eventId, organizerId }: Shop): Promise<Order[]> {
  return (await listEventOrders(eventId, organizerId, { limit: 10 })).orders;
}
