import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, call } from '../support/http.ts';
import { addStaff, freshEmail, type Person, registerUser } from '../support/people.ts';
import { buyTickets, notificationsOf, openSale, readOrder, type Sale } from '../support/sales.ts';
import { checkIn } from '../support/tickets.ts';

let sale: Sale;
let other: Sale;
let buyer: Person;
let manager: Person;
let door: Person;
beforeAll(async () => {
  [sale, other, buyer, manager, door] = await Promise.all([
    openSale(),
    openSale(),
    registerUser(),
    registerUser({ name: 'Mia Manager' }),
    registerUser({ name: 'Dora Door' }),
  ]);
  await addStaff(sale.organizer, sale.event.id, manager, 'manager');
  await addStaff(sale.organizer, sale.event.id, door, 'door');
});

const refusal = ({ status, headers }: Answer) => [status, headers.get('x-error-code')];
const staffOf = (id: string, who: Person) => call('GET', `/api/events/${id}/staff`, { token: who.token });
const add = (id: string, who: Person, body: object) =>
  call('POST', `/api/events/${id}/staff`, { token: who.token, body });
const dismiss = (id: string, who: Person, email: string) =>
  call('DELETE', `/api/events/${id}/staff`, { token: who.token, body: { email } });

/** Returns each management endpoint's response to a person. */
async function reach(who: Person, { event }: Sale, orderId: string) {
  const { token } = who;
  const at = `/api/events/${event.id}`;
  const answers = {
    update: await call('PUT', at, { token, body: { city: 'Lagos' } }),
    tier: await call('PUT', `${at}/tiers/${event.tiers[0].id}`, {
      token,
      body: { description: 'By the bar' },
    }),
    orders: await call('GET', `${at}/orders`, { token }),
    csv: await call('GET', `${at}/orders`, { token, headers: { accept: 'text/csv' } }),
    summary: await call('GET', `${at}/summary`, { token }),
    order: await call('GET', `/api/orders/${orderId}`, { token }),
    staff: await staffOf(event.id, who),
    audit: await call('GET', `${at}/audit`, { token }),
    delete: await call('DELETE', at, { token }),
  };
  return Object.fromEntries(Object.entries(answers).map(([name, { status }]) => [name, status]));
}

describe('the staff of an event', () => {
  it('is managed by the organizer, and new members are notified', async () => {
    const { body } = await staffOf(sale.event.id, sale.organizer);
    expect(body.nextCursor).toBeNull();
    expect(body.staff).toHaveLength(2);
    expect(body.staff).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: manager.user.email, name: 'Mia Manager', role: 'manager' }),
        expect.objectContaining({ userId: door.user.id, eventId: sale.event.id, role: 'door' }),
      ]),
    );
    expect((await notificationsOf(door))[0].message).toContain(sale.event.title);
  });

  it('is found by the staff among their events, drafts too, with their role', async () => {
    const list = async (who: Person, query = '') =>
      (await call('GET', `/api/events?staff=me${query}`, { token: who.token })).body;
    const draft = await openSale({ organizer: sale.organizer, title: 'Secret' });
    const body = { status: 'DRAFT' };
    await call('PUT', `/api/events/${draft.event.id}`, { token: sale.organizer.token, body });
    await addStaff(sale.organizer, draft.event.id, door, 'manager');
    const { events } = await list(door);
    expect(events.map(({ id, staffRole }: Record<string, string>) => [id, staffRole])).toEqual([
      [draft.event.id, 'manager'],
      [sale.event.id, 'door'],
    ]);
    const first = await list(door, '&limit=1');
    expect(first.events[0].id).toBe(draft.event.id);
    const next = await list(door, `&limit=1&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect(next.events[0].id).toBe(sale.event.id);
    expect((await list(door, '&q=secret')).events).toHaveLength(1);
    expect((await list(buyer)).events).toEqual([]);
    expect(refusal(await call('GET', '/api/events?staff=me'))).toEqual([401, 'unauthenticated']);
    expect((await call('GET', '/api/events?staff=you', { token: door.token })).status).toBe(400);
  });

  it('can be changed again: a second addition changes the role', async () => {
    const helper = await registerUser();
    await addStaff(sale.organizer, sale.event.id, helper, 'door');
    await addStaff(sale.organizer, sale.event.id, helper, 'manager');
    const { staff } = (await staffOf(sale.event.id, sale.organizer)).body;
    const found = staff.filter(({ userId }: { userId: string }) => userId === helper.user.id);
    expect(found).toHaveLength(1);
    expect(found[0].role).toBe('manager');
    await dismiss(sale.event.id, sale.organizer, helper.user.email);
  });

  it.each([
    [() => ({ email: freshEmail(), role: 'door' }), [404, 'user-not-found']],
    [() => ({ email: sale.organizer.user.email, role: 'door' }), [409, 'already-organizer']],
    [() => ({ email: buyer.user.email, role: 'ADMIN' }), [400, 'invalid-input']],
    [() => ({ email: buyer.user.email }), [400, 'invalid-input']],
    [() => ({ role: 'door' }), [400, 'invalid-input']],
  ])('refuses %s', async (body, expected) => {
    expect(refusal(await add(sale.event.id, sale.organizer, body()))).toEqual(expected);
  });

  it('finds an account however its e-mail is written', async () => {
    const helper = await registerUser();
    const body = { email: ` ${helper.user.email.toUpperCase()} `, role: 'door' };
    expect((await add(sale.event.id, sale.organizer, body)).status).toBe(201);
    expect((await dismiss(sale.event.id, sale.organizer, body.email)).status).toBe(200);
    expect(refusal(await dismiss(sale.event.id, sale.organizer, body.email))).toEqual([
      404,
      'member-not-found',
    ]);
  });
});

describe('a role', () => {
  let orderId: string;
  beforeAll(async () => {
    ({ orderId } = await buyTickets(sale, buyer, 1));
  });

  it('of a manager covers everything but staff, the record of changes and deletion', async () => {
    expect(await reach(manager, sale, orderId)).toEqual({
      update: 200,
      tier: 200,
      orders: 200,
      csv: 200,
      summary: 200,
      order: 200,
      staff: 403,
      audit: 403,
      delete: 403,
    });
    const paid = await buyTickets(sale, buyer, 1);
    const { token } = manager;
    expect((await call('POST', `/api/orders/${paid.orderId}/refund`, { token })).status).toBe(200);
    expect(refusal(await add(sale.event.id, manager, { email: buyer.user.email, role: 'manager' }))).toEqual([
      403,
      'forbidden',
    ]);
    expect(refusal(await dismiss(sale.event.id, manager, door.user.email))).toEqual([403, 'forbidden']);
  });

  it('at the door covers no data of buyers', async () => {
    expect(await reach(door, sale, orderId)).toEqual({
      update: 403,
      tier: 403,
      orders: 403,
      csv: 403,
      summary: 403,
      order: 404,
      staff: 403,
      audit: 403,
      delete: 403,
    });
    const { token } = door;
    expect((await call('POST', `/api/orders/${orderId}/refund`, { token })).status).toBe(404);
    expect((await call('POST', `/api/orders/${orderId}/fulfil`, { token })).status).toBe(404);
  });

  it('covers checking in, until it ends', async () => {
    const helper = await registerUser();
    await addStaff(sale.organizer, sale.event.id, helper, 'door');
    const paid = await buyTickets(sale, buyer, 3);
    const [first, second, third] = (await readOrder(buyer, paid.orderId)).admissions;
    expect((await checkIn(first.checkInCode, manager, sale.event.id)).status).toBe(200);
    expect((await checkIn(second.checkInCode, helper)).body.checkIn).toMatchObject({ number: 2 });
    await dismiss(sale.event.id, sale.organizer, helper.user.email);
    expect(refusal(await checkIn(third.checkInCode, helper))).toEqual([403, 'forbidden']);
  });

  it('at one event has no permission at another', async () => {
    const elsewhere = await buyTickets(other, buyer, 1);
    const [{ checkInCode }] = (await readOrder(buyer, elsewhere.orderId)).admissions;
    for (const who of [manager, door]) {
      expect(refusal(await checkIn(checkInCode, who))).toEqual([403, 'forbidden']);
      expect(refusal(await checkIn(checkInCode, who, sale.event.id))).toEqual([403, 'forbidden']);
    }
    const none = { update: 403, tier: 403, orders: 403, csv: 403, summary: 403, order: 404, staff: 403 };
    for (const who of [manager, door]) {
      expect(await reach(who, other, elsewhere.orderId)).toEqual({ ...none, audit: 403, delete: 403 });
    }
  });

  it('shows no payouts and no balance', async () => {
    for (const path of ['/api/payouts', '/api/organizer/balance']) {
      expect((await call('GET', path, { token: manager.token })).status).toBe(403);
    }
  });

  it('ends with the next request after the removal, with the same token', async () => {
    const helper = await registerUser();
    await addStaff(sale.organizer, sale.event.id, helper, 'manager');
    expect((await reach(helper, sale, orderId)).orders).toBe(200);
    expect((await dismiss(sale.event.id, sale.organizer, helper.user.email)).status).toBe(200);
    const { update, orders, csv, summary, order } = await reach(helper, sale, orderId);
    expect([update, orders, csv, summary, order]).toEqual([403, 403, 403, 403, 404]);
    const { events } = (await call('GET', '/api/events?staff=me', { token: helper.token })).body;
    expect(events).toEqual([]);
  });

  it('ends with the event', async () => {
    const { event } = await openSale({ organizer: sale.organizer });
    const helper = await registerUser();
    await addStaff(sale.organizer, event.id, helper, 'manager');
    expect((await call('DELETE', `/api/events/${event.id}`, { token: sale.organizer.token })).status).toBe(
      200,
    );
    expect((await call('GET', '/api/events?staff=me', { token: helper.token })).body.events).toEqual([]);
    expect((await staffOf(event.id, sale.organizer)).status).toBe(404);
  });

  it('does not let a manager see the check-in codes of buyers', async () => {
    const { admissions } = await readOrder(manager, orderId);
    expect(admissions).toEqual([]);
  });
});
