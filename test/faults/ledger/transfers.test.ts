import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Sandbox, startSandboxAlone } from '../../support/sandbox.ts';
import { loadWorlds } from './world.ts';

/** Workers at once, and providers that break down: one thing at a time. */

let backend: Backend;
let sandbox: Sandbox;
let worlds: Awaited<ReturnType<typeof loadWorlds>>;
let world: Awaited<ReturnType<typeof worlds.open>>;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startSandboxAlone();
  process.env.RETRY_SECONDS = '0';
  worlds = await loadWorlds(sandbox);
}, 60_000);

afterAll(async () => {
  await sandbox.stop();
  await backend.stop();
});

beforeEach(async () => {
  await sandbox.control('faults', { holdTransfers: true });
  world = await worlds.open();
  await world.sell(2, false);
});
afterEach(async () => {
  process.env.VERIFY_WITH_GATEWAY = 'false';
  await sandbox.control('faults', {}, 'DELETE');
  expect(await worlds.audit()).toEqual([]);
});

const breaks = (mode: string, times = 1) => sandbox.control('faults', { gateway: 'gateway-b', mode, times });
const twenty = (work: () => Promise<void>) => Promise.all(Array.from({ length: 20 }, work));

async function askedPayout(): Promise<string> {
  await world.askPayout(20);
  return world.payouts[0] as string;
}

async function askedRefund(): Promise<string> {
  const orderId = world.orders[0] as string;
  await worlds.requestRefund(world.caller(), orderId);
  return orderId;
}

async function refundsOf(orderId: string) {
  const { reference } = await worlds.getOrder(orderId);
  return (await sandbox.control<{ refunds: unknown[] }>(`payments/${reference}`, {}, 'GET')).refunds;
}

describe('a payout', () => {
  it('is sent once by twenty workers at once', async () => {
    const id = await askedPayout();
    await twenty(() => worlds.sendPayout(id));
    expect(await worlds.findPayout(id)).toMatchObject({ status: 'SENT', attempts: 1 });
    expect(await world.transferOf(id)).toMatchObject({ attempts: 1 });
  });

  it('is asked for after its answer was lost, and not sent again', async () => {
    const id = await askedPayout();
    await breaks('lose');
    await worlds.sendPayout(id);
    await worlds.sendPayout(id);
    await world.end(id, 'succeed');
    await worlds.sendPayout(id);
    expect(await worlds.findPayout(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(await world.transferOf(id)).toMatchObject({ attempts: 1 });
  });

  it('is sent again when the provider never got it', async () => {
    const id = await askedPayout();
    await breaks('error');
    await worlds.sendPayout(id);
    expect(await world.transferOf(id)).toBeUndefined();
    await worlds.sendPayout(id);
    expect(await worlds.findPayout(id)).toMatchObject({ status: 'SENT', attempts: 2 });
    expect(await world.transferOf(id)).toMatchObject({ attempts: 1 });
  });

  it('waits while the provider can’t be asked, without counting an attempt', async () => {
    const id = await askedPayout();
    await worlds.sendPayout(id);
    await breaks('error', 3);
    for (let look = 1; look <= 3; look++) await worlds.sendPayout(id);
    expect(await worlds.findPayout(id)).toMatchObject({ status: 'SENT', attempts: 1 });
  });

  it('is completed by a webhook only if the provider confirms it, where it is asked back', async () => {
    const id = await askedPayout();
    await worlds.sendPayout(id);
    process.env.VERIFY_WITH_GATEWAY = 'true';
    const told = { kind: 'transfer-succeeded', reference: id, transactionId: '1' } as const;
    await worlds.settlePayout(worlds.transfersB, told);
    expect(await worlds.findPayout(id)).toMatchObject({ status: 'SENT' });
    await world.end(id, 'succeed');
    await worlds.settlePayout(worlds.transfersB, told);
    expect(await worlds.findPayout(id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a refund', () => {
  it('is made once by twenty workers at once', async () => {
    const orderId = await askedRefund();
    await twenty(() => worlds.sendRefund(orderId));
    expect((await worlds.getOrder(orderId)).refund).toMatchObject({ status: 'done', amount: 6837n });
    expect(await refundsOf(orderId)).toHaveLength(1);
  });

  it('that got through although nobody heard of it is found, and not made again', async () => {
    const orderId = await askedRefund();
    const { reference, paymentTxId = '', currency, totalAmount: amount } = await worlds.getOrder(orderId);
    const idempotencyKey = `refund-${orderId}`;
    await worlds.gatewayB.refund({ transactionId: paymentTxId, reference, amount, currency, idempotencyKey });
    await worlds.sendRefund(orderId);
    expect((await worlds.getOrder(orderId)).refund?.status).toBe('done');
    expect(await refundsOf(orderId)).toHaveLength(1);
  });

  it('that fails five times waits for somebody who asks again', async () => {
    const orderId = await askedRefund();
    await breaks('error', 5);
    for (let attempt = 1; attempt <= 5; attempt++) await worlds.sendRefund(orderId);
    expect((await worlds.getOrder(orderId)).refund?.status).toBe('failed');
    await worlds.sendRefund(orderId);
    expect(await refundsOf(orderId)).toHaveLength(0);

    await Promise.all([askedRefund(), askedRefund(), askedRefund()]);
    await worlds.sendRefund(orderId);
    expect((await worlds.getOrder(orderId)).refund?.status).toBe('done');
    expect(await refundsOf(orderId)).toHaveLength(1);
  });
});
