import { createHmac } from 'node:crypto';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as initializeHandler } from '../../functions/orders/initialize-order.ts';
import { handler as webhook } from '../../functions/webhooks/gateway-a.ts';
import { handler as fulfil } from '../../functions/workers/fulfil-orders.ts';
import { auditInventory } from '../../infra/operator/stock-audit.ts';
import { signAccessToken } from '../../shared/auth/tokens.ts';
import { newId } from '../../shared/core/ids.ts';
import { transact } from '../../shared/dynamo/write.ts';
import { createEvent } from '../../shared/events/editing/create-event.ts';
import { eventCreation } from '../../shared/events/editing/event-input.ts';
import { getEvent } from '../../shared/events/store.ts';
import { listNotifications } from '../../shared/notifications/store.ts';
import { reserveSeats } from '../../shared/orders/checkout/reserve-tickets.ts';
import type { FulfilmentStatus, Order } from '../../shared/orders/order.ts';
import { newReference, orderIdOf } from '../../shared/orders/order.ts';
import { getOrder, insertOrder } from '../../shared/orders/store.ts';
import { sweep } from '../../shared/sweep/sweep-due.ts';
import { insertUser } from '../../shared/users/store.ts';
import { apiEvent } from '../support/api-event.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { type Call, type Fault, type FaultProxy, startProxy } from '../support/fault-proxy.ts';

/**
 * Settling an order by webhook under faults: the real handlers over the real table and the real queue, each behind a
 * fault proxy.
 */

const secret = 'only-for-tests-gateway-a';
let backend: Backend;
let table: FaultProxy;
let queue: FaultProxy;
let system: Awaited<ReturnType<typeof openSystem>>;

beforeAll(async () => {
  backend = await startBackend();
  table = await startProxy({ table: backend.dynamodbUrl });
  // The SDK keeps a queue address's origin only, so this proxy has one unnamed target.
  queue = await startProxy({ '': new URL(backend.queueUrls.fulfil as string).origin });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: table.url('test', 'table'),
    FULFIL_QUEUE_URL: (backend.queueUrls.fulfil as string).replace(
      /^http:\/\/[^/]+/,
      new URL(queue.url('', '')).origin,
    ),
    GATEWAY_A_SECRET: secret,
    GATEWAY_A_URL: 'http://127.0.0.1:9',
    HOLD_MINUTES: '15',
  });
  system = await openSystem();
}, 60_000);

afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await Promise.all([table.stop(), queue.stop()]);
  await backend.stop();
});

test('the same webhook twenty times at once completes, posts and notifies once', async () => {
  const order = await system.placeOrder();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => system.deliver(order, 'charge.success')),
  );
  expect(answers).toEqual(Array(20).fill(200));
  await system.work();
  await system.expectFulfilledOnce(order);
});

describe('the signature covers the exact bytes', () => {
  test('a changed byte is refused', async () => {
    const order = await system.placeOrder();
    const body = system.webhookBody(order, 'charge.success');
    expect(await system.deliverBody(body.replace('success', 'succesS'), system.sign(body))).toBe(401);
    expect((await system.read(order)).paymentStatus).toBe('PENDING');
  });

  test('the same body in base64 is accepted', async () => {
    const order = await system.placeOrder();
    const body = system.webhookBody(order, 'charge.success');
    const encoded = Buffer.from(body).toString('base64');
    expect(await system.deliverBody(encoded, system.sign(body), true)).toBe(200);
    expect((await system.read(order)).paymentStatus).toBe('COMPLETED');
  });
});

describe('when the queue refuses the message of a completed order', () => {
  test('the webhook answers 500, and its redelivery sends the message', async () => {
    const order = await system.placeOrder();
    const heal = queue.add(broken);
    expect(await system.deliver(order, 'charge.success')).toBe(500);
    heal();
    expect((await system.read(order)).paymentStatus).toBe('COMPLETED');
    expect(await system.deliver(order, 'charge.success')).toBe(200);
    await system.work();
    await system.expectFulfilledOnce(order);
  });

  test('the sweep sends the message within a minute', async () => {
    const order = await system.placeOrder();
    const heal = queue.add(broken);
    expect(await system.deliver(order, 'charge.success')).toBe(500);
    heal();
    await system.sweepAfterSeconds(61);
    await system.work();
    await system.expectFulfilledOnce(order);
  });
});

describe('success and failure in any sequence complete the order once', () => {
  const orders = [
    ['charge.failed', 'charge.success'],
    ['charge.success', 'charge.failed'],
    ['charge.failed', 'charge.failed', 'charge.success', 'charge.success', 'charge.failed'],
  ];
  test.each(orders)('%s, %s …', async (...events) => {
    const order = await system.placeOrder();
    for (const event of events) expect(await system.deliver(order, event)).toBe(200);
    await system.work();
    await system.expectFulfilledOnce(order);
  });
});

describe('when one call of the table fails, nothing is lost or done twice', () => {
  const kinds: [string, Fault][] = [
    ['an error 500', async () => ({ status: 500, body: { __type: 'InternalServerError' } })],
    ['throttling', async () => ({ status: 400, body: { __type: 'ProvisionedThroughputExceededException' } })],
    [
      'a lost answer',
      async (_call, forward) => {
        await forward();
        return 'drop';
      },
    ],
  ];

  describe.each(kinds)('by %s', (_name, fault) => {
    test.each([1, 2, 3])('at call %i of an order', async (at) => {
      const { hits, heal } = breakCall(at, fault);
      const answer = await system.initialize();
      heal();
      expect(hits()).toBeGreaterThan(0);
      // A free order is created and completed in one request, atomically.
      expect([201, 500, 503]).toContain(answer.status);
      expect(await system.audit()).toEqual([]);
    });

    test.each([1, 2])('at call %i of a webhook', async (at) => {
      const order = await system.placeOrder();
      const { hits, heal } = breakCall(at, fault);
      expect([200, 500]).toContain(await system.deliver(order, 'charge.success'));
      heal();
      expect(hits()).toBeGreaterThan(0);
      expect(await system.deliver(order, 'charge.success')).toBe(200);
      await system.work();
      await system.expectFulfilledOnce(order);
    });
  });
});

const broken: Fault = async () => ({ status: 500, body: { __type: 'InternalFailure' } });

/** Applies a fault to the `at`th distinct call and to its retries. */
function breakCall(at: number, fault: Fault) {
  const seen: string[] = [];
  let hits = 0;
  const heal = table.add((call: Call, forward) => {
    const same = JSON.stringify([call.method, call.body]);
    if (!seen.includes(same)) seen.push(same);
    if (seen.indexOf(same) !== at - 1) return forward();
    hits++;
    return fault(call, forward);
  });
  return { heal, hits: () => hits };
}

async function openSystem() {
  const user = {
    id: newId(),
    email: 'buyer@example.com',
    name: 'Buyer',
    role: 'USER',
    walletAddress: null,
    kycStatus: 'NONE',
    emailVerified: false,
  } as const;
  await transact([insertUser(user, new Date().toISOString())]);
  const token = await signAccessToken({ userId: user.id, email: user.email, role: user.role });
  const creation = eventCreation.parse({
    title: 'A tested event',
    venue: 'A hall',
    startDate: new Date(Date.now() + 86_400_000).toISOString(),
    tiers: [
      { name: 'Paid', price: 50, quantity: 1_000, maxPerPerson: 1_000 },
      { name: 'Free', price: 0, quantity: 1_000, maxPerPerson: 1_000 },
    ],
  });
  const event = await createEvent(creation, newId());
  const [paidTier, freeTier] = event.tiers.map(({ id }) => id) as [string, string];
  const sqs = new SQSClient({ endpoint: new URL(backend.queueUrls.fulfil as string).origin });
  const QueueUrl = backend.queueUrls.fulfil;
  // biome-ignore lint/suspicious/noExplicitAny: handlers are called as Lambda calls them
  const invoke = (handler: any, given: unknown) => handler(given, {});

  const sign = (body: string) => createHmac('sha512', secret).update(body).digest('hex');
  const webhookBody = ({ reference }: Order, kind: string) =>
    JSON.stringify({ event: kind, data: { id: 4711, reference, amount: 10_250, currency: 'USD' } });
  const deliverBody = async (body: string, signature: string, isBase64 = false): Promise<number> => {
    const headers = { 'x-gateway-a-signature': signature };
    return (await invoke(webhook, apiEvent(body, headers, isBase64))).statusCode;
  };

  return {
    sign,
    webhookBody,
    deliverBody,
    audit: auditInventory,
    read: (order: Order) => getOrder(order.id),

    deliver(order: Order, kind: string): Promise<number> {
      const body = webhookBody(order, kind);
      return deliverBody(body, sign(body));
    },

    /** A PENDING order of two tickets at 50. */
    async placeOrder(): Promise<Order> {
      const now = Date.now();
      const reference = newReference(event.id, now);
      const createdAt = new Date(now).toISOString();
      const order: Order = {
        id: orderIdOf(reference) as string,
        userId: user.id,
        eventId: event.id,
        tierId: paidTier,
        quantity: 2,
        description: '2 × Paid',
        currency: 'USD',
        subtotal: 10_000n,
        totalAmount: 10_250n,
        paymentMethod: 'FIAT',
        gateway: 'gateway-a',
        reference,
        paymentStatus: 'PENDING',
        customerEmail: user.email,
        customerName: user.name,
        holdsSeat: true,
        shard: 0,
        fulfilmentStatus: 'none',
        createdAt,
        updatedAt: createdAt,
        expiresAt: new Date(now + 15 * 60_000).toISOString(),
      };
      await reserveSeats(await getEvent(event.id), order, (shard) => [insertOrder({ ...order, shard })]);
      return order;
    },

    async initialize(): Promise<{ status: number }> {
      const body = { eventId: event.id, tierId: freeTier, quantity: 2, paymentMethod: 'FIAT' };
      const given = apiEvent(JSON.stringify(body), { authorization: `Bearer ${token}` });
      return { status: (await invoke(initializeHandler, given)).statusCode };
    },

    /** Delivers every message of the queue to three workers at once. */
    async work(): Promise<void> {
      for (;;) {
        const { Messages = [] } = await sqs.send(
          new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 0 }),
        );
        if (Messages.length === 0) return;
        const Records = Messages.map(({ MessageId, Body }) => ({
          messageId: MessageId,
          body: Body,
          attributes: { ApproximateReceiveCount: '1' },
        }));
        const results = await Promise.all(
          Array.from({ length: 3 }, () => invoke(fulfil, { Records } as unknown as SQSEvent)),
        );
        expect(results).toEqual(Array(3).fill({ batchItemFailures: [] }));
        for (const { ReceiptHandle } of Messages) {
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
        }
      }
    },

    async sweepAfterSeconds(seconds: number): Promise<void> {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
      await sweep(Date.now() + 10_000);
      vi.useRealTimers();
    },

    async expectFulfilledOnce({ id }: Order): Promise<void> {
      const order = await getOrder(id);
      const fulfilled: FulfilmentStatus = 'not-needed';
      expect(order).toMatchObject({
        paymentStatus: 'COMPLETED',
        fulfilmentStatus: fulfilled,
        paymentTxId: '4711',
      });
      const { notifications } = await listNotifications(user.id, { limit: 100, unreadOnly: false });
      expect(notifications.filter(({ orderId }) => orderId === id)).toMatchObject([
        { type: 'SUCCESS', title: 'Ticket Purchase Successful' },
      ]);
      expect(await auditInventory()).toEqual([]);
    },
  };
}
