import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  type Caller,
  changeEvent,
  checkIn,
  countAvailable,
  expectStatus,
  freshEmail,
  offerSeat,
  openSale,
  type Person,
  payOrder,
  placeGuestOrder,
  placeOrder,
  readBalance,
  readOrder,
  registerUser,
} from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

let buyer: Person;
beforeAll(async () => {
  buyer = await registerUser();
});

const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
const policy = { until: nextYear, feePercent: 10 };

const returnSeats = (orderId: string, caller: Caller, seats: number[], key?: string) =>
  caller.post(
    `/api/orders/${orderId}/returns`,
    { seats },
    key ? { headers: { 'idempotency-key': key } } : {},
  );

const quote = (orderId: string, caller: Caller, seats: string) =>
  caller.get(`/api/orders/${orderId}/returns/quote?seats=${seats}`);

async function openSaleWithReturns(fields: object = {}) {
  const sale = await openSale();
  await changeEvent(sale, { returns: policy, ...fields });
  return sale;
}

describe('POST /api/orders/{id}/returns', () => {
  it('refunds a ticket less the fee that the quote has named, which the organizer keeps', async () => {
    const sale = await openSaleWithReturns();
    const { orderId } = await buyTickets(sale, buyer, 2);
    // A later change does not apply to the order.
    await changeEvent(sale, { returns: { ...policy, feePercent: 100 } });
    const amounts = { seats: [2], refundAmount: 46.13, fee: 5.12 };
    expect((await quote(orderId, buyer, '2')).body).toEqual({
      quote: { ...amounts, currency: 'NGN', until: sale.event.endDate },
    });
    const answer = await returnSeats(orderId, buyer, [2], `return of ${orderId}`);
    expect(answer).toMatchObject({
      status: 201,
      body: { return: { id: '1', ...amounts, status: 'pending' } },
    });
    expect(await returnSeats(orderId, buyer, [2], `return of ${orderId}`)).toMatchObject({
      body: answer.body,
    });
    const order = await eventually('the refund is done', async () => {
      const current = await readOrder(buyer, orderId);
      return current.refunds[0].status === 'done' && current;
    });
    expect(order).toMatchObject({ refundedAmount: 46.13, refund: null, refunds: [{ kind: 'seats' }] });
    expect(order.admissions.map(({ number }: { number: number }) => number)).toEqual([1]);
    expect(await countAvailable(sale.event)).toBe(99);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 55.12 });
  });

  it('is refused for a ticket that was admitted or offered, for others than the buyer, and without a policy', async () => {
    const sale = await openSaleWithReturns();
    const [{ orderId }, stranger] = await Promise.all([buyTickets(sale, buyer, 3), registerUser()]);
    const { admissions } = await readOrder(buyer, orderId);
    await checkIn(admissions[0].checkInCode, sale.organizer);
    await offerSeat(buyer, orderId, 2, freshEmail());
    expect(errorOf(await returnSeats(orderId, buyer, [1]))).toEqual([409, 'admitted']);
    expect(errorOf(await returnSeats(orderId, buyer, [2]))).toEqual([409, 'offered']);
    expect(errorOf(await quote(orderId, buyer, '2,3'))).toEqual([409, 'offered']);
    expect((await returnSeats(orderId, buyer, [4])).status).toBe(400);
    for (const other of [stranger, sale.organizer])
      expect((await returnSeats(orderId, other, [3])).status).toBe(404);
    const plain = await buyTickets(await openSale(), buyer, 1);
    expect(errorOf(await returnSeats(plain.orderId, buyer, [1]))).toEqual([409, 'returns-not-allowed']);
  });

  it('is closed after its time', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const sale = await openSaleWithReturns({ returns: { ...policy, until: past } });
    const { orderId } = await buyTickets(sale, buyer, 1);
    expect(errorOf(await returnSeats(orderId, buyer, [1]))).toEqual([409, 'returns-closed']);
  });

  it('is open until the end of the event only, from which on its earnings may be paid out', async () => {
    const sale = await openSaleWithReturns();
    const { endDate } = sale.event;
    const { orderId } = await buyTickets(sale, buyer, 1);
    expect((await readOrder(buyer, orderId)).returns.until).toBe(endDate);
    // The buyer was promised the former end: it stays.
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    await changeEvent(sale, { startDate: inAnHour, endDate: inAnHour, saleEnd: inAnHour });
    expect((await quote(orderId, buyer, '1')).body.quote.until).toBe(endDate);
  });

  it('is accepted a hundred times a day, and twenty for free tickets', async () => {
    const [person, sale, free] = await Promise.all([
      registerUser(),
      openSaleWithReturns(),
      openSale({ price: 0 }),
    ]);
    await changeEvent(free, { returns: policy });
    const { orderId } = await buyTickets(sale, person, 3);
    const { orderId: freeId } = await placeOrder(free, person);
    await eventually(
      'it is complete',
      async () => (await readOrder(person, freeId)).fulfilment.status === 'not-needed',
    );
    connectToTable();
    const count = (times: number) =>
      write(update(keys.attempts('RETURN', person.user.id), { set: { count: times } }));
    expectStatus(201, await returnSeats(orderId, person, [1]));
    await count(20);
    expect(errorOf(await returnSeats(freeId, person, [1]))).toEqual([429, 'too-many-attempts']);
    expectStatus(201, await returnSeats(orderId, person, [2]));
    await count(100);
    expect(errorOf(await returnSeats(orderId, person, [3]))).toEqual([429, 'too-many-attempts']);
  });

  it('is open to a guest with the token of the order', async () => {
    const sale = await openSaleWithReturns({ buyers: 'anyone' });
    const order = await placeGuestOrder(sale);
    await payOrder(order);
    connectToTable();
    // What others return who ordered with the address counts for their orders.
    const guestId = String((await getItem(keys.order(order.orderId)))?.userId);
    await write(update(keys.attempts('RETURN', guestId), { set: { count: 100 } }));
    expect((await returnSeats(order.orderId, order.guest, [1])).status).toBe(201);
    const refunded = await eventually('the refund is done', async () => {
      const current = await order.read();
      return current.refund?.status === 'done' && current;
    });
    expect(refunded).toMatchObject({ refund: { amount: 46.13 }, fulfilment: { status: 'refund-due' } });
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 5.12 });
  });
});
