import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  addStaff,
  buyTickets,
  checkIn,
  initializeOrder,
  openSale,
  type Person,
  readOrder,
  registerUser,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';

let sale: Sale;
let ben: Person;
let cleo: Person;
let manager: Person;
let doorStaff: Person;
beforeAll(async () => {
  [sale, ben, cleo, manager, doorStaff] = await Promise.all([
    openSale(),
    registerUser({ name: 'Ben Buyer' }),
    registerUser({ name: 'Cleo Customer' }),
    registerUser(),
    registerUser(),
  ]);
  await addStaff(sale.organizer, sale.event.id, manager, 'manager');
  await addStaff(sale.organizer, sale.event.id, doorStaff, 'door');
});

/** Reads the admissions of an event with the caller's token. */
async function readAdmissions(caller: Person, query = '', { event } = sale) {
  const answer = await caller.get(`/api/events/${event.id}/admissions${query}`);
  expect(answer.status).toBe(200);
  return answer.body;
}
const searchOrders = async (caller: Person, text: string) =>
  (await readAdmissions(caller, `?q=${encodeURIComponent(text)}`)).orders;

async function readCodes(caller: Person, orderId: string): Promise<string[]> {
  const { admissions } = await readOrder(caller, orderId);
  return admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode);
}

describe('the admissions of an event', () => {
  it('count sold and admitted tickets, and list the latest check-ins', async () => {
    const ownSale = await openSale({ organizer: sale.organizer });
    const empty = { admitted: 0, expected: 0, recent: [], conflicts: [], orders: [], nextCursor: null };
    expect(await readAdmissions(sale.organizer, '', ownSale)).toEqual(empty);
    const firstOrder = await buyTickets(ownSale, ben, 2);
    const secondOrder = await buyTickets(ownSale, cleo, 3);
    const refundedOrder = await buyTickets(ownSale, cleo, 1);
    await initializeOrder(ownSale, ben, 1); // an unpaid order is not expected at the door
    const { token } = sale.organizer;
    await call('POST', `/api/orders/${refundedOrder.orderId}/refund`, { token });
    const [firstCode = ''] = await readCodes(ben, firstOrder.orderId);
    const [secondCode = '', thirdCode = ''] = await readCodes(cleo, secondOrder.orderId);
    for (const code of [firstCode, secondCode, secondCode, thirdCode]) await checkIn(code, sale.organizer);

    // The list is read from an index, which is updated with a delay.
    const view = await eventually('the latest check-in is listed', async () => {
      const found = await readAdmissions(sale.organizer, '', ownSale);
      return found.recent.length === 3 && found;
    });
    expect(view).toMatchObject({ admitted: 3, expected: 5 });
    const checkInFields = { tierName: 'Standing', attendeeName: null, checkedInAt: expect.any(String) };
    expect(view.recent).toEqual([
      { orderId: secondOrder.orderId, number: 2, customerName: 'Cleo Customer', ...checkInFields },
      { orderId: secondOrder.orderId, number: 1, customerName: 'Cleo Customer', ...checkInFields },
      { orderId: firstOrder.orderId, number: 1, customerName: 'Ben Buyer', ...checkInFields },
    ]);
  });

  it('are counted once when each code is scanned at two doors concurrently', async () => {
    const ownSale = await openSale({ organizer: sale.organizer, quantity: 100 });
    const buyers = await Promise.all(Array.from({ length: 4 }, () => registerUser()));
    const codes = await Promise.all(
      buyers.map(async (buyer) => readCodes(buyer, (await buyTickets(ownSale, buyer, 10)).orderId)),
    );
    const helpers = await Promise.all([registerUser(), registerUser(), registerUser()]);
    for (const helper of helpers) await addStaff(sale.organizer, ownSale.event.id, helper, 'door');
    const scanners = [sale.organizer, ...helpers];

    const scans = codes
      .flat()
      .flatMap((code, index) => [
        checkIn(code, scanners[index % 4] as Person, ownSale.event.id),
        checkIn(code, scanners[(index + 1) % 4] as Person, ownSale.event.id),
      ]);
    const outcomes = (await Promise.all(scans)).map((answer) => errorOf(answer).join(' '));
    expect(outcomes.sort()).toEqual([...Array(40).fill('200 '), ...Array(40).fill('409 already-checked-in')]);
    expect(await readAdmissions(helpers[0] as Person, '', ownSale)).toMatchObject({
      admitted: 40,
      expected: 40,
    });
    for (const [index, buyer] of buyers.entries()) {
      const orderId = (codes[index]?.[0] ?? '').split('.')[0] ?? '';
      const { admissions } = await readOrder(buyer, orderId);
      expect(admissions.filter((seat: { checkedInAt: string | null }) => seat.checkedInAt)).toHaveLength(10);
    }
  });
});

describe('the seats of an order', () => {
  it('are listed for the organizer and managers when named or checked in, but without codes', async () => {
    const ownSale = await openSale({ organizer: sale.organizer });
    await addStaff(ownSale.organizer, ownSale.event.id, manager, 'manager');
    const { orderId } = await buyTickets(ownSale, ben, 3);
    const [code = ''] = await readCodes(ben, orderId);
    await checkIn(code, ownSale.organizer);
    await ben.put(`/api/orders/${orderId}/seats/2`, { name: 'Nina Named' });
    for (const caller of [sale.organizer, manager]) {
      const { seats, admissions } = await readOrder(caller, orderId);
      expect(admissions).toEqual([]);
      expect(seats).toEqual([
        { number: 1, attendeeName: null, isTransferred: false, checkedInAt: expect.any(String) },
        { number: 2, attendeeName: 'Nina Named', isTransferred: false, checkedInAt: null },
      ]);
    }
    expect((await readOrder(ben, orderId)).seats).toEqual([]);
  });
});

describe('a search at the door', () => {
  let orderId: string;
  let reference: string;
  beforeAll(async () => {
    ({ orderId, reference } = await buyTickets(sale, ben, 2));
    await buyTickets(sale, cleo, 1);
    const [code = ''] = await readCodes(ben, orderId);
    await checkIn(code, sale.organizer);
  });

  it.each([
    ['a name', () => 'ben buyer'],
    ['parts of a name', () => 'BUY be'],
    ['the id of an order', () => orderId],
    ['a reference', () => reference.toLowerCase()],
  ])('finds paid orders by %s', async (_, text) => {
    expect(await searchOrders(doorStaff, text())).toEqual([
      {
        orderId,
        customerName: 'Ben Buyer',
        tierName: 'Standing',
        quantity: 2,
        admitted: 1,
        status: 'valid',
        seats: [
          { number: 1, tierName: 'Standing', attendeeName: null, checkedInAt: expect.any(String) },
          { number: 2, tierName: 'Standing', attendeeName: null, checkedInAt: null },
        ],
      },
    ]);
  });

  it('finds orders by e-mail for the organizer and managers, but not for door staff', async () => {
    for (const caller of [sale.organizer, manager]) {
      const [found, ...others] = await searchOrders(caller, ben.user.email.slice(0, 12));
      expect(found).toMatchObject({ orderId, customerEmail: ben.user.email });
      expect(others).toEqual([]);
    }
    expect(await searchOrders(doorStaff, ben.user.email)).toEqual([]);
    const json = JSON.stringify(await readAdmissions(doorStaff, '?q=buyer'));
    expect(json).not.toContain('@');
    expect(json).not.toContain(ben.user.email);
  });

  it('finds refunded orders with their status, and no unpaid orders', async () => {
    const guest = await registerUser({ name: 'Rita Refunded' });
    const paidOrder = await buyTickets(sale, guest, 1);
    await requestRefund(paidOrder.orderId, sale.organizer);
    await initializeOrder(sale, guest, 1);
    expect(await searchOrders(doorStaff, 'rita')).toMatchObject([
      { orderId: paidOrder.orderId, status: 'refunded' },
    ]);
  });

  it('returns pages, and only orders of the event', async () => {
    const ownSale = await openSale({ organizer: sale.organizer });
    for (let count = 0; count < 3; count++) await buyTickets(ownSale, ben, 1);
    const first = await readAdmissions(sale.organizer, '?q=ben&limit=2', ownSale);
    expect(first.orders).toHaveLength(2);
    const cursor = encodeURIComponent(first.nextCursor);
    const next = await readAdmissions(sale.organizer, `?q=ben&limit=2&cursor=${cursor}`, ownSale);
    expect(next.orders).toHaveLength(1);
    expect(next.nextCursor).toBeNull();
    expect(await searchOrders(sale.organizer, first.orders[0].orderId)).toEqual([]);
  });

  it('lists all paid orders for an empty text', async () => {
    const ownSale = await openSale({ organizer: sale.organizer });
    const orderIds = [
      (await buyTickets(ownSale, ben, 1)).orderId,
      (await buyTickets(ownSale, cleo, 2)).orderId,
    ];
    await initializeOrder(ownSale, ben, 1);
    const listedOrders = await eventually('both are listed', async () => {
      const { orders } = await readAdmissions(sale.organizer, '?q=', ownSale);
      return orders.length === 2 && orders;
    });
    expect(listedOrders.map(({ orderId }: { orderId: string }) => orderId)).toEqual(orderIds.reverse());
  });

  it('refuses a single character with 400', async () => {
    const { status } = await doorStaff.get(`/api/events/${sale.event.id}/admissions?q=b`);
    expect(status).toBe(400);
  });
});
