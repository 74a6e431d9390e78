import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import { reviseEvent } from '../../shared/catalog/events/editing/revise-event.ts';
import { getEvent } from '../../shared/catalog/events/store.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { readBalances } from '../../shared/money/ledger/store.ts';
import { unlockEarnings } from '../../shared/money/ledger/unlock-earnings.ts';
import { fulfilOrders } from '../../shared/orders/fulfilment/fulfil-orders.ts';
import type { Order } from '../../shared/orders/order.ts';
import { beginRefund } from '../../shared/orders/refunds/refund-order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { requestErasure } from '../../shared/privacy/request-erasure.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { insertPaidOrders, insertPerson, type PaidOrders } from '../support/shop.ts';

/** Earnings that can be paid out after the event (PAYOUTS_FROM=event) no longer pay for its cancellation. */

const dayMilliseconds = 24 * 60 * 60 * 1000;

let backend: Backend;
beforeAll(async () => {
  backend = await startBackend();
  process.env.PAYOUTS_FROM = 'event';
}, 60_000);
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  process.env.PAYOUTS_FROM = undefined;
  await backend.stop();
});

/** Sells an order of 100 dollars to an event that is over. */
async function sellToPastEvent(organizer = insertPerson()): Promise<PaidOrders> {
  const batch = await insertPaidOrders(1, { organizer });
  const messages = batch.orders.map(({ id, eventId, userId }) => ({ orderId: id, eventId, userId }));
  expect(await fulfilOrders(messages)).toEqual([]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * dayMilliseconds });
  return batch;
}

/** Takes the sold tickets out of the inventory, which the orders were written without. */
async function takeTickets(batch: PaidOrders, count: number): Promise<void> {
  const [event] = batch.events;
  await change(batch, { totalSupply: 10 });
  const key = keys.inventoryShard(event?.id as string, event?.tiers[0]?.id as string, 0);
  await write(update(key, { add: { available: -count } }));
}

const eventIdOf = ({ events }: PaidOrders) => events[0]?.id as string;
const unlock = (batch: PaidOrders) =>
  unlockEarnings({ organizerId: batch.organizerId, eventId: eventIdOf(batch), currency: 'USD' });
const change = (batch: PaidOrders, fields: Parameters<typeof reviseEvent>[1]) =>
  changeEvent(eventIdOf(batch), batch.organizerId, (event) => reviseEvent(event, fields));
const cancel = (batch: PaidOrders) => change(batch, { status: 'CANCELLED' });
const readEarnings = async ({ organizerId }: PaidOrders) => {
  const [balance] = await readBalances(organizerId);
  return { upcoming: balance?.upcoming, available: balance?.available };
};

test('an event can’t be cancelled once its earnings are available, also after it was moved', async () => {
  const batch = await sellToPastEvent();
  await unlock(batch);
  expect(await readEarnings(batch)).toEqual({ upcoming: 0n, available: 10_000n });
  await expect(cancel(batch)).rejects.toMatchObject({ code: 'earnings-unlocked' });

  await change(batch, { eventDate: new Date(Date.now() + dayMilliseconds).toISOString() });
  await expect(cancel(batch)).rejects.toMatchObject({ code: 'earnings-unlocked' });
});

test('earnings wait PAYOUT_HOLD_DAYS after the end of the event', async () => {
  vi.stubEnv('PAYOUT_HOLD_DAYS', '3');
  const batch = await sellToPastEvent();
  await unlock(batch);
  expect(await readEarnings(batch)).toEqual({ upcoming: 10_000n, available: 0n });
  vi.setSystemTime(Date.now() + 3 * dayMilliseconds);
  await unlock(batch);
  expect(await readEarnings(batch)).toEqual({ upcoming: 0n, available: 10_000n });
});

// An order of another currency was paid late, after the currency was changed while nothing was sold or held.
test.each(['USD', 'GBP'])(
  'what was kept of returns waits for the latest end of an event in %s, when it is moved to an earlier one',
  async (currency) => {
    vi.stubEnv('PAYOUT_HOLD_DAYS', '3');
    const batch = await sellToPastEvent();
    await write(update(keys.event(eventIdOf(batch)), { set: { currency } }));
    await takeTickets(batch, 2);
    await beginRefund(await getOrder(batch.orders[0]?.id as string), {
      part: { seats: [1, 2], feePercent: 100 },
    });
    await expect(change(batch, { currency: 'EUR' })).rejects.toMatchObject({ code: 'tickets-sold' });
    const daysAgo = (days: number) => new Date(Date.now() - days * dayMilliseconds).toISOString();
    await change(batch, {
      saleStart: daysAgo(9),
      saleEnd: daysAgo(8),
      eventDate: daysAgo(8),
      endDate: daysAgo(8),
    });
    await unlock(batch);
    expect(await readEarnings(batch)).toEqual({ upcoming: 10_250n, available: 0n });
  },
);

test('a cancelled event keeps its earnings for the refunds, and unlocks what the organizer kept of returns', async () => {
  const batch = await sellToPastEvent();
  await takeTickets(batch, 2);
  const [order] = batch.orders as [Order];
  await beginRefund(await getOrder(order.id), { part: { seats: [1], feePercent: 20 } });
  await cancel(batch);
  await unlock(batch);
  expect(await readEarnings(batch)).toEqual({ upcoming: 6_025n, available: 0n });
  await beginRefund(await getOrder(order.id));
  vi.setSystemTime(Date.now() + dayMilliseconds);
  await unlock(batch);
  expect(await readEarnings(batch)).toEqual({ upcoming: 0n, available: 1_025n });
});

test('a debt among the upcoming earnings keeps the account open', async () => {
  vi.stubEnv('PAYOUT_HOLD_DAYS', '3');
  const batch = await sellToPastEvent();
  const { organizerId } = batch;
  await beginRefund(await getOrder(batch.orders[0]?.id as string), { part: { amount: 10_250n } });
  await unlock(batch);
  expect(await readEarnings(batch)).toEqual({ upcoming: -250n, available: 0n });
  const caller = { userId: organizerId, role: 'ORGANIZER' } as const;
  await expect(requestErasure(organizerId, caller)).rejects.toMatchObject({
    code: 'unfinished-business',
    message: expect.stringContaining('debt'),
  });
});

test('of a concurrent unlock and cancellation, only one succeeds', async () => {
  for (let attempt = 0; attempt < 8; attempt++) {
    vi.useRealTimers();
    const batch = await sellToPastEvent();
    await takeTickets(batch, 2);
    const [cancellation] = await Promise.allSettled([cancel(batch), unlock(batch)]);
    const { status } = await getEvent(eventIdOf(batch));
    const isCancelled = cancellation.status === 'fulfilled';
    expect(status).toBe(isCancelled ? 'CANCELLED' : 'PUBLISHED');
    expect(await readEarnings(batch)).toEqual(
      isCancelled ? { upcoming: 10_000n, available: 0n } : { upcoming: 0n, available: 10_000n },
    );
  }
});
