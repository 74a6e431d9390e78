import { Wallet } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import { scanTable } from '../../infra/ops/table.ts';
import { putWallet } from '../../shared/accounts/wallets/store.ts';
import { changeEvent as changeEventHere } from '../../shared/catalog/events/editing/change-event.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { write } from '../../shared/dynamo/write.ts';
import { requestErasure as requestErasureHere } from '../../shared/privacy/request-erasure.ts';
import { linkWallet, requestSignedChallenge, verifyWallet } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  addStaff,
  anonymous,
  buyTickets,
  cancelOrder,
  changeEvent,
  initializeOrder,
  openSale,
  type Person,
  placeOrder,
  readOrder,
  registerAdmin,
  registerUser,
  requestOrder,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { withRival } from '../support/rival.ts';
import { connectToTable } from '../support/stack.ts';

let admin: Person;
beforeAll(async () => {
  connectToTable();
  admin = await registerAdmin();
});

const requestExport = (id: string, token?: string) => call('GET', `/api/users/${id}/export`, { token });
const requestErasure = (id: string, token?: string) => call('POST', `/api/users/${id}/erasure`, { token });
const draft = { title: 'Jazz', venue: 'Club', startDate: '2035-01-01', status: 'DRAFT' };
const login = ({ user: { email }, password }: Person) =>
  call('POST', '/api/auth/login', { body: { email, password } });

/** Returns the items of the table that contain a text, as JSON. */
async function findItemsWith(text: string): Promise<string[]> {
  const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);
  const lines = (await scanTable()).map((item) => JSON.stringify(item, bigintAsText));
  return lines.filter((line) => line.includes(text));
}

describe('GET /api/users/{id}/export', () => {
  it('returns the stored data of a user to the user and to administrators', async () => {
    const [sale, buyer] = [await openSale(), await registerUser({ name: 'Ines Export' })];
    const { orderId } = await buyTickets(sale, buyer, 2);
    await addStaff(sale.organizer, sale.event.id, buyer, 'door');
    const seatChange = { token: buyer.token, body: { name: 'Ada Guest', email: 'ada@example.com' } };
    expect((await call('PUT', `/api/orders/${orderId}/seats/2`, seatChange)).status).toBe(200);
    const { status, body } = await requestExport(buyer.user.id, buyer.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      isComplete: true,
      user: { ...buyer.user, emailVerified: true },
      orders: [{ id: orderId, customerEmail: buyer.user.email, customerName: 'Ines Export' }],
      seats: [{ orderId, number: 2, attendee: { name: 'Ada Guest', email: 'ada@example.com' } }],
      staff: [{ eventId: sale.event.id, role: 'door' }],
      payouts: [],
      events: [],
    });
    expect(body.notifications.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toMatch(/passwordHash|sessionVersion|refreshToken/);
    const byAdmin = await requestExport(buyer.user.id, admin.token);
    expect({ ...byAdmin.body, exportedAt: '' }).toEqual({ ...body, exportedAt: '' });
    expect((await requestExport(buyer.user.id, sale.organizer.token)).status).toBe(404);
    expect((await requestExport(buyer.user.id)).status).toBe(401);
  });

  it('contains an organizer’s events and balances', async () => {
    const [sale, buyer] = [await openSale({ price: 20 }), await registerUser()];
    await buyTickets(sale, buyer, 1);
    const { body } = await requestExport(sale.organizer.user.id, sale.organizer.token);
    expect(body.events).toEqual([{ id: sale.event.id, title: 'Jazz', createdAt: expect.any(String) }]);
    expect(body.balances).toMatchObject([{ currency: 'NGN', available: 20 }]);
  });
});

describe('an export that is larger than a response', () => {
  it('is shortened, and says so', async () => {
    const questions = Array.from({ length: 10 }, (_, number) => ({
      label: `Question ${number}`,
      kind: 'longtext',
      per: 'ticket',
    }));
    const tiers = [{ name: 'Floor', price: 0, quantity: 100, maxPerPerson: 100 }];
    const [organizer, buyer] = [await registerUser({ role: 'ORGANIZER' }), await registerUser()];
    const creation = { title: 'Long', venue: 'Club', startDate: '2040-01-01T20:00:00Z', tiers, questions };
    const { event } = (await organizer.post('/api/events', creation)).body;
    // Each quote takes four bytes of the response.
    const answers = [1, 2].flatMap((number) =>
      event.questions.map(({ id }: { id: string }) => ({ questionId: id, number, value: '"'.repeat(1_900) })),
    );
    for (let count = 0; count < 45; count++) await placeOrder({ event }, buyer, { quantity: 2, answers });
    const { status, body } = await requestExport(buyer.user.id, buyer.token);
    expect([status, body.isComplete, body.orders.length]).toEqual([200, false, 45]);
    expect(body.answers.length).toBeGreaterThan(100);
    expect(body.answers.length).toBeLessThan(45 * answers.length);
  });
});

describe('POST /api/users/{id}/erasure', () => {
  it('removes a buyer’s name and e-mail from all items, and keeps the orders', async () => {
    const sale = await openSale();
    const buyer = await registerUser({
      name: 'Quirina Erasmus-Unique',
      walletAddress: '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
    });
    const { orderId } = await buyTickets(sale, buyer, 2);
    await addStaff(sale.organizer, sale.event.id, buyer, 'door');
    const seatChange = { token: buyer.token, body: { name: 'Quirina Erasmus-Unique' } };
    await call('PUT', `/api/orders/${orderId}/seats/1`, seatChange);
    expect((await findItemsWith('Quirina Erasmus-Unique')).length).toBeGreaterThan(2);

    const answer = await requestErasure(buyer.user.id, buyer.token);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'The account is closed' });

    expect((await login(buyer)).status).toBe(401);
    expect((await call('POST', '/api/auth/refresh-token', { cookie: buyer.cookie })).status).toBe(401);
    for (const text of ['Quirina Erasmus-Unique', buyer.user.email]) {
      await eventually(`no item contains ${text}`, async () => (await findItemsWith(text)).length === 0);
    }
    const { body } = await sale.organizer.get(`/api/events/${sale.event.id}/orders`);
    expect(body.orders).toMatchObject([
      { id: orderId, paymentStatus: 'COMPLETED', quantity: 2, customerName: '', customerEmail: '' },
    ]);
    const registration = await call('POST', '/api/auth/register', {
      body: { email: buyer.user.email, password: buyer.password, name: 'Somebody New' },
    });
    expect(registration.status).toBe(201);
    expect(registration.body.user.id).not.toBe(buyer.user.id);
  });

  it('has no further effect when it is repeated', async () => {
    const person = await registerUser();
    expect((await requestErasure(person.user.id, admin.token)).status).toBe(200);
    expect((await requestErasure(person.user.id, admin.token)).status).toBe(200);
    expect((await requestErasure(person.user.id, person.token)).status).toBe(200);
  });

  it('prevents orders with an access token issued before the erasure', async () => {
    const [sale, freeSale, buyer] = [await openSale(), await openSale({ price: 0 }), await registerUser()];
    expect((await requestErasure(buyer.user.id, buyer.token)).status).toBe(200);
    for (const each of [sale, freeSale]) expect((await requestOrder(each, buyer)).status).toBe(401);
  });

  it('prevents the organizer from creating events and adding staff, and the organizer and managers from publishing drafts and adding codes', async () => {
    const [organizer, manager, helper] = await Promise.all([
      registerUser({ role: 'ORGANIZER' }),
      registerUser(),
      registerUser(),
    ]);
    const { token } = organizer;
    const { event } = (await call('POST', '/api/events', { token, body: draft })).body;
    await addStaff(organizer, event.id, manager, 'manager');
    expect((await requestErasure(organizer.user.id, token)).status).toBe(200);
    expect((await call('POST', '/api/events', { token, body: draft })).status).toBe(403);
    for (const caller of [organizer, manager]) {
      const change = { token: caller.token, body: { status: 'PUBLISHED' } };
      expect((await call('PUT', `/api/events/${event.id}`, change)).status).toBe(403);
      const code = { token: caller.token, body: { code: 'LATE', kind: 'percent', value: 10 } };
      expect((await call('POST', `/api/events/${event.id}/codes`, code)).status).toBe(403);
    }
    const staff = { token, body: { email: helper.user.email, role: 'door' } };
    expect((await call('POST', `/api/events/${event.id}/staff`, staff)).status).toBe(403);
    expect((await call('GET', `/api/events/${event.id}`)).status).toBe(404);
  });

  it('prevents linking a wallet with an earlier access token, and login with a wallet linked during the erasure', async () => {
    const [person, wallet] = [await registerUser(), Wallet.createRandom()];
    expect((await requestErasure(person.user.id, person.token)).status).toBe(200);
    expect((await linkWallet(person, wallet)).status).toBe(401);
    // As if a concurrent request had linked the wallet during the erasure.
    await write(putWallet({ address: wallet.address, userId: person.user.id }));
    const { message, signature } = await requestSignedChallenge(anonymous, wallet, 'login');
    const answer = await verifyWallet(anonymous, message, signature);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([401, 'unknown-wallet']);
  });

  it('is refused when an event is opened after the events were read', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const { event } = (await organizer.post('/api/events', draft)).body;
    const erase = () =>
      requestErasureHere(organizer.user.id, { ...organizer.user, userId: organizer.user.id });
    const publish = () => organizer.put(`/api/events/${event.id}`, { status: 'PUBLISHED' });
    await expect(withRival(publish, erase, 'write')).rejects.toMatchObject({ code: 'busy' });
    const create = () => organizer.post('/api/events', { ...draft, status: 'PUBLISHED' });
    await changeEvent({ organizer, event }, { status: 'DRAFT' });
    await expect(withRival(create, erase, 'write')).rejects.toMatchObject({ code: 'busy' });
    expect((await login(organizer)).status).toBe(200);
    await expect(erase()).rejects.toMatchObject({ code: 'unfinished-business' });
  });

  it.each(['create', 'publish'])('refuses to %s an event while the account is closed', async (kind) => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const { id: userId } = organizer.user;
    const { event } = (await organizer.post('/api/events', draft)).body;
    const open = () =>
      kind === 'create'
        ? createEvent(eventCreation.parse({ ...draft, status: 'PUBLISHED' }), userId)
        : changeEventHere(event.id, userId, (current) => ({ ...current, status: 'PUBLISHED' }));
    const erase = async () => expect((await requestErasure(userId, organizer.token)).status).toBe(200);
    await expect(withRival(erase, open, 'write')).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('is refused while an order is pending', async () => {
    const [sale, buyer] = [await openSale(), await registerUser()];
    const { orderId } = await initializeOrder(sale, buyer, 1);
    const answer = await requestErasure(buyer.user.id, buyer.token);
    expect(answer.status).toBe(409);
    expect(answer.headers.get('x-error-code')).toBe('unfinished-business');
    await cancelOrder(orderId, buyer);
    await eventually(
      'the order has failed',
      async () => (await readOrder(buyer, orderId)).paymentStatus === 'FAILED',
    );
    expect((await requestErasure(buyer.user.id, buyer.token)).status).toBe(200);
  });

  const past = { eventDate: '2020-01-02T20:00:00Z', endDate: '2020-01-02T23:00:00Z' };
  it.each([
    ['drafted', {}],
    [
      'drafted and back-dated',
      { ...past, saleStart: '2020-01-01T00:00:00Z', saleEnd: '2020-01-02T00:00:00Z' },
    ],
  ])('is refused while people hold tickets to a future event that was %s', async (_, fields) => {
    const sale = await openSale({ price: 0 });
    const { user, token } = sale.organizer;
    await requestOrder(sale, await registerUser());
    expect((await changeEvent(sale, { ...fields, status: 'DRAFT' })).status).toBe(200);
    const answer = await requestErasure(user.id, token);
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringContaining('is not over')]);
  });

  it('is possible for the organizer of a future draft without tickets', async () => {
    const sale = await openSale({ price: 0 });
    await changeEvent(sale, { status: 'DRAFT' });
    expect((await requestErasure(sale.organizer.user.id, sale.organizer.token)).status).toBe(200);
  });

  it('is refused for an organizer with an upcoming event or a balance', async () => {
    const sale = await openSale();
    const { user, token } = sale.organizer;
    expect((await requestErasure(user.id, token)).status).toBe(409);
    await buyTickets(sale, await registerUser(), 1);
    expect((await requestErasure(user.id, token)).body.error).toContain('balance');
  });
});
