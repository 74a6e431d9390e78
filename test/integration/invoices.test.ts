import { execFileSync, spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  buyTickets,
  type Caller,
  changeEvent,
  createEvent,
  expectStatus,
  openSale,
  type Person,
  payOrder,
  placeGuestOrder,
  readOrder,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { type Answer, errorOf } from '../support/http.ts';

const hasPoppler = spawnSync('pdftotext', ['-v']).status === 0;

const seller = { name: 'Club Ωmega GmbH', address: '1 Road, 12345 Town', taxId: 'DE123456789' };

let buyer: Person;
beforeAll(async () => {
  buyer = await registerUser();
});

/** Opens a sale of tickets at 50 with 19 % tax, and of parking at 20 with 7 %. */
async function openTaxedSale(): Promise<Sale> {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const tier = { quantity: 100, maxPerPerson: 10 };
  const tiers = [
    { name: 'Floor', price: 50, taxPercent: 19, ...tier },
    { name: 'Parking', price: 20, taxPercent: 7, kind: 'addon', ...tier },
  ];
  return {
    organizer,
    event: await createEvent(organizer, { currency: 'NGN', tiers, seller, buyers: 'anyone' }),
  };
}

const getInvoice = (caller: Caller, orderId: string, query = '') =>
  caller.get(`/api/orders/${orderId}/invoice.pdf${query}`);
const refund = ({ organizer }: Sale, orderId: string, body: object = {}) =>
  organizer.post(`/api/orders/${orderId}/refund`, body);

const textOf = (answer: Answer): string =>
  execFileSync('pdftotext', ['-layout', '-', '-'], {
    input: Buffer.from(expectStatus(200, answer), 'latin1'),
  })
    .toString()
    .replace(/ +/g, ' ')
    .replace(/ ?%/g, ' %');

describe('GET /api/orders/{id}/invoice.pdf', () => {
  it.runIf(hasPoppler)('is in the language of its order', async () => {
    const placed = await placeGuestOrder(await openTaxedSale(), undefined, { language: 'de' });
    await payOrder(placed);
    const invoice = textOf(await getInvoice(placed.guest, placed.orderId));
    for (const text of [
      'Rechnung 000001',
      'Steuernummer DE123456789',
      'Servicegebühr der Plattform',
      'Enthält 19 % Steuer',
    ])
      expect(invoice).toContain(text);
  });

  it.runIf(hasPoppler)('names the seller, the taxes and the fee; each refund has a credit note', async () => {
    const sale = await openTaxedSale();
    const [floor, parking] = sale.event.tiers;
    const placed = await placeGuestOrder(sale, undefined, {
      items: [
        { tierId: floor.id, quantity: 2 },
        { tierId: parking.id, quantity: 1 },
      ],
    });
    await payOrder(placed);
    const { guest, orderId, reference } = placed;
    const invoice = textOf(await getInvoice(guest, orderId));
    for (const text of [
      'Invoice 000001',
      `Date: ${new Date().toISOString().slice(0, 8)}`,
      `Order: ${reference}`,
      seller.name,
      seller.address,
      'Tax number DE123456789',
      'Gus Guest',
      '2 × Floor 19 % 100.00 NGN',
      '1 × Parking 7 % 20.00 NGN',
      'Service fee of the platform 3.00 NGN',
      'Total 123.00 NGN',
      'Includes 19 % tax: 15.97 NGN on a net amount of 84.03 NGN',
      'Includes 7 % tax: 1.31 NGN on a net amount of 18.69 NGN',
    ])
      expect(invoice).toContain(text);

    // The invoice keeps the seller of the purchase.
    const other = { name: 'Other', address: '2 Road' };
    expectStatus(200, await changeEvent(sale, { seller: other }));
    expect(textOf(await getInvoice(guest, orderId))).toContain(seller.name);

    expectStatus(200, await refund(sale, orderId, { seats: [2] }));
    expectStatus(200, await refund(sale, orderId, { amount: 10 }));
    expectStatus(200, await refund(sale, orderId));
    const order = await readOrder(guest, orderId);
    expect(order.invoiceNumber).toBe(1);
    expect(
      order.refunds.map((part: { creditNoteNumber: number; amount: number }) => [
        part.creditNoteNumber,
        part.amount,
      ]),
    ).toEqual([
      [2, 51.25],
      [3, 10],
      [4, 61.75],
    ]);
    const note = textOf(await getInvoice(guest, orderId, '?refund=1'));
    for (const text of [
      'Credit note 000002',
      'For: invoice 000001 of ',
      '1 × Floor 19 % 50.00 NGN',
      'Service fee of the platform 1.25 NGN',
      'Total credited 51.25 NGN',
      'Includes 19 % tax: 7.98 NGN on a net amount of 42.02 NGN',
    ])
      expect(note).toContain(text);
    expect(textOf(await getInvoice(sale.organizer, orderId, '?refund=3'))).toContain(
      'Total credited 61.75 NGN',
    );
    expect(errorOf(await getInvoice(guest, orderId, '?refund=4'))).toEqual([404, 'invoice-not-found']);
  });

  it('numbers the invoices of all events of an organizer in one sequence', async () => {
    const sale = await openTaxedSale();
    const event = await createEvent(sale.organizer, {
      currency: 'USD',
      seller,
      tiers: [{ name: 'Seat', price: 10, quantity: 10, maxPerPerson: 10 }],
    });
    const numbers: number[] = [];
    for (const each of [sale, { event }, sale]) {
      const { orderId } = await buyTickets(each, buyer, 1);
      numbers.push((await readOrder(buyer, orderId)).invoiceNumber);
    }
    expect(numbers).toEqual([1, 2, 3]);
  });

  it('does not exist without a seller, for a free order and for an order that is not paid', async () => {
    const sale = await openSale();
    const withoutSeller = await buyTickets(sale, buyer, 1);
    // A seller who comes later has not sold the earlier orders.
    expectStatus(200, await changeEvent(sale, { seller }));
    const freeSale = await openSale({ price: 0 });
    expectStatus(200, await changeEvent(freeSale, { seller }));
    const free = expectStatus(
      201,
      await buyer.post('/api/orders/initialize', {
        eventId: freeSale.event.id,
        tierId: freeSale.event.tiers[0].id,
        quantity: 1,
        paymentMethod: 'FIAT',
      }),
    );
    const unpaid = expectStatus(
      201,
      await buyer.post('/api/orders/initialize', {
        eventId: sale.event.id,
        tierId: sale.event.tiers[0].id,
        quantity: 1,
        paymentMethod: 'FIAT',
      }),
    );
    for (const { orderId } of [withoutSeller, free, unpaid]) {
      expect(errorOf(await getInvoice(buyer, orderId))).toEqual([404, 'invoice-not-found']);
      expect((await readOrder(buyer, orderId)).invoiceNumber).toBeNull();
    }
  });
});
