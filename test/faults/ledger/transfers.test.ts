import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendPayout } from '../../../shared/money/payouts/send-payout.ts';
import { settlePayout } from '../../../shared/money/payouts/settle-payout.ts';
import { findPayout } from '../../../shared/money/payouts/store.ts';
import { requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { sendRefund } from '../../../shared/orders/refunds/send-refund.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { gatewayB, transferGatewayB } from '../../../shared/payments/gateway-b/gateway.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';
import { reconcile, World } from './world.ts';

/** Payouts and refunds under concurrent workers and failing providers. */

let backend: Backend;
let sandbox: Sandbox;
let world: World;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startPaymentSandbox();
  process.env.RETRY_SECONDS = '0';
}, 60_000);

afterAll(async () => {
  await sandbox.stop();
  await backend.stop();
});

beforeEach(async () => {
  await sandbox.control('faults', { holdTransfers: true });
  world = await World.open(sandbox);
  await world.sell(2);
});
afterEach(async () => {
  process.env.VERIFY_WITH_GATEWAY = 'false';
  await sandbox.control('faults', {}, 'DELETE');
  expect(await reconcile()).toEqual([]);
});

const injectFault = (mode: string, times = 1, route?: string) =>
  sandbox.control('faults', { gateway: 'gateway-b', mode, times, route });
const runTwentyTimes = (work: () => Promise<void>) => Promise.all(Array.from({ length: 20 }, work));

async function createPayout(): Promise<string> {
  await world.requestPayout(20);
  return world.payoutIds[0] as string;
}

async function createRefund(): Promise<string> {
  const orderId = world.orderIds[0] as string;
  await requestRefund(world.caller(), orderId);
  return orderId;
}

async function readRefunds(orderId: string) {
  const { reference } = await getOrder(orderId);
  return (await sandbox.control<{ refunds: unknown[] }>(`payments/${reference}`, {}, 'GET')).refunds;
}

describe('a payout', () => {
  it('is sent once by twenty concurrent workers', async () => {
    const id = await createPayout();
    await runTwentyTimes(() => sendPayout(id));
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 1 });
    expect(await world.transfersOf(id)).toHaveLength(1);
  });

  it('is looked up after its answer was lost, and not sent again', async () => {
    const id = await createPayout();
    await injectFault('lose');
    await sendPayout(id);
    await sendPayout(id);
    await world.endTransfer(id, 'succeed');
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(await world.transfersOf(id)).toHaveLength(1);
  });

  it('is sent again when the provider did not receive it', async () => {
    const id = await createPayout();
    await injectFault('error');
    await sendPayout(id);
    expect(await world.newestTransferOf(id)).toBeUndefined();
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 2 });
    expect(await world.transfersOf(id)).toHaveLength(1);
  });

  it('is not sent again while its transfer is pending, and is sent with a new reference after the transfer failed', async () => {
    const id = await createPayout();
    await sendPayout(id);
    await sendPayout(id);
    expect(await world.transfersOf(id)).toMatchObject([{ reference: id, status: 'pending' }]);
    await world.endTransfer(id, 'fail');
    // The answer to the look-up is lost, then the answer to the new transfer.
    await injectFault('lose');
    await sendPayout(id);
    await injectFault('lose', 1, 'POST /transfers');
    await sendPayout(id);
    await sendPayout(id);
    expect(await world.transfersOf(id)).toMatchObject([
      { reference: id, status: 'failed' },
      { reference: `${id}-2`, status: 'pending' },
    ]);
    await world.endTransfer(id, 'succeed');
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED', transfer: 2 });
  });

  it('waits while refunds leave its amount uncovered, and is sent once sales cover it', async () => {
    const id = await createPayout();
    await createRefund();
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'PENDING', attempts: 0, isUncovered: true });
    expect(await world.transfersOf(id)).toEqual([]);
    await world.sell(2);
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 1 });
    expect(await findPayout(id)).not.toHaveProperty('isUncovered');
    expect(await world.transfersOf(id)).toHaveLength(1);
  });

  it('whose transfer failed is not sent again while its amount is uncovered', async () => {
    const id = await createPayout();
    await sendPayout(id);
    await createRefund();
    await world.endTransfer(id, 'fail');
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'PENDING', attempts: 1, isUncovered: true });
    expect(await world.transfersOf(id)).toHaveLength(1);
    await world.sell(3);
    await sendPayout(id);
    await world.endTransfer(id, 'succeed');
    await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED', transfer: 2 });
  });

  it('is not sent again after a late failure report of an earlier transfer', async () => {
    const id = await createPayout();
    await sendPayout(id);
    await world.endTransfer(id, 'fail');
    await sendPayout(id);
    await settlePayout(transferGatewayB, { kind: 'transfer-failed', reference: id, transactionId: '1' });
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 2, transfer: 2 });
  });

  it('alerts an operator when its transfer is reversed after it succeeded', async () => {
    const id = await createPayout();
    await sendPayout(id);
    await world.endTransfer(id, 'succeed');
    await sendPayout(id);
    const lines: string[] = [];
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    await settlePayout(transferGatewayB, { kind: 'transfer-failed', reference: id, transactionId: '1' });
    vi.restoreAllMocks();
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED', transfer: 1 });
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ PaymentsUnderReview: 1 }),
    );
  });

  it('waits while the provider can’t be reached, without counting an attempt', async () => {
    const id = await createPayout();
    await sendPayout(id);
    await injectFault('error', 3);
    for (let call = 1; call <= 3; call++) await sendPayout(id);
    expect(await findPayout(id)).toMatchObject({ status: 'SENT', attempts: 1 });
  });

  it('with VERIFY_WITH_GATEWAY, is completed by a webhook only if the provider confirms it', async () => {
    const id = await createPayout();
    await sendPayout(id);
    process.env.VERIFY_WITH_GATEWAY = 'true';
    const signal = { kind: 'transfer-succeeded', reference: id, transactionId: '1' } as const;
    await settlePayout(transferGatewayB, signal);
    expect(await findPayout(id)).toMatchObject({ status: 'SENT' });
    await world.endTransfer(id, 'succeed');
    await settlePayout(transferGatewayB, signal);
    expect(await findPayout(id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a refund', () => {
  it('is made once by twenty concurrent workers', async () => {
    const orderId = await createRefund();
    await runTwentyTimes(() => sendRefund(orderId));
    expect((await getOrder(orderId)).refund).toMatchObject({ status: 'done', amount: 6837n });
    expect(await readRefunds(orderId)).toHaveLength(1);
  });

  it('that succeeded although its answer was lost is found, and not made again', async () => {
    const orderId = await createRefund();
    const { reference, paymentTxId = '', currency, totalAmount: amount } = await getOrder(orderId);
    const keys = { idempotencyKey: `refund-${orderId}`, attempt: '1' };
    await gatewayB.refund({ transactionId: paymentTxId, reference, amount, currency, ...keys });
    await sendRefund(orderId);
    expect((await getOrder(orderId)).refund?.status).toBe('done');
    expect(await readRefunds(orderId)).toHaveLength(1);
  });

  it('that fails five times waits for a new request', async () => {
    const orderId = await createRefund();
    await injectFault('error', 5);
    for (let attempt = 1; attempt <= 5; attempt++) await sendRefund(orderId);
    expect((await getOrder(orderId)).refund?.status).toBe('failed');
    await sendRefund(orderId);
    expect(await readRefunds(orderId)).toHaveLength(0);

    await Promise.all([createRefund(), createRefund(), createRefund()]);
    await sendRefund(orderId);
    // After five failures the circuit breaker is open. A skipped call does not count as an attempt.
    expect((await getOrder(orderId)).refund).toMatchObject({ status: 'pending', attempts: 0 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    await sendRefund(orderId);
    vi.useRealTimers();
    expect((await getOrder(orderId)).refund?.status).toBe('done');
    expect(await readRefunds(orderId)).toHaveLength(1);
  });
});
