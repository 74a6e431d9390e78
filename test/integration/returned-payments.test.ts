import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as webhookA } from '../../functions/webhooks/gateway-a.ts';
import { handler as webhookB } from '../../functions/webhooks/gateway-b.ts';
import { handler as webhookC } from '../../functions/webhooks/gateway-c.ts';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../infra/ops/reconcile-ledger.ts';
import { newId } from '../../shared/core/ids.ts';
import type { GatewayName } from '../../shared/core/schemas.ts';
import { readBalances } from '../../shared/money/ledger/store.ts';
import { requestPayout } from '../../shared/money/payouts/request-payout.ts';
import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import type { Order } from '../../shared/orders/order.ts';
import { endReview } from '../../shared/orders/refunds/disputes.ts';
import { receiveReturn } from '../../shared/orders/refunds/receive-return.ts';
import { beginRefund } from '../../shared/orders/refunds/refund-order.ts';
import { requestRefund } from '../../shared/orders/refunds/request-refund.ts';
import { sendRefund } from '../../shared/orders/refunds/send-refund.ts';
import { endAndVerifyPayment } from '../../shared/orders/settlement/end-order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { requestErasure } from '../../shared/privacy/request-erasure.ts';
import { requireUnusedSeats } from '../../shared/tickets/seats/find-seat.ts';
import { type Backend, createApiEvent, runWorkers, startBackend } from '../support/backend.ts';
import { type Sandbox, startPaymentSandbox } from '../support/sandbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

/** Payments that are refunded or disputed at the provider, without a refund by this service. */

const bankAccount = { accountNumber: '0123456789', bankCode: '044', accountName: 'Olu' };

let backend: Backend;
let sandbox: Sandbox;
let shop: Shop;
let order: Order;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startPaymentSandbox();
}, 60_000);
afterEach(async () => {
  vi.unstubAllEnvs();
  await sandbox.control('faults', {}, 'DELETE');
  expect([...(await findInventoryDifferences()), ...(await findLedgerDifferences())]).toEqual([]);
});
afterAll(async () => {
  await sandbox.stop();
  await backend.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: handlers are called as Lambda calls them
const handlers: [GatewayName, any][] = [
  ['gateway-a', webhookA],
  ['gateway-b', webhookB],
  ['gateway-c', webhookC],
];

describe.each(handlers)('the webhook of %s', (gateway, handler) => {
  /** Delivers a webhook. @param webhook default: the newest */
  const deliver = async ({ body, headers } = sandbox.newestWebhook()): Promise<number> => {
    const { statusCode } = await handler(
      createApiEvent(body.toString(), headers as Record<string, string>),
      {},
    );
    await runWorkers(backend, ['send-money']);
    return statusCode;
  };
  /** Changes the payment at the provider, and delivers the webhook. */
  const changePayment = async (action: string, options: object = {}) => {
    await sandbox.control(`payments/${order.reference}/${action}`, options);
    return deliver();
  };
  const deliverDispute = async (status: string) => {
    expect(await changePayment('dispute', { status })).toBe(200);
  };
  const requestOwnRefund = () =>
    requestRefund({ userId: shop.organizerId, role: 'ORGANIZER' }, order.id, {}, { requireUnusedSeats });
  const fulfil = () => fulfilOrders([{ orderId: order.id, eventId: order.eventId, userId: order.userId }]);
  const readBalance = async () => (await readBalances(shop.organizerId))[0];
  const readAvailable = async () => (await readBalance())?.available;

  beforeEach(async () => {
    shop = await openShop();
    order = await shop.order({ gateway });
    expect(await changePayment('pay')).toBe(200);
    await fulfil();
    expect(await readAvailable()).toBe(10_000n);
  });

  it.each(['refund', 'dispute'])('records a full %s once, as a refund of the order', async (action) => {
    expect(await changePayment(action, { status: 'lost' })).toBe(200);
    expect(await deliver()).toBe(200);
    expect(await getOrder(order.id)).toMatchObject({
      paymentStatus: 'COMPLETED',
      holdsInventory: false,
      fulfilmentStatus: 'refund-due',
      refund: { status: 'done', amount: 10_250n },
    });
    expect(await readAvailable()).toBe(0n);
    const { refunds } = await sandbox.control(`payments/${order.reference}`, {}, 'GET');
    await sendRefund(order.id);
    expect((await sandbox.control(`payments/${order.reference}`, {}, 'GET')).refunds).toEqual(refunds);
  });

  it('puts a partial refund under review', async () => {
    expect(await changePayment('refund', { amount: gateway === 'gateway-b' ? 10 : 1_000 })).toBe(200);
    expect(await getOrder(order.id)).toMatchObject({
      holdsInventory: true,
      paymentReview: '1000 minor units of USD went back to the buyer',
    });
    expect(await readAvailable()).toBe(10_000n);
  });

  it('refunds the order when its own refund gives back what a partial refund has left', async () => {
    await changePayment('refund', { amount: gateway === 'gateway-b' ? 10 : 1_000 });
    await requestRefund(
      { userId: shop.organizerId, role: 'ORGANIZER' },
      order.id,
      { amount: 100 },
      { requireUnusedSeats },
    );
    await sendRefund(order.id);
    expect(await getOrder(order.id)).toMatchObject({
      holdsInventory: false,
      refunds: [{ status: 'done', amount: 10_000n }],
      refund: { status: 'done', amount: 250n },
    });
    expect(await readAvailable()).toBe(0n);
  });

  // An administrator, since the organizer's funds need not cover it.
  const giveBackHalf = () =>
    requestRefund({ userId: 'admin', role: 'ADMIN' }, order.id, { amount: 51.25 }, { requireUnusedSeats });

  it('refunds the order when a lost dispute returns the amount of a refund that was not sent yet', async () => {
    await giveBackHalf();
    await sendRefund(order.id);
    await giveBackHalf();
    await deliverDispute('lost');
    expect(await getOrder(order.id)).toMatchObject({ holdsInventory: false, refund: { status: 'done' } });
    const { refunds } = await sandbox.control(`payments/${order.reference}`, {}, 'GET');
    expect(refunds.filter(({ note }: { note: string }) => note.startsWith('refund-'))).toHaveLength(1);
  });

  it('leaves the tickets valid when a dispute opens about a payment that was all given back as goodwill', async () => {
    for (const _ of [1, 2]) {
      await giveBackHalf();
      await sendRefund(order.id);
    }
    await deliverDispute('inquiry');
    const { holdsInventory, refund } = await getOrder(order.id);
    expect({ holdsInventory, refund }).toEqual({ holdsInventory: true, refund: undefined });
  });

  const readReview = async () => (await getOrder(order.id)).paymentReview;

  it('puts a disputed payment under review until the merchant has won the dispute', async () => {
    expect(await changePayment('dispute', { status: 'inquiry' })).toBe(200);
    expect(await readReview()).toBe('The buyer disputes the payment');
    expect(await changePayment('dispute', { status: 'won' })).toBe(200);
    expect(await deliver()).toBe(200);
    expect(await readReview()).toBeUndefined();
    expect(await getOrder(order.id)).toMatchObject({ holdsInventory: true });
  });

  it('ignores a report that a dispute was opened when it arrives after the merchant has won this dispute', async () => {
    await sandbox.control(`payments/${order.reference}/dispute`, { status: 'inquiry' });
    const openingReport = sandbox.newestWebhook();
    expect(await changePayment('dispute', { status: 'won' })).toBe(200);
    expect(await deliver(openingReport)).toBe(200);
    expect(await readReview()).toBeUndefined();
    const another = { reference: order.reference, isDispute: true, disputeId: 'another' };
    await receiveReturn(gateway, another);
    expect(await readReview()).toBe('The buyer disputes the payment');
    await receiveReturn(gateway, { ...another, isDisputeWon: true });
    expect(await deliver(openingReport)).toBe(200);
    await receiveReturn(gateway, another);
    expect(await readReview()).toBeUndefined();
  });

  it('puts no payment under review while the reports of a won dispute are processed concurrently', async () => {
    await sandbox.control(`payments/${order.reference}/dispute`, { status: 'won' });
    const report = { reference: order.reference, isDispute: true, disputeId: 'dispute-1' };
    const reports = [report, { ...report, isDisputeWon: true }, report];
    const results = await Promise.allSettled(reports.map((each) => receiveReturn(gateway, each)));
    // SQS delivers failed messages again.
    for (const [index, { status }] of results.entries())
      if (status === 'rejected') await receiveReturn(gateway, reports[index] as typeof report);
    expect(await readReview()).toBeUndefined();
  });

  it('reserves what is disputed until the merchant has won, also when it was paid out before', async () => {
    await deliverDispute('inquiry');
    expect(await readBalance()).toMatchObject({ available: 0n, disputed: 10_000n });
    expect(await deliver()).toBe(200);
    expect(await readBalance()).toMatchObject({ available: 0n, disputed: 10_000n });
    const payout = { amount: 1, currency: 'USD', gateway: 'gateway-b', destination: bankAccount } as const;
    await expect(requestPayout(shop.organizerId, payout, newId())).rejects.toMatchObject({
      code: 'insufficient-balance',
    });
    await deliverDispute('won');
    expect(await readBalance()).toMatchObject({ available: 10_000n, disputed: 0n });
    await requestPayout(shop.organizerId, { ...payout, amount: 60 }, newId());
    await receiveReturn(gateway, { reference: order.reference, isDispute: true, disputeId: 'another' });
    expect(await readBalance()).toMatchObject({ available: -6_000n, disputed: 10_000n, pending: 6_000n });
  });

  it('uses what is reserved for the refund when the merchant has lost, and needs no report of the opening', async () => {
    await receiveReturn(gateway, { reference: order.reference, isDispute: true, disputeId: 'another' });
    await deliverDispute('inquiry');
    expect(await readBalance()).toMatchObject({ available: 0n, disputed: 10_000n });
    await deliverDispute('lost');
    expect(await readBalance()).toMatchObject({ available: 0n, disputed: 0n, clearing: 0n });
    expect(await getOrder(order.id)).not.toHaveProperty('openDisputes');
    await receiveReturn(gateway, { reference: order.reference, isDispute: true, disputeId: 'late' });
    expect(await readBalance()).toMatchObject({ available: 0n, disputed: 0n });
  });

  describe('after all tickets were returned', () => {
    /** The buyer returns both tickets for a fee. */
    const returnAll = async (feePercent: number) => {
      await beginRefund(await getOrder(order.id), { part: { seats: [1, 2], feePercent } });
      await sendRefund(order.id);
    };

    it('takes back what the organizer has kept when the merchant has lost, once', async () => {
      await returnAll(100);
      expect(await readBalance()).toMatchObject({ available: 10_250n });
      await deliverDispute('lost');
      expect(await deliver()).toBe(200);
      expect(await readBalance()).toMatchObject({ available: 0n, disputed: 0n, clearing: 0n });
      expect(await readReview()).toBeUndefined();
    });

    it.skipIf(gateway === 'gateway-c')('reserves what the organizer has kept until then', async () => {
      await returnAll(20);
      expect(await readBalance()).toMatchObject({ available: 2_050n });
      await deliverDispute('open');
      expect(await deliver()).toBe(200);
      expect(await readBalance()).toMatchObject({ available: 0n, disputed: 2_050n });
      await deliverDispute('won');
      expect(await readBalance()).toMatchObject({ available: 2_050n, disputed: 0n });
      await receiveReturn(gateway, { reference: order.reference, isDispute: true, disputeId: 'another' });
      expect(await readBalance()).toMatchObject({ available: 0n, disputed: 2_050n });
      await deliverDispute('lost');
      expect(await readBalance()).toMatchObject({ available: 0n, disputed: 0n, clearing: 0n });
      expect(await getOrder(order.id)).not.toHaveProperty('openDisputes');
    });

    it('reserves nothing when everything was given back', async () => {
      await returnAll(0);
      await receiveReturn(gateway, { reference: order.reference, isDispute: true, disputeId: 'another' });
      expect(await readBalance()).toMatchObject({ available: 0n, disputed: 0n });
      expect(await getOrder(order.id)).not.toHaveProperty('openDisputes');
    });
  });

  it('reserves upcoming earnings, which stay upcoming when the merchant has won before the event', async () => {
    process.env.PAYOUTS_FROM = 'event';
    order = await shop.order({ gateway });
    await changePayment('pay');
    await fulfil();
    delete process.env.PAYOUTS_FROM;
    await deliverDispute('inquiry');
    expect(await readBalance()).toMatchObject({ available: 10_000n, upcoming: 0n, disputed: 10_000n });
    await deliverDispute('won');
    expect(await readBalance()).toMatchObject({ available: 10_000n, upcoming: 10_000n, disputed: 0n });
  });

  it('reserves what is disputed before the order is posted, or before it is paid', async () => {
    for (const isPaidFirst of [true, false]) {
      order = await shop.order({ gateway });
      await sandbox.control(`payments/${order.reference}/pay`);
      const payment = sandbox.newestWebhook();
      if (isPaidFirst) expect(await deliver(payment)).toBe(200);
      await deliverDispute('inquiry');
      if (!isPaidFirst) expect(await deliver(payment)).toBe(200);
      await fulfil();
    }
    expect(await readBalance()).toMatchObject({ available: 10_000n, disputed: 20_000n });
  });

  it('keeps the account of the organizer open while a payment is disputed', async () => {
    await deliverDispute('inquiry');
    await expect(
      requestErasure(shop.organizerId, { userId: shop.organizerId, role: 'ORGANIZER' }),
    ).rejects.toMatchObject({ code: 'unfinished-business', message: expect.stringContaining('disputed') });
  });

  it('releases what is disputed when an operator ends the review', async () => {
    await deliverDispute('inquiry');
    await endReview(order.id);
    expect(await readBalance()).toMatchObject({ available: 10_000n, disputed: 0n });
    expect(await readReview()).toBeUndefined();
  });

  it('ends the review of a disputed payment when the merchant has lost the dispute', async () => {
    await changePayment('dispute', { status: 'inquiry' });
    expect(await changePayment('dispute', { status: 'lost' })).toBe(200);
    expect(await readReview()).toBeUndefined();
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' } });
  });

  it('keeps the review of a disputed payment after a report about a refund that was not executed', async () => {
    await changePayment('dispute', { status: 'inquiry' });
    await sandbox.control('faults', { holdRefunds: true });
    expect(await changePayment('refund')).toBe(200);
    expect(await readReview()).toBe('The buyer disputes the payment');
  });

  it('keeps the review of a partial refund when the merchant wins a dispute', async () => {
    await changePayment('refund', { amount: gateway === 'gateway-b' ? 10 : 1_000 });
    expect(await changePayment('dispute', { status: 'won' })).toBe(200);
    expect(await readReview()).toBe('1000 minor units of USD went back to the buyer');
  });

  // Only gateway-c withdraws the money when a dispute is opened, and returns it when the merchant has won.
  it.runIf(gateway === 'gateway-c')(
    'puts an order under review whose dispute was won after its refund',
    async () => {
      await changePayment('dispute', { status: 'open' });
      expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' } });
      const openingReport = sandbox.newestWebhook();
      expect(await changePayment('dispute', { status: 'won' })).toBe(200);
      expect(await deliver(openingReport)).toBe(200);
      expect(await readReview()).toBe('The dispute was won after the order was refunded');
    },
  );

  it('ignores a report that the provider does not confirm', async () => {
    await sandbox.control('faults', { holdRefunds: true });
    expect(await changePayment('refund')).toBe(200);
    expect(await getOrder(order.id)).not.toHaveProperty('refund');
  });

  it('records a refund that was pending when it was reported, once the provider has executed it', async () => {
    await sandbox.control('faults', { holdRefunds: true });
    expect(await changePayment('refund')).toBe(200);
    expect(await changePayment('end-refunds')).toBe(200);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' } });
  });

  it('completes a pending refund that this service has requested', async () => {
    await sandbox.control('faults', { holdRefunds: true });
    await requestOwnRefund();
    await sendRefund(order.id);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'pending' } });
    await sandbox.control(`payments/${order.reference}/end-refunds`, { status: 'done' });
    await sandbox.control(`payments/${order.reference}/refund`);
    expect(await deliver()).toBe(200);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' } });
  });

  it('fails a refund that the provider accepts but never executes, after five requests', async () => {
    vi.stubEnv('RETRY_SECONDS', '0');
    await sandbox.control('faults', { holdRefunds: true });
    await requestOwnRefund();
    for (let attempt = 0; attempt < 12; attempt++) {
      await sendRefund(order.id);
      await sandbox.control(`payments/${order.reference}/end-refunds`, { status: 'failed' });
    }
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'failed' } });
    const { refunds } = await sandbox.control(`payments/${order.reference}`, {}, 'GET');
    expect(refunds).toHaveLength(5);
  });

  it('keeps a refund pending while the provider executes it, however often it was asked', async () => {
    vi.stubEnv('RETRY_SECONDS', '0');
    await sandbox.control('faults', { holdRefunds: true });
    await requestOwnRefund();
    for (let attempt = 0; attempt < 12; attempt++) await sendRefund(order.id);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'pending' } });
  });

  it.runIf(gateway === 'gateway-c')(
    'fails a refund that the buyer’s bank rejects after it was done',
    async () => {
      await requestOwnRefund();
      await sendRefund(order.id);
      expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' } });
      expect(await changePayment('end-refunds', { status: 'failed' })).toBe(200);
      expect(await deliver()).toBe(200);
      expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'failed' } });
      await requestOwnRefund();
      await sendRefund(order.id);
      expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' } });
      const { refunds } = await sandbox.control(`payments/${order.reference}`, {}, 'GET');
      expect(refunds).toMatchObject([{ status: 'failed' }, { status: 'done' }]);
    },
  );

  it.runIf(gateway === 'gateway-c')('fails such a refund that a report had completed', async () => {
    await sandbox.control('faults', { holdRefunds: true });
    await requestOwnRefund();
    await sendRefund(order.id);
    expect(await changePayment('end-refunds')).toBe(200);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' } });
    expect(await changePayment('end-refunds', { status: 'failed' })).toBe(200);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'failed' } });
  });

  it('rejects a report when the provider fails, so that the provider redelivers it', async () => {
    await sandbox.control(`payments/${order.reference}/refund`);
    await sandbox.control('faults', { gateway, mode: 'error' });
    const report = { reference: order.reference, isDispute: false };
    await expect(receiveReturn(gateway, report)).rejects.toMatchObject({ code: 'provider-failed' });
    await receiveReturn(gateway, report);
    expect(await getOrder(order.id)).toMatchObject({ refund: { status: 'done' } });
  });
});

it('is sent for a seat of an event that admits by token only once the mint of its order has ended', async () => {
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const shop = await openShop({ contractAddress: wallet, walletAddress: wallet });
  const order = await shop.order({ gateway: 'gateway-a' });
  await sandbox.control(`payments/${order.reference}/pay`, { webhook: false });
  await endAndVerifyPayment(order);
  await fulfilOrders([{ orderId: order.id, eventId: order.eventId, userId: order.userId }]);
  const organizer = { userId: shop.organizerId, role: 'ORGANIZER' } as const;
  await requestRefund(organizer, order.id, { seats: [1] }, { requireUnusedSeats });
  await sendRefund(order.id);
  expect(await getOrder(order.id)).toMatchObject({
    fulfilmentStatus: 'queued',
    refunds: [{ status: 'pending', attempts: 0 }],
  });
});
