import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Order } from '../../shared/orders/order.ts';
import { type Backend, startBackend } from '../support/backend.ts';

/** Orders of one organizer are booked in one transaction; none of them may be in the way of the others. */

let backend: Backend;
let system: Awaited<ReturnType<typeof loadSystem>>;
let orders: Order[];

beforeAll(async () => {
  backend = await startBackend();
  system = await loadSystem();
}, 60_000);
beforeEach(async () => {
  orders = await system.paidOrders(10);
});
afterAll(() => backend.stop());

test('ten orders are booked together, each once', async () => {
  expect(await system.fulfil([...orders, ...orders])).toEqual([]);
  await system.expectBooked(orders);
});

test('five workers with the same ten orders book each once', async () => {
  const results = await Promise.all(Array.from({ length: 5 }, () => system.fulfil(orders)));
  expect(results).toEqual(Array(5).fill([]));
  await system.expectBooked(orders);
});

test('workers that share some orders book each once', async () => {
  const results = await Promise.all([system.fulfil(orders.slice(0, 7)), system.fulfil(orders.slice(3))]);
  expect(results).toEqual([[], []]);
  await system.expectBooked(orders);
});

test('only an order that can’t be booked comes again', async () => {
  const [poison, ...healthy] = orders as [Order, ...Order[]];
  await system.bookWithoutOrder(poison);
  for (let delivery = 1; delivery <= 2; delivery++) {
    expect(await system.fulfil([...healthy.slice(0, 4), poison, ...healthy.slice(4)])).toEqual([4]);
  }
  await system.expectBooked(healthy, 1);
  expect(await system.isBooked(poison)).toBe(false);
});

test('an order that is not there comes again, one that is not paid does not', async () => {
  const [first, second, ...others] = orders as [Order, Order, ...Order[]];
  await system.unpay(first);
  expect(await system.fulfil([first, { ...second, id: 'cmissing' }, ...others])).toEqual([1]);
  await system.expectBooked(others);
  expect(await system.isBooked(first)).toBe(false);
});

async function loadSystem() {
  const { fulfilOrders } = await import('../../shared/orders/fulfil-orders.ts');
  const { createEvent } = await import('../../shared/events/create-event.ts');
  const { eventCreation } = await import('../../shared/events/event-input.ts');
  const { insertUser } = await import('../../shared/auth/store.ts');
  const { transact, update, write } = await import('../../shared/dynamo/write.ts');
  const { keys } = await import('../../shared/dynamo/keys.ts');
  const { getOrder, insertOrder } = await import('../../shared/orders/store.ts');
  const { newReference, orderIdOf } = await import('../../shared/orders/reference.ts');
  const { listNotifications } = await import('../../shared/notifications/store.ts');
  const { orderCredit } = await import('../../shared/ledger/entry.ts');
  const { post, readBalances } = await import('../../shared/ledger/store.ts');
  const { newId } = await import('../../shared/ids.ts');

  const creation = eventCreation.parse({
    title: 'A booked event',
    venue: 'A hall',
    startDate: new Date(Date.now() + 86_400_000).toISOString(),
  });
  let [organizerId, eventId, userId] = ['', '', ''];

  return {
    fulfil: (given: Order[]) =>
      fulfilOrders(
        given.map((order) => ({ orderId: order.id, eventId: order.eventId, userId: order.userId })),
      ),
    isBooked: async ({ id }: Order) => (await getOrder(id)).isBooked ?? false,
    unpay: ({ id }: Order) => write(update(keys.order(id), { set: { paymentStatus: 'PENDING' } })),

    /** Of a new buyer, for an event of a new organizer. */
    async paidOrders(count: number): Promise<Order[]> {
      [organizerId, userId] = [newId(), newId()];
      const person = { name: 'Buyer', role: 'USER', walletAddress: null, kycStatus: 'NONE' } as const;
      await transact(
        insertUser(
          { id: userId, email: `${userId}@example.com`, ...person },
          'none',
          new Date().toISOString(),
        ),
      );
      const event = await createEvent(creation, organizerId);
      eventId = event.id;
      const orders = Array.from({ length: count }, () => paidOrder());
      await transact(orders.map(insertOrder));
      return orders;
    },

    /** The books know of the order, but the order does not: what can't be, and must not spread. */
    async bookWithoutOrder({ id, quantity, subtotal, totalAmount, tierId, currency }: Order): Promise<void> {
      const sold = { orderId: id, eventId, tierId, quantity, net: subtotal, fee: totalAmount - subtotal };
      await transact(post(orderCredit({ organizerId, currency }, sold, new Date().toISOString())));
    },

    /** @param others how many orders the books have besides */
    async expectBooked(orders: Order[], others = 0): Promise<void> {
      const net = BigInt(orders.length + others) * 10_000n;
      expect(await readBalances(organizerId)).toMatchObject([{ available: net, clearing: -net }]);
      const { notifications } = await listNotifications(userId, { limit: 100, unreadOnly: false });
      expect(notifications.map(({ orderId }) => orderId).sort()).toEqual(orders.map(({ id }) => id).sort());
      const stored = await Promise.all(orders.map(({ id }) => getOrder(id)));
      expect(new Set(stored.map(({ fulfilmentStatus }) => fulfilmentStatus))).toEqual(
        new Set(['not-needed']),
      );
    },
  };

  function paidOrder(): Order {
    const reference = newReference(eventId, Date.now());
    const at = new Date().toISOString();
    return {
      id: orderIdOf(reference) as string,
      userId,
      eventId,
      tierId: newId(),
      quantity: 2,
      currency: 'USD',
      subtotal: 10_000n,
      totalAmount: 10_250n,
      paymentMethod: 'FIAT',
      gateway: 'gateway-a',
      reference,
      paymentStatus: 'COMPLETED',
      customerEmail: 'buyer@example.com',
      customerName: 'Buyer',
      holdsSeat: true,
      shard: 0,
      fulfilmentStatus: 'queued',
      createdAt: at,
      updatedAt: at,
      expiresAt: at,
    };
  }
}
