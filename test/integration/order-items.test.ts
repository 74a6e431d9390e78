import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  cancelOrder,
  checkIn,
  controlSandbox,
  createCode,
  createEvent,
  type Person,
  placeOrder,
  readBalance,
  readOrder,
  readSeats,
  registerUser,
  requestOrder,
  requestQuote,
  requestRefund,
  type Sale,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';

// biome-ignore lint/suspicious/noExplicitAny: the answers have no types
type Json = any;

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  [organizer, buyer] = await Promise.all([
    registerUser({ role: 'ORGANIZER' }),
    registerUser({ walletAddress: wallet }),
  ]);
});

/** An event with adults, children (two at least) and parking. */
async function openFamilySale(fields: object = {}): Promise<Sale & { ids: string[] }> {
  const tiers = [
    { name: 'Adult', price: 50, quantity: 10, maxPerPerson: 9 },
    { name: 'Child', price: 9.99, quantity: 3, maxPerPerson: 4 },
    { name: 'Parking', price: 5, quantity: 2, kind: 'addon' },
  ];
  const event = await createEvent(organizer, { currency: 'NGN', tiers, ...fields });
  return { organizer, event, ids: event.tiers.map(({ id }: Json) => id) };
}

const itemsOf = ({ ids }: { ids: string[] }, ...quantities: number[]) =>
  quantities.flatMap((quantity, index) => (quantity > 0 ? [{ tierId: ids[index], quantity }] : []));

const readTiers = async ({ event }: Sale): Promise<number[]> =>
  (await organizer.get(`/api/events/${event.id}`)).body.event.tiers.map(({ available }: Json) => available);

describe('an order of several items', () => {
  it('is a family’s purchase: priced, paid, minted without the add-on, admitted, refunded', async () => {
    const { ticketContract, chainId } = organizer.stack;
    const sale = await openFamilySale({ contractAddress: ticketContract, chainId, entry: 'account' });
    await createCode(sale, { code: 'KIDS', kind: 'percent', value: 50, tierIds: [sale.ids[1]] });
    const items = [...itemsOf(sale, 0, 0, 1), ...itemsOf(sale, 2, 1)];
    const { body: quote } = await requestQuote(sale, { items, code: 'KIDS' });
    expect(quote).toMatchObject({ subtotal: 114.99, discount: 5, fee: 2.75, total: 112.74 });
    expect(quote.items.map(({ name, discount }: Json) => [name, discount])).toEqual([
      ['Adult', 0],
      ['Child', 5],
      ['Parking', 0],
    ]);

    const placed = await placeOrder(sale, buyer, { items, code: 'KIDS' });
    expect(placed).toMatchObject({ totalAmount: 112.74, discount: 5 });
    expect(await readTiers(sale)).toEqual([8, 2, 1]);
    await controlSandbox(`payments/${placed.reference}/pay`);
    const order = await waitForMintedOrder(buyer, placed.orderId);
    expect(order).toMatchObject({ tierId: sale.ids[0], quantity: 4, subtotal: 114.99 });
    expect(
      order.items.map(({ name, kind, quantity, unitPrice, firstNumber }: Json) => [
        name,
        kind,
        quantity,
        unitPrice,
        firstNumber,
      ]),
    ).toEqual([
      ['Adult', 'ticket', 2, 50, 1],
      ['Child', 'ticket', 1, 9.99, 3],
      ['Parking', 'addon', 1, 5, 4],
    ]);
    expect(order.admissions.map(({ number, tierName, kind }: Json) => [number, tierName, kind])).toEqual([
      [1, 'Adult', 'ticket'],
      [2, 'Adult', 'ticket'],
      [3, 'Child', 'ticket'],
      [4, 'Parking', 'addon'],
    ]);
    const { tickets } = (await buyer.get(`/api/tickets?orderId=${placed.orderId}`)).body;
    expect(tickets.map(({ id }: Json) => id.slice(-3)).sort()).toEqual(['001', '002', '003']);
    const { seats } = await readSeats(buyer, `?eventId=${sale.event.id}`);
    expect(seats.map(({ number, tier }: Json) => `${number} ${tier.name}`).sort()).toEqual([
      '1 Adult',
      '2 Adult',
      '3 Child',
      '4 Parking',
    ]);
    expect(await readBalance(organizer)).toMatchObject({ available: 109.99 });

    const { body: admission } = await checkIn(order.admissions[2].checkInCode, organizer);
    expect(admission.checkIn).toMatchObject({
      number: 3,
      tierName: 'Child',
      tierId: sale.ids[1],
      kind: 'ticket',
    });
    const { body: parked } = await checkIn(order.admissions[3].checkInCode, organizer);
    expect(parked.checkIn).toMatchObject({ tierName: 'Parking', kind: 'addon' });
    const { body: door } = await organizer.get(`/api/events/${sale.event.id}/admissions?q=${placed.orderId}`);
    expect(door).toMatchObject({ admitted: 1, expected: 3 });
    expect(door.orders[0].tierName).toBe('2 × Adult, 1 × Child, 1 × Parking');
    const csv = await organizer.get(`/api/events/${sale.event.id}/orders`, {
      headers: { accept: 'text/csv' },
    });
    expect(csv.body.trim().split('\r\n')).toHaveLength(4);
    const { body: summary } = await organizer.get(`/api/events/${sale.event.id}/summary`);
    expect(summary.summary).toMatchObject({ sold: 3, net: 109.99, fee: 2.75, gross: 112.74 });
  });

  it('gives back all its tickets with a refund', async () => {
    const sale = await openFamilySale({ totalSupply: 6 });
    const { orderId, reference } = await placeOrder(sale, buyer, { items: itemsOf(sale, 2, 1, 1) });
    await controlSandbox(`payments/${reference}/pay`);
    await eventually(
      'the order is posted',
      async () => !['none', 'queued'].includes((await readOrder(buyer, orderId)).fulfilment.status),
    );
    expect(await readTiers(sale)).toEqual([3, 2, 1]);
    expect((await requestRefund(orderId, organizer)).status).toBe(200);
    expect(await readTiers(sale)).toEqual([6, 3, 2]);
  });

  it('is refused whole when one tier is sold out, with that tier’s name and id', async () => {
    const sale = await openFamilySale();
    const refusal = await requestOrder(sale, buyer, { items: itemsOf(sale, 1, 4) });
    expect(errorOf(refusal)).toEqual([409, 'too-few-left']);
    expect(refusal.body.error).toBe('Child: Only 3 left');
    expect(refusal.headers.get('x-error-tier')).toBe(sale.ids[1]);
    expect(await readTiers(sale)).toEqual([10, 3, 2]);
  });

  it('counts all tickets towards the event’s own supply, and the add-ons apart', async () => {
    const sale = await openFamilySale({ totalSupply: 4 });
    const first = await placeOrder(sale, buyer, { items: itemsOf(sale, 1, 2, 2) });
    expect(await readTiers(sale)).toEqual([1, 1, 0]);
    expect(errorOf(await requestOrder(sale, buyer, { items: itemsOf(sale, 1, 1) }))).toEqual([
      409,
      'too-few-left',
    ]);
    expect((await cancelOrder(first.orderId, buyer)).status).toBe(200);
    expect(await readTiers(sale)).toEqual([4, 3, 2]);
  });

  it('keeps the limits of the buyer per tier and per event', async () => {
    const sale = await openFamilySale({ maxPerWallet: 4 });
    await placeOrder(sale, buyer, { items: itemsOf(sale, 2, 1, 2) });
    const refusal = await requestOrder(sale, buyer, { items: itemsOf(sale, 1, 1) });
    expect(errorOf(refusal)).toEqual([409, 'wallet-limit']);
    await placeOrder(sale, buyer, { items: itemsOf(sale, 0, 1) });
  });

  it('lets the organizer pay the fee', async () => {
    const seller = await registerUser({ role: 'ORGANIZER' });
    const tiers = [
      { name: 'Adult', price: 10, quantity: 5 },
      { name: 'Child', price: 3, quantity: 5 },
    ];
    const event = await createEvent(seller, { currency: 'NGN', tiers, feePaidBy: 'organizer' });
    const items = event.tiers.map(({ id }: Json) => ({ tierId: id, quantity: 1 }));
    const { orderId, reference, totalAmount } = await placeOrder({ event }, buyer, { items });
    expect(totalAmount).toBe(13);
    await controlSandbox(`payments/${reference}/pay`);
    await expect.poll(async () => (await readBalance(seller)).available, { timeout: 90_000 }).toBe(12.67);
    const { body } = await seller.get(`/api/events/${event.id}/summary`);
    expect(body.summary).toMatchObject({ gross: 13, fee: 0.33, net: 12.67 });
    await requestRefund(orderId, seller);
    expect((await readBalance(seller)).available).toBe(0);
  });
});
