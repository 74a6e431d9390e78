import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { remove, write } from '../../shared/dynamo/write.ts';
import {
  listNotifications,
  markAllRead,
  markRead,
  type Notification,
} from '../../shared/messaging/notifications/store.ts';
import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import type { Order } from '../../shared/orders/order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { type Answer, type Call, type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { insertPaidOrders, type PaidOrders } from '../support/shop.ts';

/**
 * Buyers are notified before their orders are posted. After a failure in between, each order still has one notification.
 */

let backend: Backend;
let table: FaultProxy;
let batch: PaidOrders;
let removeFault: () => void = () => {};

beforeAll(async () => {
  backend = await startBackend();
  table = await startProxy({ table: backend.dynamodbUrl });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = table.url('test', 'table');
}, 60_000);
beforeEach(async () => {
  batch = await insertPaidOrders(30);
});
afterEach(() => removeFault());
afterAll(async () => {
  await table.stop();
  await backend.stop();
});

const indexesOf = (items: unknown[]) => items.map((_, index) => index);
const refusal: Answer = { status: 400, body: { __type: 'ValidationException', message: 'Not now' } };

test('fulfilment writes the same notifications again after posting failed', async () => {
  removeFault = table.intercept((call, forward) =>
    call.method === 'TransactWriteItems' ? Promise.resolve(refusal) : forward(),
  );
  expect(await fulfil(batch.orders)).toEqual(indexesOf(batch.orders));
  const notifications = await readNotifications(batch);
  expect(notifications.map(({ orderId }) => orderId).sort()).toEqual(batch.orders.map(({ id }) => id).sort());
  expect(await readPostedOrders(batch)).toEqual([]);

  removeFault();
  expect(await fulfil(batch.orders)).toEqual([]);
  expect(await readNotifications(batch)).toEqual(notifications);
  expect(await readPostedOrders(batch)).toHaveLength(30);
});

test('fulfilment does not post an order whose buyer can’t be notified', async () => {
  removeFault = table.intercept((call, forward) =>
    call.method === 'BatchWriteItem' ? Promise.resolve(refusal) : forward(),
  );
  expect(await fulfil(batch.orders)).toEqual(indexesOf(batch.orders));
  expect(await readNotifications(batch)).toEqual([]);
  expect(await readPostedOrders(batch)).toEqual([]);

  removeFault();
  expect(await fulfil(batch.orders)).toEqual([]);
  expect(await readNotifications(batch)).toHaveLength(30);
});

test('fulfilment writes the notifications again that the table leaves unprocessed', async () => {
  const sizes: number[] = [];
  removeFault = table.intercept(async (call, forward) => {
    if (call.method !== 'BatchWriteItem') return forward();
    const items: unknown[] = call.body.RequestItems.boxoffice;
    sizes.push(items.length);
    // The table processes only the first half of every request.
    const half = Math.ceil(items.length / 2);
    call.body.RequestItems.boxoffice = items.slice(0, half);
    return withUnprocessed(call, await forward(), items.slice(half));
  });
  expect(await fulfil(batch.orders)).toEqual([]);
  expect(sizes).toEqual([25, 12, 6, 3, 1, 5, 2, 1]);
  expect(await readNotifications(batch)).toHaveLength(30);
  expect(await readPostedOrders(batch)).toHaveLength(30);
});

test('fulfilment does not notify about a posted order again, so a read notification stays read', async () => {
  await fulfil(batch.orders);
  const [first] = await readNotifications(batch);
  await markRead(batch.userId, first?.id ?? '');
  expect(await fulfil(batch.orders)).toEqual([]);
  expect((await readNotifications(batch))[0]).toEqual({ ...first, read: true });
});

test('a buyer marks all notifications as read although one is deleted meanwhile', async () => {
  await fulfil(batch.orders);
  const [deleted, ...others] = await readNotifications(batch);
  removeFault = table.intercept(async (call, forward) => {
    const answer = await forward();
    if (call.method === 'Query') await write(remove(keys.notification(batch.userId, deleted?.id ?? '')));
    return answer;
  });
  await markAllRead(batch.userId);
  removeFault();
  expect(await readNotifications(batch)).toEqual(others.map((other) => ({ ...other, read: true })));
});

function withUnprocessed({ body }: Call, answer: Answer, rest: unknown[]): Answer {
  if (answer === 'drop' || rest.length === 0) return answer;
  const [name = ''] = Object.keys(body.RequestItems);
  return { ...answer, body: { ...answer.body, UnprocessedItems: { [name]: rest } } };
}

/** Fulfils orders. @returns the indexes of the orders whose messages are delivered again */
const fulfil = (orders: Order[]) =>
  fulfilOrders(orders.map(({ id, eventId, userId }) => ({ orderId: id, eventId, userId })));

async function readNotifications({ userId }: PaidOrders): Promise<Notification[]> {
  return (await listNotifications(userId, { limit: 100, unreadOnly: false })).notifications;
}

async function readPostedOrders({ orders }: PaidOrders): Promise<Order[]> {
  const stored = await Promise.all(orders.map(({ id }) => getOrder(id)));
  return stored.filter(({ isPosted }) => isPosted);
}
