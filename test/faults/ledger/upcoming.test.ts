import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../../shared/core/ids.ts';
import { changeEvent } from '../../../shared/events/editing/change-event.ts';
import { reviseEvent } from '../../../shared/events/editing/revise-event.ts';
import { getEvent } from '../../../shared/events/store.ts';
import { releaseUpcomingEarnings } from '../../../shared/ledger/release-upcoming.ts';
import { readBalances } from '../../../shared/ledger/store.ts';
import { fulfilOrders } from '../../../shared/orders/fulfilment/fulfil-orders.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { beginRefund } from '../../../shared/orders/refunds/begin-refund.ts';
import { requestRefund } from '../../../shared/orders/refunds/request-refund.ts';
import { cancelOrder } from '../../../shared/orders/settlement/cancel-order.ts';
import { receivePayment } from '../../../shared/orders/settlement/receive-payment.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { gatewayB } from '../../../shared/payments/gateway-b/gateway.ts';
import { requestPayout } from '../../../shared/payouts/request-payout.ts';
import { sweep } from '../../../shared/sweep/sweep-due.ts';
import { type Backend, startBackend } from '../../support/backend.ts';
import { type Sandbox, startSandboxAlone } from '../../support/sandbox.ts';
import { openShop, type Shop } from '../../support/shop.ts';
import { runWorkers } from '../../support/workers.ts';
import { audit } from './world.ts';

/** PAYOUTS_FROM=event: an organizer's earnings stay in `upcoming` until the event has ended. */

const hour = 60 * 60_000;
const day = 24 * hour;
/** The shop's event starts in a day, and lasts two hours. */
const pastEnd = day + 3 * hour;
let backend: Backend;
let sandbox: Sandbox;
let shop: Shop;

beforeAll(async () => {
  backend = await startBackend();
  sandbox = await startSandboxAlone();
}, 60_000);
beforeEach(async () => {
  process.env.PAYOUTS_FROM = 'event';
  shop = await openShop({ quantity: 50 });
});
afterEach(async () => {
  vi.useRealTimers();
  delete process.env.PAYOUTS_FROM;
  expect(await audit()).toEqual([]);
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

async function balance() {
  const [{ upcoming = 0n, available = 0n } = {}] = await readBalances(shop.organizerId);
  return { upcoming: Number(upcoming), available: Number(available) };
}

const organizer = () => ({ userId: shop.organizerId, email: '', role: 'ORGANIZER' }) as const;
const refund = ({ id }: Order) => requestRefund(organizer(), id);
const release = () =>
  releaseUpcomingEarnings({ organizerId: shop.organizerId, endedEventId: shop.eventId, currency: 'USD' });

/** Moves the event to start so many milliseconds from now; tickets are sold from now until then. */
const moveTo = (milliseconds: number) => {
  const saleStart = new Date().toISOString();
  const eventDate = new Date(Date.now() + milliseconds).toISOString();
  return changeEvent(shop.eventId, shop.organizerId, (event) =>
    reviseEvent(event, { eventDate, saleStart, saleEnd: eventDate }),
  );
};

const pass = (milliseconds: number) =>
  void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds });

async function runSweep(): Promise<void> {
  await sweep(Date.now() + 10_000);
  await runWorkers(backend, ['event', 'settle', 'payout']);
}

describe('what an organizer earns', () => {
  it('can’t be paid out before the event has ended, and becomes available then, once', async () => {
    await sell();
    await sell();
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 20_000, available: 0 });
    const destination = { accountNumber: '0123456789', bankCode: '058', accountName: 'Ann' };
    const request = { amount: 1, currency: 'USD', gateway: 'gateway-b', destination } as const;
    await expect(requestPayout(shop.organizerId, request, newId())).rejects.toMatchObject({
      code: 'insufficient-balance',
    });
    pass(pastEnd);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 20_000 });
    await Promise.all([release(), release(), runSweep()]);
    expect(await balance()).toEqual({ upcoming: 0, available: 20_000 });
  });

  it('is released once by ten workers at once', async () => {
    await sell();
    pass(pastEnd);
    await Promise.all(Array.from({ length: 10 }, release));
    expect(await balance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('is available at once by default', async () => {
    delete process.env.PAYOUTS_FROM;
    await sell();
    expect(await balance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('keeps its account when the setting changes', async () => {
    process.env.PAYOUTS_FROM = 'sale';
    const first = await sell();
    process.env.PAYOUTS_FROM = 'event';
    const second = await sell();
    process.env.PAYOUTS_FROM = 'sale';
    await sell();
    expect(await balance()).toEqual({ upcoming: 10_000, available: 20_000 });
    await refund(first);
    expect(await balance()).toEqual({ upcoming: 10_000, available: 10_000 });
    await refund(second);
    expect(await balance()).toEqual({ upcoming: 0, available: 10_000 });
    process.env.PAYOUTS_FROM = 'event';
    await sell();
    process.env.PAYOUTS_FROM = 'sale';
    pass(pastEnd);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 20_000 });
  });

  it('of a payment after the release waits for the next sweep', async () => {
    await sell();
    const late = await shop.order({ gateway: 'gateway-b' });
    await cancelOrder(shop.buyerId, late.id);
    pass(pastEnd);
    await runSweep();
    await pay(late);
    expect(await balance()).toEqual({ upcoming: 10_000, available: 10_000 });
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 20_000 });
  });

  it('stays balanced while orders are posted, refunded and released at once', async () => {
    const sold = await Promise.all(Array.from({ length: 4 }, sell));
    const paid = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const order = await shop.order({ gateway: 'gateway-b' });
        const { reference, id } = order;
        await receivePayment(gatewayB, { kind: 'paid', reference, transactionId: id });
        return getOrder(id);
      }),
    );
    pass(pastEnd);
    const posted = Promise.all([...paid, ...paid].map(post));
    await Promise.all([posted, release(), release(), ...sold.slice(0, 3).map(refund)]);
    expect(await posted).toEqual(Array(6).fill([]));
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 40_000 });
  });
});

describe('an event that moves', () => {
  it('releases nothing when it is moved to an earlier time after sales, until its latest end', async () => {
    await sell();
    await moveTo(hour);
    await sell();
    pass(4 * hour);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 20_000, available: 0 });
    pass(day);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 20_000 });
  });

  it('releases when it ends later than when it was due, also after it is moved back', async () => {
    await sell();
    await moveTo(7 * day);
    await moveTo(2 * day);
    pass(pastEnd);
    await runSweep();
    pass(2 * day);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 10_000, available: 0 });
    pass(4 * day);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('waits again when it is moved after it was due, but before the release', async () => {
    await sell();
    pass(pastEnd);
    await sweep(Date.now() + 10_000);
    await moveTo(day);
    await runWorkers(backend, ['payout']);
    expect(await balance()).toEqual({ upcoming: 10_000, available: 0 });
    pass(2 * day);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('may be moved to an earlier time before its first sale, and orders made meanwhile are decided again', async () => {
    await moveTo(3650 * day);
    const { saleVersion } = await getEvent(shop.eventId);
    await moveTo(day);
    expect(await getEvent(shop.eventId)).toMatchObject({ saleVersion: saleVersion + 1 });
    await sell();
    pass(pastEnd);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 10_000 });
  });

  it('keeps its later end when a ticket is only held', async () => {
    const held = await shop.order({ gateway: 'gateway-b' });
    await moveTo(hour);
    await pay(held);
    pass(4 * hour);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 10_000, available: 0 });
  });

  it('collects what is sold after a release for the next one', async () => {
    const first = await sell();
    pass(pastEnd);
    await runSweep();
    await moveTo(5 * day);
    await sell();
    expect(await balance()).toEqual({ upcoming: 10_000, available: 10_000 });
    // Its credit was released: what later buyers paid does not cover its refund.
    await refund(first);
    expect(await balance()).toEqual({ upcoming: 10_000, available: 0 });
    pass(6 * day);
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 10_000 });
  });
});

describe('money that goes back', () => {
  it('is taken from `upcoming` before the end, and from `available` after it', async () => {
    const [first, second, third] = [await sell(), await sell(), await sell()];
    await refund(first);
    expect(await balance()).toEqual({ upcoming: 20_000, available: 0 });
    // As after a chargeback.
    await beginRefund(second, { isMoneyReturned: true });
    expect(await balance()).toEqual({ upcoming: 10_000, available: 0 });
    pass(pastEnd);
    await runSweep();
    await refund(third);
    expect(await balance()).toEqual({ upcoming: 0, available: 0 });
  });

  it('is taken from `upcoming` by a cancelled event, which releases nothing', async () => {
    await Promise.all([sell(), sell()]);
    await shop.cancelEvent();
    pass(pastEnd);
    await release();
    expect(await balance()).toEqual({ upcoming: 20_000, available: 0 });
    await runSweep();
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 0 });
    await runSweep();
    expect(await balance()).toEqual({ upcoming: 0, available: 0 });
  });

  it.each(Array.from({ length: 5 }, (_, index) => index))(
    'meets its release at the same time: %i',
    async () => {
      const order = await sell();
      pass(pastEnd);
      await Promise.all([release(), refund(order)]);
      expect(await balance()).toEqual({ upcoming: 0, available: 0 });
    },
  );
});
