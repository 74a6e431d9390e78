import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestRefund } from '../../../shared/orders/refunds/request-refund.ts';
import { sendRefund } from '../../../shared/orders/refunds/send-refund.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { gatewayB, transferGatewayB } from '../../../shared/payments/gateway-b/gateway.ts';
import { sendPayout } from '../../../shared/payouts/send-payout.ts';
import { settlePayout } from '../../../shared/payouts/settle-payout.ts';
import { findPayout } from '../../../shared/payouts/store.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Sandbox, startSandboxAlone } from '../../support/sandbox.ts';
import { audit, World } from './world.ts';

/** Payouts and refunds under concurrent workers and failing providers. */

let backend: Backend;
let sandbox: Sandbox;
let world: World;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startSandboxAlone();
  process.env.RETRY_SECONDS = '0';
}, 60_000);

afterAll(async () => {
  await sandbox.stop();
  await backend.stop();
});

beforeEach(async () => {
  await sandbox.control('faults', { holdTransfers: true });
  world = await World.open(sandbox);
  await world.sell(2, false);
});
afterEach(async () => {
  process.env.VERIFY_WITH_GATEWAY = 'false';
  await sandbox.control('faults', {}, 'DELETE');
  expect(await audit()).toEqual([]);
});

const breaks = (mode: string, times = 1) => sandbox.control('faults', { gateway: 'gateway-b', mode, times });
const twenty = (work: () => Promise<void>) => Promise.all(Array.from({ length: 20 }, work));

async function askedPayout(): Promise<string> {
  await world.askPayout(20);
  return world.payouts[0] as string;
}

async function askedRefund(): Promise<string> {
  const orderId = world.orders[0] as string;
  await requestRefund(world.caller(), orderId);
  return orderId;
}

async function refundsOf(orderId: string) {
  const { reference } = await getOrder(orderId);
  return (await sandbox.control<{ refunds: unknown[] }>(`payments/${reference}`, {}, 'GET')).refunds;
}

describe('a payout', () => {
  it('is sent once by twenty workers at once', async () => {
    const id = await askedPayout();
    await twenty(() => sendPayout(id));
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 1 });
    expect(await world.transfersOf(id)).toHaveLength(1);
  });

  it('is looked up after its answer was lost, and not sent again', async () => {
    const id = await askedPayout();
    await breaks('lose');
    await sendPayout(id);
    await sendPayout(id);
    await world.end(id, 'succeed');
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(await world.transfersOf(id)).toHaveLength(1);
  });

  it('is sent again when the provider did not receive it', async () => {
    const id = await askedPayout();
    await breaks('error');
    await sendPayout(id);
    expect(await world.transferOf(id)).toBeUndefined();
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 2 });
    expect(await world.transfersOf(id)).toHaveLength(1);
  });

  it('is sent under a new reference after its transfer failed, and under the same one before', async () => {
    const id = await askedPayout();
    await sendPayout(id);
    await sendPayout(id);
    expect(await world.transfersOf(id)).toMatchObject([{ reference: id, status: 'pending' }]);
    await world.end(id, 'fail');
    await breaks('lose', 2);
    await sendPayout(id);
    await sandbox.control('faults', { gateway: 'gateway-b', mode: 'error', times: 0 });
    await sendPayout(id);
    await sendPayout(id);
    expect(await world.transfersOf(id)).toMatchObject([
      { reference: id, status: 'failed' },
      { reference: `${id}-2`, status: 'pending' },
    ]);
    await world.end(id, 'succeed');
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED', transfer: 2 });
  });

  it('waits while refunds have taken its amount, and is sent once sales cover it', async () => {
    const id = await askedPayout();
    await askedRefund();
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'PENDING', attempts: 0, isUncovered: true });
    expect(await world.transfersOf(id)).toEqual([]);
    await world.sell(2, false);
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 1 });
    expect(await findPayout(id)).not.toHaveProperty('isUncovered');
    expect(await world.transfersOf(id)).toHaveLength(1);
  });

  it('that is under way is not sent again while its amount is not covered', async () => {
    const id = await askedPayout();
    await sendPayout(id);
    await askedRefund();
    await world.end(id, 'fail');
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'PENDING', attempts: 1, isUncovered: true });
    expect(await world.transfersOf(id)).toHaveLength(1);
    await world.sell(3, false);
    await sendPayout(id);
    await world.end(id, 'succeed');
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED', transfer: 2 });
  });

  it('is not sent again by a late failure of an earlier transfer', async () => {
    const id = await askedPayout();
    await sendPayout(id);
    await world.end(id, 'fail');
    await sendPayout(id);
    await settlePayout(transferGatewayB, { kind: 'transfer-failed', reference: id, transactionId: '1' });
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 2, transfer: 2 });
  });

  it('waits while the provider can’t be reached, without counting an attempt', async () => {
    const id = await askedPayout();
    await sendPayout(id);
    await breaks('error', 3);
    for (let look = 1; look <= 3; look++) await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 1 });
  });

  it('is completed by a webhook only once the provider confirms it, with verification on', async () => {
    const id = await askedPayout();
    await sendPayout(id);
    process.env.VERIFY_WITH_GATEWAY = 'true';
    const signal = { kind: 'transfer-succeeded', reference: id, transactionId: '1' } as const;
    await settlePayout(transferGatewayB, signal);
    expect(await findPayout(id)).toMatchObject({ status: 'SENT' });
    await world.end(id, 'succeed');
    await settlePayout(transferGatewayB, signal);
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a refund', () => {
  it('is made once by twenty workers at once', async () => {
    const orderId = await askedRefund();
    await twenty(() => sendRefund(orderId));
    expect((await getOrder(orderId)).refund).toMatchObject({ status: 'done', amount: 6837n });
    expect(await refundsOf(orderId)).toHaveLength(1);
  });

  it('that succeeded without an answer is found, and not made again', async () => {
    const orderId = await askedRefund();
    const { reference, paymentTxId = '', currency, totalAmount: amount } = await getOrder(orderId);
    const keys = { idempotencyKey: `refund-${orderId}`, attempt: '1' };
    await gatewayB.refund({ transactionId: paymentTxId, reference, amount, currency, ...keys });
    await sendRefund(orderId);
    expect((await getOrder(orderId)).refund?.status).toBe('done');
    expect(await refundsOf(orderId)).toHaveLength(1);
  });

  it('that fails five times waits for a new request', async () => {
    const orderId = await askedRefund();
    await breaks('error', 5);
    for (let attempt = 1; attempt <= 5; attempt++) await sendRefund(orderId);
    expect((await getOrder(orderId)).refund?.status).toBe('failed');
    await sendRefund(orderId);
    expect(await refundsOf(orderId)).toHaveLength(0);

    await Promise.all([askedRefund(), askedRefund(), askedRefund()]);
    await sendRefund(orderId);
    // After five failures the circuit breaker is open. A skipped call is no attempt.
    expect((await getOrder(orderId)).refund).toMatchObject({ status: 'pending', attempts: 0 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    await sendRefund(orderId);
    vi.useRealTimers();
    expect((await getOrder(orderId)).refund?.status).toBe('done');
    expect(await refundsOf(orderId)).toHaveLength(1);
  });
});
