import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { balanceOf, buyTickets, initializeOrder, openSale, readOrder, type Sale } from '../support/sales.ts';

let buyer: Person;
let mocker: Person;
beforeAll(async () => {
  [buyer, mocker] = await Promise.all([registerUser(), registerUser({ name: '=HYPERLINK("http://evil")' })]);
});

const list = ({ event, organizer }: Sale, query = '', headers = {}, token = organizer.token) =>
  call('GET', `/api/events/${event.id}/orders${query}`, { token, headers });
const summary = ({ event, organizer }: Sale, token = organizer.token) =>
  call('GET', `/api/events/${event.id}/summary`, { token });
const csv = { accept: 'text/csv' };

describe('GET /api/events/{id}/orders', () => {
  it('lists the orders of the event, newest first, page by page', async () => {
    const sale = await openSale();
    const ids = [];
    for (let made = 0; made < 3; made++) ids.unshift((await initializeOrder(sale, buyer, 1)).orderId);
    const first = await list(sale, '?limit=2');
    expect(first.body.orders.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 2));
    expect(first.body.orders[0]).toMatchObject({ customerName: 'Ann Example', paymentStatus: 'PENDING' });
    const second = await list(sale, `?limit=2&cursor=${first.body.nextCursor}`);
    expect(second.body).toMatchObject({ orders: [{ id: ids[2] }], nextCursor: null });
  });

  it('returns all of them as CSV, without formulas', async () => {
    const sale = await openSale({ price: 12.5 });
    const paid = await buyTickets(sale, buyer, 2);
    await initializeOrder(sale, mocker, 1);
    const answer = await list(sale, '', csv);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toContain(`orders-${sale.event.id}.csv`);
    expect(answer.headers.get('x-next-cursor')).toBeNull();
    const [header, mocked, bought, ...rest] = answer.body.split('\r\n');
    expect(header).toMatch(/^"id","reference","createdAt","customerName","customerEmail","tier","quantity"/);
    expect(mocked).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect(bought).toContain(`"${paid.orderId}","${paid.reference}"`);
    expect(bought).toContain('"Standing",2,"NGN",25,25.63,"FIAT","gateway-a","COMPLETED"');
    expect(rest).toEqual(['']);
  });

  it('is allowed to the organizer of the event only', async () => {
    const sale = await openSale();
    const other = await registerUser({ role: 'ORGANIZER' });
    for (const ask of [list, (some: Sale, _: string, __: object, token: string) => summary(some, token)]) {
      expect((await ask(sale, '', {}, other.token)).status).toBe(403);
      expect((await ask(sale, '', {}, buyer.token)).status).toBe(403);
    }
    expect((await list(sale, '', csv, other.token)).status).toBe(403);
    expect((await call('GET', `/api/events/${sale.event.id}/orders`)).status).toBe(401);
    expect((await call('GET', '/api/events/cmissing/summary', { token: other.token })).status).toBe(404);
  });
});

describe('GET /api/events/{id}/summary', () => {
  it('returns tickets sold, held and available, and gross, fee and net amounts', async () => {
    const sale = await openSale({ price: 33.35, quantity: 10 });
    await buyTickets(sale, buyer, 2);
    await buyTickets(sale, buyer, 1);
    await initializeOrder(sale, buyer, 4);
    const numbers = { sold: 3, held: 4, available: 3, gross: 102.55, fee: 2.5, net: 100.05 };
    expect(await summary(sale)).toMatchObject({
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

  it('leaves out refunded orders, and agrees with the balance', async () => {
    const sale = await openSale({ quantity: 10 });
    const { orderId } = await buyTickets(sale, buyer, 2);
    await buyTickets(sale, buyer, 3);
    await call('POST', `/api/orders/${orderId}/refund`, { token: sale.organizer.token });
    await eventually(
      'It is refunded',
      async () => (await readOrder(buyer, orderId)).refund?.status === 'done',
    );
    const answer = await summary(sale);
    expect(answer.body.summary).toMatchObject({ sold: 3, held: 0, available: 7, net: 150 });
    expect(await balanceOf(sale.organizer)).toMatchObject({ available: 150 });
  });

  it('counts free tickets', async () => {
    const sale = await openSale({ price: 0, quantity: 5 });
    await initializeOrder(sale, buyer, 2);
    await eventually('the tickets are posted', async () => (await summary(sale)).body.summary.sold === 2);
    expect((await summary(sale)).body.summary).toMatchObject({
      held: 0,
      available: 3,
      gross: 0,
      fee: 0,
      net: 0,
    });
  });
});
