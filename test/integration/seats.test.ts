import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  acceptTransfer,
  buyTickets,
  type Caller,
  cancelOrder,
  changeEvent,
  checkIn,
  createCaller,
  findSeat,
  freshEmail,
  initializeOrder,
  nameAttendee,
  offerSeat,
  openSale,
  type Person,
  readNotifications,
  readOrder,
  readSeats,
  registerAdmin,
  registerUser,
  requestOrder,
  requestRefund,
  type Sale,
  withdrawTransfer,
} from '../support/fixtures.ts';
import { type Answer, call, errorOf } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

let sale: Sale;
let buyer: Person;
let friend: Person;
beforeAll(async () => {
  [sale, buyer, friend] = await Promise.all([
    openSale(),
    registerUser(),
    registerUser({ name: 'Fay Friend' }),
  ]);
});

/** Transfers a seat to a person, who accepts it. */
async function transferSeat(orderId: string, number: number, from: Person, to: Person): Promise<Answer> {
  const { body } = await offerSeat(from, orderId, number, to.user.email);
  return acceptTransfer(to, body.transfer.token);
}

describe('GET /api/seats', () => {
  it('contains each seat of paid orders with its check-in code', async () => {
    const owner = await registerUser();
    const { orderId: unpaidOrderId } = await initializeOrder(sale, owner, 1);
    expect((await readSeats(owner)).seats).toEqual([]);
    const { orderId } = await buyTickets(sale, owner, 2);
    const { seats, nextCursor } = await readSeats(owner);
    const { id, title } = sale.event;
    expect(seats.map(({ number }: { number: number }) => number)).toEqual([2, 1]);
    const { admissions } = await readOrder(owner, orderId);
    expect(seats[1]).toEqual({
      orderId,
      number: 1,
      event: expect.objectContaining({ id, title, entry: 'account', allowTransfers: true }),
      tier: { id: sale.event.tiers[0].id, name: 'Standing' },
      attendee: null,
      status: 'held',
      code: admissions[0].checkInCode,
      qr: `/api/tickets/qr/${admissions[0].checkInCode}`,
      checkedInAt: null,
    });
    expect(nextCursor).toBeNull();
    await cancelOrder(unpaidOrderId, owner);
  });

  it('returns pages, and filters by order, by event and by received=true', async () => {
    const owner = await registerUser();
    const other = await openSale({ organizer: sale.organizer });
    const orders = [
      await buyTickets(sale, owner, 2),
      await buyTickets(other, owner, 1),
      await buyTickets(sale, owner, 1),
    ];
    const receivedOrder = await buyTickets(sale, friend, 1);
    expect((await transferSeat(receivedOrder.orderId, 1, friend, owner)).status).toBe(200);
    const toSeatNames = (seats: { orderId: string; number: number }[]) =>
      seats.map(({ orderId, number }) => `${orderId} ${number}`);
    const [firstOrder, secondOrder, thirdOrder] = orders.map(({ orderId }) => orderId);
    const allSeats = [
      `${receivedOrder.orderId} 1`,
      `${thirdOrder} 1`,
      `${secondOrder} 1`,
      `${firstOrder} 2`,
      `${firstOrder} 1`,
    ];
    expect(toSeatNames((await readSeats(owner)).seats)).toEqual(allSeats);

    const listedSeats: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const { seats, nextCursor } = await readSeats(owner, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(seats.length).toBeLessThanOrEqual(2);
      listedSeats.push(...toSeatNames(seats));
      cursor = String(nextCursor);
    }
    expect(listedSeats).toEqual(allSeats);
    const listSeats = async (query: string) => toSeatNames((await readSeats(owner, query)).seats);
    expect(await listSeats(`?orderId=${firstOrder}`)).toEqual([`${firstOrder} 2`, `${firstOrder} 1`]);
    expect(await listSeats(`?orderId=${receivedOrder.orderId}`)).toEqual([`${receivedOrder.orderId} 1`]);
    expect(await listSeats(`?orderId=${firstOrder?.slice(0, -1)}`)).toEqual([]);
    expect(await listSeats(`?eventId=${other.event.id}`)).toEqual([`${secondOrder} 1`]);
    expect(await listSeats('?received=true')).toEqual(allSeats.slice(0, 1));
    expect(await listSeats(`?eventId=${sale.event.id}&limit=2`)).toEqual(allSeats.slice(0, 2));
    const { nextCursor } = await readSeats(owner, '?limit=2');
    for (const query of [`orderId=${firstOrder}&cursor=${nextCursor}`, `cursor=x${nextCursor}`]) {
      const answer = await owner.get(`/api/seats?${query}`);
      expect(errorOf(answer)).toEqual([400, 'invalid-cursor']);
    }
  });

  it('shows the status of a seat after each change', async () => {
    const ownSale = await openSale();
    const { orderId } = await buyTickets(ownSale, buyer, 3);
    const [, second] = (await readOrder(buyer, orderId)).admissions;
    const { body } = await offerSeat(buyer, orderId, 1, friend.user.email);
    await checkIn(second.checkInCode, ownSale.organizer);
    await transferSeat(orderId, 3, buyer, friend);
    const readStatuses = async (caller: Person) =>
      (await readSeats(caller, `?orderId=${orderId}`)).seats.map(({ status }: { status: string }) => status);
    expect(await readStatuses(buyer)).toEqual(['moved', 'admitted', 'offered']);
    expect(await readStatuses(friend)).toEqual(['held']);
    expect((await findSeat(buyer, orderId, 1)).offer).toMatchObject({
      token: body.transfer.token,
      email: friend.user.email,
    });
    await changeEvent(ownSale, { status: 'CANCELLED' });
    expect((await findSeat(buyer, orderId, 1)).code).toBeUndefined();
  });
});

describe('naming an attendee', () => {
  it('is allowed for the holder, and check-in shows the name', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const attendee = { name: 'Ada Attendee', email: 'ada@example.com' };
    const answer = await nameAttendee(buyer, orderId, 1, { ...attendee, email: ' ADA@example.com ' });
    expect(answer).toMatchObject({ status: 200, body: { seat: { attendee, status: 'held' } } });
    expect((await findSeat(buyer, orderId, 1)).attendee).toEqual(attendee);
    await nameAttendee(buyer, orderId, 1, { name: 'Ada' });
    expect((await findSeat(buyer, orderId, 1)).attendee).toEqual({ name: 'Ada', email: null });

    expect(errorOf(await nameAttendee(friend, orderId, 1, attendee))).toEqual([404, 'seat-not-found']);
    for (const number of [2, 10_000_000]) {
      expect(errorOf(await nameAttendee(buyer, orderId, number, attendee))).toEqual([404, 'seat-not-found']);
    }
    for (const invalid of [{}, { name: '' }, { name: 'A', email: 'no' }]) {
      expect((await nameAttendee(buyer, orderId, 1, invalid)).status).toBe(400);
    }
    const { code } = await findSeat(buyer, orderId, 1);
    const { body } = await checkIn(code, sale.organizer);
    expect(body.checkIn).toMatchObject({ attendeeName: 'Ada', customerName: buyer.user.name });
    expect(errorOf(await nameAttendee(buyer, orderId, 1, attendee))).toEqual([409, 'admitted']);
  });
});

describe('a transfer of a seat', () => {
  it('gives the seat and a new code to the account with the offered address once it accepts', async () => {
    const { orderId } = await buyTickets(sale, buyer, 2);
    const oldCode = (await readOrder(buyer, orderId)).admissions[0].checkInCode;
    const offer = await offerSeat(buyer, orderId, 1, ` ${friend.user.email.toUpperCase()} `);
    expect(offer).toMatchObject({
      status: 201,
      body: { transfer: { orderId, number: 1, email: friend.user.email } },
    });
    const { token } = offer.body.transfer;
    expect((await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer.token).toBe(token);

    const stranger = await registerUser();
    expect(errorOf(await acceptTransfer(stranger, token))).toEqual([404, 'transfer-not-found']);
    expect((await findSeat(buyer, orderId, 1)).code).toBe(oldCode);

    const acceptance = await acceptTransfer(friend, token);
    expect(acceptance).toMatchObject({
      status: 200,
      body: { seat: { orderId, number: 1, status: 'held', attendee: { name: 'Fay Friend' } } },
    });
    const { code } = acceptance.body.seat;
    expect(code).not.toBe(oldCode);
    // The client repeats the request when its answer was lost.
    expect((await acceptTransfer(friend, token)).body.seat.code).toBe(code);

    const order = await readOrder(buyer, orderId);
    expect(order.admissions.map(({ number }: { number: number }) => number)).toEqual([2]);
    const seat = await findSeat(buyer, orderId, 1);
    expect(seat).toMatchObject({ status: 'moved', attendee: null });
    expect(seat).not.toHaveProperty('code');
    expect(errorOf(await checkIn(oldCode, sale.organizer))).toEqual([409, 'moved']);
    const { body } = await checkIn(code, sale.organizer);
    expect(body.checkIn).toMatchObject({ number: 1, attendeeName: 'Fay Friend' });
    const titles = (await readNotifications(buyer)).map(({ title }) => title);
    expect(titles).toContain('Ticket handed over');
  });

  it('can be followed by a transfer back to the buyer', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    await transferSeat(orderId, 1, buyer, friend);
    expect(errorOf(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'moved']);
    expect(errorOf(await nameAttendee(buyer, orderId, 1, { name: 'Me' }))).toEqual([409, 'moved']);
    const back = await transferSeat(orderId, 1, friend, buyer);
    expect(back.body.seat).toMatchObject({ status: 'held' });
    expect((await readSeats(friend, `?orderId=${orderId}`)).seats).toEqual([]);
    expect((await readSeats(buyer, `?orderId=${orderId}`)).seats).toHaveLength(1);
    const [admission] = (await readOrder(buyer, orderId)).admissions;
    expect(admission.checkInCode).toBe(back.body.seat.code);
    expect((await checkIn(admission.checkInCode, sale.organizer)).status).toBe(200);
  });

  it('can’t be accepted after it was withdrawn or replaced, or after check-in', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const { token } = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer;
    expect(errorOf(await withdrawTransfer(friend, token))).toEqual([404, 'transfer-not-found']);
    expect((await withdrawTransfer(buyer, token)).body.seat).toMatchObject({ status: 'held' });
    expect((await withdrawTransfer(buyer, token)).status).toBe(200);
    expect(errorOf(await acceptTransfer(friend, token))).toEqual([409, 'gone']);

    const replacedToken = (await offerSeat(buyer, orderId, 1, freshEmail())).body.transfer.token;
    const newToken = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer.token;
    expect(errorOf(await withdrawTransfer(buyer, replacedToken))).toEqual([409, 'gone']);
    await checkIn((await findSeat(buyer, orderId, 1)).code, sale.organizer);
    expect(errorOf(await acceptTransfer(friend, newToken))).toEqual([409, 'gone']);
    expect(errorOf(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'admitted']);
  });

  it('shows the event and the sender to everybody with the link, until it is withdrawn', async () => {
    const [holder, sale] = await Promise.all([registerUser(), openSale()]);
    const { orderId } = await buyTickets(sale, holder, 1);
    const email = freshEmail();
    const { transfer } = (await offerSeat(holder, orderId, 1, email)).body;
    const show = () => call('GET', `/api/transfers/${transfer.token}`);
    expect((await show()).body.offer).toEqual({
      event: expect.objectContaining({ id: sale.event.id, title: sale.event.title }),
      tierName: 'Standing',
      from: holder.user.name,
      email,
      status: 'open',
    });
    await withdrawTransfer(holder, transfer.token);
    expect(errorOf(await show())).toEqual([409, 'gone']);
  });

  it('can’t be accepted with an unknown token', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    for (const token of [
      `${orderId}-001-${'a'.repeat(20)}`,
      'x',
      `c${'0'.repeat(24)}-001-${'a'.repeat(20)}`,
    ]) {
      expect(errorOf(await acceptTransfer(friend, token))).toEqual([409, 'gone']);
    }
  });

  it('can’t be withdrawn after it was accepted', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const { token } = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer;
    await acceptTransfer(friend, token);
    expect(errorOf(await withdrawTransfer(buyer, token))).toEqual([409, 'gone']);
  });

  it('is mailed to an address without an account, and can be accepted after registering', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const email = freshEmail();
    const { token } = (await offerSeat(buyer, orderId, 1, email)).body.transfer;
    const { body: mail } = await awaitMail(email, `A ticket to ${sale.event.title} for you`);
    expect(mail.text).toContain(`/transfers/${token}`);
    expect(mail.text).toContain(buyer.user.name);
    const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
    expect(mail.text + mail.html).not.toContain(checkInCode);
    const body = { email, password: 'correct horse battery', name: 'New' };
    const registration = await call('POST', '/api/auth/register', { body });
    expect((await acceptTransfer(createCaller(registration.body.token), token)).status).toBe(200);
  });

  it('is refused to oneself, for a refunded or unpaid order, and when the event is cancelled or does not allow transfers', async () => {
    const ownSale = await openSale();
    const { orderId } = await buyTickets(ownSale, buyer, 1);
    expect((await offerSeat(buyer, orderId, 1, buyer.user.email)).status).toBe(400);
    const { token } = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer;
    await changeEvent(ownSale, { allowTransfers: false });
    expect(errorOf(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'transfers-not-allowed']);
    expect(errorOf(await acceptTransfer(friend, token))).toEqual([409, 'transfers-not-allowed']);
    await changeEvent(ownSale, { allowTransfers: true });
    await requestRefund(orderId, ownSale.organizer);
    expect(errorOf(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'refunded']);
    expect(errorOf(await acceptTransfer(friend, token))).toEqual([409, 'refunded']);
    const { orderId: unpaidOrderId } = await initializeOrder(ownSale, buyer, 1);
    expect(errorOf(await offerSeat(buyer, unpaidOrderId, 1, freshEmail()))).toEqual([409, 'not-paid']);
    await changeEvent(ownSale, { status: 'CANCELLED' });
    expect(errorOf(await acceptTransfer(friend, token))).toEqual([409, 'event-cancelled']);
  });

  it('is limited to ten offers per seat and day', async () => {
    const { orderId } = await buyTickets(sale, friend, 1);
    const offer = () => offerSeat(friend, orderId, 1, freshEmail());
    // Concurrent offers change the seat under each other. Each of them counts once, although it is repeated.
    for (const { status } of await Promise.all(Array.from({ length: 4 }, offer))) expect(status).toBe(201);
    for (let index = 4; index < 10; index++) expect((await offer()).status).toBe(201);
    expect(errorOf(await offer())).toEqual([429, 'too-many-attempts']);
  });
});

describe('an event that became a draft again', () => {
  it('is hidden from all but its staff and the holders of tickets, who are admitted', async () => {
    const ownSale = await openSale({ title: 'Withdrawn' });
    const [holder, stranger] = await Promise.all([registerUser(), registerUser()]);
    const { orderId } = await buyTickets(ownSale, buyer, 1);
    const { code } = (await transferSeat(orderId, 1, buyer, holder)).body.seat;
    expect((await changeEvent(ownSale, { status: 'DRAFT' })).status).toBe(200);
    const path = `/api/events/${ownSale.event.id}`;
    const statuses = async (caller: Caller) =>
      Promise.all([path, `${path}/calendar`].map(async (each) => (await caller.get(each)).status));
    expect(await statuses(holder)).toEqual([200, 200]);
    expect(await statuses(buyer)).toEqual([200, 200]);
    for (const caller of [stranger, createCaller()]) expect(await statuses(caller)).toEqual([404, 404]);
    expect((await createCaller().get('/api/events?q=withdrawn')).body.events).toEqual([]);
    expect(errorOf(await requestOrder(ownSale, holder))).toEqual([409, 'not-on-sale']);
    expect((await checkIn(code, ownSale.organizer)).status).toBe(200);
  });
});

describe('an order with a transferred seat', () => {
  it('goes only to an account with the identity check that the event requires', async () => {
    const ownSale = await openSale();
    const { orderId } = await buyTickets(ownSale, buyer, 1);
    expect((await changeEvent(ownSale, { requireKYC: true })).status).toBe(200);
    const [admin, receiver] = await Promise.all([registerAdmin(), registerUser()]);
    expect(errorOf(await transferSeat(orderId, 1, buyer, receiver))).toEqual([403, 'kyc-required']);
    expect((await findSeat(buyer, orderId, 1)).status).toBe('offered');
    await admin.put(`/api/users/${receiver.user.id}/kyc`, { status: 'VERIFIED' });
    expect((await transferSeat(orderId, 1, buyer, receiver)).status).toBe(200);
  });

  it('is refunded only after the event is cancelled', async () => {
    const ownSale = await openSale();
    const { orderId } = await buyTickets(ownSale, buyer, 1);
    const { code } = (await transferSeat(orderId, 1, buyer, friend)).body.seat;
    expect(errorOf(await requestRefund(orderId, ownSale.organizer))).toEqual([409, 'moved']);
    await changeEvent(ownSale, { status: 'CANCELLED' });
    expect((await requestRefund(orderId, ownSale.organizer)).status).toBe(200);
    expect((await findSeat(friend, orderId, 1)).status).toBe('refunded');
    expect(errorOf(await checkIn(code, ownSale.organizer))).toEqual([409, 'event-cancelled']);
  });

  it('notifies the holder of the seat when the event is cancelled', async () => {
    const ownSale = await openSale({ title: 'Called off' });
    const holder = await registerUser();
    const { orderId } = await buyTickets(ownSale, buyer, 2);
    await transferSeat(orderId, 2, buyer, holder);
    await changeEvent(ownSale, { status: 'CANCELLED' });
    await eventually('the holder is notified', async () => {
      await sharedStack().sweep();
      const notifications = await readNotifications(holder);
      return notifications.some(({ message }) => message.startsWith('Called off was cancelled.'));
    });
  });
});
