import { createHmac } from 'node:crypto';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import { Wallet } from 'ethers';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as initializeOrder } from '../../functions/orders/initialize-order.ts';
import { handler as receiveWebhook } from '../../functions/webhooks/gateway-a.ts';
import { handler as fulfilOrders } from '../../functions/workers/fulfil-orders.ts';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { insertUser } from '../../shared/accounts/users/store.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { getEvent } from '../../shared/catalog/events/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { transact, update, write } from '../../shared/dynamo/write.ts';
import { sweep } from '../../shared/jobs/sweep/sweep-due.ts';
import { listNotifications } from '../../shared/messaging/notifications/store.ts';
import { requestReissue } from '../../shared/nft/reissuing/request-reissue.ts';
import { reserveOrderTickets } from '../../shared/orders/checkout/reserve-tickets.ts';
import { requestFulfilment } from '../../shared/orders/fulfilment/request-fulfilment.ts';
import { type FulfilmentStatus, newReference, type Order, orderIdOf } from '../../shared/orders/order.ts';
import { getOrder, insertOrder } from '../../shared/orders/store.ts';
import { signAccessToken } from '../../shared/runtime/tokens.ts';
import { type Backend, createApiEvent, runWorkers, startBackend } from '../support/backend.ts';
import { type Call, type Fault, type FaultProxy, startProxy } from '../support/fault-proxy.ts';

/**
 * Settles orders by webhook while the table or the queue fails. The real handlers reach the real table and the real
 * queue through fault proxies.
 */

const secret = 'only-for-tests-gateway-a';
let backend: Backend;
let table: FaultProxy;
let queue: FaultProxy;
let system: Awaited<ReturnType<typeof openSystem>>;

beforeAll(async () => {
  backend = await startBackend();
  table = await startProxy({ table: backend.dynamodbUrl });
  // The SDK uses only the origin of a queue URL, so requests to this proxy name no target.
  queue = await startProxy({ '': new URL(backend.queueUrls['fulfil-orders'] as string).origin });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: table.url('test', 'table'),
    FULFIL_ORDERS_QUEUE_URL: (backend.queueUrls['fulfil-orders'] as string).replace(
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

test('twenty concurrent deliveries of a webhook complete and fulfil an order once', async () => {
  const order = await system.placeOrder();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => system.deliver(order, 'charge.success')),
  );
  expect(answers).toEqual(Array(20).fill(200));
  await system.runWorkers();
  await system.expectFulfilledOnce(order);
});

describe('the signature of a webhook', () => {
  test('is refused with 401 when a byte of the body has changed', async () => {
    const order = await system.placeOrder();
    const body = system.createWebhookBody(order, 'charge.success');
    expect(await system.deliverSigned(body.replace('success', 'succesS'), system.sign(body))).toBe(401);
    expect((await system.readOrder(order)).paymentStatus).toBe('PENDING');
  });

  test('is accepted when the body is base64-encoded', async () => {
    const order = await system.placeOrder();
    const body = system.createWebhookBody(order, 'charge.success');
    const encoded = Buffer.from(body).toString('base64');
    expect(await system.deliverSigned(encoded, system.sign(body), true)).toBe(200);
    expect((await system.readOrder(order)).paymentStatus).toBe('COMPLETED');
  });
});

describe('when the queue refuses the message of a completed order', () => {
  test('the webhook answers 500, and its redelivery sends the message', async () => {
    const order = await system.placeOrder();
    const removeFault = queue.intercept(internalFailure);
    expect(await system.deliver(order, 'charge.success')).toBe(500);
    removeFault();
    expect((await system.readOrder(order)).paymentStatus).toBe('COMPLETED');
    expect(await system.deliver(order, 'charge.success')).toBe(200);
    await system.runWorkers();
    await system.expectFulfilledOnce(order);
  });

  test('the sweep sends the message after a minute', async () => {
    const order = await system.placeOrder();
    const removeFault = queue.intercept(internalFailure);
    expect(await system.deliver(order, 'charge.success')).toBe(500);
    removeFault();
    await system.sweepAfterSeconds(61);
    await system.runWorkers();
    await system.expectFulfilledOnce(order);
  });
});

test('a free order is returned when the queue refuses its message, and the sweep sends it after a minute', async () => {
  const removeFault = queue.intercept(internalFailure);
  const { status, body } = await system.initializeFreeOrder();
  removeFault();
  expect(status).toBe(201);
  await system.sweepAfterSeconds(61);
  await system.runWorkers();
  await system.expectFulfilledOnce(await getOrder(body.orderId), 'free');
});

describe('when the queue fails during a request to mint an order again', () => {
  const admin = { userId: 'admin', role: 'ADMIN' } as const;

  test('the request succeeds, and the sweep sends the message after a minute', async () => {
    const order = await system.placeFulfilledOrder();
    const removeFault = queue.intercept(internalFailure);
    expect(await requestFulfilment(admin, order.id)).toMatchObject({ fulfilmentStatus: 'queued' });
    removeFault();
    await system.sweepAfterSeconds(61);
    await runWorkers(backend, ['mint-tickets']);
    await system.expectFulfilledOnce(order);
  });

  test('the request for another wallet succeeds, and the sweep sends the message after a minute', async () => {
    const order = await system.placeFulfilledOrder();
    const [firstWallet, wallet] = [Wallet.createRandom().address, Wallet.createRandom().address];
    const issue = { number: 2, wallet: firstWallet, signer: firstWallet, at: order.createdAt };
    await write(update(keys.order(order.id), { set: { fulfilmentStatus: 'failed', issue } }));
    const removeFault = queue.intercept(internalFailure);
    const queuedOrder = { fulfilmentStatus: 'queued', issue: { number: 2, wallet } };
    expect(await requestReissue(admin, order.id, wallet)).toMatchObject(queuedOrder);
    removeFault();
    expect(await system.readOrder(order)).toMatchObject(queuedOrder);
    await system.sweepAfterSeconds(61);
    await runWorkers(backend, ['mint-tickets']);
    expect(await system.readOrder(order)).toMatchObject({ ...queuedOrder, fulfilmentStatus: 'not-needed' });
  });
});

describe('an order completes once', () => {
  const sequences = [
    ['charge.failed', 'charge.success'],
    ['charge.success', 'charge.failed'],
    ['charge.failed', 'charge.failed', 'charge.success', 'charge.success', 'charge.failed'],
  ];
  test.each(sequences)('after %s, %s …', async (...events) => {
    const order = await system.placeOrder();
    for (const event of events) expect(await system.deliver(order, event)).toBe(200);
    await system.runWorkers();
    await system.expectFulfilledOnce(order);
  });
});

describe('a failed request to the table', () => {
  const failures: [string, Fault][] = [
    ['status 500', async () => ({ status: 500, body: { __type: 'InternalServerError' } })],
    ['throttling', async () => ({ status: 400, body: { __type: 'ProvisionedThroughputExceededException' } })],
    [
      'a lost answer',
      async (_call, forward) => {
        await forward();
        return 'drop';
      },
    ],
  ];

  describe.each(failures)('with %s', (_name, fault) => {
    test.each([1, 2])(
      'leaves the inventory consistent when it is request %i of a free order',
      async (number) => {
        const { countFailures, removeFault } = failRequest(number, fault);
        const answer = await system.initializeFreeOrder();
        removeFault();
        expect(countFailures()).toBeGreaterThan(0);
        // A free order is created and completed in one request, atomically.
        expect([201, 500, 503]).toContain(answer.status);
        expect(await findInventoryDifferences()).toEqual([]);
      },
    );

    test.each([1, 2])(
      'leads to one fulfilment after redelivery when it is request %i of a webhook',
      async (number) => {
        const order = await system.placeOrder();
        const { countFailures, removeFault } = failRequest(number, fault);
        expect([200, 500]).toContain(await system.deliver(order, 'charge.success'));
        removeFault();
        expect(countFailures()).toBeGreaterThan(0);
        expect(await system.deliver(order, 'charge.success')).toBe(200);
        await system.runWorkers();
        await system.expectFulfilledOnce(order);
      },
    );
  });
});

const internalFailure: Fault = async () => ({ status: 500, body: { __type: 'InternalFailure' } });

/** Applies a fault to a request to the table and to its retries. @param number of the distinct request, from 1 */
function failRequest(number: number, fault: Fault) {
  const distinctRequests: string[] = [];
  let failures = 0;
  const removeFault = table.intercept((call: Call, forward) => {
    const request = JSON.stringify([call.method, call.body]);
    if (!distinctRequests.includes(request)) distinctRequests.push(request);
    if (distinctRequests.indexOf(request) !== number - 1) return forward();
    failures++;
    return fault(call, forward);
  });
  return { removeFault, countFailures: () => failures };
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
  const { id: eventId, tiers } = await createEvent(creation, newId());
  const [paidTier, freeTier] = tiers.map(({ id }) => id) as [string, string];
  const sqs = new SQSClient({ endpoint: new URL(backend.queueUrls['fulfil-orders'] as string).origin });
  const QueueUrl = backend.queueUrls['fulfil-orders'];
  // biome-ignore lint/suspicious/noExplicitAny: handlers are called as Lambda calls them
  const invoke = (handler: any, event: unknown) => handler(event, {});

  const sign = (body: string) => createHmac('sha512', secret).update(body).digest('hex');
  const createWebhookBody = ({ reference }: Order, kind: string) =>
    JSON.stringify({ event: kind, data: { id: 4711, reference, amount: 10_250, currency: 'USD' } });
  const deliverSigned = async (body: string, signature: string, isBase64 = false): Promise<number> => {
    const headers = { 'x-gateway-a-signature': signature };
    return (await invoke(receiveWebhook, createApiEvent(body, headers, isBase64))).statusCode;
  };

  return {
    sign,
    createWebhookBody,
    deliverSigned,
    readOrder: (order: Order) => getOrder(order.id),

    deliver(order: Order, kind: string): Promise<number> {
      const body = createWebhookBody(order, kind);
      return deliverSigned(body, sign(body));
    },

    /** Creates a PENDING order of two tickets at 50 dollars. */
    async placeOrder(): Promise<Order> {
      const now = Date.now();
      const reference = newReference(eventId, now);
      const createdAt = new Date(now).toISOString();
      const order: Order = {
        id: orderIdOf(reference) as string,
        userId: user.id,
        eventId,
        items: [{ tierId: paidTier, quantity: 2, unitPrice: 5_000n }],
        quantity: 2,
        description: '2 × Paid',
        currency: 'USD',
        subtotal: 10_000n,
        discount: 0n,
        totalAmount: 10_250n,
        paymentMethod: 'FIAT',
        gateway: 'gateway-a',
        reference,
        paymentStatus: 'PENDING',
        customerEmail: user.email,
        customerName: user.name,
        holdsInventory: true,
        shard: 0,
        fulfilmentStatus: 'none',
        createdAt,
        updatedAt: createdAt,
        expiresAt: new Date(now + 15 * 60_000).toISOString(),
      };
      await reserveOrderTickets({ event: await getEvent(eventId), order, writes: [insertOrder(order)] });
      return order;
    },

    /** Completes an order, whose event has no contract. */
    async placeFulfilledOrder(): Promise<Order> {
      const order = await this.placeOrder();
      expect(await this.deliver(order, 'charge.success')).toBe(200);
      await this.runWorkers();
      await this.expectFulfilledOnce(order);
      return order;
    },

    async initializeFreeOrder(): Promise<{ status: number; body: { orderId: string } }> {
      const body = { eventId, tierId: freeTier, quantity: 2, paymentMethod: 'FIAT' };
      const event = createApiEvent(JSON.stringify(body), { authorization: `Bearer ${token}` });
      const answer = await invoke(initializeOrder, event);
      return { status: answer.statusCode, body: JSON.parse(answer.body) };
    },

    /** Delivers every message of the queue to three workers at once. */
    async runWorkers(): Promise<void> {
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
          Array.from({ length: 3 }, () => invoke(fulfilOrders, { Records } as unknown as SQSEvent)),
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

    async expectFulfilledOnce({ id }: Order, paymentTxId = '4711'): Promise<void> {
      const order = await getOrder(id);
      const fulfilled: FulfilmentStatus = 'not-needed';
      expect(order).toMatchObject({
        paymentStatus: 'COMPLETED',
        fulfilmentStatus: fulfilled,
        paymentTxId,
      });
      const { notifications } = await listNotifications(user.id, { limit: 100, unreadOnly: false });
      expect(notifications.filter(({ orderId }) => orderId === id)).toMatchObject([
        { type: 'SUCCESS', title: 'Ticket Purchase Successful' },
      ]);
      expect(await findInventoryDifferences()).toEqual([]);
    },
  };
}
