import { execFileSync, spawnSync } from 'node:child_process';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  acceptTransfer,
  buyTickets,
  changeEvent,
  expectStatus,
  nameAttendee,
  offerSeat,
  openSale,
  type Person,
  payOrder,
  placeOrder,
  readOrder,
  registerUser,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { type Answer, call, errorOf } from '../support/http.ts';
import { readQrCodeOfPicture } from '../support/images.ts';
import { awaitMail } from '../support/mailbox.ts';
import { createPng, uploadPicture } from '../support/pictures.ts';

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

const toPages = (answer: Answer): string[] =>
  convert('pdftotext', ['-layout', '-', '-'], answer).toString().split('\f').slice(0, -1);

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
      const pages = toPages(answer);
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

  it.runIf(hasPoppler)('is in the language of its order', async () => {
    const order = await placeOrder(sale, buyer, { language: 'de' });
    await payOrder(order);
    const [page] = toPages(await print(buyer, order.orderId));
    for (const text of ['Ticket 1 von 1', 'Bestellung', 'Der Code gilt einmal']) expect(page).toContain(text);
  });

  it.runIf(hasPoppler)('has the reference beside a name in letters that the fonts lack', async () => {
    const { orderId, reference } = await buyTickets(sale, buyer, 2);
    await nameAttendee(buyer, orderId, 1, { name: '山田 太郎' });
    await nameAttendee(buyer, orderId, 2, { name: 'Ada 🎟️ Lovelace' });
    const [first, second] = toPages(await print(buyer, orderId));
    expect(first).toMatch(new RegExp(`Name\\s+… \\(Ticket 1 of 2, ${reference}\\)`));
    expect(second).toMatch(/Name\s+Ada\s+Lovelace\n/);
  });

  it.runIf(hasPoppler)('has the picture that the organizer uploaded, once in the file', async () => {
    const illustrated = await openSale();
    const { event, organizer } = illustrated;
    await uploadPicture(organizer, event.id, createPng(40, 30));
    const { orderId } = await buyTickets(illustrated, buyer, 2);
    const listed = convert('pdfimages', ['-list', '-'], await print(buyer, orderId)).toString();
    const rows = listed
      .trim()
      .split('\n')
      .slice(2)
      .map((row) => row.trim().split(/\s+/));
    expect(rows.map(([page, , , width, height]) => [page, width, height])).toEqual([
      ['1', '40', '30'],
      ['2', '40', '30'],
    ]);
    expect(new Set(rows.map((row) => row[10])).size).toBe(1);

    expectStatus(200, await changeEvent(illustrated, { imageUrl: 'https://pictures.example/1.jpg' }));
    expect(convert('pdfimages', ['-list', '-'], await print(buyer, orderId)).toString()).not.toContain('40');
  });

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
  it.runIf(hasPoppler)('has a band in the organizer’s color', async () => {
    const branded = await openSale();
    const page = { slug: `band-${branded.event.id.slice(-8)}`, name: 'Old Station', accent: '#0b6e4f' };
    expectStatus(200, await branded.organizer.put('/api/organizer/page', page));
    const { orderId } = await buyTickets(branded, buyer, 1);
    const answer = await print(buyer, orderId);
    const { width, data } = PNG.sync.read(
      convert('pdftoppm', ['-png', '-r', '50', '-singlefile', '-'], answer),
    );
    const firstPixelOfRow = (row: number) => [...data.subarray(4 * width * row, 4 * width * row + 3)];
    expect(firstPixelOfRow(2)).toEqual([0x0b, 0x6e, 0x4f]);
    expect(firstPixelOfRow(40)).toEqual([255, 255, 255]);
  });

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

describe('the mail with the tickets', () => {
  const filesOf = async ({ user }: Person, { event }: Sale) =>
    (await awaitMail(user.email, event.title)).attachments.filter(
      ({ contentType }) => contentType === 'application/pdf',
    );

  it('has them as a PDF file where the event asks for it, up to ten', async () => {
    const asking = await openSale({ quantity: 20, maxPerPerson: 11 });
    expectStatus(200, await changeEvent(asking, { attachPdf: true }));
    const [few, many, other] = await Promise.all([registerUser(), registerUser(), registerUser()]);
    await buyTickets(asking, few, 2);
    await buyTickets(asking, many, 11);
    await buyTickets(sale, other, 2);
    const [file] = await filesOf(few, asking);
    expect(
      Buffer.from(file?.content ?? '', 'base64')
        .toString('latin1')
        .match(/\/Type \/Page\b/g),
    ).toHaveLength(2);
    expect(await filesOf(many, asking)).toEqual([]);
    expect(await filesOf(other, sale)).toEqual([]);
  });
});
