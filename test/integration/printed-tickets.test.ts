import { execFileSync, spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  acceptTransfer,
  buyTickets,
  expectStatus,
  nameAttendee,
  offerSeat,
  openSale,
  type Person,
  readOrder,
  registerUser,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { type Answer, call, errorOf } from '../support/http.ts';
import { readQrCodeOfPicture } from '../support/images.ts';

const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0;

let sale: Sale;
let buyer: Person;
beforeAll(async () => {
  [sale, buyer] = await Promise.all([openSale(), registerUser()]);
});

const print = (caller: Person, orderId: string, query = '') =>
  call('GET', `/api/orders/${orderId}/tickets.pdf${query}`, { token: caller.token });
const printSeat = (caller: Person, orderId: string, number: number) =>
  call('GET', `/api/orders/${orderId}/seats/${number}/ticket.pdf`, { token: caller.token });

const countPages = (answer: Answer): number => expectStatus(200, answer).match(/\/Type \/Page\b/g).length;
/** Runs one of poppler's tools on a document. */
const convert = (tool: string, args: string[], { body }: Answer): Buffer =>
  execFileSync(tool, args, { input: Buffer.from(body, 'latin1') });

describe('a printed ticket', () => {
  it.runIf(hasPoppler)(
    'has the event, the attendee in any of three alphabets, and the code as text',
    async () => {
      const { orderId, reference } = await buyTickets(sale, buyer, 3);
      const names = ['Zoë Łukasz', 'Ελένη Παπαδοπούλου', 'Ёлка Жукова'];
      for (const [index, name] of names.entries()) await nameAttendee(buyer, orderId, index + 1, { name });
      const answer = await print(buyer, orderId);
      expect(answer.headers.get('content-type')).toBe('application/pdf');
      const { admissions } = await readOrder(buyer, orderId);
      const pages = convert('pdftotext', ['-layout', '-', '-'], answer).toString().split('\f').slice(0, -1);
      expect(pages).toHaveLength(3);
      for (const [index, page] of pages.entries()) {
        expect(page).toContain(sale.event.title);
        expect(page).toContain(names[index]);
        expect(page).toContain(`Ticket ${index + 1} of 3`);
        expect(page).toContain(reference);
        expect(page.replace(/\s/g, '')).toContain(admissions[index].checkInCode);
      }
    },
  );

  it.runIf(hasPoppler)(
    'has a QR code that a reader reads from the rendered page, on both sizes of paper',
    async () => {
      const { orderId } = await buyTickets(sale, buyer, 1);
      const { admissions } = await readOrder(buyer, orderId);
      for (const paper of ['a4', 'letter']) {
        const answer = await print(buyer, orderId, `?paper=${paper}`);
        const picture = convert('pdftoppm', ['-png', '-r', '100', '-singlefile', '-'], answer);
        expect(readQrCodeOfPicture(picture)).toBe(admissions[0].checkInCode);
      }
    },
  );
});

describe('GET /api/orders/{id}/tickets.pdf', () => {
  it('answers in parts of 50 tickets', async () => {
    const { orderId } = await buyTickets(await openSale({ quantity: 60, maxPerPerson: 60 }), buyer, 60);
    const [first, second] = [await print(buyer, orderId), await print(buyer, orderId, '?page=2')];
    expect([first, second].map(countPages)).toEqual([50, 10]);
    expect(second.headers.get('x-pages')).toBe('2');
    expect(errorOf(await print(buyer, orderId, '?page=3'))).toEqual([400, 'invalid-input']);
  });

  it('has the seats that the buyer holds; the others are printed for their holders', async () => {
    const friend = await registerUser();
    const { orderId } = await buyTickets(sale, buyer, 2);
    const { body } = await offerSeat(buyer, orderId, 1, friend.user.email);
    await acceptTransfer(friend, body.transfer.token);
    expect(countPages(await print(buyer, orderId))).toBe(1);
    expect(countPages(await printSeat(friend, orderId, 1))).toBe(1);
    expect(errorOf(await printSeat(buyer, orderId, 1))).toEqual([409, 'moved']);
  });

  it('is refused once the order is refunded', async () => {
    const { orderId } = await buyTickets(sale, buyer, 1);
    await requestRefund(orderId, sale.organizer);
    expect(errorOf(await print(buyer, orderId))).toEqual([409, 'refunded']);
    expect(errorOf(await printSeat(buyer, orderId, 1))).toEqual([409, 'refunded']);
  });
});
