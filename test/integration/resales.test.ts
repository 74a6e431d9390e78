import { describe, expect, it } from 'vitest';
import { createWallet, readOwners, readTransferBlocks } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  acceptTransfer,
  buyTickets,
  type Caller,
  cancelOrder,
  changeEvent,
  checkIn,
  controlSandbox,
  countAvailable,
  createEvent,
  expectStatus,
  listTickets,
  offerSeat,
  type Person,
  type PlacedOrder,
  payOrder,
  placeOrder,
  readBalance,
  readNotifications,
  readOrder,
  registerUser,
  requestOrder,
  requestRefund,
  type Sale,
  serveWaitingLists,
  type TicketView,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
type Json = any;

const nextYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
const returns = { until: nextYear, feePercent: 10, mode: 'when-resold' };
const tier = { name: 'Floor', price: 50, quantity: 3, maxPerPerson: 4 };
const fields = { currency: 'NGN', waitingList: true, returns, tiers: [tier] };

async function openResale(others: object = {}): Promise<Sale> {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  return { organizer, event: await createEvent(organizer, { ...fields, ...others }) };
}

const people = (count: number) => Promise.all(Array.from({ length: count }, () => registerUser()));

const join = ({ event }: Sale, person: Person, quantity = 1) =>
  person.post(`/api/events/${event.id}/waiting-list`, { tierId: event.tiers[0].id, quantity });

const list = (orderId: string, caller: Caller, seats: number[], key?: string) =>
  caller.post(
    `/api/orders/${orderId}/returns`,
    { seats },
    key ? { headers: { 'idempotency-key': key } } : {},
  );

const unlist = (orderId: string, caller: Caller, id: string) =>
  caller.delete(`/api/orders/${orderId}/returns/${id}`);

const readEntry = async (person: Person): Promise<Json> =>
  (await person.get('/api/waiting-list')).body.entries[0];

/** Sells all three tickets to one buyer, who lists some, and has others wait for one each. */
async function prepare(seats: number[], waiting: Person[], others: object = {}) {
  const sale = await openResale(others);
  const seller = await registerUser();
  const { orderId, reference } = await buyTickets(sale, seller, 3);
  for (const person of waiting) expectStatus(201, await join(sale, person));
  const listed = expectStatus(201, await list(orderId, seller, seats)).return;
  await serveWaitingLists(sale, ...waiting.slice(0, seats.length));
  return { sale, seller, orderId, reference, listed };
}

/** Has due refunds sent at once, as the sweep does every minute. */
const sweep = () => sharedStack().invoke('workers-sweep');

const awaitRefund = (what: string, read: () => Promise<Json>): Promise<Json> =>
  eventually(what, async () => {
    const { refund, refunds } = await read();
    if ([refund, ...refunds].some((part) => part?.status === 'done')) return read();
    await sweep();
  });

async function takeOffer(sale: Sale, person: Person): Promise<PlacedOrder> {
  return placeOrder(sale, person, { offerId: (await readEntry(person)).offer.id });
}

const admit = async (order: Json, number: number, sale: Sale) => {
  const { checkInCode } = order.admissions.find((seat: Json) => seat.number === number);
  return checkIn(checkInCode, sale.organizer);
};

it('sells a listed seat to the next who waits: the new order completes when the old seat ends', async () => {
  const [taker] = (await people(1)) as [Person];
  const { sale, seller, orderId, listed } = await prepare([2], [taker]);
  expect(listed).toMatchObject({ seats: [2], refundAmount: 46.13, fee: 5.12, status: 'listed' });
  const before = await readOrder(seller, orderId);
  expect(before).toMatchObject({
    openReturns: [{ id: listed.id, seats: [2], status: 'offered' }],
    refunds: [],
    refundedAmount: 0,
  });
  expect(before.admissions).toHaveLength(3);
  const order = await takeOffer(sale, taker);
  expect(await countAvailable(sale.event)).toBe(0);
  expect((await readOrder(seller, orderId)).admissions).toHaveLength(3);
  await payOrder(order);
  expect(await order.read()).toMatchObject({ paymentStatus: 'COMPLETED', admissions: [{ number: 1 }] });
  const after = await readOrder(seller, orderId);
  expect(after).toMatchObject({ openReturns: [], refunds: [{ seats: [2], amount: 46.13 }], refund: null });
  expect(errorOf(await admit(before, 2, sale))).toEqual([409, 'refunded']);
  expect(errorOf(await list(orderId, seller, [2]))).toEqual([409, 'refunded']);
  expectStatus(200, await admit(before, 1, sale));
  expectStatus(200, await admit(await order.read(), 1, sale));
  await awaitRefund('the seller is refunded', () => readOrder(seller, orderId));
  expect(await countAvailable(sale.event)).toBe(0);
  // Two seats of the seller, one of the taker, and the fee that is kept.
  expect(await readBalance(sale.organizer)).toMatchObject({ available: 155.12 });
});

it('mints the buyer’s tokens once those of both sellers are burned', async () => {
  const [first, second, taker] = (await Promise.all(
    [1, 2, 3].map(() => registerUser({ walletAddress: createWallet().address })),
  )) as [Person, Person, Person];
  const { ticketContract: contractAddress, chainId } = sharedStack();
  const tiers = [{ ...tier, quantity: 4 }];
  const sale = await openResale({ tiers, contractAddress, chainId, entry: 'account' });
  const ordersOfSellers = await Promise.all(
    [first, second].map(async (seller) => ({ seller, ...(await buyTickets(sale, seller, 2)) })),
  );
  const tokens: TicketView[] = [];
  for (const { seller, orderId } of ordersOfSellers) {
    await waitForMintedOrder(seller, orderId);
    tokens.push(...(await listTickets(seller, orderId)));
  }
  expectStatus(201, await join(sale, taker, 2));
  for (const { seller, orderId } of ordersOfSellers) expectStatus(201, await list(orderId, seller, [2]));
  await serveWaitingLists(sale, taker);
  const { id: offerId } = (await readEntry(taker)).offer;
  const order = await placeOrder(sale, taker, { quantity: 2, offerId });
  await controlSandbox(`payments/${order.reference}/pay`);
  // The sweep queues the burns, and the last burn’s end the mint.
  const minted = await eventually('the order is minted', async () => {
    const current = await order.read();
    if (current.fulfilment.status === 'minted') return current;
    await sweep();
  });
  const bought = await listTickets(taker, minted.id);
  const mintedAt = await Promise.all(bought.map(async (token) => (await readTransferBlocks(token))[0]));
  const isSold = ({ id }: TicketView) => id.endsWith('-002');
  const burnedAt = await Promise.all(
    tokens.filter(isSold).map(async (token) => (await readTransferBlocks(token))[1]),
  );
  expect([burnedAt.length, mintedAt.length]).toEqual([2, 2]);
  expect(Math.min(...mintedAt.map(Number))).toBeGreaterThan(Math.max(...burnedAt.map(Number)));
  expect(await readOwners(tokens.filter((token) => !isSold(token)))).toHaveLength(2);
});

/** Two people list a seat of an order each, one ticket is free, and a third waits for all three. */
async function prepareShared(others: object = {}) {
  const [first, second, taker] = (await people(3)) as [Person, Person, Person];
  const sale = await openResale({ tiers: [{ ...tier, quantity: 5 }], ...others });
  const orderOf = async (person: Person) => {
    const { orderId } = await buyTickets(sale, person, 2);
    return { person, orderId, read: () => readOrder(person, orderId) };
  };
  const sellers = [await orderOf(first), await orderOf(second)] as const;
  expectStatus(201, await join(sale, taker, 3));
  for (const { orderId, person } of sellers) expectStatus(201, await list(orderId, person, [1]));
  await serveWaitingLists(sale, taker);
  return { sale, sellers, taker };
}

const takeThree = async (sale: Sale, person: Person, quantity = 3) =>
  placeOrder(sale, person, { quantity, offerId: (await readEntry(person)).offer.id });

describe('an offer of a free ticket and the listed seats of two orders', () => {
  it('is paid at once: both sellers’ seats end, with a credit note each, and the free ticket is sold', async () => {
    const seller = { name: 'Club', address: '1 Road', taxId: 'DE123456789' };
    const { sale, sellers, taker } = await prepareShared({ seller });
    const order = await takeThree(sale, taker);
    expect(await countAvailable(sale.event)).toBe(0);
    await payOrder(order);
    expect((await order.read()).admissions).toHaveLength(3);
    const creditNotes: number[] = [];
    for (const { read } of sellers) {
      const { openReturns, refunds, admissions } = await read();
      creditNotes.push(refunds[0].creditNoteNumber);
      expect({ openReturns, refunds }).toMatchObject({
        openReturns: [],
        refunds: [{ seats: [1], amount: 46.13 }],
      });
      expect(admissions.map(({ number }: Json) => number)).toEqual([2]);
    }
    expect([...creditNotes, (await order.read()).invoiceNumber]).toEqual([3, 4, 5]);
    expect(await readBalance(sale.organizer)).toMatchObject({ available: 5 * 50 + 2 * 5.12 });
  });

  it('is taken back when one of them keeps the seat, and the person keeps the place', async () => {
    const { sellers, taker } = await prepareShared();
    const [{ person, orderId, read }, other] = sellers;
    const [{ id }] = (await read()).openReturns;
    expectStatus(200, await unlist(orderId, person, id));
    expect(await readEntry(taker)).toMatchObject({ status: 'waiting', position: 1 });
    expect((await other.read()).openReturns).toMatchObject([{ status: 'listed' }]);
  });

  it('gives a buyer who pays too late for one of them all the money back, while too few are free', async () => {
    const { sale, sellers, taker } = await prepareShared();
    const order = await takeThree(sale, taker);
    expectStatus(200, await admit(await sellers[0].read(), 1, sale));
    await controlSandbox(`payments/${order.reference}/pay`);
    const refunded = await awaitRefund('the payment goes back', order.read);
    expect(refunded).toMatchObject({ refund: { amount: 153.75 }, fulfilment: { status: 'refund-due' } });
    for (const { read } of sellers) expect((await read()).refunds).toEqual([]);
    expect((await sellers[1].read()).openReturns).toMatchObject([{ status: 'listed' }]);
  });

  it('gives the free ticket first when fewer are ordered, and lists the other seats again', async () => {
    const { sale, sellers, taker } = await prepareShared();
    const order = await takeThree(sale, taker, 2);
    await payOrder(order);
    const returned = await Promise.all(sellers.map(async ({ read }) => (await read()).refunds.length));
    expect(returned).toEqual([1, 0]);
    expect((await sellers[1].read()).openReturns).toMatchObject([{ status: 'listed' }]);
  });

  it('is offered again after a cancelled order, also to another person', async () => {
    const { sale, sellers, taker } = await prepareShared();
    const next = await registerUser();
    expectStatus(201, await join(sale, next, 3));
    const order = await takeThree(sale, taker);
    expectStatus(200, await cancelOrder(order.orderId, taker));
    await serveWaitingLists(sale, next);
    await payOrder(await takeThree(sale, next));
    for (const { read } of sellers) expect((await read()).refunds).toHaveLength(1);
  });
});

it('sells the seats of two orders of one buyer at once', async () => {
  const [seller, taker] = (await people(2)) as [Person, Person];
  const sale = await openResale({ tiers: [{ ...tier, quantity: 2 }] });
  const orders = [await buyTickets(sale, seller, 1), await buyTickets(sale, seller, 1)];
  expectStatus(201, await join(sale, taker, 2));
  for (const { orderId } of orders) expectStatus(201, await list(orderId, seller, [1]));
  await serveWaitingLists(sale, taker);
  await payOrder(await takeThree(sale, taker, 2));
  for (const { orderId } of orders)
    expect((await readOrder(seller, orderId)).refund).toMatchObject({ amount: 46.13 });
  expect(await countAvailable(sale.event)).toBe(0);
  // Their limit counts none of the tickets that were sold.
  const tierId = sale.event.tiers[0].id;
  const more = await sale.organizer.put(`/api/events/${sale.event.id}/tiers/${tierId}`, { quantity: 6 });
  expectStatus(200, more);
  await eventually('nobody waits any more', async () => {
    await serveWaitingLists(sale);
    return (await requestOrder(sale, seller, { quantity: 4 })).status === 201;
  });
});

it('ends the seller’s order with its last seat', async () => {
  const [taker] = (await people(1)) as [Person];
  const sale = await openResale({ tiers: [{ ...tier, quantity: 2 }] });
  const seller = await registerUser();
  const { orderId } = await buyTickets(sale, seller, 2);
  expectStatus(201, await join(sale, taker, 2));
  expectStatus(201, await list(orderId, seller, [1, 2]));
  await serveWaitingLists(sale, taker);
  const order = await placeOrder(sale, taker, { quantity: 2, offerId: (await readEntry(taker)).offer.id });
  await payOrder(order);
  expect(await readOrder(seller, orderId)).toMatchObject({
    refund: { amount: 92.25 },
    openReturns: [],
    fulfilment: { status: 'refund-due' },
  });
});

it('lists a seat once, at most ten of an order, and none that can’t be sold', async () => {
  const [stranger] = (await people(1)) as [Person];
  const { sale, seller, orderId, listed } = await prepare([1], []);
  expect(errorOf(await list(orderId, seller, [1, 2]))).toEqual([409, 'listed']);
  expect((await list(orderId, stranger, [2])).status).toBe(404);
  expect((await unlist(orderId, stranger, listed.id)).status).toBe(404);
  const second = expectStatus(201, await list(orderId, seller, [2], `list ${orderId}`)).return;
  expect(expectStatus(201, await list(orderId, seller, [2], `list ${orderId}`)).return).toEqual(second);
  const { openReturns } = expectStatus(200, await unlist(orderId, seller, second.id));
  expect(openReturns).toEqual([{ id: listed.id, seats: [1], status: 'listed' }]);
  expectStatus(200, await unlist(orderId, seller, second.id));
  await admit(await readOrder(seller, orderId), 2, sale);
  expect(errorOf(await list(orderId, seller, [2]))).toEqual([409, 'admitted']);
  const large = await openResale({ tiers: [{ ...tier, quantity: 20, maxPerPerson: 20 }] });
  const big = await buyTickets(large, seller, 11);
  const all = Array.from({ length: 11 }, (_, index) => index + 1);
  expect(errorOf(await list(big.orderId, seller, all))).toEqual([409, 'too-many-listed']);
  expectStatus(201, await list(big.orderId, seller, all.slice(1)));
});

it('needs a waiting list, entry by account, and a currency that is paid at a gateway', async () => {
  const sale = await openResale();
  const { ticketContract, chainId } = sharedStack();
  for (const body of [
    { waitingList: false },
    { currency: 'POL' },
    { contractAddress: ticketContract, chainId, entry: 'token' },
  ]) {
    expect(errorOf(await changeEvent(sale, body))).toEqual([400, 'invalid-input']);
    const event = { title: 'Jazz', venue: 'Club', startDate: nextYear, ...fields, ...body };
    expect(errorOf(await sale.organizer.post('/api/events', event))).toEqual([400, 'invalid-input']);
  }
});

it('is listed at most 20 times a day by one buyer, since those who wait are mailed each time', async () => {
  const sale = await openResale();
  const [seller] = (await people(1)) as [Person];
  const { orderId } = await buyTickets(sale, seller, 3);
  for (let count = 0; count < 20; count++) {
    const { id } = expectStatus(201, await list(orderId, seller, [1])).return;
    expectStatus(200, await unlist(orderId, seller, id));
  }
  expect(errorOf(await list(orderId, seller, [1]))).toEqual([429, 'too-many-attempts']);
});

it('keeps the place of a person whose offer ends because the seller keeps the seat', async () => {
  const [first, second] = (await people(2)) as [Person, Person];
  const { sale, seller, orderId, listed } = await prepare([1, 2], [first]);
  expectStatus(201, await join(sale, second));
  const { offer } = await readEntry(first);
  expect(expectStatus(200, await unlist(orderId, seller, listed.id)).openReturns).toEqual([]);
  expect(await readEntry(first)).toMatchObject({ status: 'waiting', position: 1, offer: null });
  expect(await readEntry(second)).toMatchObject({ status: 'waiting', position: 2 });
  expect(errorOf(await requestOrder(sale, first, { offerId: offer.id }))).toEqual([409, 'offer-ended']);
  expect((await readOrder(seller, orderId)).admissions).toHaveLength(3);
});

it.each([
  ['admitted', async (sale: Sale, seller: Person, id: string) => admit(await readOrder(seller, id), 1, sale)],
  [
    'transferred',
    async (_: Sale, seller: Person, id: string) => {
      const receiver = await registerUser();
      const { transfer } = expectStatus(201, await offerSeat(seller, id, 1, receiver.user.email));
      return acceptTransfer(receiver, transfer.token);
    },
  ],
  [
    'refunded',
    (sale: Sale, _: Person, id: string) => sale.organizer.post(`/api/orders/${id}/refund`, { seats: [1] }),
  ],
])('ends an offer of a seat that was %s, and the person keeps the place', async (_, end) => {
  const [taker] = (await people(1)) as [Person];
  const { sale, seller, orderId } = await prepare([1], [taker]);
  const { offer } = await readEntry(taker);
  expect((await end(sale, seller, orderId)).status).toBe(200);
  expect(errorOf(await requestOrder(sale, taker, { offerId: offer.id }))).toEqual([409, 'offer-ended']);
  await sale.organizer.put(`/api/events/${sale.event.id}`, { totalSupply: 3 });
  await serveWaitingLists(sale, ...(_ === 'refunded' ? [taker] : []));
  const entry = await readEntry(taker);
  if (_ !== 'refunded') {
    expect(entry).toMatchObject({ status: 'waiting', position: 1 });
    expect((await readNotifications(taker)).map(({ title }) => title)).toContain(
      'You are still on the waiting list',
    );
  }
  expect((await readOrder(seller, orderId)).openReturns).toEqual([]);
});

it('refunds a buyer who pays after the seat was admitted, while none is free', async () => {
  const [taker] = (await people(1)) as [Person];
  const { sale, seller, orderId } = await prepare([1], [taker]);
  const order = await takeOffer(sale, taker);
  expectStatus(200, await admit(await readOrder(seller, orderId), 1, sale));
  await controlSandbox(`payments/${order.reference}/pay`);
  const refunded = await awaitRefund('the payment goes back', order.read);
  expect(refunded).toMatchObject({
    paymentStatus: 'COMPLETED',
    refund: { amount: 51.25 },
    fulfilment: { status: 'refund-due', reason: 'sold-out' },
  });
  expect(await readOrder(seller, orderId)).toMatchObject({ refunds: [], refund: null });
});

it('gives a buyer another free ticket when the seller has kept the seat before the payment', async () => {
  const [taker] = (await people(1)) as [Person];
  const { sale, seller, orderId, listed } = await prepare([1], [taker]);
  const order = await takeOffer(sale, taker);
  expectStatus(200, await unlist(orderId, seller, listed.id));
  const tierId = sale.event.tiers[0].id;
  expectStatus(
    200,
    await sale.organizer.put(`/api/events/${sale.event.id}/tiers/${tierId}`, { quantity: 4 }),
  );
  await payOrder(order);
  expect(await order.read()).toMatchObject({ paymentStatus: 'COMPLETED', admissions: [{ number: 1 }] });
  expect(await readOrder(seller, orderId)).toMatchObject({ refunds: [], openReturns: [] });
});

it('lists the seat again when the order is cancelled, and settles its late payment without it', async () => {
  const [first, second] = (await people(2)) as [Person, Person];
  const { sale, seller, orderId } = await prepare([1], [first, second]);
  const order = await takeOffer(sale, first);
  expectStatus(200, await cancelOrder(order.orderId, first));
  expect((await readOrder(seller, orderId)).openReturns).toMatchObject([{ seats: [1], status: 'listed' }]);
  await serveWaitingLists(sale, second);
  await controlSandbox(`payments/${order.reference}/pay`);
  await awaitRefund('the late payment goes back', order.read);
  await payOrder(await takeOffer(sale, second));
  expect((await readOrder(seller, orderId)).refunds).toMatchObject([{ seats: [1] }]);
});

it('lists the seat again when the offer is declined, and when fewer are ordered', async () => {
  const [first, second] = (await people(2)) as [Person, Person];
  const sale = await openResale();
  const seller = await registerUser();
  const { orderId } = await buyTickets(sale, seller, 3);
  expectStatus(201, await join(sale, first, 2));
  expectStatus(201, await join(sale, second, 2));
  expectStatus(201, await list(orderId, seller, [1, 2]));
  await serveWaitingLists(sale, first);
  expectStatus(200, await first.delete(`/api/waiting-list/${(await readEntry(first)).id}`));
  expect((await readOrder(seller, orderId)).openReturns).toMatchObject([{ status: 'listed' }]);
  await serveWaitingLists(sale, second);
  const order = await takeOffer(sale, second);
  await payOrder(order);
  expect(await readOrder(seller, orderId)).toMatchObject({
    openReturns: [{ seats: [2], status: 'listed' }],
    refunds: [{ seats: [1] }],
  });
});

it('tells the seller, once, that nobody has bought the seat when the sale ends, and the ticket stays valid', async () => {
  const { sale, seller, orderId } = await prepare([2], []);
  const check = () =>
    sharedStack().invoke('workers-run-event-jobs', {
      Records: [
        {
          messageId: '1',
          body: JSON.stringify({ type: 'check-listings', eventId: sale.event.id, orderId }),
          attributes: {},
        },
      ],
    });
  await check();
  expect((await readOrder(seller, orderId)).openReturns).toMatchObject([{ seats: [2], status: 'listed' }]);
  // No offer is made in the last half hour.
  const saleEnd = new Date(Date.now() + 20 * 60_000).toISOString();
  await changeEvent(sale, { saleEnd });
  await Promise.all([check(), check()]);
  await check();
  const order = await readOrder(seller, orderId);
  expect(order).toMatchObject({ openReturns: [], refunds: [] });
  const notifications = await readNotifications(seller);
  const unsold = notifications.filter(({ title }) => title === 'Your ticket was not sold');
  expect(unsold).toMatchObject([{ orderId, message: expect.stringContaining('ticket 2 of your order') }]);
  const mail = await awaitMail(seller.user.email, 'not sold');
  expect(mail.body.text).toContain('stays valid');
  expectStatus(200, await admit(order, 2, sale));
});

it('offers nobody the own seat', async () => {
  const [other] = (await people(1)) as [Person];
  const sale = await openResale();
  const seller = await registerUser();
  const { orderId } = await buyTickets(sale, seller, 3);
  expectStatus(201, await join(sale, seller));
  expectStatus(201, await join(sale, other));
  expectStatus(201, await list(orderId, seller, [1]));
  await serveWaitingLists(sale, other);
  expect(await readEntry(seller)).toMatchObject({ status: 'waiting', position: 1 });
});

it('refunds seller and buyer of a cancelled event', async () => {
  const [taker] = (await people(1)) as [Person];
  const { sale, seller, orderId } = await prepare([1], [taker]);
  const order = await takeOffer(sale, taker);
  await payOrder(order);
  await changeEvent(sale, { status: 'CANCELLED' });
  for (const read of [order.read, () => readOrder(seller, orderId)])
    await eventually('the order is refunded', async () => {
      if ((await read()).refund?.status === 'done') return true;
      await sweep();
    });
  expect((await readOrder(seller, orderId)).refundedAmount).toBe(148.63);
});

it('ends the returns of a cancelled event, also while one is being paid', async () => {
  const [taker] = (await people(1)) as [Person];
  const { sale, seller, orderId } = await prepare([1], [taker]);
  const order = await takeOffer(sale, taker);
  await changeEvent(sale, { status: 'CANCELLED' });
  await controlSandbox(`payments/${order.reference}/pay`);
  for (const read of [order.read, () => readOrder(seller, orderId)])
    await eventually('the order is refunded', async () => {
      if ((await read()).refund?.status === 'done') return true;
      await sweep();
    });
  expect((await readOrder(seller, orderId)).refundedAmount).toBe(153.75);
});

it('does not sell the seats of a disputed payment', async () => {
  const [taker] = (await people(1)) as [Person];
  const { sale, seller, orderId, reference } = await prepare([1], [taker]);
  const order = await takeOffer(sale, taker);
  await controlSandbox(`payments/${reference}/dispute`, { status: 'open' });
  await eventually('the dispute is known', async () => (await readOrder(seller, orderId)).paymentReview);
  expect(errorOf(await list(orderId, seller, [2]))).toEqual([409, 'disputed']);
  await controlSandbox(`payments/${order.reference}/pay`);
  await awaitRefund('the payment goes back', order.read);
  expect(await readOrder(seller, orderId)).toMatchObject({ refunds: [], refund: null });
});

it('sells the seat of a person whose account is closed meanwhile, and lists that of an offer to one', async () => {
  const [first, second] = (await people(2)) as [Person, Person];
  const { sale, seller, orderId } = await prepare([1], [first, second]);
  expectStatus(200, await first.post(`/api/users/${first.user.id}/erasure`));
  await serveWaitingLists(sale, second);
  expectStatus(200, await seller.post(`/api/users/${seller.user.id}/erasure`));
  const order = await takeOffer(sale, second);
  await payOrder(order);
  expect((await order.read()).admissions).toHaveLength(1);
  const { refunds } = await readOrder(sale.organizer, orderId);
  expect(refunds).toMatchObject([{ seats: [1], amount: 46.13 }]);
});

it('can’t be refunded twice: a refund of the whole order leaves out a seat that was sold', async () => {
  const [taker] = (await people(1)) as [Person];
  const { sale, seller, orderId } = await prepare([1], [taker]);
  await payOrder(await takeOffer(sale, taker));
  expectStatus(200, await requestRefund(orderId, sale.organizer));
  const order = await eventually('the order is refunded', async () => {
    const current = await readOrder(seller, orderId);
    return current.refund?.status === 'done' && current;
  });
  expect(order.refundedAmount).toBe(148.63);
  await serveWaitingLists(sale);
  expect(await countAvailable(sale.event)).toBe(2);
});
