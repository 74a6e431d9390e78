import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { scanTable } from '../../infra/ops/table.ts';
import { changeAddress, endSessions, getSessionOwner } from '../../shared/accounts/users/store.ts';
import { hashBuyer } from '../../shared/catalog/inventory/inventory.ts';
import { transact } from '../../shared/dynamo/write.ts';
import { eventually } from '../support/eventually.ts';
import {
  anonymous,
  cancelOrder,
  checkIn,
  confirmAddress,
  createCaller,
  createEvent,
  freshEmail,
  nameAttendee,
  offerSeat,
  type Person,
  payOrder,
  placeGuestOrder,
  readBalance,
  readOrder,
  readSeats,
  registerAdmin,
  registerUser,
  requestOrder,
  requestRefund,
  type Sale,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { call, errorOf, viewerHeaders } from '../support/http.ts';
import { awaitMail, mailsTo } from '../support/mailbox.ts';
import { connectToTable } from '../support/stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: the answers have no types
type Json = any;

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let organizer: Person;
beforeAll(async () => {
  connectToTable();
  organizer = await registerUser({ role: 'ORGANIZER' });
});

/** Publishes an event that sells to anyone. */
async function openSaleToAnyone(fields: object = {}): Promise<Sale> {
  const tiers = [{ name: 'Floor', price: 50, quantity: 20, maxPerPerson: 3 }];
  return {
    organizer,
    event: await createEvent(organizer, { currency: 'NGN', tiers, buyers: 'anyone', ...fields }),
  };
}

const customer = (email = freshEmail()) => ({ email, name: 'Gus Guest' });

describe('a purchase without an account', () => {
  it('needs nothing but a content type: bought, paid, mailed, minted, admitted, refunded', async () => {
    const { ticketContract, chainId } = organizer.stack;
    const sale = await openSaleToAnyone({ contractAddress: ticketContract, chainId, entry: 'account' });
    const order = await placeGuestOrder(sale, undefined, { quantity: 2 });
    expect(order).toMatchObject({ ok: true, totalAmount: 102.5, paymentStatus: 'PENDING' });
    await payOrder(order);
    expect(await order.read()).toMatchObject({
      paymentStatus: 'COMPLETED',
      customerEmail: order.email,
      customerName: 'Gus Guest',
      walletAddress: null,
      fulfilment: { status: 'not-needed' },
      admissions: [
        { number: 1, tierName: 'Floor', kind: 'ticket', attendee: null, status: 'held' },
        { number: 2 },
      ],
    });
    const mail = await awaitMail(order.email, 'Your tickets');
    expect(mail.body.text).toContain(`/orders/${order.orderId}#${order.accessToken}`);

    expect((await nameAttendee(order.guest, order.orderId, 1, { name: 'Ada' })).status).toBe(200);
    const path = `/api/orders/${order.orderId}/wallet`;
    expect((await order.guest.put(path, { walletAddress: wallet })).status).toBe(200);
    await waitForMintedOrder(order.guest, order.orderId);
    expect((await order.guest.put(path, { walletAddress: wallet })).status).toBe(200);
    const other = await order.guest.put(path, { walletAddress: organizer.stack.ticketContract });
    expect(errorOf(other)).toEqual([409, 'wallet-set']);

    const { admissions } = await order.read();
    expect(admissions[0].attendee).toMatchObject({ name: 'Ada' });
    expect((await checkIn(admissions[0].checkInCode, organizer)).status).toBe(200);
    expect(await readBalance(organizer)).toMatchObject({ available: 100 });
  });

  it('can be cancelled, and a paid one refunded', async () => {
    const sale = await openSaleToAnyone();
    const email = freshEmail();
    const cancelled = await placeGuestOrder(sale, email);
    expect((await cancelOrder(cancelled.orderId, cancelled.guest)).status).toBe(200);
    const order = await placeGuestOrder(sale, email);
    await payOrder(order);
    expect((await requestRefund(order.orderId, organizer)).status).toBe(200);
    await eventually('the refund is done', async () => (await order.read()).refund?.status === 'done');
  });

  it.each([
    ['without a customer', {}],
    ['with a customer of null', { customer: null }],
  ])('is refused like a request without a token %s', async (_, fields) => {
    const sale = await openSaleToAnyone();
    expect(errorOf(await requestOrder(sale, anonymous, fields))).toEqual([401, 'unauthenticated']);
  });

  it('is refused for an event that sells to accounts', async () => {
    for (const fields of [{ buyers: 'accounts' }, { requireKYC: true }, { buyers: undefined }]) {
      const sale = await openSaleToAnyone(fields);
      expect(sale.event.buyers).toBe('accounts');
      const answer = await requestOrder(sale, anonymous, { customer: customer() });
      expect(errorOf(answer)).toEqual([401, 'unauthenticated']);
    }
  });

  it('names the buyer once', async () => {
    const [sale, user] = await Promise.all([openSaleToAnyone(), registerUser()]);
    const answers = await Promise.all([
      requestOrder(sale, user, { customer: customer() }),
      requestOrder(sale, anonymous, { customer: customer(), customerEmail: freshEmail() }),
      requestOrder(sale, anonymous, { customer: { email: 'ben', name: '' } }),
    ]);
    expect(answers.map(({ headers }) => JSON.parse(headers.get('x-error-fields') ?? '[]')[0].path)).toEqual([
      'customer',
      'customerEmail',
      'customer.email',
    ]);
  });
});

describe('the limits of an address', () => {
  it('allow one unpaid order of a guest', async () => {
    const sale = await openSaleToAnyone();
    const { email } = await placeGuestOrder(sale);
    const answer = await requestOrder(sale, anonymous, { customer: customer(email.toUpperCase()) });
    expect(errorOf(answer)).toEqual([409, 'too-many-open-orders']);
    const at = await Promise.all(
      Array.from({ length: 8 }, () =>
        requestOrder(sale, anonymous, { customer: customer('race@example.com') }),
      ),
    );
    expect(at.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('count the tickets of its guest and of its account together', async () => {
    const [sale, user] = await Promise.all([openSaleToAnyone(), registerUser()]);
    await payOrder(await placeGuestOrder(sale, user.user.email, { quantity: 2 }));
    expect(errorOf(await requestOrder(sale, user, { quantity: 2 }))).toEqual([409, 'tier-limit']);
    expect((await requestOrder(sale, user, { quantity: 1 })).status).toBe(201);
    const answer = await requestOrder(sale, anonymous, { customer: customer(user.user.email) });
    expect(errorOf(answer)).toEqual([409, 'tier-limit']);
  });

  it('count free tickets of a guest for the guest only, since anybody can name the address', async () => {
    const tiers = [{ name: 'Floor', price: 0, quantity: 20, maxPerPerson: 2 }];
    const [sale, user] = await Promise.all([openSaleToAnyone({ tiers }), registerUser()]);
    const takeAsGuest = () =>
      requestOrder(sale, anonymous, { customer: customer(user.user.email), quantity: 2 });
    expect((await takeAsGuest()).status).toBe(201);
    expect(errorOf(await takeAsGuest())).toEqual([409, 'tier-limit']);
    expect((await requestOrder(sale, user, { quantity: 2 })).status).toBe(201);
  });
});

describe('an Idempotency-Key of a guest', () => {
  const headers = () => ({ 'idempotency-key': randomUUID() });

  it('returns the same order and token again, and belongs to the whole body', async () => {
    const [sale, key] = [await openSaleToAnyone(), headers()];
    const request = { customer: customer() };
    const [first, again] = [
      await requestOrder(sale, anonymous, request, key),
      await requestOrder(sale, anonymous, request, key),
    ];
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    const stolen = await requestOrder(sale, anonymous, { customer: customer() }, key);
    expect(errorOf(stolen)).toEqual([409, 'idempotency-key-reused']);
    expect(JSON.stringify(stolen.body)).not.toContain(first.body.accessToken);
  });

  it('has at least 22 characters', async () => {
    const sale = await openSaleToAnyone();
    const short = { 'idempotency-key': 'x'.repeat(21) };
    const answer = await requestOrder(sale, anonymous, { customer: customer() }, short);
    expect(errorOf(answer)).toEqual([400, 'idempotency-key-too-short']);
  });
});

describe('an access token', () => {
  it('opens its order only', async () => {
    const sale = await openSaleToAnyone();
    const [order, other] = [await placeGuestOrder(sale), await placeGuestOrder(sale)];
    for (const token of [
      other.accessToken,
      `${order.accessToken}x`,
      `${order.accessToken[0] === 'A' ? 'B' : 'A'}${order.accessToken.slice(1)}`,
      'x',
    ]) {
      const answer = await createCaller(`Order ${token}`).get(`/api/orders/${order.orderId}`);
      expect(errorOf(answer)).toEqual([401, 'invalid-token']);
    }
    for (const path of ['/api/orders', '/api/seats', '/api/notifications', '/api/auth/me'])
      expect((await order.guest.get(path)).status).toBe(401);
    expect((await anonymous.get(`/api/orders/${order.orderId}`)).status).toBe(401);
  });

  it('offers a ticket in the name of its own order, not in that of other orders with the address', async () => {
    const first = await placeGuestOrder(await openSaleToAnyone());
    await payOrder(first);
    const sale = await openSaleToAnyone({ tiers: [{ name: 'Free', price: 0, quantity: 20 }] });
    const other = { customer: { email: first.email, name: 'Somebody Else' } };
    const { guest, orderId } = await placeGuestOrder(sale, first.email, other);
    const receiver = freshEmail();
    const { body } = await offerSeat(guest, orderId, 1, receiver);
    const { offer } = (await anonymous.get(`/api/transfers/${body.transfer.token}`)).body;
    expect(offer.from).toBe('Somebody Else');
    expect((await awaitMail(receiver, 'ticket')).body.text).toContain('Somebody Else');
  });

  it('ends when the orders are added to the account of the address', async () => {
    const sale = await openSaleToAnyone();
    const order = await placeGuestOrder(sale);
    await payOrder(order);
    const account = await registerUser({ email: order.email });
    expect((await account.get(`/api/orders/${order.orderId}`)).status).toBe(404);
    expect(errorOf(await account.post('/api/auth/orders'))).toEqual([403, 'email-not-verified']);
    await confirmAddress(account);
    const owner = createCaller((await account.post('/api/auth/orders')).body.token);

    expect(errorOf(await order.guest.get(`/api/orders/${order.orderId}`))).toEqual([401, 'token-replaced']);
    expect((await owner.get('/api/orders')).body.orders).toMatchObject([{ id: order.orderId }]);
    expect((await readSeats(owner)).seats).toMatchObject([{ orderId: order.orderId, status: 'held' }]);
    const opened = await readOrder(owner, order.orderId);
    expect(opened.admissions).toHaveLength(1);
    const titles = (await owner.get('/api/notifications')).body.notifications.map(({ title }: Json) => title);
    expect(titles).toContain('Ticket Purchase Successful');
    expect((await owner.post('/api/notifications/read-all')).body.updated).toBeGreaterThan(0);
    expect((await nameAttendee(owner, order.orderId, 1, { name: 'Ada' })).status).toBe(200);
    expect((await offerSeat(owner, order.orderId, 1, freshEmail())).status).toBe(201);
    expect((await owner.get(`/api/users/${account.user.id}/export`)).body.orders).toHaveLength(1);

    // A later login knows the guest, too, and mails have the token of now.
    const body = { email: account.user.email, password: account.password };
    const { token } = (await call('POST', '/api/auth/login', { body })).body;
    expect((await createCaller(token).get('/api/orders')).body.orders).toHaveLength(1);
    expect((await owner.post(`/api/orders/${order.orderId}/send`)).status).toBe(200);
    const mail = await eventually('another mail', async () => {
      const mails = await mailsTo(order.email);
      return mails.find(
        ({ body }) =>
          body.text.includes(`/orders/${order.orderId}#`) && !body.text.includes(order.accessToken),
      );
    });
    const link = new RegExp(`/orders/${order.orderId}#([\\w-]{27})`).exec(mail.body.text);
    expect((await createCaller(`Order ${link?.[1]}`).get(`/api/orders/${order.orderId}`)).status).toBe(200);
  });

  it('is exported with the account, but not to an access token from before a new password', async () => {
    const order = await placeGuestOrder(await openSaleToAnyone());
    const account = await registerUser({ email: order.email });
    await confirmAddress(account);
    const { token } = (await account.post('/api/auth/orders')).body;
    const { guestId } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString());
    const exportGuest = () => createCaller(token).get(`/api/users/${guestId}/export`);
    expect((await exportGuest()).body.orders).toMatchObject([{ id: order.orderId }]);
    await transact([endSessions(account.user.id, new Date().toISOString())]);
    expect(errorOf(await exportGuest())).toEqual([401, 'invalid-token']);
  });

  it('opens an order that a stranger places with the address of an account, until the account adds it', async () => {
    const sale = await openSaleToAnyone();
    const first = await placeGuestOrder(sale);
    await payOrder(first);
    const account = await registerUser({ email: first.email });
    await confirmAddress(account);
    const attach = async ({ post }: Pick<Person, 'post'>) =>
      createCaller((await post('/api/auth/orders')).body.token);
    const before = await getSessionOwner(account.user.id);
    const owner = await attach(account);
    // A change of the address that read the account before would leave the guest with the earlier address.
    const change = changeAddress(before, { email: freshEmail(), ownsAddress: true });
    await expect(transact([change])).rejects.toMatchObject({ code: 'busy' });

    const planted = await placeGuestOrder(sale, first.email);
    await payOrder(planted);
    const path = `/api/orders/${planted.orderId}`;
    expect(errorOf(await owner.get(path))).toEqual([404, 'order-not-found']);
    expect((await owner.get('/api/orders')).body.orders).toMatchObject([{ id: first.orderId }]);
    expect((await readSeats(owner)).seats).toMatchObject([{ orderId: first.orderId }]);
    expect((await planted.guest.get(path)).status).toBe(200);

    const again = await attach(owner);
    expect((await again.get(path)).body.order.admissions).toHaveLength(1);
    expect(errorOf(await planted.guest.get(path))).toEqual([401, 'token-replaced']);
  });

  it('is not for a squatter whose account the owner of the address has confirmed', async () => {
    const sale = await openSaleToAnyone();
    const email = freshEmail();
    const squatter = await registerUser({ email });
    const order = await placeGuestOrder(sale, email);
    await payOrder(order);
    const mail = await awaitMail(email, 'Confirm your e-mail address');
    const token = /verify-email\?token=([\w-]{43})/.exec(mail.body.text)?.[1];
    // The owner opens the link, but has no session of the account.
    expect((await anonymous.post('/api/auth/verify-email', { token })).status).toBe(200);
    expect(errorOf(await squatter.post('/api/auth/orders'))).toEqual([403, 'email-not-verified']);
    expect((await squatter.post(`/api/users/${squatter.user.id}/erasure`)).status).toBe(200);
    expect((await order.guest.get(`/api/orders/${order.orderId}`)).status).toBe(200);
  });

  it('is not for a squatter with an access token from before the owner of the address reset the password', async () => {
    const sale = await openSaleToAnyone();
    const email = freshEmail();
    const squatter = await registerUser({ email });
    const order = await placeGuestOrder(sale, email);
    await payOrder(order);
    await anonymous.post('/api/auth/forgot-password', { email }, { headers: viewerHeaders() });
    const mail = await awaitMail(email, 'Reset your password');
    const token = /reset-password\?token=([\w-]{43})/.exec(mail.body.text)?.[1];
    const credentials = { email, password: 'known to the owner' };
    const reset = { token, password: credentials.password };
    expect((await anonymous.post('/api/auth/reset-password', reset)).status).toBe(200);
    expect(errorOf(await squatter.post('/api/auth/orders'))).toEqual([401, 'invalid-token']);

    const owner = createCaller((await anonymous.post('/api/auth/login', credentials)).body.token);
    const attached = createCaller((await owner.post('/api/auth/orders')).body.token);
    expect((await attached.get('/api/orders')).body.orders).toMatchObject([{ id: order.orderId }]);
    // The squatter's access token is valid for 15 minutes.
    const exportPath = `/api/users/${squatter.user.id}/export`;
    expect((await attached.get(exportPath)).body.orders).toMatchObject([{ id: order.orderId }]);
    expect(errorOf(await squatter.get(exportPath))).toEqual([401, 'invalid-token']);
    // Also a repetition with the new token.
    expect((await attached.post('/api/auth/orders')).status).toBe(200);
  });

  it('is mailed again on request, to the address only', async () => {
    const sale = await openSaleToAnyone();
    const order = await placeGuestOrder(sale);
    await payOrder(order);
    // Anybody can name the address.
    for (let count = 0; count < 20; count++) {
      const { orderId, guest } = await placeGuestOrder(sale, order.email);
      expect((await guest.post(`/api/orders/${orderId}/cancel`)).status).toBe(200);
    }
    const request = (email: string) =>
      anonymous.post('/api/orders/access', { email }, { headers: viewerHeaders() });
    const answers = [await request(order.email), await request(freshEmail())];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [202, answers[0]?.body],
      [202, answers[0]?.body],
    ]);
    const mail = await awaitMail(order.email, 'Your orders');
    expect(mail.body.text).toContain(`/orders/${order.orderId}#${order.accessToken}`);
    for (let repeat = 0; repeat < 4; repeat++) expect((await request(order.email)).status).toBe(202);
    const sent = () =>
      mailsTo(order.email).then((mails) => mails.filter(({ subject }) => subject === 'Your orders'));
    await eventually('three mails', async () => (await sent()).length === 3);
  });
});

describe('the erasure', () => {
  it('and the export of an account reach its guest; an administrator erases a guest', async () => {
    const [sale, admin] = await Promise.all([openSaleToAnyone(), registerAdmin()]);
    const order = await placeGuestOrder(sale);
    await payOrder(order);
    const account = await registerUser({ email: order.email });
    const exportPath = `/api/users/${account.user.id}/export`;
    expect((await account.get(exportPath)).body.orders).toEqual([]);
    await confirmAddress(account);
    expect((await account.get(exportPath)).body.orders).toMatchObject([{ id: order.orderId }]);
    expect((await account.post(`/api/users/${account.user.id}/erasure`)).status).toBe(200);
    expect(errorOf(await order.guest.get(`/api/orders/${order.orderId}`))).toEqual([401, 'invalid-token']);
    await eventually(
      'the order is erased',
      async () => (await readOrder(organizer, order.orderId)).customerName === '',
    );

    const other = await placeGuestOrder(sale);
    await payOrder(other);
    const { userId } = await readOrder(organizer, other.orderId);
    expect((await admin.get(`/api/users/${userId}/export`)).body.user.role).toBe('GUEST');
    expect((await admin.post(`/api/users/${userId}/erasure`)).status).toBe(200);
    // Nothing keeps a hash of the address.
    const hash = hashBuyer(other.email);
    await eventually('the hash is erased', async () => {
      const items = await scanTable();
      return !items.some(({ pk, buyer }) => buyer === hash || pk.includes(hash));
    });
    // The address is free: its next order belongs to a new guest.
    const next = await placeGuestOrder(sale, other.email);
    expect((await readOrder(organizer, next.orderId)).userId).not.toBe(userId);
  });
});
