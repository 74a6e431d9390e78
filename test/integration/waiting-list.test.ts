import { describe, expect, it } from 'vitest';
import type { WaitingEntry } from '../../shared/catalog/waiting-list/entry.ts';
import { EntryChanged, findEntry, insertEntry } from '../../shared/catalog/waiting-list/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { transact } from '../../shared/dynamo/write.ts';
import { endEntry } from '../../shared/orders/waiting-list/end-entry.ts';
import { eventually } from '../support/eventually.ts';
import {
  anonymous,
  cancelOrder,
  changeEvent,
  controlSandbox,
  countAvailable,
  createEvent,
  expectStatus,
  type Person,
  type PlacedOrder,
  placeGuestOrder,
  placeOrder,
  readNotifications,
  readOrder,
  registerUser,
  requestOrder,
  requestRefund,
  type Sale,
  serveWaitingLists,
} from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { deliverWebhook, providers } from '../support/sandbox.ts';
import { connectToTable } from '../support/stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
type Json = any;

const tier = { name: 'Floor', price: 0, quantity: 2, maxPerPerson: 4 };

async function openList(fields: object = {}): Promise<Sale> {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  return { organizer, event: await createEvent(organizer, { waitingList: true, tiers: [tier], ...fields }) };
}

const people = (count: number) => Promise.all(Array.from({ length: count }, () => registerUser()));

const join = ({ event }: Sale, person: Person, quantity = 1) =>
  person.post(`/api/events/${event.id}/waiting-list`, { tierId: event.tiers[0].id, quantity });

const readEntries = async (person: Person): Promise<Json[]> =>
  (await person.get('/api/waiting-list')).body.entries;

async function sellOut(sale: Sale): Promise<{ buyer: Person; orderId: string }> {
  const buyer = await registerUser();
  return { buyer, ...(await buyFree(sale, buyer, 2)) };
}

/** Orders free tickets, and waits until the order is posted: then it can be refunded. */
async function buyFree(sale: Sale, buyer: Person, quantity: number): Promise<{ orderId: string }> {
  const { orderId } = expectStatus(201, await requestOrder(sale, buyer, { quantity }));
  await eventually('the order is posted', async () => {
    const { fulfilment } = await readOrder(buyer, orderId);
    return !['none', 'queued'].includes(fulfilment.status);
  });
  return { orderId };
}

it('serves people in the order of joining, and skips who needs more than there is', async () => {
  const sale = await openList();
  const [first, second, third] = (await people(3)) as [Person, Person, Person];
  expect(errorOf(await join(sale, first))).toEqual([409, 'tickets-available']);
  const sold = await sellOut(sale);
  const { entry } = expectStatus(201, await join(sale, first, 2));
  expect(entry).toMatchObject({ status: 'waiting', quantity: 2, position: 1, offer: null });
  expect(expectStatus(201, await join(sale, first, 1)).entry.id).toBe(entry.id);
  expect(expectStatus(201, await join(sale, second)).entry.position).toBe(2);
  expect(expectStatus(201, await join(sale, third)).entry.position).toBe(3);

  const shown = (await third.get(`/api/events/${sale.event.id}`)).body;
  expect(shown.waiting).toEqual([{ tierId: sale.event.tiers[0].id, people: 3 }]);

  await requestRefundOfSeat(sold.orderId, sale.organizer);
  expect(errorOf(await requestOrder(sale, await registerUser()))).toEqual([409, 'waiting-list']);
  expect((await third.get(`/api/events/${sale.event.id}`)).body.event.tiers[0].available).toBe(0);

  await serveWaitingLists(sale, second);
  const [offered] = await readEntries(second);
  expect(offered).toMatchObject({ status: 'offered', position: null });
  expect((await readEntries(first))[0]).toMatchObject({ status: 'waiting', position: 1 });
  expect((await readEntries(third))[0]).toMatchObject({ status: 'waiting', position: 2 });
  expect((await awaitMail(second.user.email, 'Tickets for you')).body.text).toContain('/waiting-list');
  expect((await readNotifications(second)).map(({ title }) => title)).toContain('Tickets for you');

  const offerId = offered?.offer.id;
  expect(errorOf(await requestOrder(sale, third, { offerId }))).toEqual([409, 'offer-ended']);
  expect(errorOf(await requestOrder(sale, second, { offerId, quantity: 2 }))).toEqual([400, 'invalid-input']);
  const order = expectStatus(201, await requestOrder(sale, second, { offerId }));
  expect(order.paymentStatus).toBe('COMPLETED');
  expect(errorOf(await requestOrder(sale, second, { offerId }))).toEqual([409, 'offer-ended']);
  expect((await readEntries(second))[0]?.status).toBe('ordered');
});

it('takes nobody who wants more than there can be, and offers nobody more than one person may buy', async () => {
  const tiers = ['Floor', 'Seats'].map((name) => ({ ...tier, name }));
  const sale = await openList({ maxPerWallet: 3, tiers });
  const waiting = await registerUser();
  expect(errorOf(await join(sale, waiting, 3))).toEqual([409, 'tier-limit']);
  const orderIds: string[] = [];
  for (const sold of sale.event.tiers) {
    const ofTier = { ...sale, event: { ...sale.event, tiers: [sold] } };
    orderIds.push((await sellOut(ofTier)).orderId);
    expectStatus(201, await join(ofTier, waiting, 2));
  }
  for (const orderId of orderIds) expectStatus(200, await requestRefund(orderId, sale.organizer));
  const readStatuses = async () => (await readEntries(waiting)).map(({ status }) => status).sort();
  await eventually('tickets are offered', async () => {
    await serveWaitingLists(sale);
    return (await readStatuses()).includes('offered');
  });
  await serveWaitingLists(sale);
  expect(await readStatuses()).toEqual(['offered', 'waiting']);
  // What is not offered is sold to everybody once there is no list any more.
  expectStatus(200, await changeEvent(sale, { waitingList: false }));
  await eventually('everybody can buy', async () => {
    await serveWaitingLists(sale);
    const { event } = (await anonymous.get(`/api/events/${sale.event.id}`)).body;
    return (
      event.tiers
        .map(({ available }: Json) => available)
        .sort()
        .join() === '0,2'
    );
  });
});

it('offers declined tickets to the next, also when the first joins again, and sells to everybody once nobody waits', async () => {
  const sale = await openList();
  const [first, second] = (await people(2)) as [Person, Person];
  const { orderId } = await sellOut(sale);
  await join(sale, first, 2);
  await join(sale, second, 2);
  expectStatus(200, await requestRefund(orderId, sale.organizer));
  await serveWaitingLists(sale, first);
  const [entry] = await readEntries(first);
  const list = expectStatus(200, await sale.organizer.get(`/api/events/${sale.event.id}/waiting-list`));
  expect(list.tiers).toEqual([{ tierId: sale.event.tiers[0].id, waiting: 1, offers: 1, offeredTickets: 2 }]);
  expect(list.entries.map(({ email, status }: Json) => [email, status])).toEqual([
    [first.user.email, 'offered'],
    [second.user.email, 'waiting'],
  ]);
  expect(errorOf(await second.delete(`/api/waiting-list/${entry?.id}`))).toEqual([404, 'entry-not-found']);
  expect(expectStatus(200, await first.delete(`/api/waiting-list/${entry?.id}`)).entry.status).toBe('left');
  const { entry: again } = expectStatus(201, await join(sale, first, 2));
  expect(again.position).toBe(2);
  await serveWaitingLists(sale, second);
  const [next] = await readEntries(second);
  await first.delete(`/api/waiting-list/${again.id}`);
  await second.delete(`/api/waiting-list/${next?.id}`);
  await eventually('everybody can buy', async () => {
    await serveWaitingLists(sale);
    return (await countAvailable(sale.event)) === 2;
  });
  await buyFree(sale, await registerUser(), 2);
});

it('neither ends nor replaces an offer that was opened again for fewer tickets since it was read', async () => {
  const sale = await openList({ currency: 'NGN', tiers: [{ ...tier, price: 50 }] });
  const [buyer, person] = (await people(2)) as [Person, Person];
  const unpaid = await placeOrder(sale, buyer, { quantity: 2 });
  expectStatus(201, await join(sale, person, 2));
  await cancelOrder(unpaid.orderId, buyer);
  await serveWaitingLists(sale, person);
  connectToTable();
  const [{ id: tierId }] = sale.event.tiers;
  const reference = { eventId: sale.event.id, tierId, userId: person.user.id };
  const before = (await findEntry(reference)) as WaitingEntry;
  expect(before).toMatchObject({ status: 'offered', quantity: 2 });
  await controlSandbox('faults', { gateway: 'gateway-b', mode: 'refuse', text: person.user.email });
  const refused = await requestOrder(sale, person, { gateway: 'gateway-b', offerId: before.offer?.id });
  expect(refused.status).toBeGreaterThanOrEqual(400);
  expect((await readEntries(person))[0]).toMatchObject({ status: 'offered', quantity: 1 });

  await expect(endEntry(before, 'leave')).rejects.toThrow(EntryChanged);
  const next: WaitingEntry = { ...before, id: newId(Date.now()), status: 'waiting' };
  const ordered: WaitingEntry = { ...before, status: 'ordered' };
  await expect(transact(insertEntry(next, ordered))).rejects.toThrow(EntryChanged);
});

it('ends all entries when the event is cancelled', async () => {
  const sale = await openList();
  const [first, second] = (await people(2)) as [Person, Person];
  const { orderId } = await sellOut(sale);
  await join(sale, first, 2);
  await join(sale, second);
  await requestRefund(orderId, sale.organizer);
  await serveWaitingLists(sale, first);
  await changeEvent(sale, { status: 'CANCELLED' });
  for (const person of [first, second]) {
    await eventually('the entry has ended', async () => {
      await serveWaitingLists(sale);
      return (await readEntries(person))[0]?.status === 'expired';
    });
    await awaitMail(person.user.email, 'No longer on the waiting list');
  }
});

it('is for accounts, and for events with a list', async () => {
  const sale = await openList({ buyers: 'anyone' });
  const tierId = sale.event.tiers[0].id;
  const body = { tierId, quantity: 1 };
  expect(errorOf(await anonymous.post(`/api/events/${sale.event.id}/waiting-list`, body))[0]).toBe(401);
  const { guest } = await placeGuestOrder(sale);
  expect(errorOf(await guest.post(`/api/events/${sale.event.id}/waiting-list`, body))[0]).toBe(401);
  const person = await registerUser();
  const without = {
    ...sale,
    event: await createEvent(sale.organizer, { tiers: [{ ...tier, quantity: 0 }] }),
  };
  expect(errorOf(await join(without, person))).toEqual([409, 'no-waiting-list']);
});

it('sells the last tickets of the whole event to those who wait for any tier', async () => {
  const tiers = [tier, { ...tier, name: 'Balcony' }];
  const sale = await openList({ tiers, totalSupply: 2 });
  const { orderId, buyer } = await sellOut(sale);
  const balcony = { ...sale, event: { ...sale.event, tiers: [...sale.event.tiers].reverse() } };
  const [person] = (await people(1)) as [Person];
  expectStatus(201, await join(balcony, person));
  await requestRefundOfSeat(orderId, sale.organizer);
  // The tier has tickets, but the place that has come free is for the one who waits for another tier.
  expect(errorOf(await requestOrder(sale, await registerUser()))).toEqual([409, 'waiting-list']);
  await serveWaitingLists(sale, person);
  const [entry] = await readEntries(person);
  expectStatus(201, await requestOrder(balcony, person, { offerId: entry?.offer.id }));
  expect((await readOrder(buyer, orderId)).refunds).toHaveLength(1);
});

async function requestRefundOfSeat(orderId: string, organizer: Person): Promise<void> {
  expectStatus(200, await organizer.post(`/api/orders/${orderId}/refund`, { seats: [1] }));
}

describe('a late payment of an order that took an offer', () => {
  const paid = { ...tier, price: 50 };

  /** An order with the offer of the first tier, and one of each further tier. */
  async function takeOffer(tiers: object[]) {
    const sale = await openList({ currency: 'NGN', tiers });
    const [buyer, first] = (await people(2)) as [Person, Person];
    const unpaid = await placeOrder(sale, buyer, { quantity: 2 });
    expectStatus(201, await join(sale, first));
    await cancelOrder(unpaid.orderId, buyer);
    await serveWaitingLists(sale, first);
    const [entry] = await readEntries(first);
    const items = sale.event.tiers.map(({ id }: Json) => ({ tierId: id, quantity: 1 }));
    return { sale, first, order: await placeOrder(sale, first, { items, offerId: entry?.offer.id }) };
  }

  const fail = (reference: string) => deliverWebhook('gateway-a', providers['gateway-a'].failed(reference));
  const fulfilmentOf = async ({ orderId, reference }: PlacedOrder, buyer: Person) => {
    await controlSandbox(`payments/${reference}/pay`);
    return (await readOrder(buyer, orderId)).fulfilment;
  };

  it('gets no ticket before people who wait, when its buyer had cancelled it', async () => {
    const { sale, first, order } = await takeOffer([paid]);
    expectStatus(201, await join(sale, await registerUser(), 2));
    await cancelOrder(order.orderId, first);
    expect(await fulfilmentOf(order, first)).toMatchObject({ status: 'refund-due', reason: 'sold-out' });
  });

  it('gets the free ticket of the offer within an hour, when its card was declined', async () => {
    const { sale, first, order } = await takeOffer([paid]);
    expectStatus(201, await join(sale, await registerUser(), 2));
    await fail(order.reference);
    expect((await fulfilmentOf(order, first)).status).not.toBe('refund-due');
  });

  it('gets no ticket of another tier before people who wait for that one', async () => {
    const { sale, first, order } = await takeOffer([paid, { ...paid, name: 'Balcony' }]);
    await fail(order.reference);
    const tierId = sale.event.tiers[1].id;
    await placeOrder(sale, await registerUser(), { items: [{ tierId, quantity: 1 }] });
    const body = { tierId, quantity: 2 };
    const waiting = await registerUser();
    expectStatus(201, await waiting.post(`/api/events/${sale.event.id}/waiting-list`, body));
    expect(await fulfilmentOf(order, first)).toMatchObject({ status: 'refund-due', reason: 'sold-out' });
  });
});
