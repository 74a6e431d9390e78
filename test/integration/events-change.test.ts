import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem, type Item } from '../../shared/dynamo/read.ts';
import { eventually } from '../support/eventually.ts';
import { cancelOrder, type Person, createEvent as publishEvent, registerUser } from '../support/fixtures.ts';
import { type Answer, call, errorOf } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

let organizer: Person;
let other: Person;
let buyer: Person;
beforeAll(async () => {
  [organizer, other, buyer] = await Promise.all([
    registerUser({ role: 'ORGANIZER' }),
    registerUser({ role: 'ORGANIZER' }),
    registerUser(),
  ]);
});

const oneTier = { ticketPrice: 10, maxCapacity: 100 };
const twoTiers = {
  tiers: [
    { name: 'A', price: 5, quantity: 30, maxPerPerson: 8 },
    { name: 'B', price: 7, quantity: 20, maxPerPerson: 8 },
  ],
};

const createEvent = (fields: object) => publishEvent(organizer, fields);
const changeEvent = (id: string, body: object) => organizer.put(`/api/events/${id}`, body);
const deleteEvent = (id: string) => organizer.delete(`/api/events/${id}`);
const addTier = (id: string, body: object) => organizer.post(`/api/events/${id}/tiers`, body);
const changeTier = (id: string, tierId: string, body: object) =>
  organizer.put(`/api/events/${id}/tiers/${tierId}`, body);
const requestOrder = (eventId: string, tierId: string, quantity: number) =>
  buyer.post('/api/orders/initialize', { eventId, tierId, quantity, paymentMethod: 'FIAT' });

async function holdTickets(eventId: string, tierId: string, quantity: number): Promise<string> {
  const answer = await requestOrder(eventId, tierId, quantity);
  expect(answer.body).toMatchObject({ ok: true, paymentStatus: 'PENDING' });
  return answer.body.orderId;
}

const availableIn = ({ body }: Answer) =>
  body.event.tiers.map((tier: { available: number }) => tier.available);
const readEvent = (id: string) => call('GET', `/api/events/${id}`);

describe('PUT /api/events/{id}', () => {
  it('changes the given fields and keeps the others', async () => {
    const event = await createEvent(oneTier);
    const change = {
      title: 'Blues',
      description: 'New',
      venue: 'Hall',
      address: 'Here',
      city: 'Accra',
      country: 'Ghana',
      latitude: 5.6,
      longitude: -0.2,
      timezone: 'Africa/Accra',
      tags: 'blues,live',
      imageUrl: 'https://example.com/b.png',
      metadataUri: 'ipfs://metadata',
      category: 'MUSIC',
      isPublic: false,
      allowTransfers: false,
      requireKYC: true,
      maxPerWallet: 3,
    };
    const answer = await changeEvent(event.id, {
      ...change,
      organizerId: other.user.id,
      createdAt: '2000-01-01T00:00:00.000Z',
      eventDate: '2099-05-01T18:00:00+02:00',
      surprise: true,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.event).toEqual({
      ...event,
      ...change,
      eventDate: '2099-05-01T16:00:00.000Z',
      // The end moves with the date.
      endDate: '2099-05-01T18:00:00.000Z',
      tiers: [{ ...event.tiers[0], maxPerPerson: 3 }],
      updatedAt: answer.body.event.updatedAt,
    });
    expect(answer.body.event.updatedAt > event.updatedAt).toBe(true);
    expect((await readEvent(event.id)).body.event).toEqual(answer.body.event);
  });

  it('moves the event in the public list to its new date, and removes a draft from the list', async () => {
    const { id } = await createEvent({ ...oneTier, title: `Moved ${organizer.user.id}` });
    const listEventsFrom2098 = async () =>
      (await call('GET', `/api/events?organizerId=${organizer.user.id}&from=2098-01-01`)).body.events;
    expect(await listEventsFrom2098()).not.toContainEqual(expect.objectContaining({ id }));
    await changeEvent(id, { eventDate: '2098-05-01' });
    expect(await listEventsFrom2098()).toContainEqual(expect.objectContaining({ id }));
    await changeEvent(id, { status: 'DRAFT' });
    expect(await listEventsFrom2098()).not.toContainEqual(expect.objectContaining({ id }));
  });
});

it('a published event is moved at most ten times a day, since those who hold tickets are mailed', async () => {
  const { id } = await createEvent({ ...oneTier, title: 'Wandering' });
  for (let move = 1; move <= 10; move++)
    expect((await changeEvent(id, { venue: `Hall ${move}` })).status).toBe(200);
  expect(errorOf(await changeEvent(id, { venue: 'Hall 11' }))).toEqual([429, 'too-many-attempts']);
  expect((await changeEvent(id, { title: 'At home' })).status).toBe(200);
});

describe('the total supply', () => {
  it('is the quantity of the only tier, and can’t be less than the held tickets', async () => {
    const event = await createEvent(oneTier);
    await holdTickets(event.id, event.tiers[0].id, 4);
    expect(await changeEvent(event.id, { totalSupply: 3 })).toMatchObject({
      status: 409,
      body: { error: "4 tickets are sold or held, so there can't be fewer than that" },
    });
    const answer = await changeEvent(event.id, { totalSupply: 4 });
    expect(answer.body.event).toMatchObject({ totalSupply: 4, tiers: [{ quantity: 4, available: 0 }] });
    expect((await requestOrder(event.id, event.tiers[0].id, 1)).body).toEqual({ error: 'Sold out' });
    expect(availableIn(await changeEvent(event.id, { totalSupply: 6 }))).toEqual([2]);
  });

  it('limits all tiers together when it is less than their sum', async () => {
    const event = await createEvent(twoTiers);
    const [a, b] = event.tiers;
    await holdTickets(event.id, a.id, 4);
    const orderOfB = await holdTickets(event.id, b.id, 2);
    expect((await changeEvent(event.id, { totalSupply: 5 })).status).toBe(409);
    expect(availableIn(await changeEvent(event.id, { totalSupply: 8 }))).toEqual([2, 2]);
    expect((await requestOrder(event.id, b.id, 3)).body).toEqual({ error: 'Only 2 left' });
    await holdTickets(event.id, b.id, 2);
    expect((await requestOrder(event.id, a.id, 1)).body).toEqual({ error: 'Sold out' });

    await cancelOrder(orderOfB, buyer);
    expect(availableIn(await readEvent(event.id))).toEqual([2, 2]);
    expect(availableIn(await changeEvent(event.id, { totalSupply: 50 }))).toEqual([26, 18]);
  });
});

describe('changing price and currency', () => {
  it('applies to later orders', async () => {
    const event = await createEvent(oneTier);
    await changeEvent(event.id, { ticketPrice: 20 });
    expect((await requestOrder(event.id, event.tiers[0].id, 1)).body.totalAmount).toBe(20.5);
  });
});

describe('currency, contract and chain', () => {
  const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

  it('can’t be changed while a ticket is held', async () => {
    const event = await createEvent(oneTier);
    const firstTerms = { contractAddress: contract, chainId: 80002, currency: 'NGN' };
    expect((await changeEvent(event.id, firstTerms)).body.event).toMatchObject(firstTerms);

    const id = await holdTickets(event.id, event.tiers[0].id, 1);
    for (const change of [{ contractAddress: null }, { chainId: 1 }, { currency: 'USD' }]) {
      const answer = await changeEvent(event.id, change);
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatch(/can't be changed once tickets are sold or held$/);
    }
    expect((await changeEvent(event.id, { ...firstTerms, title: 'Same terms' })).status).toBe(200);

    await cancelOrder(id, buyer);
    const newTerms = { contractAddress: null, chainId: 1, currency: 'USD' };
    expect((await changeEvent(event.id, newTerms)).body.event).toMatchObject(newTerms);
  });
});

describe('the entry setting', () => {
  const contractAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

  it('can’t be changed while a ticket is held', async () => {
    const event = await createEvent({ ...oneTier, contractAddress });
    expect(event.entry).toBe('token');
    await holdTickets(event.id, event.tiers[0].id, 1);
    for (const change of [{ entry: 'account' }, { allowTransfers: false }]) {
      const answer = await changeEvent(event.id, change);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([409, 'tickets-sold']);
    }
    expect((await changeEvent(event.id, { title: 'Blues', entry: 'token' })).body.event.entry).toBe('token');
  });

  it('stays `account` when an event with a held ticket allows transfers', async () => {
    const event = await createEvent({ ...oneTier, contractAddress, allowTransfers: false });
    expect(event.entry).toBe('account');
    const orderId = await holdTickets(event.id, event.tiers[0].id, 1);
    const answer = await changeEvent(event.id, { allowTransfers: true });
    expect(answer.body.event).toMatchObject({ allowTransfers: true, entry: 'account' });
    await cancelOrder(orderId, buyer);
    expect((await changeEvent(event.id, { title: 'Blues' })).body.event.entry).toBe('account');
    expect((await changeEvent(event.id, { entry: 'token' })).body.event.entry).toBe('token');
  });
});

describe('cancelling an event', () => {
  it('ends its sales permanently and fails unpaid orders', async () => {
    const event = await createEvent(oneTier);
    const orderId = await holdTickets(event.id, event.tiers[0].id, 2);
    expect((await changeEvent(event.id, { status: 'CANCELLED' })).body.event.status).toBe('CANCELLED');
    expect((await requestOrder(event.id, event.tiers[0].id, 1)).status).toBe(409);
    expect((await changeEvent(event.id, { status: 'PUBLISHED' })).status).toBe(409);
    expect((await changeEvent(event.id, { description: 'Sorry' })).status).toBe(200);

    const order = await eventually('the order is no longer pending', async () => {
      const { body } = await buyer.get(`/api/orders/${orderId}`);
      return body.order.paymentStatus !== 'PENDING' && body.order;
    });
    expect(order).toMatchObject({ paymentStatus: 'FAILED', failureReason: 'event-cancelled' });
    expect(availableIn(await readEvent(event.id))).toEqual([100]);
  });
});

describe('DELETE /api/events/{id}', () => {
  it('deletes an event without orders', async () => {
    const { id } = await createEvent(twoTiers);
    expect(await deleteEvent(id)).toMatchObject({ status: 200, body: { message: 'Event deleted' } });
    expect((await readEvent(id)).status).toBe(404);
    expect((await deleteEvent(id)).status).toBe(404);
    const ownEvents = await organizer.get('/api/events?organizerId=me');
    expect(ownEvents.body.events).not.toContainEqual(expect.objectContaining({ id }));
  });

  it('refuses an event with orders, even cancelled ones', async () => {
    const event = await createEvent(oneTier);
    const orderId = await holdTickets(event.id, event.tiers[0].id, 1);
    expect((await deleteEvent(event.id)).status).toBe(409);
    await cancelOrder(orderId, buyer);
    const answer = await deleteEvent(event.id);
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'An event with orders can only be cancelled' },
    });
  });
});

describe('POST /api/events/{id}/tiers', () => {
  it('adds a tier that can be bought immediately', async () => {
    const event = await createEvent(twoTiers);
    const tier = { name: 'C', description: 'Late', price: 3, quantity: 5, maxPerPerson: 20 };
    const answer = await addTier(event.id, tier);
    expect(answer.status).toBe(201);
    const { saleStart, saleEnd } = event;
    expect(answer.body.tier).toEqual({
      ...tier,
      id: expect.any(String),
      kind: 'ticket',
      hidden: false,
      saleStart,
      saleEnd,
      perTicket: 1,
      minPerOrder: 1,
      taxPercent: null,
      available: 5,
    });
    expect(answer.body.event).toMatchObject({ totalSupply: 55, ticketPrice: 3, maxPerWallet: 20 });
    expect(answer.body.event.tiers).toEqual([...event.tiers, answer.body.tier]);
    await holdTickets(event.id, answer.body.tier.id, 5);
  });
});

describe('PUT /api/events/{id}/tiers/{tierId}', () => {
  it('changes the given fields, and refuses a quantity below the held tickets', async () => {
    const event = await createEvent(twoTiers);
    const [a] = event.tiers;
    await holdTickets(event.id, a.id, 3);
    expect((await changeTier(event.id, a.id, { quantity: 2 })).status).toBe(409);
    const answer = await changeTier(event.id, a.id, { name: 'Front', price: 9, quantity: 3 });
    expect(answer.status).toBe(200);
    expect(answer.body.tier).toEqual({ ...a, name: 'Front', price: 9, quantity: 3, available: 0 });
    expect(answer.body.event).toMatchObject({ totalSupply: 23, ticketPrice: 7 });
  });
});

describe('texts of an event', () => {
  /** Descriptions are stored in an item of their own, so that purchases do not read them. */

  let organizer: Person;
  beforeAll(async () => {
    connectToTable();
    organizer = await registerUser({ role: 'ORGANIZER' });
  });

  const tierWithDescription = (description: string) => ({ name: 'T', description, price: 1, quantity: 10 });
  const callAsOrganizer = (method: string, path: string, body?: object) =>
    call(method, path, { token: organizer.token, ...(body && { body }) });
  const createEvent = (description: string, ...tiers: string[]) =>
    callAsOrganizer('POST', '/api/events', {
      title: 'Texts',
      venue: 'Club',
      startDate: '2099-05-01',
      description,
      tiers: tiers.map(tierWithDescription),
    });

  /** Reads the descriptions of an event and its tiers from the event, and from a list of events. */
  async function readDescriptions(id: string): Promise<string[][]> {
    const singleEvent = (await callAsOrganizer('GET', `/api/events/${id}`)).body.event;
    const { events } = (await callAsOrganizer('GET', '/api/events?organizerId=me&limit=100')).body;
    const listedEvent = events.find((event: { id: string }) => event.id === id);
    return [singleEvent, listedEvent].map(({ description, tiers }) => [
      description,
      ...tiers.map((tier: { description: string }) => tier.description),
    ]);
  }

  const readEventItem = async (id: string) => (await getItem(keys.event(id))) as Item;
  const readItemDescriptions = async (id: string) => {
    const { description, tiers } = (await readEventItem(id)) as { description: string; tiers: Item[] };
    return [description, ...tiers.map((tier) => tier.description)];
  };

  describe('descriptions', () => {
    it('are not stored in the event item, and can be changed', async () => {
      const { id, tiers } = (await createEvent('Long ago', 'Front', 'Back')).body.event;
      expect(await readItemDescriptions(id)).toEqual(['', '', '']);
      expect(await readDescriptions(id)).toEqual(Array(2).fill(['Long ago', 'Front', 'Back']));

      await callAsOrganizer('PUT', `/api/events/${id}`, { description: '', title: 'New' });
      await callAsOrganizer('PUT', `/api/events/${id}/tiers/${tiers[1].id}`, {
        description: 'Side',
        quantity: 20,
      });
      await callAsOrganizer('POST', `/api/events/${id}/tiers`, tierWithDescription('Balcony'));
      expect(await readDescriptions(id)).toEqual(Array(2).fill(['', 'Front', 'Side', 'Balcony']));
      expect(await readItemDescriptions(id)).toEqual(['', '', '', '']);
      await callAsOrganizer('DELETE', `/api/events/${id}`);
      expect(await getItem(keys.eventTexts(id))).toBeUndefined();
    });

    it('are refused above 20,000 characters in total', async () => {
      const longTexts = (count: number) => Array(count).fill('x'.repeat(2_000));
      const refusal = { status: 400, body: { error: expect.stringMatching('20000 characters together') } };
      expect(await createEvent('x', ...longTexts(10))).toMatchObject(refusal);
      const { id } = (await createEvent('', ...longTexts(10))).body.event;
      expect(await callAsOrganizer('PUT', `/api/events/${id}`, { description: 'x' })).toMatchObject(refusal);
      expect(
        await callAsOrganizer('POST', `/api/events/${id}/tiers`, tierWithDescription('x')),
      ).toMatchObject(refusal);
      expect((await callAsOrganizer('PUT', `/api/events/${id}`, { title: 'Same' })).status).toBe(200);
    });
  });
});
