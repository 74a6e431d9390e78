import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { initializeOrder as startOrder } from '../../shared/orders/checkout/initialize-order.ts';
import { getOrder } from '../../shared/orders/store.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  cancelOrder,
  expectStatus,
  initializeOrder,
  openSale,
  type Person,
  readBalance,
  readOrder,
  registerUser,
  requestOrder,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

let buyer: Person;
let formulaBuyer: Person;
beforeAll(async () => {
  [buyer, formulaBuyer] = await Promise.all([
    registerUser(),
    registerUser({ name: '=HYPERLINK("http://evil")' }),
  ]);
});

const listOrders = ({ event, organizer }: Sale, query = '', headers = {}, token = organizer.token) =>
  call('GET', `/api/events/${event.id}/orders${query}`, { token, headers });
const readSummary = ({ event, organizer }: Sale, token = organizer.token) =>
  call('GET', `/api/events/${event.id}/summary`, { token });
const csvHeaders = { accept: 'text/csv' };

describe('GET /api/events/{id}/orders', () => {
  it('lists the orders of the event, newest first, page by page', async () => {
    const sale = await openSale();
    const ids = [];
    for (let count = 0; count < 3; count++) ids.unshift((await initializeOrder(sale, buyer, 1)).orderId);
    const first = await listOrders(sale, '?limit=2');
    expect(first.body.orders.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(first.body.orders[0]).toMatchObject({ customerName: 'Ann Example', paymentStatus: 'PENDING' });
    const second = await listOrders(sale, `?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ orders: [{ id: ids[2] }], nextCursor: null });
  });

  it('returns the orders as CSV, and escapes formulas', async () => {
    const sale = await openSale({ price: 12.5 });
    const paidOrder = await buyTickets(sale, buyer, 2);
    await initializeOrder(sale, formulaBuyer, 1);
    const answer = await listOrders(sale, '', csvHeaders);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toContain(`orders-${sale.event.id}.csv`);
    expect(answer.headers.get('x-next-cursor')).toBeNull();
    const [header, formulaRow, paidRow, ...rest] = answer.body.split('\r\n');
    expect(header).toMatch(/^"id","reference","createdAt","customerName","customerEmail","tier","quantity"/);
    expect(formulaRow).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(paidRow).toContain(`"${paidOrder.orderId}","${paidOrder.reference}"`);
    expect(paidRow).toContain('"Standing",2,"NGN",25,25.63,"FIAT","gateway-a","COMPLETED"');
    expect(rest).toEqual(['']);
  });
});

interface DayCount {
  sold: number;
  refunded: number;
}

describe('GET /api/events/{id}/summary', () => {
  it('returns tickets sold, held and available, and gross, fee and net amounts', async () => {
    const sale = await openSale({ price: 33.35, quantity: 10 });
    await buyTickets(sale, buyer, 2);
    await buyTickets(sale, buyer, 1);
    await initializeOrder(sale, buyer, 4);
    const numbers = { sold: 3, held: 4, available: 3, gross: 102.55, fee: 2.5, net: 100.05 };
    expect(await readSummary(sale)).toMatchObject({
      status: 200,
      body: {
        summary: {
          eventId: sale.event.id,
          currency: 'NGN',
          ...numbers,
          tiers: [{ tierId: sale.event.tiers[0].id, name: 'Standing', ...numbers }],
        },
      },
    });
  });

  it('excludes refunded orders, and matches the organizer’s balance', async () => {
    const sale = await openSale({ quantity: 10 });
    const { orderId } = await buyTickets(sale, buyer, 2);
    await buyTickets(sale, buyer, 3);
    await requestRefund(orderId, sale.organizer);
    const cancelled = await initializeOrder(sale, buyer, 1);
    expect((await cancelOrder(cancelled.orderId, buyer)).status).toBe(200);
    await eventually(
      'the refund is done',
      async () => (await readOrder(buyer, orderId)).refund?.status === 'done',
    );
    const answer = await readSummary(sale);
    expect(answer.body.summary).toMatchObject({
      sold: 3,
      held: 0,
      available: 7,
      net: 150,
      ordersPlaced: 3,
      ordersPaid: 2,
    });
    const counts = answer.body.summary.days.flatMap(({ tiers }: { tiers: DayCount[] }) => tiers);
    const sum = (name: keyof DayCount) =>
      counts.reduce((total: number, count: DayCount) => total + count[name], 0);
    expect([sum('sold'), sum('refunded')]).toEqual([5, 2]);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 150 });
  });

  it('counts free tickets as sold, with amounts of 0', async () => {
    const sale = await openSale({ price: 0, quantity: 5 });
    await initializeOrder(sale, buyer, 2);
    await eventually('the tickets are posted', async () => (await readSummary(sale)).body.summary.sold === 2);
    expect((await readSummary(sale)).body.summary).toMatchObject({
      held: 0,
      available: 3,
      gross: 0,
      fee: 0,
      net: 0,
    });
  });
});

describe('an order', () => {
  it('is refused with 400 above 500 tickets', async () => {
    const sale = await openSale({ quantity: 10_000 });
    const refusal = await requestOrder(sale, buyer, { quantity: 501 });
    expect(refusal.status).toBe(400);
    expect(refusal.body.error).toContain('quantity');
    // 500 tickets exceed only the tier's limit of 10 per person.
    expect((await requestOrder(sale, buyer, { quantity: 500 })).status).toBe(409);
  });

  it('can be queued for minting five times a day', async () => {
    const sale = await openSale();
    const { orderId } = await buyTickets(sale, buyer, 1);
    const fulfil = () => sale.organizer.post(`/api/orders/${orderId}/fulfil`);
    for (let time = 1; time <= 5; time++) expect((await fulfil()).status).toBe(200);
    const refusal = await fulfil();
    expect(refusal.status).toBe(429);
    expect(refusal.headers.get('x-error-code')).toBe('too-many-attempts');
    const seconds = Number(refusal.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(86_000);
    expect(seconds).toBeLessThanOrEqual(86_400);
    // The limit applies per order.
    const other = await buyTickets(sale, buyer, 1);
    const path = `/api/orders/${other.orderId}/fulfil`;
    expect((await sale.organizer.post(path)).status).toBe(200);
  });
});

describe('an order that is cancelled while its checkout is being started', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is due to be asked about: its buyer could pay at the checkout', async () => {
    const sale = await openSale({ currency: 'NGN' });
    const { orderId } = expectStatus(201, await requestOrder(sale, buyer, { gateway: 'gateway-b' }));
    connectToTable();
    const { userId, reference } = await getOrder(orderId);
    await write(update(keys.order(orderId), { set: { checkoutUrl: undefined } }));
    const provider = createServer(async (_, response) => {
      expect((await cancelOrder(orderId, buyer)).status).toBe(200);
      response.end(JSON.stringify({ status: 'success', data: { link: 'https://pay.example' } }));
    });
    await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
    try {
      vi.stubEnv('GATEWAY_B_URL', `http://127.0.0.1:${(provider.address() as AddressInfo).port}`);
      vi.stubEnv('GATEWAY_B_SECRET_KEY', 'key');
      const tickets = { eventId: sale.event.id, tierId: sale.event.tiers[0].id, quantity: 1 };
      const request = { ...tickets, paymentMethod: 'FIAT' as const };
      await startOrder({ userId, address: '127.0.0.1' }, request, reference, true);
    } finally {
      provider.close();
    }
    const order = await getItem(keys.order(orderId));
    expect(order).toMatchObject({ paymentStatus: 'FAILED', checkoutUrl: 'https://pay.example' });
    expect(order).toHaveProperty('dueAt');
  });
});
