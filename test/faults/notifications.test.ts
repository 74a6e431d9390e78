import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Notification } from '../../shared/notifications/notification.ts';
import type { Order } from '../../shared/orders/order.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { type Answer, type Call, type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { loadPaidOrders, type PaidOrders } from '../support/paid-orders.ts';

/** Buyers are told before their orders are booked: whatever fails in between, each is told, and of one thing once. */

let backend: Backend;
let table: FaultProxy;
let system: Awaited<ReturnType<typeof loadSystem>>;
let sold: PaidOrders;
let mend: () => void = () => {};

beforeAll(async () => {
  backend = await startBackend();
  table = await startProxy({ table: backend.dynamodbUrl });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = table.url('test', 'table');
  system = await loadSystem();
}, 60_000);
beforeEach(async () => {
  sold = await system.paidOrders(30);
});
afterEach(() => mend());
afterAll(async () => {
  await table.stop();
  await backend.stop();
});

const places = (all: unknown[]) => all.map((_, place) => place);
const refusal: Answer = { status: 400, body: { __type: 'ValidationException', message: 'Not now' } };

test('booking that fails after they were told repeats what they were told', async () => {
  mend = table.add((call, forward) =>
    call.method === 'TransactWriteItems' ? Promise.resolve(refusal) : forward(),
  );
  expect(await system.fulfil(sold.orders)).toEqual(places(sold.orders));
  const told = await system.told(sold);
  expect(told.map(({ orderId }) => orderId).sort()).toEqual(sold.orders.map(({ id }) => id).sort());
  expect(await system.booked(sold)).toEqual([]);

  mend();
  expect(await system.fulfil(sold.orders)).toEqual([]);
  expect(await system.told(sold)).toEqual(told);
  expect(await system.booked(sold)).toHaveLength(30);
});

test('nothing is booked of which the buyers can’t be told', async () => {
  mend = table.add((call, forward) =>
    call.method === 'BatchWriteItem' ? Promise.resolve(refusal) : forward(),
  );
  expect(await system.fulfil(sold.orders)).toEqual(places(sold.orders));
  expect(await system.told(sold)).toEqual([]);
  expect(await system.booked(sold)).toEqual([]);

  mend();
  expect(await system.fulfil(sold.orders)).toEqual([]);
  expect(await system.told(sold)).toHaveLength(30);
});

test('what the table leaves out of a request is asked for again', async () => {
  const sizes: number[] = [];
  mend = table.add(async (call, forward) => {
    if (call.method !== 'BatchWriteItem') return forward();
    const items: unknown[] = call.body.RequestItems.boxoffice;
    sizes.push(items.length);
    // Of every request with more than one item, only the first half is taken.
    const half = Math.ceil(items.length / 2);
    call.body.RequestItems.boxoffice = items.slice(0, half);
    return leftOut(call, await forward(), items.slice(half));
  });
  expect(await system.fulfil(sold.orders)).toEqual([]);
  expect(sizes).toEqual([25, 12, 6, 3, 1, 5, 2, 1]);
  expect(await system.told(sold)).toHaveLength(30);
  expect(await system.booked(sold)).toHaveLength(30);
});

test('an order that was booked is not told of again, so what was read stays read', async () => {
  await system.fulfil(sold.orders);
  const [first] = await system.told(sold);
  await system.markRead(sold.userId, first?.id ?? '');
  expect(await system.fulfil(sold.orders)).toEqual([]);
  expect((await system.told(sold))[0]).toEqual({ ...first, read: true });
});

function leftOut({ body }: Call, answer: Answer, rest: unknown[]): Answer {
  if (answer === 'drop' || rest.length === 0) return answer;
  const [name = ''] = Object.keys(body.RequestItems);
  return { ...answer, body: { ...answer.body, UnprocessedItems: { [name]: rest } } };
}

async function loadSystem() {
  const { fulfilOrders } = await import('../../shared/orders/fulfil-orders.ts');
  const { listNotifications, markRead } = await import('../../shared/notifications/store.ts');
  const { getOrder } = await import('../../shared/orders/store.ts');
  const { paidOrders } = await loadPaidOrders();
  return {
    paidOrders,
    markRead,
    fulfil: (orders: Order[]) =>
      fulfilOrders(orders.map(({ id, eventId, userId }) => ({ orderId: id, eventId, userId }))),
    async told({ userId }: PaidOrders): Promise<Notification[]> {
      return (await listNotifications(userId, { limit: 100, unreadOnly: false })).notifications;
    },
    async booked({ orders }: PaidOrders): Promise<Order[]> {
      const stored = await Promise.all(orders.map(({ id }) => getOrder(id)));
      return stored.filter(({ isBooked }) => isBooked);
    },
  };
}
