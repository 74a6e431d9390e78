import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { handler as runEventJobs } from '../../functions/workers/run-event-jobs.ts';
import { handler as sendMoney } from '../../functions/workers/send-money.ts';
import { handler as settleOrders } from '../../functions/workers/settle-orders.ts';
import { findEventJob, insertEventJob } from '../../shared/catalog/event-jobs/store.ts';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { inventoryOf } from '../../shared/catalog/events/event.ts';
import { getEvent } from '../../shared/catalog/events/store.ts';
import { readAvailable } from '../../shared/catalog/inventory/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { dueAttributes, type Key, keys, partitions } from '../../shared/dynamo/keys.ts';
import { documentClient, getItem } from '../../shared/dynamo/read.ts';
import { put, putAll, remove, transact, update, write } from '../../shared/dynamo/write.ts';
import { runEventJob } from '../../shared/jobs/event-jobs/run-event-jobs.ts';
import { sweep } from '../../shared/jobs/sweep/sweep-due.ts';
import { handleWebhookMessage } from '../../shared/messaging/webhooks/deliver.ts';
import {
  changeEndpoint,
  leaseDelivery,
  leaseSlow,
  markSlow,
  newDelivery,
  pauseEndpoint,
  putDelivery,
  recordAttempt,
} from '../../shared/messaging/webhooks/store.ts';
import {
  type Delivery,
  sharedSlowAttempts,
  toWebhookEndpoint,
  type WebhookEndpoint,
} from '../../shared/messaging/webhooks/webhook.ts';
import { findPayout, insertPayout } from '../../shared/money/payouts/store.ts';
import type { Order } from '../../shared/orders/order.ts';
import { getOrder, insertOrder } from '../../shared/orders/store.ts';
import { erasePerson } from '../../shared/privacy/erase-person.ts';
import { findErasure, insertErasure } from '../../shared/privacy/store.ts';
import { callLimits } from '../../shared/runtime/retry.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { createUnpaidOrder, insertPerson } from '../support/shop.ts';

/** Runs the sweep and its workers with the real table and queues, and checks the work that each sweep queues. */

let backend: Backend;
let provider: Server;
/** The requests to each gateway so far. gateway-a has no payments, and gateway-b does not work. */
const requestCounts = { a: 0, b: 0 };
let system: ReturnType<typeof openSystem>;

beforeAll(async () => {
  // The providers answer or fail. On a slow machine, timeouts would count as failures too.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  callLimits.deadlineMilliseconds = 120_000;
  backend = await startBackend();
  provider = createServer((request, response) => {
    if (request.url?.startsWith('/b')) {
      requestCounts.b++;
      request.socket.destroy();
      return;
    }
    requestCounts.a++;
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"status":false}');
  });
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    GATEWAY_A_SECRET: 'only-for-tests',
    GATEWAY_A_URL: `${url}/a`,
    GATEWAY_B_SECRET_KEY: 'only-for-tests',
    GATEWAY_B_URL: `${url}/b`,
    STOCK_SHARD_SIZE: '100000',
  });
  system = openSystem();
}, 60_000);

afterEach(() => vi.useRealTimers());
afterAll(async () => {
  provider.closeAllConnections();
  provider.close();
  await backend.stop();
});

const minute = 60_000;

describe('100 expired holds', () => {
  test('are released by the first sweep, despite a cancelled event of 300 orders and a provider that fails', async () => {
    // The clock stands still: on a slow machine the breaker would end, and the sweep stop, before the work is done.
    system.advanceClock(0);
    const sale = await system.openSale(2_000);
    const cancelled = await system.openSale(300);
    const abandoned = await system.placeOrders(sale, 100, { gateway: 'gateway-a', expiredAgo: minute });
    const unclear = await system.placeOrders(sale, 60, { gateway: 'gateway-b', expiredAgo: minute });
    await system.placeOrders(cancelled, 300, { gateway: 'gateway-a', expiredAgo: -15 * minute });
    await system.cancel(cancelled);

    expect(await system.sweep()).toEqual({ hold: 160 });
    expect(await system.countMessages('run-event-jobs')).toBe(1);
    await system.runSettleWorkers();
    expect(await system.countStatuses(abandoned)).toEqual({ expired: 100 });
    expect(await system.countStatuses(unclear)).toEqual({ PENDING: 60 });
    expect(requestCounts.a).toBe(100);
    // Five concurrent batches were in progress when the breaker opened.
    expect(requestCounts.b).toBeGreaterThanOrEqual(5);
    expect(requestCounts.b).toBeLessThanOrEqual(50);

    // The next sweep makes one request to the provider. Its orders wait, and do not delay others.
    const requestsBefore = requestCounts.b;
    const later = await system.placeOrders(sale, 20, { gateway: 'gateway-a', expiredAgo: minute });
    system.advanceClock(5 * minute);
    // The sweep queues only five orders of a provider whose breaker is open.
    expect((await system.sweep()).hold).toBe(20 + 5);
    await system.runSettleWorkers();
    expect(requestCounts.b - requestsBefore).toBe(1);
    expect(await system.countStatuses(later)).toEqual({ expired: 20 });

    // After 15 minutes without an answer the seats are released.
    for (let round = 1; round <= 4; round++) {
      system.advanceClock(5 * minute);
      await system.sweep();
      await system.runSettleWorkers();
    }
    expect(await system.countStatuses(unclear)).toEqual({ expired: 60 });
    expect(requestCounts.b - requestsBefore).toBeLessThanOrEqual(5);
    await system.runWorkers('run-event-jobs');
    expect(await system.countAvailable(cancelled)).toBe(300);
    expect(await system.countAvailable(sale)).toBe(2_000);
  });
});

describe('a part of the index that can not be read', () => {
  test('is an error of the sweep, after it queued the work of the other parts', async () => {
    const sale = await system.openSale(100);
    const orders = await system.placeOrders(sale, 40, { expiredAgo: minute });
    documentClient().middlewareStack.add(
      (next) => (args) => {
        const { ExpressionAttributeValues: values = {} } = args.input as {
          ExpressionAttributeValues?: object;
        };
        if (Object.values(values).includes(partitions.due(0))) throw new Error('The part has failed');
        return next(args);
      },
      { name: 'failingPart', step: 'initialize' },
    );
    onTestFinished(() => void documentClient().middlewareStack.remove('failingPart'));
    await expect(system.sweep()).rejects.toThrow('The part has failed');
    const inFailedPart = orders.filter(({ id }) => dueAttributes(id, 0).duePk === partitions.due(0)).length;
    expect(await system.countMessages('settle-orders')).toBe(40 - inFailedPart);
    await system.runSettleWorkers();
    documentClient().middlewareStack.remove('failingPart');
    expect(await system.sweep()).toEqual({ hold: inFailedPart });
    await system.dropMessages('settle-orders');
  });
});

describe('work that one user can have wait in any number', () => {
  /** Makes something due, before an order and in the same part of an index by id. @returns its items */
  const waiting: Record<string, (order: Order) => Promise<Key[]>> = {
    async webhooks({ id }) {
      const webhook = { id, endpointId: newId(), organizerId: newId() };
      const item = { type: 'event.updated', body: '{}', status: 'waiting', attempts: 0, notBefore: '2020' };
      await write(putDelivery({ ...webhook, ...item, createdAt: '2020', updatedAt: '2020' } as Delivery));
      return [keys.delivery(webhook.endpointId, id)];
    },
    async 'checks of contracts'({ id: orderId }) {
      const creation = eventCreation.parse({
        title: 'A draft',
        venue: 'Club',
        startDate: new Date(Date.now() + 86_400_000).toISOString(),
        tiers: [{ name: 'Floor', price: 50, quantity: 1 }],
        contractAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      });
      const partOf = (id: string) => dueAttributes(id, 0).duePk;
      const organizerId = await insertPerson();
      const drafts: string[] = [];
      do drafts.push((await createEvent(creation, organizerId)).id);
      while (partOf(drafts.at(-1) ?? '') !== partOf(orderId));
      return drafts.map(keys.event);
    },
  };

  test.each(Object.keys(waiting))(
    'is read after all other work, so that it hides no hold: %s',
    async (what) => {
      const sale = await system.openSale(100);
      const [order] = (await system.placeOrders(sale, 1, { expiredAgo: minute })) as [Order];
      system.advanceClock(-10 * minute);
      const items = (await waiting[what]?.(order)) ?? [];
      system.advanceClock(10 * minute);
      let isRead = false;
      documentClient().middlewareStack.add(
        (next) => async (args) => {
          const answer = await next(args);
          const { Items } = answer.output as { Items?: object[] };
          // Reading them takes all the time that there is for reading.
          const read = JSON.stringify(Items) ?? '';
          if (!isRead && items.some(({ pk }) => read.includes(pk))) system.advanceClock(30_000);
          isRead ||= items.some(({ pk }) => read.includes(pk));
          return answer;
        },
        { name: 'manyItems', step: 'initialize' },
      );
      onTestFinished(() => void documentClient().middlewareStack.remove('manyItems'));
      expect(await system.sweep()).toMatchObject({ hold: 1 });
      await system.dropMessages('settle-orders');
      for (const key of items) await write(remove(key));
    },
  );
});

describe('the webhooks of an endpoint', () => {
  const insertEndpoint = async (failures: number) => {
    const now = new Date().toISOString();
    const endpoint = toWebhookEndpoint({
      ...{ id: newId(), organizerId: newId(), url: 'https://hook.invalid/', types: [], description: '' },
      ...{ status: 'enabled', secrets: [], expand: false, apiVersion: '1', failures },
      ...{ createdAt: now, updatedAt: now },
    });
    await write(put({ ...keys.webhookEndpoint(endpoint.organizerId, endpoint.id), ...endpoint }));
    return endpoint;
  };
  const insertDeliveries = async (endpoint: WebhookEndpoint, count: number) => {
    const deliveries = Array.from({ length: count }, () =>
      newDelivery(endpoint, { id: newId(), type: 'test', body: '{}' }),
    );
    await transact(deliveries.map(putDelivery));
    return deliveries;
  };
  const attempt = async (deliveries: Delivery[]) => {
    for (const { organizerId, endpointId, id: deliveryId } of deliveries) {
      await handleWebhookMessage({ type: 'deliver', organizerId, endpointId, deliveryId });
    }
  };

  test('that is slow wait for a slot once, and then with the others', async () => {
    system.advanceClock(0);
    const endpoint = await insertEndpoint(0);
    await markSlow(endpoint);
    expect(await leaseSlow(endpoint.organizerId, Date.now() + 60 * minute)).toBeDefined();
    for (let shared = 0; shared < sharedSlowAttempts; shared++) {
      const slot = { ...keys.webhookSlot('ALL', shared), until: Date.now() + 60 * minute };
      await write(put(slot));
    }
    const deliveries = await insertDeliveries(endpoint, 70);
    await attempt(deliveries);
    system.advanceClock(minute);
    await attempt(deliveries);
    system.advanceClock(5 * minute);
    expect(await system.sweep()).toMatchObject({ webhook: 60 });
    // They are taken in turn.
    expect(await system.sweep()).toMatchObject({ webhook: 10 });
    system.advanceClock(15 * minute);
    expect(await system.sweep()).toMatchObject({ webhook: 70 });
  });

  test('that is paused wait where they hide no others, and are sent a few at a time while it fails', async () => {
    system.advanceClock(0);
    const endpoint = await insertEndpoint(9);
    const { organizerId, id: endpointId } = endpoint;
    await pauseEndpoint(endpoint, Date.now() + minute);
    const deliveries = await insertDeliveries(endpoint, 30);
    await attempt(deliveries);
    expect(await system.sweep()).not.toHaveProperty('webhook');
    system.advanceClock(2 * minute);
    expect(await system.sweep()).toMatchObject({ webhook: 10 });
    await changeEndpoint(endpoint, { failures: 0 });
    expect(await system.sweep()).toMatchObject({ webhook: 20 });
    expect(await system.sweep()).not.toHaveProperty('webhook');
    // A message is lost. The others are sent.
    for (const { id } of deliveries.slice(1)) {
      const leased = await leaseDelivery(endpointId, id, Date.now() + minute);
      await recordAttempt(leased as Delivery, { status: 'delivered' });
    }
    system.advanceClock(5 * minute);
    expect(await system.sweep()).toMatchObject({ webhook: 1 });
    await leaseDelivery(endpointId, deliveries[0]?.id ?? '', Date.now() + 60 * minute);
    const isParking = async () => 'duePk' in ((await getItem(keys.parking(organizerId, endpointId))) ?? {});
    expect(await isParking()).toBe(true);
    await system.sweep();
    expect(await isParking()).toBe(false);
  });
});

describe('the ended holds of one buyer who submitted transactions', () => {
  test('are all checked by the next sweep, and those of failed orders in turn', async () => {
    const sale = await system.openSale(100);
    await system.placeOrders(sale, 15, { userId: newId(), cryptoTxHash: '0x1', expiredAgo: minute });
    const failed = { userId: newId(), cryptoTxHash: '0x2', paymentStatus: 'FAILED' } as const;
    await system.placeOrders(sale, 15, { ...failed, expiredAgo: minute });
    expect(await system.sweep()).toEqual({ hold: 15, crypto: 10 });
    expect(await system.sweep()).toEqual({ crypto: 5 });
    await system.dropMessages('settle-orders');
  });
});

describe('a hold that expires before the next sweep', () => {
  test('is queued with a delay until it expires', async () => {
    const sale = await system.openSale(10);
    await system.placeOrders(sale, 1, { gateway: 'gateway-a', expiredAgo: -2_000 });
    await system.placeOrders(sale, 1, { gateway: 'gateway-a', expiredAgo: -2 * minute });
    expect(await system.sweep()).toEqual({ hold: 1 });
    await expect
      .poll(
        async () => {
          await system.runSettleWorkers();
          return system.countAvailable(sale);
        },
        { timeout: 90_000 },
      )
      .toBe(9);
  });
});

describe('a due refund or payout', () => {
  test('is queued once during a lease, then at growing intervals', async () => {
    const sale = await system.openSale(10);
    const [order] = (await system.placeOrders(sale, 1, { gateway: 'gateway-a', expiredAgo: -minute })) as [
      Order,
    ];
    await system.makeRefundDue(order);
    const payoutId = await system.insertPayout();
    expect(await system.sweep()).toMatchObject({ refund: 1, payout: 1 });
    const queuedAt: { payout: number[]; refund: number[] } = { payout: [], refund: [] };
    for (let index = 1; index <= 60; index++) {
      system.advanceClock(minute);
      const { payout, refund } = await system.sweep();
      if (payout) queuedAt.payout.push(index);
      if (refund) queuedAt.refund.push(index);
    }
    // Each lease is as long as the item has waited, so it is queued after about 5, 10, 20 and 40 minutes.
    for (const times of Object.values(queuedAt)) {
      expect(times.length).toBeGreaterThan(0);
      expect(times.length).toBeLessThanOrEqual(4);
      expect(times[0]).toBeGreaterThanOrEqual(5);
    }
    // The worker accepts the message, although the payout is not due.
    expect(await system.findPayout(payoutId)).toMatchObject({ attempts: 0 });
    await system.runWorkers('send-money');
    expect((await system.findPayout(payoutId))?.attempts).toBe(1);
  });
});

describe('a job over the orders of an event', () => {
  test('continues after a crash, and finds an order that was missing from the index', async () => {
    const sale = await system.openSale(1_000);
    await system.placeOrders(sale, 250, { gateway: 'gateway-a', expiredAgo: -15 * minute });
    await system.cancel(sale);
    // Its message was queued with the change.
    expect(await system.countMessages('run-event-jobs')).toBe(1);
    expect(await system.sweep()).not.toHaveProperty('eventJob');
    // After its deadline, the job stops at the end of the current 100 orders.
    await system.runJob(sale, { deadline: 0 });
    expect(await system.countAvailable(sale)).toBe(850);
    expect(await system.findCancelJob(sale)).toMatchObject({ cursor: expect.any(String) });
    // The worker that continued the job has crashed, and its lease ends.
    await system.dropMessages('run-event-jobs');
    system.advanceClock(3 * minute);
    expect(await system.sweep()).toMatchObject({ eventJob: 1 });
    await system.runWorkers('run-event-jobs');
    expect(await system.countAvailable(sale)).toBe(1_000);

    const [missing] = (await system.placeOrders(sale, 1, {
      gateway: 'gateway-a',
      expiredAgo: -60 * minute,
    })) as [Order];
    system.advanceClock(5 * minute);
    expect(await system.sweep()).toMatchObject({ eventJob: 1 });
    await system.runWorkers('run-event-jobs');
    expect((await system.readOrder(missing)).failureReason).toBe('event-cancelled');
    expect(await system.findCancelJob(sale)).toBeUndefined();
  });

  test('or of an erased person stops at its deadline, and continues with the next order', async () => {
    const sale = await system.openSale(100);
    const userId = await insertPerson();
    const orders = await system.placeOrders(sale, 3, { userId, expiredAgo: -60 * minute });
    const countErased = async () =>
      (await Promise.all(orders.map(system.readOrder))).filter(({ customerName }) => !customerName).length;
    await write(insertErasure(userId, undefined, new Date().toISOString()));
    for (const erased of [1, 2]) {
      await erasePerson(userId, 0);
      expect(await countErased()).toBe(erased);
    }
    await system.runWorkers('run-event-jobs');
    expect(await countErased()).toBe(3);
    expect((await findErasure(userId))?.cursor).toBeUndefined();
    await system.dropMessages('run-event-jobs');
  });

  test('releases each seat once when three workers run it concurrently', async () => {
    const sale = await system.openSale(1_000);
    await system.placeOrders(sale, 120, { gateway: 'gateway-a', expiredAgo: -15 * minute });
    await system.cancel(sale);
    await Promise.all([system.runJob(sale), system.runJob(sale), system.runJob(sale)]);
    await system.runWorkers('run-event-jobs');
    expect(await system.countAvailable(sale)).toBe(1_000);
  });

  test('of the kind mint-again queues the orders that failed because their contract was not authorized', async () => {
    const sale = await system.openSale(10);
    const orders = await system.placeOrders(sale, 3, { gateway: 'gateway-a', expiredAgo: -minute });
    await system.failMinting(orders[0] as Order, 'contract-not-authorized');
    await system.failMinting(orders[1] as Order, 'contract-refused');
    await system.startJob(sale, 'mint-again');
    await system.runJob(sale, { kind: 'mint-again' });
    const ordersAfter = await Promise.all(orders.map(system.readOrder));
    expect(ordersAfter.map(({ fulfilmentStatus }) => fulfilmentStatus)).toEqual(['queued', 'failed', 'none']);
  });
});

interface Sale {
  eventId: string;
  tierId: string;
  organizerId: string;
}

function openSystem() {
  const sqs = new SQSClient({ endpoint: new URL(backend.queueUrls['settle-orders'] as string).origin });
  const handlers = { 'settle-orders': settleOrders, 'run-event-jobs': runEventJobs, 'send-money': sendMoney };
  type Queue = keyof typeof handlers;

  const receive = async (queue: Queue) => {
    const QueueUrl = backend.queueUrls[queue];
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
    );
    if (Messages.length === 0) return [];
    const Entries = Messages.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
    return Messages;
  };

  /** Runs five workers with batches of ten until the queue is empty. */
  const runWorkers = async (queue: Queue): Promise<void> => {
    const runWorker = async () => {
      for (;;) {
        const messages = await receive(queue);
        if (messages.length === 0) return;
        const Records = messages.map(({ MessageId, Body }) => ({
          messageId: MessageId,
          body: Body,
          attributes: { ApproximateReceiveCount: '1' },
        }));
        const { batchItemFailures } = await handlers[queue]({ Records } as never);
        expect(batchItemFailures).toEqual([]);
      }
    };
    await Promise.all(Array.from({ length: 5 }, runWorker));
  };

  const countAvailable = async ({ eventId }: Sale): Promise<number> => {
    const [available] = await readAvailable([inventoryOf(await getEvent(eventId))]);
    return [...(available?.values() ?? [])][0] ?? 0;
  };
  const readOrder = ({ id }: Order) => getOrder(id);

  return {
    runWorkers,
    countAvailable,
    readOrder,
    runSettleWorkers: () => runWorkers('settle-orders'),
    sweep: () => sweep(Date.now() + 45_000),
    findPayout,

    advanceClock: (milliseconds: number) =>
      void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds }),

    async countMessages(queue: Queue): Promise<number> {
      const { Attributes } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: backend.queueUrls[queue], AttributeNames: ['All'] }),
      );
      return Number(Attributes?.ApproximateNumberOfMessages);
    },

    async dropMessages(queue: Queue): Promise<void> {
      while ((await receive(queue)).length > 0);
    },

    async openSale(quantity: number): Promise<Sale> {
      const creation = eventCreation.parse({
        title: 'A swept event',
        venue: 'A hall',
        startDate: new Date(Date.now() + 86_400_000).toISOString(),
        tiers: [{ name: 'Floor', price: 50, quantity, maxPerPerson: 100 }],
      });
      const organizerId = await insertPerson();
      const event = await createEvent(creation, organizerId);
      return { eventId: event.id, tierId: event.tiers[0]?.id as string, organizerId };
    },

    /**
     * Writes orders of one ticket each, directly to the table, and reserves their inventory.
     * @param expiredAgo milliseconds since their holds expired; negative for holds that have not expired
     * @param userId default: different buyers
     */
    async placeOrders(
      { eventId, tierId }: Sale,
      count: number,
      { expiredAgo, userId, ...fields }: Partial<Order> & { expiredAgo: number },
    ): Promise<Order[]> {
      const expiresAt = Date.now() - expiredAgo;
      const orders = Array.from({ length: count }, () =>
        createUnpaidOrder({ eventId, tierId, userId: userId ?? newId() }, { ...fields, expiresAt }),
      );
      const buyers = [...Map.groupBy(orders, (order) => order.userId)];
      await putAll([
        ...orders.map((order) => insertOrder(order).item.Put?.Item as never),
        ...buyers.map(([buyer, { length: total }]) => ({
          ...keys.buyer(eventId, buyer),
          total,
          [`tier_${tierId}`]: total,
        })),
      ]);
      await write(update(keys.inventoryShard(eventId, tierId, 0), { add: { available: -count } }));
      return orders;
    },

    async countStatuses(orders: readonly Order[]): Promise<Record<string, number>> {
      const states = await Promise.all(orders.map(readOrder));
      const counts: Record<string, number> = {};
      for (const { paymentStatus, failureReason } of states) {
        const state = failureReason ?? paymentStatus;
        counts[state] = (counts[state] ?? 0) + 1;
      }
      return counts;
    },

    async cancel({ eventId, organizerId }: Sale): Promise<void> {
      await changeEvent(eventId, organizerId, (event) => ({ ...event, status: 'CANCELLED' }));
    },

    findCancelJob: ({ eventId }: Sale) => findEventJob(eventId, 'cancel'),

    async startJob({ eventId, organizerId }: Sale, kind: 'mint-again'): Promise<void> {
      const startedAt = new Date().toISOString();
      await write(insertEventJob({ eventId, organizerId, kind, startedAt }));
    },

    runJob(
      { eventId }: Sale,
      {
        kind = 'cancel',
        deadline = Date.now() + 30_000,
      }: { kind?: 'cancel' | 'mint-again'; deadline?: number } = {},
    ): Promise<void> {
      return runEventJob(eventId, kind, deadline);
    },

    /** Writes an order as paid, with its refund due. */
    async makeRefundDue({ id }: Order): Promise<void> {
      const set = {
        paymentStatus: 'COMPLETED',
        fulfilmentStatus: 'refund-due',
        isPosted: true,
        paymentTxId: '4711',
        ...dueAttributes(id, Date.now()),
      };
      await write(update(keys.order(id), { set }));
    },

    async failMinting({ id }: Order, fulfilmentReason: string): Promise<void> {
      const set = {
        paymentStatus: 'COMPLETED',
        fulfilmentStatus: 'failed',
        fulfilmentReason,
        isPosted: true,
      };
      await write(update(keys.order(id), { set: { ...set, duePk: undefined, dueAt: undefined } }));
    },

    async insertPayout(): Promise<string> {
      const at = new Date().toISOString();
      const [id, organizerId] = [newId(), newId()];
      await write(update(keys.balance(organizerId, 'USD'), { set: { available: 0 } }));
      await transact([
        insertPayout({
          id,
          organizerId,
          amount: 100n,
          currency: 'USD',
          gateway: 'gateway-a',
          destination: { accountNumber: '0123456789', bankCode: '058', accountName: 'Ann' },
          status: 'PENDING',
          attempts: 0,
          transfer: 1,
          createdAt: at,
          updatedAt: at,
        }),
      ]);
      return id;
    },
  };
}
