import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { eventually } from '../support/eventually.ts';
import {
  addStaff,
  buyTickets,
  cancelOrder,
  changeEvent,
  checkIn,
  initializeOrder,
  openSale,
  type Person,
  readOrder,
  registerAdmin,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { call, errorOf, sortedStatuses } from '../support/http.ts';
import { readQrCode } from '../support/images.ts';
import { connectToTable } from '../support/stack.ts';

let sale: Sale;
let buyer: Person;
beforeAll(async () => {
  connectToTable();
  [sale, buyer] = await Promise.all([openSale(), registerUser()]);
});

/** Reads the check-in codes of an order's seats as its buyer. */
async function codesOf(orderId: string, caller = buyer): Promise<string[]> {
  const { admissions } = await readOrder(caller, orderId);
  return admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode);
}

/** Buys one ticket. Returns its order and its check-in code. */
async function buyOneTicket(ofSale = sale): Promise<{ orderId: string; code: string }> {
  // A new buyer, since the event limits the tickets per buyer.
  const holder = await registerUser();
  const { orderId } = await buyTickets(ofSale, holder, 1);
  const [code = ''] = await codesOf(orderId, holder);
  return { orderId, code };
}

describe('an undone admission', () => {
  const undo = (staff: Person, orderId: string) => staff.delete(`/api/orders/${orderId}/seats/1/admission`);
  const countAdmitted = async () =>
    (await sale.organizer.get(`/api/events/${sale.event.id}/admissions`)).body.admitted;

  it('lets the code in again, once, and is audited', async () => {
    const { orderId, code } = await buyOneTicket();
    const before = await countAdmitted();
    const { body } = await checkIn(code, sale.organizer);
    for (const answer of [await undo(sale.organizer, orderId), await undo(sale.organizer, orderId)])
      expect(answer).toMatchObject({
        status: 200,
        body: { seat: { orderId, number: 1, checkedInAt: null } },
      });
    expect(await countAdmitted()).toBe(before);
    const answers = await Promise.all([1, 2, 3].map(() => checkIn(code, sale.organizer)));
    expect(sortedStatuses(answers)).toEqual([200, 409, 409]);
    expect(await countAdmitted()).toBe(before + 1);
    const { entries } = (await sale.organizer.get(`/api/events/${sale.event.id}/audit?limit=100`)).body;
    const undone = entries.filter(({ action }: { action: string }) => action === 'admission-undone');
    expect(undone).toMatchObject([
      { details: { orderId, number: '1', checkedInAt: body.checkIn.checkedInAt } },
    ]);
  });

  it('is for who scanned it, within two minutes; the organizer may always', async () => {
    const { orderId, code } = await buyOneTicket();
    const [scanner, colleague] = await Promise.all([registerUser(), registerUser()]);
    for (const person of [scanner, colleague]) await addStaff(sale.organizer, sale.event.id, person, 'door');
    await checkIn(code, scanner);
    expect(errorOf(await undo(colleague, orderId))).toEqual([403, 'forbidden']);
    expect((await undo(scanner, orderId)).status).toBe(200);
    await checkIn(code, scanner);
    const checkedInAt = new Date(Date.now() - 121_000).toISOString();
    await write(update(keys.seat(orderId, 1), { set: { checkedInAt } }));
    expect(errorOf(await undo(scanner, orderId))).toEqual([403, 'forbidden']);
    expect((await undo(sale.organizer, orderId)).status).toBe(200);
  });
});

describe('a check-in without a code', () => {
  const admit = (staff: Person, body: object, ofSale = sale) =>
    staff.post(`/api/events/${ofSale.event.id}/admissions`, body);

  it('admits a seat once that the staff found, refuses its code afterwards, and is audited', async () => {
    const { orderId, code } = await buyOneTicket();
    const { body } = await sale.organizer.get(`/api/events/${sale.event.id}/admissions?q=${orderId}`);
    const found = { number: 1, tierName: 'Standing', attendeeName: null, checkedInAt: null };
    expect(body.orders[0].seats).toEqual([found]);

    const seat = { orderId, number: 1, scanId: 'one' };
    const answer = await admit(sale.organizer, seat);
    expect(answer).toMatchObject({ status: 200, body: { checkIn: { orderId, number: 1 } } });
    expect((await admit(sale.organizer, seat)).body).toEqual(answer.body);
    expect(errorOf(await admit(sale.organizer, { orderId, number: 1 }))).toEqual([409, 'already-checked-in']);
    expect(errorOf(await checkIn(code, sale.organizer))).toEqual([409, 'already-checked-in']);
    const { entries } = (await sale.organizer.get(`/api/events/${sale.event.id}/audit?limit=100`)).body;
    const admissions = entries.filter(({ action }: { action: string }) => action === 'seat-admitted');
    expect(admissions).toMatchObject([
      { by: { userId: sale.organizer.user.id }, details: { orderId, number: '1' } },
    ]);
  });

  it('admits no seat that the order or the event does not have', async () => {
    const [{ orderId }, other] = await Promise.all([buyOneTicket(), openSale()]);
    expect(errorOf(await admit(sale.organizer, { orderId, number: 2 }))).toEqual([404, 'order-not-found']);
    expect(errorOf(await admit(other.organizer, { orderId, number: 1 }, other))).toEqual([
      404,
      'order-not-found',
    ]);
    const order = await initializeOrder(sale, buyer, 1);
    expect(errorOf(await admit(sale.organizer, { orderId: order.orderId, number: 1 }))).toEqual([
      409,
      'not-paid',
    ]);
  });
});

describe('an order of a buyer without a wallet', () => {
  it('shows a check-in code for each paid seat to its buyer only', async () => {
    const { orderId } = await initializeOrder(sale, buyer, 1);
    expect(await codesOf(orderId)).toEqual([]);
    await cancelOrder(orderId, buyer);
    expect(await codesOf(orderId)).toEqual([]);

    const paidOrder = await buyTickets(sale, buyer, 3);
    const { admissions } = await readOrder(buyer, paidOrder.orderId);
    expect(admissions.map(({ number }: { number: number }) => number)).toEqual([1, 2, 3]);
    expect(new Set(await codesOf(paidOrder.orderId)).size).toBe(3);
    const end = new Date(Date.parse(sale.event.saleEnd) + 24 * 3600 * 1000).toISOString();
    for (const admission of admissions) {
      expect(admission).toMatchObject({ checkInCodeExpiresAt: end, checkedInAt: null });
    }
    expect(await codesOf(paidOrder.orderId, sale.organizer)).toEqual([]);
  });

  it('shows each code as a QR image, too', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const [{ checkInCode, qr }] = (await readOrder(buyer, orderId)).admissions;
    const image = await call('GET', qr);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    expect(readQrCode(image.body)).toBe(checkInCode);
    expect(errorOf(await call('GET', '/api/tickets/qr/buy-more-tickets'))).toEqual([400, 'invalid-code']);
  });
});

describe('a check-in', () => {
  it('admits a seat once, and refuses later scans with the time of the first', async () => {
    const { orderId } = await buyTickets(sale, buyer, 2);
    const [first, second] = await codesOf(orderId);
    const startedAt = Date.now();
    const answer = await checkIn(first, sale.organizer, sale.event.id);
    expect(answer.status).toBe(200);
    expect(answer.body.checkIn).toMatchObject({
      orderId,
      number: 1,
      quantity: 2,
      tierName: 'Standing',
      customerName: buyer.user.name,
    });
    const { checkedInAt } = answer.body.checkIn;
    expect(Date.parse(checkedInAt)).toBeGreaterThanOrEqual(startedAt);

    const repetition = await checkIn(first, sale.organizer);
    expect(errorOf(repetition)).toEqual([409, 'already-checked-in']);
    const { name } = sale.organizer.user;
    expect(repetition.body.error).toBe(
      `${buyer.user.name}, Standing: checked in already at ${checkedInAt} by ${name}`,
    );
    const { admissions } = await readOrder(buyer, orderId);
    expect(admissions.map((admission: { checkedInAt: string }) => admission.checkedInAt)).toEqual([
      checkedInAt,
      null,
    ]);
    expect((await checkIn(second, sale.organizer)).body.checkIn.number).toBe(2);
  });

  it('admits one of twenty concurrent scans of the same code', async () => {
    const { code } = await buyOneTicket();
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkIn(code, sale.organizer)));
    expect(sortedStatuses(answers)).toEqual([200, ...Array(19).fill(409)]);
    const winner = answers.find(({ status }) => status === 200);
    for (const loser of answers.filter((answer) => answer !== winner)) {
      expect(errorOf(loser)).toEqual([409, 'already-checked-in']);
      expect(loser.body.error).toContain(winner?.body.checkIn.checkedInAt);
    }
  });

  it('returns the same answer for a repeated scan id, and 409 for any other scan', async () => {
    const { code } = await buyOneTicket();
    const scan = (caller: Person, scanId?: string) => caller.post('/api/tickets/check-in', { code, scanId });
    const admin = await registerAdmin();
    const answers = await Promise.all([1, 2, 3].map(() => scan(sale.organizer, 'first')));
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: answers[0]?.body });
    expect(errorOf(await scan(sale.organizer, 'second'))).toEqual([409, 'already-checked-in']);
    expect(errorOf(await scan(sale.organizer))).toEqual([409, 'already-checked-in']);
    expect(errorOf(await scan(admin, 'first'))).toEqual([409, 'already-checked-in']);
    expect((await scan(sale.organizer, '')).status).toBe(400);
  });

  it('is refused for a ticket to another event', async () => {
    const other = await openSale({ organizer: sale.organizer });
    const { code } = await buyOneTicket();
    expect(errorOf(await checkIn(code, sale.organizer, other.event.id))).toEqual([409, 'other-event']);
    expect((await checkIn(code, sale.organizer, sale.event.id)).status).toBe(200);
  });

  it('refuses a forged or changed code', async () => {
    const { orderId, code } = await buyOneTicket();
    const [id, number, versionAndTransfers, signature = ''] = code.split('.');
    const changedSignature = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    const forgedCodes = [
      `${id}.2.${versionAndTransfers}.${signature}`,
      `${id}.${number}.zzzzzz.${signature}`,
      `${id}.${number}.v2-1.${signature}`,
      `${id}.${number}.${versionAndTransfers}.${changedSignature}`,
      `${id}.${number}.${versionAndTransfers}.`,
      `${id}.0${number}.${versionAndTransfers}.${signature}`,
      orderId,
      'x'.repeat(200),
    ];
    for (const forgedCode of forgedCodes) {
      expect(errorOf(await checkIn(forgedCode, sale.organizer)), forgedCode).toEqual([400, 'invalid-code']);
    }
    for (const malformedCode of ['', null, 7, 'x'.repeat(201)]) {
      expect((await checkIn(malformedCode, sale.organizer)).status).toBe(400);
    }
    expect((await checkIn(code, sale.organizer)).status).toBe(200);
  });

  it('refuses codes from a day after the event’s end, until the organizer postpones the event', async () => {
    const ownSale = await openSale({ organizer: sale.organizer });
    const holder = await registerUser();
    const { orderId } = await buyTickets(ownSale, holder, 1);
    const [code = ''] = await codesOf(orderId, holder);
    const inDays = (count: number) => new Date(Date.now() + count * 24 * 3600 * 1000).toISOString();
    const moveEvent = (eventDate: string) =>
      changeEvent(ownSale, { eventDate, saleStart: eventDate, saleEnd: eventDate });
    expect((await moveEvent(inDays(-1.1))).status).toBe(200);
    expect(errorOf(await checkIn(code, sale.organizer))).toEqual([409, 'code-expired']);
    expect((await call('GET', `/api/tickets/qr/${code}`)).status).toBe(200);
    await moveEvent(inDays(300));
    expect((await checkIn(code, sale.organizer)).status).toBe(200);
  });
});

describe('the check-in codes of an order', () => {
  it('are hidden and refused after a refund', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    const [code] = await codesOf(orderId);
    const { token } = sale.organizer;
    expect((await call('POST', `/api/orders/${orderId}/refund`, { token })).status).toBe(200);
    expect(await codesOf(orderId)).toEqual([]);
    expect(errorOf(await checkIn(code, sale.organizer))).toEqual([409, 'refunded']);
  });

  it('are refused after the event is cancelled', async () => {
    const cancelledSale = await openSale();
    const { code } = await buyOneTicket(cancelledSale);
    const change = { token: cancelledSale.organizer.token, body: { status: 'CANCELLED' } };
    expect((await call('PUT', `/api/events/${cancelledSale.event.id}`, change)).status).toBe(200);
    expect(errorOf(await checkIn(code, cancelledSale.organizer))).toEqual([409, 'event-cancelled']);
  });
});

describe('a minted ticket', () => {
  it('shows the check-in code and the check-in time of its seat', async () => {
    const mintingSale = await openSale({ hasContract: true });
    const holder = await registerUser({ walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' });
    const { orderId } = await buyTickets(mintingSale, holder, 2);
    const listTickets = async () => (await holder.get(`/api/tickets?orderId=${orderId}`)).body.tickets;
    const tickets = await eventually('the tickets are minted', async () => {
      const found = await listTickets();
      return found.length === 2 && found;
    });
    const [first, second] = await codesOf(orderId, holder);
    const codes = Object.fromEntries(
      tickets.map((ticket: { id: string; checkInCode: string }) => [ticket.id, ticket.checkInCode]),
    );
    expect(codes).toEqual({ [`${orderId}-001`]: first, [`${orderId}-002`]: second });
    const { checkedInAt } = (await checkIn(second, mintingSale.organizer)).body.checkIn;
    const checkInTimes = Object.fromEntries(
      (await listTickets()).map((ticket: { id: string; checkedInAt: string | null }) => [
        ticket.id,
        ticket.checkedInAt,
      ]),
    );
    expect(checkInTimes).toEqual({ [`${orderId}-001`]: null, [`${orderId}-002`]: checkedInAt });
  });
});
