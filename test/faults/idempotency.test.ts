import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as createEventHandler } from '../../functions/events/create-event.ts';
import { handler as initializeOrderHandler } from '../../functions/orders/initialize-order.ts';
import { handler as requestPayoutHandler } from '../../functions/payouts/request-payout.ts';
import { insertUser } from '../../shared/accounts/users/store.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { queryOrganizerEvents } from '../../shared/catalog/events/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { transact } from '../../shared/dynamo/write.ts';
import { postEntry } from '../../shared/money/ledger/store.ts';
import { listPayouts } from '../../shared/money/payouts/store.ts';
import { receivePayment } from '../../shared/orders/settlement/settle-order.ts';
import { queryBuyerOrders } from '../../shared/orders/store.ts';
import { gatewayA } from '../../shared/payments/gateway-a.ts';
import { signAccessToken } from '../../shared/runtime/tokens.ts';
import { type Backend, createApiEvent, startBackend } from '../support/backend.ts';
import { type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { type Sandbox, startPaymentSandbox } from '../support/sandbox.ts';

/** Repeats calls with an Idempotency-Key after the first call was interrupted. */

let backend: Backend;
let table: FaultProxy;
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startPaymentSandbox();
  backend = await startBackend();
  table = await startProxy({ table: backend.dynamodbUrl });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = table.url('api', 'table');
});
afterAll(async () => {
  await table.stop();
  await sandbox.stop();
  await backend.stop();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/**
 * Disconnects the table after a number of transactions, like a crash.
 * @returns a function that reconnects it
 */
function disconnectAfterCommit(transactions = 1): () => void {
  let committed = 0;
  return table.intercept(async ({ method }, forward) => {
    if (committed === transactions) return 'drop';
    const answer = await forward();
    if (method === 'TransactWriteItems') committed += 1;
    return committed === transactions ? 'drop' : answer;
  });
}

/** Disconnects the table before the next operation of a kind. @returns a function that reconnects it */
function disconnectBefore(operation: string): () => void {
  let isConnected = true;
  return table.intercept(async ({ method }, forward) => {
    isConnected &&= method !== operation;
    return isConnected ? forward() : 'drop';
  });
}

/** Opens a sale. @returns a function that orders one ticket, always with the same Idempotency-Key */
async function openSale(tier: object) {
  const user = { id: newId(), email: 'a@example.com', name: 'Ann', walletAddress: null } as const;
  const now = new Date().toISOString();
  await transact([insertUser({ ...user, role: 'USER', kycStatus: 'NONE', emailVerified: false }, now)]);
  const event = await createEvent(
    eventCreation.parse({
      title: 'Jazz',
      venue: 'Club',
      startDate: '2099-01-01',
      tiers: [{ name: 'Standing', ...tier }],
    }),
    newId(),
  );
  const token = await signAccessToken({ userId: user.id, email: user.email, role: 'USER' });
  const body = { eventId: event.id, tierId: event.tiers[0]?.id, quantity: 1, paymentMethod: 'FIAT' };
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'once' };
  const request = createApiEvent(JSON.stringify(body), headers) as Parameters<
    typeof initializeOrderHandler
  >[0];
  return { userId: user.id, order: () => initializeOrderHandler(request, {} as Context) };
}

describe('an order that was committed before its call was interrupted', () => {
  it.each([
    ['the last ticket', { quantity: 1, maxPerPerson: 5 }],
    ['all tickets that its buyer may have', { quantity: 9, maxPerPerson: 1 }],
  ])('is returned to the repeated call when it has %s', async (_amount, limits) => {
    const { order } = await openSale({ price: 0, ...limits });
    const reconnect = disconnectAfterCommit();
    expect((await order()).statusCode).toBe(503);
    reconnect();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    const repeated = await order();
    expect(repeated.statusCode).toBe(201);
    expect(JSON.parse(repeated.body ?? '')).toMatchObject({ paymentStatus: 'COMPLETED' });
    // A further call with the key returns the same order.
    expect((await order()).body).toBe(repeated.body);
  });
});

describe('an order whose payment could not be started', () => {
  const disconnectGateway = () => vi.stubEnv('GATEWAY_A_URL', 'http://127.0.0.1:1');
  it.each([
    ['after its creation', disconnectGateway, () => disconnectAfterCommit(1)],
    ['after its failure was stored', disconnectGateway, () => disconnectAfterCommit(2)],
    // The gateway refuses to start a second checkout with the same reference.
    ['after its checkout was created', () => {}, () => disconnectBefore('UpdateItem')],
  ])(
    'does not prevent a new order with the same key when its call was interrupted %s',
    async (_moment, prepareGateway, disconnect) => {
      const { userId, order } = await openSale({ price: 100, quantity: 1 });
      prepareGateway();
      const reconnect = disconnect();
      expect((await order()).statusCode).toBe(503);
      reconnect();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
      expect(await order()).toMatchObject({
        statusCode: 502,
        headers: { 'x-error-code': 'provider-failed' },
      });
      vi.unstubAllEnvs();
      const repeated = await order();
      expect(repeated.statusCode).toBe(201);
      expect(JSON.parse(repeated.body ?? '')).toMatchObject({ paymentStatus: 'PENDING' });
      expect((await order()).body).toBe(repeated.body);
      const stored: unknown[] = [];
      for await (const { paymentStatus, failureReason } of queryBuyerOrders(userId)) {
        stored.push([paymentStatus, failureReason]);
      }
      expect(stored).toEqual(
        expect.arrayContaining([
          ['FAILED', 'gateway-failed'],
          ['PENDING', undefined],
        ]),
      );
      expect(stored).toHaveLength(2);
    },
  );
});

it('an order that is paid although starting its payment failed is returned, also to the repeated call', async () => {
  const { userId, order } = await openSale({ price: 100, quantity: 1 });
  vi.stubEnv('GATEWAY_A_URL', 'http://127.0.0.1:1');
  let transactions = 0;
  // The second transaction marks the order as failed. The report of the payment arrives just before it.
  const removeFault = table.intercept(async ({ method }, forward) => {
    if (method === 'TransactWriteItems' && ++transactions === 2) {
      for await (const { reference, totalAmount: amount, currency } of queryBuyerOrders(userId))
        await receivePayment(gatewayA, { kind: 'paid', reference, transactionId: '1', amount, currency });
    }
    return forward();
  });
  const answer = await order();
  removeFault();
  expect(answer.statusCode).toBe(201);
  expect(JSON.parse(answer.body ?? '')).toMatchObject({ paymentStatus: 'COMPLETED' });
  expect((await order()).body).toBe(answer.body);
});

it('an event that was committed before its call was interrupted is returned to the repeated call', async () => {
  const organizerId = newId();
  const token = await signAccessToken({ userId: organizerId, email: 'o@example.com', role: 'ORGANIZER' });
  const body = { title: 'Jazz', venue: 'Club', startDate: '2099-01-01', description: 'All night' };
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'once' };
  const request = createApiEvent(JSON.stringify(body), headers) as Parameters<typeof createEventHandler>[0];
  const call = () => createEventHandler(request, {} as Context);

  const reconnect = disconnectAfterCommit();
  expect((await call()).statusCode).toBe(503);
  reconnect();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  const repeated = await call();
  expect(repeated.statusCode).toBe(201);
  expect((await call()).body).toBe(repeated.body);
  const { event } = JSON.parse(repeated.body ?? '');
  expect(event).toMatchObject({ title: 'Jazz', description: 'All night', organizerId });
  const stored: string[] = [];
  for await (const { id } of queryOrganizerEvents(organizerId)) stored.push(id);
  expect(stored).toEqual([event.id]);
});

it('a payout that was committed before its call was interrupted is returned to a repeated call, even after an earlier repetition was refused', async () => {
  const organizerId = newId();
  const at = new Date().toISOString();
  const postings = { clearing: -50_000n, available: 50_000n };
  await transact(postEntry({ id: 'credit', organizerId, currency: 'NGN', postings, at }));
  const token = await signAccessToken({ userId: organizerId, email: 'o@example.com', role: 'ORGANIZER' });
  const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Olga' };
  const body = { amount: 100, currency: 'NGN', gateway: 'gateway-a', destination };
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'once' };
  const request = createApiEvent(JSON.stringify(body), headers) as Parameters<typeof requestPayoutHandler>[0];
  const call = () => requestPayoutHandler(request, {} as Context);
  vi.stubEnv('GATEWAY_A_SECRET', 'secret');

  vi.stubEnv('GATEWAY_A_URL', 'http://127.0.0.1:1');
  const reconnect = disconnectAfterCommit();
  expect((await call()).statusCode).toBe(503);
  reconnect();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  vi.stubEnv('GATEWAY_A_URL', '');
  expect((await call()).statusCode).toBe(503);
  vi.stubEnv('GATEWAY_A_URL', 'http://127.0.0.1:1');
  vi.setSystemTime(Date.now() + 60_000);
  const repeated = await call();
  expect(repeated.statusCode).toBe(201);
  const { payouts } = await listPayouts(organizerId, { limit: 10 });
  expect(payouts.map(({ id }) => id)).toEqual([JSON.parse(repeated.body ?? '').payout.id]);
});
