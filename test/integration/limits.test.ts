import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { countCreation, countPublication } from '../../shared/catalog/events/editing/event-limits.ts';
import { newId } from '../../shared/core/ids.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { eventually } from '../support/eventually.ts';
import {
  cancelOrder,
  confirmAddress,
  controlSandbox,
  countAvailable,
  createCaller,
  createEvent,
  expectStatus,
  freshEmail,
  openSale,
  type Person,
  placeOrder,
  readOrder,
  registerUser,
  requestOrder,
  type Sale,
} from '../support/fixtures.ts';
import { type Answer, errorOf } from '../support/http.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';

/** Limits per caller, on a separate stack with low limits. */

const registrationsPerHour = 24;
let stack: SeparateStack;
let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  const env = {
    OPEN_ORDERS_PER_USER: '2',
    HOLD_PAUSE_SECONDS: '600',
    PUBLISHED_EVENTS_PER_DAY: '9',
    GUEST_ORDERS_PER_HOUR: '4',
    WAITING_LIST_NEEDS_VERIFIED_EMAIL: 'true',
    OFFER_AS_LONG_AS_WAITED: 'true',
    UNPAID_ORDERS_PER_ADDRESS: '3',
    REGISTRATIONS_PER_HOUR: String(registrationsPerHour),
  };
  stack = await startStack({ env });
  connectToTable(stack);
  [organizer, buyer] = [await registerUser({ role: 'ORGANIZER' }, stack), await registerUser({}, stack)];
});
afterAll(() => stack?.stop());

const openOwnSale = (currency = 'NGN') => openSale({ organizer, currency });
const requestByTransfer = (sale: Sale) => requestOrder(sale, buyer, { gateway: 'gateway-b' });
const tooManyOrders = [409, 'too-many-open-orders'];

describe('open orders of a user for an event', () => {
  it('are limited by OPEN_ORDERS_PER_USER until one is cancelled or paid', async () => {
    const sale = await openOwnSale();
    const [first, second] = [await placeOrder(sale, buyer), await placeOrder(sale, buyer)];
    expect(errorOf(await requestByTransfer(sale))).toEqual(tooManyOrders);
    expect((await requestByTransfer(await openOwnSale())).status).toBe(201);

    expect((await cancelOrder(first.orderId, buyer)).status).toBe(200);
    expect((await requestByTransfer(sale)).status).toBe(201);
    expect(errorOf(await requestByTransfer(sale))).toEqual(tooManyOrders);

    await controlSandbox(`payments/${second.reference}/pay`, { repeat: 3 }, 'POST', stack);
    // On a busy machine the first webhooks may fail, and a redelivered one completes the order.
    await eventually('the order is paid', async () => {
      return (await readOrder(buyer, second.orderId)).paymentStatus === 'COMPLETED';
    });
    expect((await requestByTransfer(sale)).status).toBe(201);
    expect(errorOf(await requestByTransfer(sale))).toEqual(tooManyOrders);
  });

  it('are limited when they are created concurrently', async () => {
    const sale = await openOwnSale();
    const answers = await Promise.all(Array.from({ length: 8 }, () => requestByTransfer(sale)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
  });
});

describe('orders of a user that end unpaid', () => {
  it('are followed by a pause for the event, from the second on', async () => {
    const sale = await openOwnSale();
    for (let count = 0; count < 2; count++) {
      const { orderId } = await placeOrder(sale, buyer);
      expect((await cancelOrder(orderId, buyer)).status).toBe(200);
    }
    const refusal = await requestByTransfer(sale);
    expect(errorOf(refusal)).toEqual([429, 'too-many-attempts']);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(500);
    expect(await countAvailable(sale.event, stack)).toBe(100);
    expect((await requestOrder(sale, organizer)).status).toBe(201);
    expect((await requestByTransfer(await openOwnSale())).status).toBe(201);
  });

  it('are all counted when they end at once, also by a declined card', async () => {
    const publisher = await registerUser({ role: 'ORGANIZER' }, stack);
    const sale = await openSale({ organizer: publisher, currency: 'NGN' });
    const first = await placeOrder(sale, buyer);
    const second = await placeOrder(sale, buyer, { gateway: 'gateway-a' });
    await Promise.all([
      cancelOrder(first.orderId, buyer),
      controlSandbox(`payments/${second.reference}/decline`, {}, 'POST', stack),
    ]);
    await eventually('the card was declined', async () => {
      return (await readOrder(buyer, second.orderId)).paymentStatus === 'FAILED';
    });
    expect(errorOf(await requestByTransfer(sale))).toEqual([429, 'too-many-attempts']);
  });

  it('pause the network of accounts without a confirmed address', async () => {
    const publisher = await registerUser({ role: 'ORGANIZER' }, stack);
    const sale = await openSale({ organizer: publisher, currency: 'NGN' });
    const people = await Promise.all(Array.from({ length: 4 }, () => registerUser({}, stack)));
    const orders = await Promise.all(people.map((person) => placeOrder(sale, person)));
    const answers = await Promise.all(
      orders.map(({ orderId }, index) => cancelOrder(orderId, people[index] as Person)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const stranger = await registerUser({}, stack);
    const refusal = await requestOrder(sale, stranger);
    expect(errorOf(refusal)).toEqual([429, 'too-many-attempts']);
    expect(refusal.body.error).toContain('network');
    expect((await requestOrder(await openSale({ organizer: publisher }), stranger)).status).toBe(201);
    await confirmAddress(stranger);
    expect((await requestOrder(sale, stranger)).status).toBe(201);
  });
});

describe('free tickets that a user returns', () => {
  it('can not be ordered and returned again without end: each is minted and burned at the cost of the platform', async () => {
    const publisher = await registerUser({ role: 'ORGANIZER' }, stack);
    const tiers = [{ name: 'Floor', price: 0, quantity: 20, maxPerPerson: 2 }];
    const returns = { until: '2039-01-01T20:00:00Z', feePercent: 0 };
    const sale = { organizer: publisher, event: await createEvent(publisher, { tiers, returns }) };
    const orderAndReturn = async (): Promise<Answer> => {
      const ordered = await requestOrder(sale, buyer);
      if (ordered.status !== 201) return ordered;
      const { orderId } = ordered.body;
      return eventually('the ticket is returned', async () => {
        const returned = await buyer.post(`/api/orders/${orderId}/returns`, { seats: [1] });
        return errorOf(returned)[1] !== 'in-progress' && returned;
      });
    };
    const statuses: number[] = [];
    for (let count = 0; count < 40 && (statuses.at(-1) ?? 201) === 201; count++)
      statuses.push((await orderAndReturn()).status);
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('orders of guests', () => {
  it('neither pause nor limit the account of the address that they name, and are limited by GUEST_ORDERS_PER_HOUR', async () => {
    const tiers = [{ name: 'Floor', price: 50, quantity: 20, maxPerPerson: 2 }];
    const event = await createEvent(organizer, { currency: 'NGN', tiers, buyers: 'anyone' });
    const sale = { organizer, event };
    const anonymous = createCaller(undefined, stack);
    const customer = { email: buyer.user.email, name: 'Gus Guest' };
    for (let count = 0; count < 3; count++) {
      const { orderId, accessToken } = (await requestOrder(sale, anonymous, { customer })).body;
      expect((await cancelOrder(orderId, createCaller(`Order ${accessToken}`, stack))).status).toBe(200);
    }
    expect((await requestOrder(sale, anonymous, { customer, quantity: 2 })).status).toBe(201);
    expect((await requestOrder(sale, buyer, { quantity: 2 })).status).toBe(201);
    expect(errorOf(await requestOrder(sale, buyer))).toEqual([409, 'tier-limit']);
    const refusal = await requestOrder(sale, anonymous, { customer: { ...customer, email: freshEmail() } });
    expect(errorOf(refusal)).toEqual([429, 'too-many-attempts']);
  });
});

describe('publishing events', () => {
  it('is limited by PUBLISHED_EVENTS_PER_DAY, and drafts are not', async () => {
    const publisher = await registerUser({ role: 'ORGANIZER' }, stack);
    const body = { title: 'Jazz', venue: 'Club', startDate: '2040-01-01T20:00:00Z', status: 'DRAFT' };
    const { event } = (await publisher.post('/api/events', body)).body;
    const path = `/api/events/${event.id}`;
    expect((await publisher.put(path, { status: 'PUBLISHED' })).status).toBe(200);
    for (let count = 1; count < 9; count++) {
      expect((await publisher.post('/api/events', { ...body, status: 'PUBLISHED' })).status).toBe(201);
    }
    const tooMany = [429, 'too-many-attempts'];
    expect(errorOf(await publisher.post('/api/events', { ...body, status: 'PUBLISHED' }))).toEqual(tooMany);
    const draft = expectStatus(201, await publisher.post('/api/events', body)).event;
    const publish = { status: 'PUBLISHED' };
    expect(errorOf(await publisher.put(`/api/events/${draft.id}`, publish))).toEqual(tooMany);
    // It counts once a day.
    expect((await publisher.put(path, { status: 'DRAFT' })).status).toBe(200);
    expect((await publisher.put(path, publish)).status).toBe(200);
    expect((await publisher.put(path, { title: 'Blues' })).status).toBe(200);
  });

  it('needs its drafts to be created within EVENTS_PER_DAY', async () => {
    vi.stubEnv('EVENTS_PER_DAY', '1');
    const { id } = (await registerUser({ role: 'ORGANIZER' }, stack)).user;
    await countCreation(id);
    await expect(countCreation(id)).rejects.toMatchObject({ code: 'too-many-attempts' });
    vi.unstubAllEnvs();
  });

  it('needs a confirmed address where PUBLISHING_NEEDS_VERIFIED_EMAIL is true', async () => {
    vi.stubEnv('PUBLISHING_NEEDS_VERIFIED_EMAIL', 'true');
    await expect(countPublication({ id: newId(), organizerId: organizer.user.id })).rejects.toMatchObject({
      code: 'email-not-verified',
    });
    vi.unstubAllEnvs();
  });
});

describe('changes that all events of an organizer copy', () => {
  it('are limited to a hundred a day: pages and webhook endpoints together', async () => {
    const publisher = await registerUser({ role: 'ORGANIZER' }, stack);
    const changePage = () =>
      publisher.put('/api/organizer/page', { slug: `page-${newId().toLowerCase()}`, name: 'Old Station' });
    expect((await changePage()).status).toBe(200);
    const fields = { url: 'https://crm.example.com/hook', types: ['order.completed'] };
    const { endpoint } = expectStatus(201, await publisher.post('/api/webhook-endpoints', fields));
    await write(update(keys.attempts('COPIED_CHANGE', publisher.user.id), { set: { count: 100 } }));
    const changeEndpoint = (url: string) =>
      publisher.put(`/api/webhook-endpoints/${endpoint.id}`, { ...fields, url });
    for (const answer of [
      await changePage(),
      await publisher.post('/api/webhook-endpoints', fields),
      // It is mailed.
      await changeEndpoint('https://crm.example.com/other'),
    ])
      expect(errorOf(answer)).toEqual([429, 'too-many-attempts']);
    expect((await changeEndpoint(fields.url)).status).toBe(200);
  });
});

describe('webhooks that an organizer causes', () => {
  it('are limited to a thousand changes of an event and two hundred tests a day, but for a cancellation', async () => {
    const publisher = await registerUser({ role: 'ORGANIZER' }, stack);
    const event = await createEvent(publisher);
    const fields = { url: 'https://crm.example.com/hook', types: ['event.updated'] };
    const { endpoint } = expectStatus(201, await publisher.post('/api/webhook-endpoints', fields));
    const change = (body: object) => publisher.put(`/api/events/${event.id}`, body);
    const test = () => publisher.post(`/api/webhook-endpoints/${endpoint.id}/test`);
    expect((await change({ venue: 'Old hall' })).status).toBe(200);
    expect((await test()).status).toBe(202);
    await write(update(keys.attempts('CAUSED_WEBHOOK', event.id), { set: { count: 1_000 } }));
    await write(update(keys.attempts('WEBHOOK_TEST', publisher.user.id), { set: { count: 200 } }));
    expect(errorOf(await change({ venue: 'New hall' }))).toEqual([429, 'too-many-attempts']);
    expect(errorOf(await test())).toEqual([429, 'too-many-attempts']);
    expect((await change({ status: 'CANCELLED' })).status).toBe(200);
  });
});

describe('the creation of API keys', () => {
  it('is limited to a hundred a day, deleted ones included', async () => {
    const owner = await registerUser({ role: 'ORGANIZER' }, stack);
    const create = () => owner.post('/api/keys', { name: 'CRM', scopes: ['events:read'] });
    const { key } = expectStatus(201, await create());
    await write(update(keys.attempts('API_KEY_CREATION', owner.user.id), { set: { count: 100 } }));
    expect((await owner.delete(`/api/keys/${key.id}`)).status).toBe(200);
    expect(errorOf(await create())).toEqual([429, 'too-many-attempts']);
  });
});

describe('joining a waiting list', () => {
  it('needs a confirmed address where WAITING_LIST_NEEDS_VERIFIED_EMAIL is true', async () => {
    const tiers = [{ name: 'Floor', price: 50, quantity: 1 }];
    const publisher = await registerUser({ role: 'ORGANIZER' }, stack);
    const event = await createEvent(publisher, { currency: 'NGN', tiers, waitingList: true });
    const [first, second] = await Promise.all([registerUser({}, stack), registerUser({}, stack)]);
    await placeOrder({ event }, first);
    const path = `/api/events/${event.id}/waiting-list`;
    const body = { tierId: event.tiers[0].id, quantity: 1 };
    expect(errorOf(await second.post(path, body))).toEqual([403, 'email-not-verified']);
    await confirmAddress(second);
    expect((await second.post(path, body)).status).toBe(201);
  });
});

describe('offers of a waiting list', () => {
  /** Somebody waits for the only ticket of the first of two tiers, which another order has held. */
  async function openList() {
    const tiers = [
      { name: 'Floor', price: 50, quantity: 1 },
      { name: 'Balcony', price: 50, quantity: 9 },
    ];
    const publisher = await registerUser({ role: 'ORGANIZER' }, stack);
    const event = await createEvent(publisher, { currency: 'NGN', tiers, waitingList: true });
    const [first, second] = await Promise.all([registerUser({}, stack), registerUser({}, stack)]);
    await confirmAddress(second);
    const { orderId } = await placeOrder({ event }, first);
    const join = () =>
      second.post(`/api/events/${event.id}/waiting-list`, { tierId: event.tiers[0].id, quantity: 1 });
    expect((await join()).status).toBe(201);
    await cancelOrder(orderId, first);
    const Records = [
      { messageId: '1', body: JSON.stringify({ type: 'offer-tickets', eventId: event.id }), attributes: {} },
    ];
    const awaitOffer = () =>
      eventually('there is an offer', async () => {
        await stack.invoke('workers-run-event-jobs', { Records });
        const [entry] = (await second.get('/api/waiting-list')).body.entries;
        return entry.status === 'offered' && entry;
      });
    return { sale: { event }, second, join, awaitOffer };
  }

  it('that are not taken count like unpaid orders, and hold the tickets for half an hour for somebody who has just joined', async () => {
    const { second, join, awaitOffer } = await openList();
    for (let count = 0; count < 2; count++) {
      const { id, offer, updatedAt } = await awaitOffer();
      expect(Date.parse(offer.expiresAt) - Date.parse(updatedAt)).toBeLessThanOrEqual(30 * 60_000);
      expect((await second.delete(`/api/waiting-list/${id}`)).status).toBe(200);
      if (count === 0) expect((await join()).status).toBe(201);
    }
    expect(errorOf(await join())).toEqual([429, 'too-many-attempts']);
  });

  it('can be taken during a pause after unpaid orders', async () => {
    const { sale, second, awaitOffer } = await openList();
    const { offer } = await awaitOffer();
    const items = [{ tierId: sale.event.tiers[1].id, quantity: 1 }];
    for (let count = 0; count < 2; count++) {
      const { orderId } = await placeOrder(sale, second, { items });
      expect((await cancelOrder(orderId, second)).status).toBe(200);
    }
    expect(errorOf(await requestOrder(sale, second, { items }))).toEqual([429, 'too-many-attempts']);
    const both = [{ tierId: sale.event.tiers[0].id, quantity: 1 }, ...items];
    const refusal = await requestOrder(sale, second, { items: both, offerId: offer.id });
    expect(errorOf(refusal)).toEqual([429, 'too-many-attempts']);
    expect((await requestOrder(sale, second, { offerId: offer.id })).status).toBe(201);
  });
});

describe('open crypto orders of a user', () => {
  it('are limited to five over all events, and the sweep ignores a cancelled one that is confirmed with an unknown transaction', async () => {
    const sales = [await openOwnSale('POL'), await openOwnSale('POL'), await openOwnSale('POL')] as const;
    const crypto = { paymentMethod: 'CRYPTO' };
    const { orderId } = await placeOrder(sales[0], buyer, crypto);
    for (const sale of [sales[0], sales[1], sales[1], sales[2]]) await placeOrder(sale, buyer, crypto);
    expect(errorOf(await requestOrder(sales[2], buyer, crypto))).toEqual(tooManyOrders);

    await cancelOrder(orderId, buyer);
    const confirmation = await buyer.post(`/api/orders/${orderId}/confirm`, {
      txHash: `0x${'ab'.repeat(32)}`,
    });
    expect(errorOf(confirmation)).toEqual([409, 'transaction-not-final']);
    expect(await getItem(keys.order(orderId))).not.toHaveProperty('dueAt');
    expect((await requestOrder(sales[2], buyer, crypto)).status).toBe(201);
  });
});

describe('registrations from one IP address', () => {
  it('are limited by REGISTRATIONS_PER_HOUR', async () => {
    const answers: Answer[] = [];
    for (let index = 0; index < registrationsPerHour; index++) {
      const body = { email: freshEmail(), name: 'Ann', password: 'correct horse battery' };
      answers.push(await createCaller(undefined, stack).post('/api/auth/register', body));
    }
    // The earlier registrations count too, so at least the last of these is refused.
    const refusal = answers.find(({ status }) => status !== 201) as Answer;
    expect(errorOf(refusal)).toEqual([429, 'too-many-attempts']);
    const retryAfter = Number(refusal.headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(3_000);
    expect(retryAfter).toBeLessThanOrEqual(3_600);
  });
});
