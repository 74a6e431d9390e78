import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Answer, call } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { freshEmail, type Person, registerUser } from '../support/people.ts';
import {
  buyTickets,
  initializeOrder,
  notificationsOf,
  openSale,
  readOrder,
  type Sale,
} from '../support/sales.ts';
import {
  acceptTransfer,
  nameAttendee,
  offerSeat,
  seatOf,
  seatsOf,
  withdrawTransfer,
} from '../support/seats.ts';
import { sharedStack } from '../support/stack.ts';
import { checkIn } from '../support/tickets.ts';

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

const refusal = ({ status, headers }: Answer) => [status, headers.get('x-error-code')];
const put = (body: object, ownSale: Sale) =>
  call('PUT', `/api/events/${ownSale.event.id}`, { token: ownSale.organizer.token, body });

/** Hands a seat to a person. */
async function handOver(orderId: string, number: number, from: Person, to: Person): Promise<Answer> {
  const { body } = await offerSeat(from, orderId, number, to.user.email);
  return acceptTransfer(to, body.transfer.token);
}

describe('the list of seats', () => {
  it('has each seat of paid orders, with its code, before anything is minted', async () => {
    const owner = await registerUser();
    const { orderId: unpaid } = await initializeOrder(sale, owner, 1);
    expect((await seatsOf(owner)).seats).toEqual([]);
    const { orderId } = await buyTickets(sale, owner, 2);
    const { seats, nextCursor } = await seatsOf(owner);
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
    await call('POST', `/api/orders/${unpaid}/cancel`, { token: owner.token });
  });

  it('has pages, and filters by order and by event', async () => {
    const owner = await registerUser();
    const other = await openSale({ organizer: sale.organizer });
    const orders = [
      await buyTickets(sale, owner, 2),
      await buyTickets(other, owner, 1),
      await buyTickets(sale, owner, 1),
    ];
    const received = await buyTickets(sale, friend, 1);
    expect((await handOver(received.orderId, 1, friend, owner)).status).toBe(200);
    const ids = (seats: { orderId: string; number: number }[]) =>
      seats.map(({ orderId, number }) => `${orderId} ${number}`);
    const [first, second, third] = orders.map(({ orderId }) => orderId);
    const all = [`${received.orderId} 1`, `${third} 1`, `${second} 1`, `${first} 2`, `${first} 1`];
    expect(ids((await seatsOf(owner)).seats)).toEqual(all);

    const paged: string[] = [];
    for (let cursor = ''; cursor !== 'null'; ) {
      const { seats, nextCursor } = await seatsOf(owner, `?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(seats.length).toBeLessThanOrEqual(2);
      paged.push(...ids(seats));
      cursor = String(nextCursor);
    }
    expect(paged).toEqual(all);
    const by = async (query: string) => ids((await seatsOf(owner, query)).seats);
    expect(await by(`?orderId=${first}`)).toEqual([`${first} 2`, `${first} 1`]);
    expect(await by(`?orderId=${received.orderId}`)).toEqual([`${received.orderId} 1`]);
    expect(await by(`?orderId=${first?.slice(0, -1)}`)).toEqual([]);
    expect(await by(`?eventId=${other.event.id}`)).toEqual([`${second} 1`]);
    expect(await by('?received=true')).toEqual(all.slice(0, 1));
    expect(await by(`?eventId=${sale.event.id}&limit=2`)).toEqual(all.slice(0, 2));
    const { nextCursor } = await seatsOf(owner, '?limit=2');
    for (const query of [`orderId=${first}&cursor=${nextCursor}`, `cursor=x${nextCursor}`]) {
      const answer = await call('GET', `/api/seats?${query}`, { token: owner.token });
      expect(refusal(answer)).toEqual([400, 'invalid-cursor']);
    }
  });

  it('shows the status of a seat after each change', async () => {
    const ownSale = await openSale();
    const { orderId } = await buyTickets(ownSale, buyer, 3);
    const [, second] = (await readOrder(buyer, orderId)).admissions;
    const { body } = await offerSeat(buyer, orderId, 1, friend.user.email);
    await checkIn(second.checkInCode, ownSale.organizer);
    await handOver(orderId, 3, buyer, friend);
    const statuses = async (who: Person) =>
      (await seatsOf(who, `?orderId=${orderId}`)).seats.map(({ status }: { status: string }) => status);
    expect(await statuses(buyer)).toEqual(['moved', 'admitted', 'offered']);
    expect(await statuses(friend)).toEqual(['held']);
    expect((await seatOf(buyer, orderId, 1)).offer).toMatchObject({
      token: body.transfer.token,
      email: friend.user.email,
    });
    await put({ status: 'CANCELLED' }, ownSale);
    expect((await seatOf(buyer, orderId, 1)).code).toBeUndefined();
  });
});

describe('naming an attendee', () => {
  it('is for the holder, and is shown at the door', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const attendee = { name: 'Ada Attendee', email: 'ada@example.com' };
    const answer = await nameAttendee(buyer, orderId, 1, { ...attendee, email: ' ADA@example.com ' });
    expect(answer).toMatchObject({ status: 200, body: { seat: { attendee, status: 'held' } } });
    expect((await seatOf(buyer, orderId, 1)).attendee).toEqual(attendee);
    await nameAttendee(buyer, orderId, 1, { name: 'Ada' });
    expect((await seatOf(buyer, orderId, 1)).attendee).toEqual({ name: 'Ada', email: null });

    expect(refusal(await nameAttendee(friend, orderId, 1, attendee))).toEqual([404, 'seat-not-found']);
    for (const number of [2, 10_000_000]) {
      expect(refusal(await nameAttendee(buyer, orderId, number, attendee))).toEqual([404, 'seat-not-found']);
    }
    for (const bad of [{}, { name: '' }, { name: 'A', email: 'no' }]) {
      expect((await nameAttendee(buyer, orderId, 1, bad)).status).toBe(400);
    }
    const { code } = await seatOf(buyer, orderId, 1);
    const { body } = await checkIn(code, sale.organizer);
    expect(body.checkIn).toMatchObject({ attendeeName: 'Ada', customerName: buyer.user.name });
    expect(refusal(await nameAttendee(buyer, orderId, 1, attendee))).toEqual([409, 'admitted']);
  });
});

describe('handing a seat over', () => {
  it('moves it once the account of the address accepts, with a new code', async () => {
    const { orderId } = await buyTickets(sale, buyer, 2);
    const before = (await readOrder(buyer, orderId)).admissions[0].checkInCode;
    const offered = await offerSeat(buyer, orderId, 1, ` ${friend.user.email.toUpperCase()} `);
    expect(offered).toMatchObject({
      status: 201,
      body: { transfer: { orderId, number: 1, email: friend.user.email } },
    });
    const { token } = offered.body.transfer;
    expect((await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer.token).toBe(token);

    const stranger = await registerUser();
    expect(refusal(await acceptTransfer(stranger, token))).toEqual([404, 'transfer-not-found']);
    expect((await seatOf(buyer, orderId, 1)).code).toBe(before);

    const accepted = await acceptTransfer(friend, token);
    expect(accepted).toMatchObject({
      status: 200,
      body: { seat: { orderId, number: 1, status: 'held', attendee: { name: 'Fay Friend' } } },
    });
    const { code } = accepted.body.seat;
    expect(code).not.toBe(before);
    // The answer was lost: the seat is theirs already.
    expect((await acceptTransfer(friend, token)).body.seat.code).toBe(code);

    const shown = await readOrder(buyer, orderId);
    expect(shown.admissions.map(({ number }: { number: number }) => number)).toEqual([2]);
    const moved = await seatOf(buyer, orderId, 1);
    expect(moved).toMatchObject({ status: 'moved', attendee: null });
    expect(moved).not.toHaveProperty('code');
    expect(refusal(await checkIn(before, sale.organizer))).toEqual([409, 'moved']);
    const { body } = await checkIn(code, sale.organizer);
    expect(body.checkIn).toMatchObject({ number: 1, attendeeName: 'Fay Friend' });
    const titles = (await notificationsOf(buyer)).map(({ title }) => title);
    expect(titles).toContain('Ticket handed over');
  });

  it('can be transferred on by its new holder, and back to the buyer', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    await handOver(orderId, 1, buyer, friend);
    expect(refusal(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'moved']);
    expect(refusal(await nameAttendee(buyer, orderId, 1, { name: 'Me' }))).toEqual([409, 'moved']);
    const back = await handOver(orderId, 1, friend, buyer);
    expect(back.body.seat).toMatchObject({ status: 'held' });
    expect((await seatsOf(friend, `?orderId=${orderId}`)).seats).toEqual([]);
    expect((await seatsOf(buyer, `?orderId=${orderId}`)).seats).toHaveLength(1);
    const [admission] = (await readOrder(buyer, orderId)).admissions;
    expect(admission.checkInCode).toBe(back.body.seat.code);
    expect((await checkIn(admission.checkInCode, sale.organizer)).status).toBe(200);
  });

  it('ends when it is withdrawn, replaced, or the seat was admitted', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const { token } = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer;
    expect(refusal(await withdrawTransfer(friend, token))).toEqual([404, 'transfer-not-found']);
    expect((await withdrawTransfer(buyer, token)).body.seat).toMatchObject({ status: 'held' });
    expect((await withdrawTransfer(buyer, token)).status).toBe(200);
    expect(refusal(await acceptTransfer(friend, token))).toEqual([409, 'gone']);

    const first = (await offerSeat(buyer, orderId, 1, freshEmail())).body.transfer.token;
    const second = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer.token;
    expect(refusal(await withdrawTransfer(buyer, first))).toEqual([409, 'gone']);
    await checkIn((await seatOf(buyer, orderId, 1)).code, sale.organizer);
    expect(refusal(await acceptTransfer(friend, second))).toEqual([409, 'gone']);
    expect(refusal(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'admitted']);

    for (const token of [
      `${orderId}-001-${'a'.repeat(20)}`,
      'x',
      `c${'0'.repeat(24)}-001-${'a'.repeat(20)}`,
    ]) {
      expect(refusal(await acceptTransfer(friend, token))).toEqual([409, 'gone']);
    }
    const accepted = await buyTickets(sale, buyer, 1);
    const third = (await offerSeat(buyer, accepted.orderId, 1, friend.user.email)).body.transfer.token;
    await acceptTransfer(friend, third);
    expect(refusal(await withdrawTransfer(buyer, third))).toEqual([409, 'gone']);
  });

  it('waits for an account that does not exist yet, to whose address the link is mailed', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const email = freshEmail();
    const { token } = (await offerSeat(buyer, orderId, 1, email)).body.transfer;
    const { body: mail } = await awaitMail(email, `A ticket to ${sale.event.title} for you`);
    expect(mail.text).toContain(`/transfers/${token}`);
    expect(mail.text).toContain(buyer.user.name);
    const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
    expect(mail.text + mail.html).not.toContain(checkInCode);
    const body = { email, password: 'correct horse battery', name: 'New' };
    const registered = await call('POST', '/api/auth/register', { body });
    expect((await acceptTransfer({ token: registered.body.token }, token)).status).toBe(200);
  });

  it('is refused where transfers are not allowed, to oneself, and for seats that can no longer be admitted', async () => {
    const closed = await openSale();
    const { orderId } = await buyTickets(closed, buyer, 1);
    expect((await offerSeat(buyer, orderId, 1, buyer.user.email)).status).toBe(400);
    const { token } = (await offerSeat(buyer, orderId, 1, friend.user.email)).body.transfer;
    await put({ allowTransfers: false }, closed);
    expect(refusal(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'transfers-not-allowed']);
    expect(refusal(await acceptTransfer(friend, token))).toEqual([409, 'transfers-not-allowed']);
    await put({ allowTransfers: true }, closed);
    await call('POST', `/api/orders/${orderId}/refund`, { token: closed.organizer.token });
    expect(refusal(await offerSeat(buyer, orderId, 1, freshEmail()))).toEqual([409, 'refunded']);
    expect(refusal(await acceptTransfer(friend, token))).toEqual([409, 'refunded']);
    const { orderId: unpaid } = await initializeOrder(closed, buyer, 1);
    expect(refusal(await offerSeat(buyer, unpaid, 1, freshEmail()))).toEqual([409, 'not-paid']);
    await put({ status: 'CANCELLED' }, closed);
    expect(refusal(await acceptTransfer(friend, token))).toEqual([409, 'event-cancelled']);
  });

  it('is limited to ten offers of a seat a day', async () => {
    const { orderId } = await buyTickets(sale, friend, 1);
    for (let index = 0; index < 10; index++)
      expect((await offerSeat(friend, orderId, 1, freshEmail())).status).toBe(201);
    expect(refusal(await offerSeat(friend, orderId, 1, freshEmail()))).toEqual([429, 'too-many-attempts']);
  });
});

describe('an order with a transferred seat', () => {
  it('is refunded only when the event is cancelled; then no seat is admitted', async () => {
    const ownSale = await openSale();
    const { orderId } = await buyTickets(ownSale, buyer, 1);
    const { code } = (await handOver(orderId, 1, buyer, friend)).body.seat;
    const refund = () => call('POST', `/api/orders/${orderId}/refund`, { token: ownSale.organizer.token });
    expect(refusal(await refund())).toEqual([409, 'moved']);
    await put({ status: 'CANCELLED' }, ownSale);
    expect((await refund()).status).toBe(200);
    expect((await seatOf(friend, orderId, 1)).status).toBe('refunded');
    expect(refusal(await checkIn(code, ownSale.organizer))).toEqual([409, 'event-cancelled']);
  });

  it('notifies the holder of a cancelled event', async () => {
    const ownSale = await openSale({ title: 'Called off' });
    const holder = await registerUser();
    const { orderId } = await buyTickets(ownSale, buyer, 2);
    await handOver(orderId, 2, buyer, holder);
    await put({ status: 'CANCELLED' }, ownSale);
    await eventually('the holder is notified', async () => {
      await sharedStack().sweep();
      const notifications = await notificationsOf(holder);
      return notifications.some(({ message }) => message.startsWith('Called off was cancelled.'));
    });
  });
});
