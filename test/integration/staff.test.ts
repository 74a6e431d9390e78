import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import {
  addStaff,
  anonymous,
  buyTickets,
  checkIn,
  confirmAddress,
  createCaller,
  freshEmail,
  openSale,
  type Person,
  readNotifications,
  readOrder,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { call, errorOf, viewerHeaders } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { connectToTable } from '../support/stack.ts';

let sale: Sale;
let otherSale: Sale;
let buyer: Person;
let manager: Person;
let doorStaff: Person;
beforeAll(async () => {
  [sale, otherSale, buyer, manager, doorStaff] = await Promise.all([
    openSale(),
    openSale(),
    registerUser(),
    registerUser({ name: 'Mia Manager' }),
    registerUser({ name: 'Dora Door' }),
  ]);
  await addStaff(sale.organizer, sale.event.id, manager, 'manager');
  await addStaff(sale.organizer, sale.event.id, doorStaff, 'door');
});

const readStaff = (id: string, caller: Person) => caller.get(`/api/events/${id}/staff`);
const addMember = (id: string, caller: Person, body: object) => caller.post(`/api/events/${id}/staff`, body);
const removeMember = (id: string, caller: Person, email: string) =>
  caller.delete(`/api/events/${id}/staff`, { email });

/** Returns the statuses of a change of an event, and of reads of its orders and of one order. */
async function readManagementStatuses(caller: Person, { event }: Sale, orderId: string): Promise<number[]> {
  const answers = [
    await caller.put(`/api/events/${event.id}`, { city: 'Lagos' }),
    await caller.get(`/api/events/${event.id}/orders`),
    await caller.get(`/api/orders/${orderId}`),
  ];
  return answers.map(({ status }) => status);
}

describe('the staff of an event', () => {
  it('is managed by the organizer, and new members are notified', async () => {
    const { body } = await readStaff(sale.event.id, sale.organizer);
    expect(body.nextCursor).toBeNull();
    expect(body.staff).toHaveLength(2);
    expect(body.staff).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: manager.user.email, name: 'Mia Manager', role: 'manager' }),
        expect.objectContaining({ userId: doorStaff.user.id, eventId: sale.event.id, role: 'door' }),
      ]),
    );
    expect((await readNotifications(doorStaff))[0].message).toContain(sale.event.title);
  });

  it('lets members list their events, including drafts, with their role', async () => {
    const listEvents = async (caller: Person, query = '') =>
      (await caller.get(`/api/events?staff=me${query}`)).body;
    const draft = await openSale({ organizer: sale.organizer, title: 'Secret' });
    const body = { status: 'DRAFT' };
    await sale.organizer.put(`/api/events/${draft.event.id}`, body);
    await addStaff(sale.organizer, draft.event.id, doorStaff, 'manager');
    const { events } = await listEvents(doorStaff);
    expect(events.map(({ id, staffRole }: Record<string, string>) => [id, staffRole])).toEqual([
      [draft.event.id, 'manager'],
      [sale.event.id, 'door'],
    ]);
    const first = await listEvents(doorStaff, '&limit=1');
    expect(first.events[0].id).toBe(draft.event.id);
    const next = await listEvents(doorStaff, `&limit=1&cursor=${encodeURIComponent(first.nextCursor)}`);
    expect(next.events[0].id).toBe(sale.event.id);
    expect((await listEvents(doorStaff, '&q=secret')).events).toHaveLength(1);
    expect((await listEvents(buyer)).events).toEqual([]);
    expect(errorOf(await call('GET', '/api/events?staff=me'))).toEqual([401, 'unauthenticated']);
    expect((await doorStaff.get('/api/events?staff=you')).status).toBe(400);
  });

  it('has each member once: adding a member again changes the role', async () => {
    const helper = await registerUser();
    await addStaff(sale.organizer, sale.event.id, helper, 'door');
    await addStaff(sale.organizer, sale.event.id, helper, 'manager');
    const { staff } = (await readStaff(sale.event.id, sale.organizer)).body;
    const members = staff.filter(({ userId }: { userId: string }) => userId === helper.user.id);
    expect(members).toHaveLength(1);
    expect(members[0].role).toBe('manager');
    await removeMember(sale.event.id, sale.organizer, helper.user.email);
  });

  it.each([
    ['the organizer', () => ({ email: sale.organizer.user.email, role: 'door' }), [409, 'already-organizer']],
    ['an unknown role', () => ({ email: buyer.user.email, role: 'ADMIN' }), [400, 'invalid-input']],
    ['a missing role', () => ({ email: buyer.user.email }), [400, 'invalid-input']],
    ['a missing e-mail', () => ({ role: 'door' }), [400, 'invalid-input']],
  ])('refuses %s', async (_, body, expected) => {
    expect(errorOf(await addMember(sale.event.id, sale.organizer, body()))).toEqual(expected);
  });

  it('invites an address without an account, whose rights begin once an account has confirmed it', async () => {
    const email = freshEmail();
    const answer = await addMember(sale.event.id, sale.organizer, { email, role: 'manager' });
    expect(answer.body.member).toMatchObject({ email, status: 'invited', userId: null, name: null });
    const mail = await awaitMail(email, 'You are invited to work at Jazz');
    expect(mail.body.text).toContain(`register with ${email}, and confirm this address`);

    // Anybody can register with the address.
    const squatter = await registerUser({ email });
    const { orderId } = await buyTickets(sale, buyer, 1);
    expect(await readManagementStatuses(squatter, sale, orderId)).toEqual([403, 403, 404]);
    expect((await squatter.get('/api/events?staff=me')).body.events).toEqual([]);
    const [invited] = (await readStaff(sale.event.id, sale.organizer)).body.staff.filter(
      (member: { email: string }) => member.email === email,
    );
    expect(invited).toMatchObject({ status: 'invited', userId: null, name: null });

    // The owner of the address opens the link, but the squatter knows the password.
    const { body } = await awaitMail(email, 'Confirm your e-mail address');
    const token = /verify-email\?token=([\w-]{43})/.exec(body.text)?.[1];
    expect((await call('POST', '/api/auth/verify-email', { body: { token } })).status).toBe(200);
    expect(await readManagementStatuses(squatter, sale, orderId)).toEqual([403, 403, 404]);

    await confirmAddress(squatter);
    expect(await readManagementStatuses(squatter, sale, orderId)).toEqual([200, 200, 200]);
    expect((await squatter.get('/api/events?staff=me')).body.events).toHaveLength(1);
    await removeMember(sale.event.id, sale.organizer, email);
    expect(await readManagementStatuses(squatter, sale, orderId)).toEqual([403, 403, 404]);
  });

  it('removes an address that is only invited', async () => {
    const body = { email: freshEmail(), role: 'door' };
    expect((await addMember(sale.event.id, sale.organizer, body)).status).toBe(201);
    expect((await removeMember(sale.event.id, sale.organizer, body.email)).status).toBe(200);
    const { staff } = (await readStaff(sale.event.id, sale.organizer)).body;
    expect(staff.map(({ email }: { email: string }) => email)).not.toContain(body.email);
  });

  it('accepts an e-mail in upper case and with spaces', async () => {
    const helper = await registerUser();
    const body = { email: ` ${helper.user.email.toUpperCase()} `, role: 'door' };
    expect((await addMember(sale.event.id, sale.organizer, body)).status).toBe(201);
    expect((await removeMember(sale.event.id, sale.organizer, body.email)).status).toBe(200);
    expect(errorOf(await removeMember(sale.event.id, sale.organizer, body.email))).toEqual([
      404,
      'member-not-found',
    ]);
  });
});

describe('a staff role', () => {
  let orderId: string;
  beforeAll(async () => {
    ({ orderId } = await buyTickets(sale, buyer, 1));
  });

  it('allows check-ins until the member is removed', async () => {
    const helper = await registerUser();
    await addStaff(sale.organizer, sale.event.id, helper, 'door');
    const paidOrder = await buyTickets(sale, buyer, 3);
    const [first, second, third] = (await readOrder(buyer, paidOrder.orderId)).admissions;
    expect((await checkIn(first.checkInCode, manager, sale.event.id)).status).toBe(200);
    expect((await checkIn(second.checkInCode, helper)).body.checkIn).toMatchObject({ number: 2 });
    await removeMember(sale.event.id, sale.organizer, helper.user.email);
    expect(errorOf(await checkIn(third.checkInCode, helper))).toEqual([403, 'forbidden']);
  });

  it('allows nothing at another event', async () => {
    const otherOrder = await buyTickets(otherSale, buyer, 1);
    const [{ checkInCode }] = (await readOrder(buyer, otherOrder.orderId)).admissions;
    for (const caller of [manager, doorStaff]) {
      expect(errorOf(await checkIn(checkInCode, caller))).toEqual([403, 'forbidden']);
      expect(errorOf(await checkIn(checkInCode, caller, sale.event.id))).toEqual([403, 'forbidden']);
    }
    for (const caller of [manager, doorStaff]) {
      expect(await readManagementStatuses(caller, otherSale, otherOrder.orderId)).toEqual([403, 403, 404]);
    }
  });

  it('ends with the removal, even for an access token issued before', async () => {
    const helper = await registerUser();
    await addStaff(sale.organizer, sale.event.id, helper, 'manager');
    expect(await readManagementStatuses(helper, sale, orderId)).toEqual([200, 200, 200]);
    expect((await removeMember(sale.event.id, sale.organizer, helper.user.email)).status).toBe(200);
    expect(await readManagementStatuses(helper, sale, orderId)).toEqual([403, 403, 404]);
    const { events } = (await helper.get('/api/events?staff=me')).body;
    expect(events).toEqual([]);
  });

  it('begins after a password reset when the access tokens of somebody who had registered before have expired', async () => {
    const squatter = await registerUser();
    const { id, email } = squatter.user;
    expect((await addMember(sale.event.id, sale.organizer, { email, role: 'manager' })).status).toBe(201);
    await anonymous.post('/api/auth/forgot-password', { email }, { headers: viewerHeaders() });
    const { body } = await awaitMail(email, 'Reset your password');
    const token = /reset-password\?token=([\w-]{43})/.exec(body.text)?.[1];
    const credentials = { email, password: 'known to the owner' };
    await anonymous.post('/api/auth/reset-password', { token, password: credentials.password });
    const owner = createCaller((await anonymous.post('/api/auth/login', credentials)).body.token);
    const path = `/api/events/${sale.event.id}/orders`;
    for (const caller of [squatter, owner])
      expect(errorOf(await caller.get(path))).toEqual([403, 'forbidden']);
    connectToTable();
    const { rolesFrom } = (await getItem(keys.user(id))) ?? {};
    expect((Date.parse(String(rolesFrom)) - Date.now()) / 60_000).toBeCloseTo(15, 0);
    await write(update(keys.user(id), { set: { rolesFrom: new Date().toISOString() } }));
    expect((await owner.get(path)).status).toBe(200);
  });

  it('ends when the event is deleted', async () => {
    const { event } = await openSale({ organizer: sale.organizer });
    const helper = await registerUser();
    await addStaff(sale.organizer, event.id, helper, 'manager');
    expect((await sale.organizer.delete(`/api/events/${event.id}`)).status).toBe(200);
    expect((await helper.get('/api/events?staff=me')).body.events).toEqual([]);
    expect((await readStaff(event.id, sale.organizer)).status).toBe(404);
  });
});
