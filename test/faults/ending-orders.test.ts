import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { auditLedger } from '../../infra/operator/ledger-audit.ts';
import { auditInventory } from '../../infra/operator/stock-audit.ts';
import { listEventOrders } from '../../shared/orders/event-orders.ts';
import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import { type Order, referenceData } from '../../shared/orders/order.ts';
import { sendRefund } from '../../shared/orders/refunds/send-refund.ts';
import { cancelOrder } from '../../shared/orders/settlement/cancel-order.ts';
import { confirmOrder } from '../../shared/orders/settlement/confirm-order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { type GatewayName, gatewayNames } from '../../shared/payments/gateway.ts';
import { sweep } from '../../shared/sweep/sweep-due.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { type Sandbox, startSandboxAlone } from '../support/sandbox.ts';
import { openShop, type Shop } from '../support/shop.ts';
import { type StubNode, startStubNode } from '../support/stub-nodes.ts';
import { runWorkers } from '../support/workers.ts';

/** Orders that end without a webhook. The gateway or the chain determines whether they were paid. */

const chainId = 31337;
const treasury = '0x00000000000000000000000000000000000b0d1e';
let backend: Backend;
let sandbox: Sandbox;
let nodes: [StubNode, StubNode];
let shop: Shop;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startSandboxAlone();
  nodes = [await startStubNode(chainId), await startStubNode(chainId)];
  Object.assign(process.env, {
    HOLD_MINUTES: '15',
    TREASURY_ADDRESS: treasury,
    [`CHAIN_${chainId}_RPC_URLS`]: nodes.map(({ url }) => url).join(','),
  });
}, 60_000);
afterEach(async () => {
  vi.useRealTimers();
  await sandbox.control('faults', {}, 'DELETE');
  for (const node of nodes) Object.assign(node, { isUp: true, payments: new Map() });
  expect([...(await auditInventory()), ...(await auditLedger())]).toEqual([]);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await sandbox.stop();
  await backend.stop();
});

const minutes = 60_000;
/** Runs the sweep and the workers with the clock `later` milliseconds ahead. */
async function sweepLater(later: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later });
  await sweep(Date.now() + 10_000);
  await runWorkers(backend, ['event', 'settle']);
  vi.useRealTimers();
}

const post = ({ id: orderId, eventId, userId }: Order) => fulfilOrders([{ orderId, eventId, userId }]);
const fails = (gateway: GatewayName, times = 1) =>
  sandbox.control('faults', { gateway, mode: 'error', times });
const payUnreported = ({ reference }: Order) =>
  sandbox.control(`payments/${reference}/pay`, { webhook: false });

describe.each(gatewayNames)('an order paid at %s, whose webhook is lost', (gateway) => {
  let order: Order;
  beforeEach(async () => {
    shop = await openShop();
    order = await shop.order({ gateway });
  });

  it('can’t be cancelled by its buyer, and completes', async () => {
    await payUnreported(order);
    await expect(cancelOrder(shop.buyerId, order.id)).rejects.toMatchObject({ code: 'not-pending' });
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED', holdsSeat: true });
    await post(order);
  });

  it('completes although the gateway did not answer when its buyer cancelled it', async () => {
    await payUnreported(order);
    await fails(gateway);
    expect(await cancelOrder(shop.buyerId, order.id)).toMatchObject({ paymentStatus: 'FAILED' });
    await fails(gateway);
    await sweepLater(2 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'cancelled' });
    await sweepLater(10 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED', holdsSeat: true });
    await post(order);
  });

  it('is refunded when its event is cancelled', async () => {
    await payUnreported(order);
    await shop.cancelEvent();
    await fails(gateway);
    // The first sweep fails the order. The second one queries the gateway, which does not answer.
    await sweepLater(1);
    await sweepLater(10 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ failureReason: 'event-cancelled' });
    await sweepLater(60 * minutes);
    expect(await getOrder(order.id)).toMatchObject({
      paymentStatus: 'COMPLETED',
      fulfilmentReason: 'event-cancelled',
    });
    await post(order);
    await sendRefund(order.id);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' }, holdsSeat: false });
  });

  it('is queried at the gateway until it answers, also long after the hold', async () => {
    await payUnreported(order);
    await fails(gateway, 2);
    await sweepLater(31 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ failureReason: 'expired' });
    await sweepLater(35 * minutes);
    await sweepLater(120 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
    await post(order);
  });

  it('is queried at the gateway once when it is not paid', async () => {
    expect(await cancelOrder(shop.buyerId, order.id)).toMatchObject({ failureReason: 'cancelled' });
    await payUnreported(order);
    await sweepLater(24 * 60 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'FAILED' });
  });
});

it('closes a checkout of gateway-c when its order ends', async () => {
  shop = await openShop();
  const order = await shop.order({ gateway: 'gateway-c' });
  await cancelOrder(shop.buyerId, order.id);
  expect(await sandbox.control(`payments/${order.reference}`, {}, 'GET')).toMatchObject({
    status: 'expired',
  });
});

it('queries the gateway for an order whose checkout may have started without an answer', async () => {
  shop = await openShop();
  await sandbox.control('faults', { gateway: 'gateway-a', mode: 'lose' });
  await expect(shop.order({ gateway: 'gateway-a' })).rejects.toMatchObject({ code: 'provider-failed' });
  const [failed] = await ordersOf(shop);
  if (!failed) throw new Error('No order');
  await payUnreported(failed);
  await sweepLater(1);
  expect(await getOrder(failed.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
  await post(failed);
});

describe('an order paid on the chain, before the payment is final', () => {
  let order: Order;
  let hash: string;
  beforeEach(async () => {
    shop = await openShop({ currency: 'ETH', chainId });
    order = await shop.order({ paymentMethod: 'CRYPTO' });
    hash = `0x${randomBytes(32).toString('hex')}`;
  });

  function know(state: 'pending' | 'mined' | 'final', known: readonly StubNode[] = nodes): void {
    const payment = { to: treasury, amount: order.totalAmount, data: referenceData(order.reference), state };
    for (const node of known) node.payments.set(hash, payment);
  }
  const confirm = (named = hash) => confirmOrder(shop.buyerId, order.id, named).catch(({ code }) => code);
  const cancel = () => cancelOrder(shop.buyerId, order.id).catch(({ code }) => code);

  it.each(['pending', 'mined'] as const)(
    'is followed and refunded when its event is cancelled: %s',
    async (state) => {
      know(state);
      expect(await confirm()).toBe('transaction-not-final');
      await shop.cancelEvent();
      await sweepLater(1);
      expect(await getOrder(order.id)).toMatchObject({ failureReason: 'event-cancelled', holdsSeat: false });
      await sweepLater(24 * 60 * minutes);
      expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'FAILED' });
      know('final');
      await sweepLater(48 * 60 * minutes);
      expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: hash });
      await post(order);
      await sendRefund(order.id);
      expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'manual' }, holdsSeat: false });
    },
  );

  it.each(['pending', 'mined', 'final'] as const)(
    'can’t be cancelled while one node knows it: %s',
    async (state) => {
      know(state, [nodes[0]]);
      expect(await confirm()).toBe('transaction-not-final');
      expect(await cancel()).toBe('payment-under-way');
      expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'PENDING', holdsSeat: true });
    },
  );

  it('completes instead of being cancelled once it is final', async () => {
    know('mined');
    await confirm();
    know('final');
    expect(await cancel()).toBe('not-pending');
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
    await post(order);
  });

  it('can be cancelled while the nodes are down, and still completes', async () => {
    know('mined');
    await confirm();
    for (const node of nodes) node.isUp = false;
    expect(await cancel()).toMatchObject({ failureReason: 'cancelled' });
    for (const node of nodes) node.isUp = true;
    know('final');
    await sweepLater(5 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'COMPLETED' });
    await post(order);
  });

  it('ignores a transaction that no node knows: the order can be cancelled, and no node is queried afterwards', async () => {
    expect(await confirm()).toBe('transaction-not-final');
    expect(await cancel()).toMatchObject({ failureReason: 'cancelled' });
    expect(await confirm()).toBe('transaction-not-final');
    know('final');
    await sweepLater(60 * minutes);
    expect(await getOrder(order.id)).toMatchObject({ paymentStatus: 'FAILED' });
    expect(await confirm()).toMatchObject({ paymentStatus: 'COMPLETED' });
    await post(order);
  });

  it('does not replace a pending transaction by one that no node knows', async () => {
    know('mined');
    await confirm();
    expect(await confirm(`0x${'ab'.repeat(32)}`)).toBe('transaction-not-final');
    expect((await getOrder(order.id)).cryptoTxHash).toBe(hash);
  });
});

async function ordersOf({ eventId, organizerId }: Shop): Promise<Order[]> {
  return (await listEventOrders(eventId, organizerId, { limit: 10 })).orders;
}
