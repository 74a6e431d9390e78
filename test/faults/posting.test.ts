import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Order } from '../../shared/orders/order.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { loadPaidOrders, type PaidOrders } from '../support/paid-orders.ts';

/** Orders of one organizer are booked in one transaction; none of them may be in the way of the others. */

let backend: Backend;
let system: Awaited<ReturnType<typeof loadSystem>>;
let sold: PaidOrders;
let orders: Order[];

beforeAll(async () => {
  backend = await startBackend();
  system = await loadSystem();
}, 60_000);
beforeEach(async () => {
  sold = await system.paidOrders(10);
  orders = sold.orders;
});
afterAll(() => backend.stop());

/** The same orders, each time beginning with another: then nothing but the orders themselves is in common. */
const rotated = (all: Order[], by: number) => [...all.slice(by), ...all.slice(0, by)];

test('ten orders are booked together, each once, by one entry', async () => {
  expect(await system.fulfil([...orders, ...orders])).toEqual([]);
  await system.expectBooked(sold, orders);
  expect(await system.readEntries(sold)).toHaveLength(1);
});

test('orders of several events are booked together, by an entry for each event', async () => {
  const several = await system.paidOrders(10, { events: 3 });
  expect(await system.fulfil(several.orders)).toEqual([]);
  await system.expectBooked(several, several.orders);
  const entries = await system.readEntries(several);
  expect(entries.map((entry) => entry.orders.length).sort()).toEqual([3, 3, 4]);
});

test('five workers with the same ten orders book each once', async () => {
  const results = await Promise.all(Array.from({ length: 5 }, (_, at) => system.fulfil(rotated(orders, at))));
  expect(results).toEqual(Array(5).fill([]));
  await system.expectBooked(sold, orders);
});

test('orders that stay queued for the mint are booked once as well', async () => {
  const minted = await system.paidOrders(10, { mints: true });
  const workers = Array.from({ length: 5 }, (_, at) => system.fulfil(rotated(minted.orders, at)));
  expect(await Promise.all(workers)).toEqual(Array(5).fill([]));
  await system.expectBooked(minted, minted.orders, { fulfilmentStatus: 'queued' });
});

test('workers that share some orders book each once', async () => {
  const results = await Promise.all([system.fulfil(orders.slice(0, 7)), system.fulfil(orders.slice(3))]);
  expect(results).toEqual([[], []]);
  await system.expectBooked(sold, orders);
});

test('only an order that can’t be booked comes again', async () => {
  const [poison, ...healthy] = orders as [Order, ...Order[]];
  await system.bookWithoutOrder(sold, poison);
  for (let delivery = 1; delivery <= 2; delivery++) {
    expect(await system.fulfil([poison, ...healthy])).toEqual([0]);
  }
  await system.expectBooked(sold, healthy, { halfBooked: [poison] });
  expect(await system.isBooked(poison)).toBe(false);
});

test('an order that is not there comes again, one that is not paid does not', async () => {
  const [first, second, ...others] = orders as [Order, Order, ...Order[]];
  await system.unpay(first);
  expect(await system.fulfil([first, { ...second, id: 'cmissing' }, ...others])).toEqual([1]);
  await system.expectBooked(sold, others);
  expect(await system.isBooked(first)).toBe(false);
});

test('a refund takes back what its order brought, and nothing of those booked with it', async () => {
  await system.fulfil(orders);
  const [first, second, third, ...others] = orders as [Order, Order, Order, ...Order[]];
  const twice = [first, second, third, third, second, first];
  await Promise.all(twice.map(system.refund));
  expect(await system.balance(sold)).toMatchObject({ available: BigInt(others.length) * 10_000n });
  expect(await system.audit()).toEqual([]);
});

test('cancelled while they are booked, orders are credited or not, and refunds bring it all back', async () => {
  const { id: eventId } = sold.events[0] as { id: string };
  await system.fulfil(orders.slice(0, 3));
  await Promise.all([system.fulfil(orders.slice(3, 7)), system.cancel(eventId)]);
  await system.fulfil(orders.slice(7));
  expect(await system.audit()).toEqual([]);
  await Promise.all(orders.map(system.refund));
  expect(await system.balance(sold)).toMatchObject({ available: 0n, clearing: 0n });
  expect(await system.audit()).toEqual([]);
});

async function loadSystem() {
  const { fulfilOrders } = await import('../../shared/orders/fulfil-orders.ts');
  const { cancelEventOrders } = await import('../../shared/orders/cancel-event-orders.ts');
  const { beginRefund } = await import('../../shared/refunds/begin-refund.ts');
  const { getEvent } = await import('../../shared/events/store.ts');
  const { transact, update, write } = await import('../../shared/dynamo/write.ts');
  const { keys } = await import('../../shared/dynamo/keys.ts');
  const { getOrder } = await import('../../shared/orders/store.ts');
  const { listNotifications } = await import('../../shared/notifications/store.ts');
  const { saleCredit } = await import('../../shared/ledger/entry.ts');
  const { post, readBalances } = await import('../../shared/ledger/store.ts');
  const { auditLedger } = await import('../../infra/operator/ledger-audit.ts');

  const balance = async ({ organizerId }: PaidOrders) => (await readBalances(organizerId))[0];

  return {
    ...(await loadPaidOrders()),
    balance,
    fulfil: (given: Order[]) =>
      fulfilOrders(
        given.map((order) => ({ orderId: order.id, eventId: order.eventId, userId: order.userId })),
      ),
    isBooked: async ({ id }: Order) => (await getOrder(id)).isBooked ?? false,
    unpay: ({ id }: Order) => write(update(keys.order(id), { set: { paymentStatus: 'PENDING' } })),
    refund: async ({ id }: Order) => beginRefund(await getOrder(id)),
    cancel: async (eventId: string) => cancelEventOrders(await getEvent(eventId), Date.now() + 30_000),

    /** An order that these tests left half booked on purpose is not what is audited. */
    audit: async () => (await auditLedger()).filter(({ what }) => !excepted.some((id) => what.includes(id))),

    /** The books know of the order, but the order does not: what can't be, and must not spread. */
    async bookWithoutOrder({ organizerId }: PaidOrders, order: Order): Promise<void> {
      const { id, eventId, quantity, subtotal: net, totalAmount, tierId, currency } = order;
      const sold = { orderId: id, tierId, quantity, net, fee: totalAmount - net };
      await transact(post(saleCredit({ organizerId, currency }, eventId, [sold], new Date().toISOString())));
      excepted.push(id);
    },

    /** @param halfBooked orders that the books have besides, and that the buyer is told of as well */
    async expectBooked(
      paid: PaidOrders,
      orders: Order[],
      { halfBooked = [] as Order[], fulfilmentStatus = 'not-needed' } = {},
    ): Promise<void> {
      const credited = [...orders, ...halfBooked];
      const net = BigInt(credited.length) * 10_000n;
      expect(await balance(paid)).toMatchObject({ available: net, clearing: -net });
      const { notifications } = await listNotifications(paid.userId, { limit: 100, unreadOnly: false });
      expect(notifications.map(({ orderId }) => orderId).sort()).toEqual(credited.map(({ id }) => id).sort());
      const stored = await Promise.all(orders.map(({ id }) => getOrder(id)));
      expect(new Set(stored.map((order) => order.fulfilmentStatus))).toEqual(new Set([fulfilmentStatus]));
    },
  };
}

const excepted: string[] = [];
