import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { beginRefund } from '../../shared/orders/refunds/refund-order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { requireUnusedSeats } from '../../shared/tickets/seats/find-seat.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  checkIn,
  controlSandbox,
  countAvailable,
  openSale,
  type Person,
  readBalance,
  readOrder,
  readSeats,
  registerUser,
  waitForRefund,
} from '../support/fixtures.ts';
import { errorOf, sortedStatuses } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

let buyer: Person;
beforeAll(async () => {
  buyer = await registerUser();
});

const refundPart = (orderId: string, caller: Person, body: object, headers: Record<string, string> = {}) =>
  caller.post(`/api/orders/${orderId}/refund`, body, { headers });

const listRefunds = async (reference: string) =>
  (await controlSandbox(`payments/${reference}`, {}, 'GET')).refunds;

/** Waits until the money of all refunds has been sent. */
const waitForRefunds = (orderId: string) =>
  eventually('the refunds are done', async () => {
    const order = await readOrder(buyer, orderId);
    return order.refunds.every(({ status }: { status: string }) => status === 'done') && order;
  });

describe('a refund of some seats', () => {
  it.each([
    ['gateway-a', 5125],
    ['gateway-b', 51.25],
    ['gateway-c', 5125],
  ])('sends each seat’s part of the payment at %s, and releases only that seat', async (gateway, amount) => {
    const sale = await openSale();
    const { orderId, reference } = await buyTickets(sale, buyer, 3, gateway);
    const { admissions } = await readOrder(buyer, orderId);
    for (const number of [2, 3]) {
      const answer = await refundPart(orderId, sale.organizer, { seats: [number] });
      expect(answer).toMatchObject({ status: 200, body: { order: { refund: null } } });
    }
    const order = await waitForRefunds(orderId);
    expect(order).toMatchObject({
      refundedAmount: 102.5,
      refund: null,
      fulfilment: { status: 'not-needed' },
      refunds: [
        { id: '1', seats: [2], amount: 51.25, kind: 'seats' },
        { id: '2', seats: [3], amount: 51.25, kind: 'seats' },
      ],
    });
    expect(await listRefunds(reference)).toMatchObject([{ amount }, { amount }]);
    expect(await countAvailable(sale.event)).toBe(99);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 50 });
    expect(order.admissions.map(({ number }: { number: number }) => number)).toEqual([1]);
    const { seats } = await readSeats(buyer, `?orderId=${orderId}`);
    const statuses = new Map(seats.map((seat: Record<string, unknown>) => [seat.number, seat.status]));
    expect(Object.fromEntries(statuses)).toEqual({ 1: 'held', 2: 'refunded', 3: 'refunded' });
    expect(errorOf(await checkIn(admissions[1].checkInCode, sale.organizer))).toEqual([409, 'refunded']);
    expect((await checkIn(admissions[0].checkInCode, sale.organizer)).status).toBe(200);
  });

  it('ends the order with its last seat', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 2);
    await refundPart(orderId, sale.organizer, { seats: [1] });
    await refundPart(orderId, sale.organizer, { seats: [2] });
    const order = await waitForRefund(buyer, orderId);
    expect(order).toMatchObject({
      refund: { amount: 51.25 },
      refundedAmount: 102.5,
      fulfilment: { status: 'refund-due' },
    });
    expect(await countAvailable(sale.event)).toBe(100);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 0 });
  });

  it('is refused for a seat that was admitted, but not for the others', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 2);
    const [first] = (await readOrder(buyer, orderId)).admissions;
    await checkIn(first.checkInCode, sale.organizer);
    expect(errorOf(await refundPart(orderId, sale.organizer, { seats: [1] }))).toEqual([409, 'admitted']);
    expect((await refundPart(orderId, sale.organizer, { seats: [2] })).status).toBe(200);
    expect(errorOf(await refundPart(orderId, sale.organizer, {}))).toEqual([409, 'admitted']);
  });

  it('is refused when the seat was admitted in place of another one since the seats were read', async () => {
    connectToTable();
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 2);
    const [first, second] = (await readOrder(buyer, orderId)).admissions;
    await checkIn(first.checkInCode, sale.organizer);
    let isFirst = true;
    const refund = beginRefund(await getOrder(orderId), {
      part: { seats: [2] },
      async requireUnusedSeats(order, numbers) {
        await requireUnusedSeats(order, numbers);
        if (!isFirst) return;
        isFirst = false;
        await sale.organizer.delete(`/api/orders/${orderId}/seats/1/admission`);
        expect((await checkIn(second.checkInCode, sale.organizer)).status).toBe(200);
      },
    });
    await expect(refund).rejects.toMatchObject({ code: 'admitted' });
  });

  it('is made once by concurrent requests of the same seat, and by a repeated call', async () => {
    const sale = await openSale();
    const { orderId, reference } = await buyTickets(sale, buyer, 2);
    const headers = { 'idempotency-key': `goodwill ${orderId}` };
    const answers = await Promise.all([
      ...[1, 1, 1].map((number) => refundPart(orderId, sale.organizer, { seats: [number] })),
    ]);
    expect(sortedStatuses(answers)).toEqual([200, 200, 200]);
    for (const _ of [1, 2])
      expect((await refundPart(orderId, sale.organizer, { amount: 5 }, headers)).status).toBe(200);
    await waitForRefunds(orderId);
    expect(await listRefunds(reference)).toMatchObject([{ amount: 5125 }, { amount: 500 }]);
  });

  it('is refused for a seat that the order never had, for an amount beside seats, and for a bad amount', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 1);
    for (const body of [
      { seats: [2] },
      { seats: [] },
      { seats: [1], amount: 1 },
      { amount: 0.001 },
      { amount: -1 },
    ])
      expect((await refundPart(orderId, sale.organizer, body)).status).toBe(400);
    expect((await refundPart(orderId, buyer, { seats: [1] })).status).toBe(404);
  });
});

describe('goodwill', () => {
  it('gives money back while all seats stay valid, at most what is left of the payment', async () => {
    const sale = await openSale();
    // Its earnings cover the refunds of the other.
    await buyTickets(sale, buyer, 1);
    const { orderId, reference } = await buyTickets(sale, buyer, 2);
    expect((await refundPart(orderId, sale.organizer, { amount: 80 })).status).toBe(200);
    expect(errorOf(await refundPart(orderId, sale.organizer, { amount: 22.51 }))).toEqual([
      409,
      'refund-too-high',
    ]);
    expect(await waitForRefunds(orderId)).toMatchObject({ refundedAmount: 80, refund: null });
    expect((await readOrder(buyer, orderId)).admissions).toHaveLength(2);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 70 });
    await refundPart(orderId, sale.organizer, { seats: [1] });
    await waitForRefunds(orderId);
    expect(await listRefunds(reference)).toMatchObject([{ amount: 8000 }, { amount: 2250 }]);
    await refundPart(orderId, sale.organizer, {});
    await waitForRefund(buyer, orderId);
    expect(await listRefunds(reference)).toHaveLength(2);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 50 });
  });

  it('is given at most 50 times an order, and the rest can still be refunded', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 1);
    for (let number = 1; number <= 50; number++)
      expect((await refundPart(orderId, sale.organizer, { amount: 0.01 })).status).toBe(200);
    expect(errorOf(await refundPart(orderId, sale.organizer, { amount: 0.01 }))).toEqual([
      409,
      'too-many-refunds',
    ]);
    expect((await refundPart(orderId, sale.organizer, {})).status).toBe(200);
  });

  it('that failed is repeated once by a call whose answer was lost', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 1);
    const headers = { 'idempotency-key': `goodwill again ${orderId}` };
    await refundPart(orderId, sale.organizer, { amount: 10 });
    await waitForRefunds(orderId);
    connectToTable();
    const { refunds: [refund] = [] } = await getOrder(orderId);
    await write(update(keys.order(orderId), { set: { refunds: [{ ...refund, status: 'failed' }] } }));
    expect((await refundPart(orderId, sale.organizer, { amount: 10 }, headers)).status).toBe(200);
    // The function ended before it stored its answer.
    const call = keys.idempotency(sale.organizer.user.id, headers['idempotency-key']);
    await write(update(call, { set: { answer: undefined, leaseUntil: 1 } }));
    expect((await refundPart(orderId, sale.organizer, { amount: 10 }, headers)).status).toBe(200);
    expect((await getOrder(orderId)).refunds).toHaveLength(1);
  });

  it('adds up with what the provider’s dashboard refunds', async () => {
    const sale = await openSale();
    const { orderId, reference } = await buyTickets(sale, buyer, 2, 'gateway-b');
    await controlSandbox(`payments/${reference}/refund`, { amount: 1 });
    await refundPart(orderId, sale.organizer, { amount: 2 });
    await waitForRefunds(orderId);
    const order = await readOrder(buyer, orderId);
    expect(order.paymentReview).toContain('100 minor units');
    expect(order).toMatchObject({ refundedAmount: 2, refund: null });
    await controlSandbox(`payments/${reference}/refund`, { amount: 99.5 });
    expect(await waitForRefund(buyer, orderId)).toMatchObject({ fulfilment: { status: 'refund-due' } });
  });
});
