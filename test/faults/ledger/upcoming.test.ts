import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeEvent } from '../../../shared/catalog/events/editing/change-event.ts';
import { reviseEvent } from '../../../shared/catalog/events/editing/revise-event.ts';
import { getEvent } from '../../../shared/catalog/events/store.ts';
import { newId } from '../../../shared/core/ids.ts';
import { sweep } from '../../../shared/jobs/sweep/sweep-due.ts';
import { readBalances } from '../../../shared/money/ledger/store.ts';
import { unlockEarnings } from '../../../shared/money/ledger/unlock-earnings.ts';
import { requestPayout } from '../../../shared/money/payouts/request-payout.ts';
import { fulfilOrders } from '../../../shared/orders/fulfilment/fulfil-orders.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { beginRefund, requestRefund } from '../../../shared/orders/refunds/refund-order.ts';
import { cancelOrder } from '../../../shared/orders/settlement/end-order.ts';
import { receivePayment } from '../../../shared/orders/settlement/settle-order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { gatewayB } from '../../../shared/payments/gateway-b/gateway.ts';
import { type Backend, runWorkers, startBackend } from '../../support/backend.ts';
import { type Sandbox, startPaymentSandbox } from '../../support/sandbox.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { reconcile } from './world.ts';

/** With PAYOUTS_FROM=event an organizer's credits stay in `upcoming` until the event has ended. */

const hour = 60 * 60_000;
const day = 24 * hour;
/** The shop's event starts in a day, and lasts two hours. */
const pastEnd = day + 3 * hour;
let backend: Backend;
let sandbox: Sandbox;
let shop: Shop;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startPaymentSandbox();
}, 60_000);
beforeEach(async () => {
  process.env.PAYOUTS_FROM = 'event';
  shop = await openShop({ quantity: 50 });
});
afterEach(async () => {
  vi.useRealTimers();
  delete process.env.PAYOUTS_FROM;
  expect(await reconcile()).toEqual([]);
});
afterAll(async () => {
  await sandbox.stop();
  await backend.stop();
});

const post = ({ id: orderId, eventId, userId }: Order) => fulfilOrders([{ orderId, eventId, userId }]);

async function pay({ reference, id }: Order): Promise<Order> {
  await receivePayment(gatewayB, { kind: 'paid', reference, transactionId: id });
  const paid = await getOrder(id);
  expect(await post(paid)).toEqual([]);
  return getOrder(id);
}

/** Sells two tickets at 50. */
const sell = async () => pay(await shop.order({ gateway: 'gateway-b' }));

async function readBalance() {
  const [{ upcoming = 0n, available = 0n } = {}] = await readBalances(shop.organizerId);
  return { upcoming: Number(upcoming), available: Number(available) };
}

const organizer = () => ({ userId: shop.organizerId, email: '', role: 'ORGANIZER' }) as const;
const refund = ({ id }: Order) => requestRefund(organizer(), id);
const unlock = () =>
  unlockEarnings({ organizerId: shop.organizerId, eventId: shop.eventId, currency: 'USD' });

/** Reschedules the event to begin `milliseconds` from now. Tickets are on sale from now until then. */
const reschedule = (milliseconds: number) => {
  const saleStart = new Date().toISOString();
  const eventDate = new Date(Date.now() + milliseconds).toISOString();
  return changeEvent(shop.eventId, shop.organizerId, (event) =>
    reviseEvent(event, { eventDate, saleStart, saleEnd: eventDate }),
  );
};

const advanceClock = (milliseconds: number) =>
  void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });

async function runSweep(): Promise<void> {
  await sweep(Date.now() + 10_000);
  await runWorkers(backend, ['run-event-jobs', 'settle-orders', 'send-money']);
}

describe('a credit', () => {
  it('can’t be paid out before the event has ended, and becomes available once, after the end', async () => {
    await sell();
    await sell();
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 20_000, available: 0 });
    const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Ann' };
    const request = { amount: 1, currency: 'USD', gateway: 'gateway-b', destination } as const;
    await expect(requestPayout(shop.organizerId, request, newId())).rejects.toMatchObject({
      code: 'insufficient-balance',
    });
    advanceClock(pastEnd);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 20_000 });
    await Promise.all([unlock(), unlock(), runSweep()]);
    expect(await readBalance()).toEqual({ upcoming: 0, available: 20_000 });
  });

  it('is unlocked once by ten concurrent workers', async () => {
    await sell();
    advanceClock(pastEnd);
    await Promise.all(Array.from({ length: 10 }, unlock));
    expect(await readBalance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('is available immediately by default', async () => {
    delete process.env.PAYOUTS_FROM;
    await sell();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('stays in its account when PAYOUTS_FROM changes', async () => {
    process.env.PAYOUTS_FROM = 'sale';
    const first = await sell();
    process.env.PAYOUTS_FROM = 'event';
    const second = await sell();
    process.env.PAYOUTS_FROM = 'sale';
    await sell();
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 20_000 });
    await refund(first);
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 10_000 });
    await refund(second);
    expect(await readBalance()).toEqual({ upcoming: 0, available: 10_000 });
    process.env.PAYOUTS_FROM = 'event';
    await sell();
    process.env.PAYOUTS_FROM = 'sale';
    advanceClock(pastEnd);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 20_000 });
  });

  it('for a payment after the unlock becomes available with the next sweep', async () => {
    await sell();
    const late = await shop.order({ gateway: 'gateway-b' });
    await cancelOrder(shop.buyerId, late.id);
    advanceClock(pastEnd);
    await runSweep();
    await pay(late);
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 10_000 });
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 20_000 });
  });

  it('is neither lost nor doubled by concurrent postings, refunds and unlocks', async () => {
    const soldOrders = await Promise.all(Array.from({ length: 4 }, sell));
    const unpostedOrders = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const order = await shop.order({ gateway: 'gateway-b' });
        const { reference, id } = order;
        await receivePayment(gatewayB, { kind: 'paid', reference, transactionId: id });
        return getOrder(id);
      }),
    );
    advanceClock(pastEnd);
    const postings = Promise.all([...unpostedOrders, ...unpostedOrders].map(post));
    await Promise.all([postings, unlock(), unlock(), ...soldOrders.slice(0, 3).map(refund)]);
    expect(await postings).toEqual(Array(6).fill([]));
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 40_000 });
  });
});

describe('a rescheduled event', () => {
  it('unlocks credits at its original end when it was moved to an earlier time after sales', async () => {
    await sell();
    await reschedule(hour);
    await sell();
    advanceClock(4 * hour);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 20_000, available: 0 });
    advanceClock(day);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 20_000 });
  });

  it('unlocks credits at the latest of its ends when it was moved to a later time and back', async () => {
    await sell();
    await reschedule(7 * day);
    await reschedule(2 * day);
    advanceClock(pastEnd);
    await runSweep();
    advanceClock(2 * day);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 0 });
    advanceClock(4 * day);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('unlocks nothing when it was moved to a later time after the unlock was queued', async () => {
    await sell();
    advanceClock(pastEnd);
    await sweep(Date.now() + 10_000);
    await reschedule(day);
    await runWorkers(backend, ['send-money']);
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 0 });
    advanceClock(2 * day);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('unlocks credits at its new end, and has a new saleVersion, when nothing was sold before the change', async () => {
    await reschedule(3650 * day);
    const { saleVersion } = await getEvent(shop.eventId);
    await reschedule(day);
    expect(await getEvent(shop.eventId)).toMatchObject({ saleVersion: saleVersion + 1 });
    await sell();
    advanceClock(pastEnd);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('unlocks nothing at an earlier end when a ticket was held during the change', async () => {
    const heldOrder = await shop.order({ gateway: 'gateway-b' });
    await reschedule(hour);
    await pay(heldOrder);
    advanceClock(4 * hour);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 0 });
  });

  it('unlocks, at its next end, the credits of sales made after an unlock', async () => {
    const first = await sell();
    advanceClock(pastEnd);
    await runSweep();
    await reschedule(5 * day);
    await sell();
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 10_000 });
    // The credit of this order was unlocked, so `available` covers the refund.
    await refund(first);
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 0 });
    advanceClock(6 * day);
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 10_000 });
  });
});

describe('a refund', () => {
  it('is taken from `upcoming` before the end, and from `available` after it', async () => {
    const [first, second, third] = [await sell(), await sell(), await sell()];
    await refund(first);
    expect(await readBalance()).toEqual({ upcoming: 20_000, available: 0 });
    // As after a chargeback.
    await beginRefund(second, { isMoneyReturned: true });
    expect(await readBalance()).toEqual({ upcoming: 10_000, available: 0 });
    advanceClock(pastEnd);
    await runSweep();
    await refund(third);
    expect(await readBalance()).toEqual({ upcoming: 0, available: 0 });
  });

  it('of a cancelled event is taken from `upcoming`, and nothing is unlocked', async () => {
    await Promise.all([sell(), sell()]);
    await shop.cancelEvent();
    advanceClock(pastEnd);
    await unlock();
    expect(await readBalance()).toEqual({ upcoming: 20_000, available: 0 });
    await runSweep();
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 0 });
    await runSweep();
    expect(await readBalance()).toEqual({ upcoming: 0, available: 0 });
  });

  it.each(Array.from({ length: 5 }, (_, index) => index))(
    'leaves both accounts at zero when the credit is unlocked concurrently: run %i',
    async () => {
      const order = await sell();
      advanceClock(pastEnd);
      await Promise.all([unlock(), refund(order)]);
      expect(await readBalance()).toEqual({ upcoming: 0, available: 0 });
    },
  );
});
