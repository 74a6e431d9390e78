import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { createInterface } from 'node:readline';
import { Wallet } from 'ethers';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import { keys, partitions } from '../../shared/dynamo/keys.ts';
import { getItem, queryAll } from '../../shared/dynamo/read.ts';
import { put, write } from '../../shared/dynamo/write.ts';
import { changeEndpoint, findEndpoint } from '../../shared/messaging/webhooks/store.ts';
import {
  maximumSlowAttempts,
  type OccurrenceType,
  sharedSlowAttempts,
  type WebhookEndpoint,
} from '../../shared/messaging/webhooks/webhook.ts';
import { eventually } from '../support/eventually.ts';
import {
  acceptTransfer,
  buyTickets,
  cancelOrder,
  checkIn,
  controlSandbox,
  createEvent,
  expectStatus,
  initializeOrder,
  offerSeat,
  openSale,
  type Person,
  placeOrder,
  readCheckInCodes,
  registerUser,
  requestRefund,
  serveWaitingLists,
  waitForRefund,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

interface Received {
  id: string;
  type: string;
  timestamp: string;
  /** From the change to its arrival, in milliseconds. */
  delay: number;
  data: Record<string, unknown>;
}

type Respond = (attempt: number, request: IncomingMessage, response: ServerResponse) => void;

/** Starts a receiver that verifies messages with the library of Standard Webhooks, and an endpoint that sends to it. */
async function receive(organizer: Person, types: OccurrenceType[], respond?: Respond, fields: object = {}) {
  const received: Received[] = [];
  const attempts = new Map<string, number>();
  let secret = '';
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const id = String(request.headers['webhook-id']);
    const verified = new Webhook(secret).verify(body, request.headers as Record<string, string>);
    const message = verified as Omit<Received, 'id' | 'delay'>;
    received.push({ id, ...message, delay: Date.now() - Date.parse(message.timestamp) });
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    if (respond) respond(attempt, request, response);
    else response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const created = await organizer.post('/api/webhook-endpoints', { url, types, ...fields });
  expect(created.status).toBe(201);
  secret = created.body.secret;
  const path = `/api/webhook-endpoints/${created.body.endpoint.id}`;
  const waitFor = (type: string) =>
    eventually(`a message ${type}`, () => received.find((message) => message.type === type));
  return { received, path, waitFor, setSecret: (value: string) => (secret = value) };
}

/** Reads the ids of the deliveries that wait for a slow endpoint. */
async function readParked(endpointId: string): Promise<string[]> {
  const ids: string[] = [];
  const source = { index: 'byDue', partition: partitions.parkedDeliveries(endpointId) } as const;
  for await (const item of queryAll(source)) ids.push(String(item.id));
  return ids;
}

describe('a webhook', () => {
  it('reports what happens to an order and its tickets', async () => {
    const [sale, buyer, receiver] = await Promise.all([openSale(), registerUser(), registerUser()]);
    const { organizer } = sale;
    const hook = await receive(organizer, [
      'order.completed',
      'order.refunded',
      'order.failed',
      'ticket.checked_in',
      'ticket.transferred',
      'event.updated',
      'event.cancelled',
    ]);
    const paid = await buyTickets(sale, buyer, 2);
    expect((await hook.waitFor('order.completed')).data).toMatchObject({
      orderId: paid.orderId,
      eventId: sale.event.id,
      quantity: 2,
      version: expect.any(Number),
    });
    const [code] = await readCheckInCodes(buyer, paid.orderId);
    expect((await checkIn(code, organizer)).status).toBe(200);
    expect((await hook.waitFor('ticket.checked_in')).data).toMatchObject({
      orderId: paid.orderId,
      number: 1,
    });
    const offer = await offerSeat(buyer, paid.orderId, 2, receiver.user.email);
    await acceptTransfer(receiver, offer.body.transfer.token);
    expect((await hook.waitFor('ticket.transferred')).data).toMatchObject({
      orderId: paid.orderId,
      number: 2,
    });
    const unpaid = await initializeOrder(sale, buyer, 1);
    await cancelOrder(unpaid.orderId, buyer);
    expect((await hook.waitFor('order.failed')).data).toMatchObject({
      orderId: unpaid.orderId,
      failureReason: 'cancelled',
    });
    const refunded = await buyTickets(sale, buyer, 1);
    await requestRefund(refunded.orderId, organizer);
    await waitForRefund(buyer, refunded.orderId);
    expect((await hook.waitFor('order.refunded')).data).toMatchObject({ orderId: refunded.orderId });
    await organizer.put(`/api/events/${sale.event.id}`, { city: 'Lagos' });
    expect((await hook.waitFor('event.updated')).data).toMatchObject({ city: 'Lagos' });
    await organizer.put(`/api/events/${sale.event.id}`, { status: 'CANCELLED' });
    expect((await hook.waitFor('event.cancelled')).data).toMatchObject({ status: 'CANCELLED' });

    const ids = hook.received.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('about an offer to somebody who waits arrives too', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const hook = await receive(organizer, ['waiting_list.offered']);
    const tiers = [{ name: 'Floor', price: 0, quantity: 1 }];
    const event = await createEvent(organizer, { waitingList: true, tiers });
    const [buyer, waiting] = await Promise.all([registerUser(), registerUser()]);
    const { orderId } = await placeOrder({ event }, buyer);
    const body = { tierId: event.tiers[0].id, quantity: 1 };
    const { entry } = expectStatus(201, await waiting.post(`/api/events/${event.id}/waiting-list`, body));
    await requestRefund(orderId, organizer);
    await waitForRefund(buyer, orderId);
    await serveWaitingLists({ organizer, event }, waiting);
    const { data } = await hook.waitFor('waiting_list.offered');
    expect(data).toEqual({
      eventId: event.id,
      ...body,
      entryId: entry.id,
      offerId: expect.any(String),
      expiresAt: expect.any(String),
      version: expect.any(Number),
    });
  });

  it('about minted tickets and payouts arrives too', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const hook = await receive(organizer, ['ticket.minted', 'payout.completed', 'payout.failed']);
    const [sale, minted, buyer] = await Promise.all([
      openSale({ organizer }),
      openSale({ organizer, hasContract: true }),
      registerUser({ walletAddress: Wallet.createRandom().address }),
    ]);
    const [{ orderId }] = await Promise.all([buyTickets(minted, buyer, 2), buyTickets(sale, buyer, 2)]);
    expect((await hook.waitFor('ticket.minted')).data).toMatchObject({
      orderId,
      txHash: expect.stringMatching(/^0x/),
      tokenIds: [expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)],
    });
    const [good, bad] = ['0000000101', '0000000102'];
    await controlSandbox('faults', { failTransfers: 5, account: bad });
    const request = async (accountNumber: string) => {
      const destination = { accountNumber, bankCode: '058', accountName: 'Olu Adeyemi' };
      const body = { amount: 10, currency: 'NGN', gateway: 'gateway-a', destination };
      return expectStatus(201, await organizer.post('/api/payouts', body)).payout.id;
    };
    const [paid, failed] = [await request(good), await request(bad)];
    expect((await hook.waitFor('payout.completed')).data).toMatchObject({ payoutId: paid, amount: 10 });
    expect((await hook.waitFor('payout.failed')).data).toMatchObject({ payoutId: failed, amount: 10 });
  });

  it('can be pulled, a minute after it happened, in the order in which it happened', async () => {
    const sale = await openSale();
    const { organizer } = sale;
    await receive(organizer, ['event.updated']);
    for (const city of ['Lagos', 'Accra', 'Dakar']) {
      expectStatus(200, await organizer.put(`/api/events/${sale.event.id}`, { city }));
    }
    const pull = async (query = '') => (await organizer.get(`/api/occurrences${query}`)).body;
    // A change that began before could still be committed with an older id.
    expect(await pull()).toEqual({ occurrences: [], isComplete: true });
    // A message that was just received is younger than all that is listed.
    expect(await pull(`?after=${newId()}`)).toEqual({ occurrences: [], isComplete: true });

    connectToTable();
    for await (const item of queryAll({ partition: partitions.occurrences(organizer.user.id) })) {
      const id = newId(Date.parse(item.timestamp as string) - 60_000);
      await write(put({ ...item, ...keys.occurrence(organizer.user.id, id), id }));
    }
    const { occurrences, isComplete } = await pull();
    expect(occurrences.map(({ data }: Received) => data.city)).toEqual(['Lagos', 'Accra', 'Dakar']);
    expect(isComplete).toBe(true);
    const [first, second] = occurrences;
    expect(await pull(`?after=${first.id}&limit=1`)).toEqual({ occurrences: [second], isComplete: false });
    const { secret } = expectStatus(
      201,
      await organizer.post('/api/keys', {
        name: 'Site',
        scopes: ['orders:read'],
        eventIds: [(await openSale({ organizer })).event.id],
      }),
    );
    const ofOtherEvent = await call('GET', '/api/occurrences', { token: secret });
    expect(ofOtherEvent.body).toEqual({ occurrences: [], isComplete: true });
  });

  it('with the data of a person loses it when the person is erased, also when it is sent again', async () => {
    const [sale, buyer] = await Promise.all([openSale(), registerUser()]);
    const hook = await receive(sale.organizer, ['order.completed'], undefined, { expand: true });
    await buyTickets(sale, buyer, 1);
    const { id, data } = await hook.waitFor('order.completed');
    expect(data).toMatchObject({ order: { customerEmail: buyer.user.email } });
    connectToTable();
    expectStatus(200, await buyer.post(`/api/users/${buyer.user.id}/erasure`));
    const endpointId = hook.path.split('/').at(-1) ?? '';
    const read = () =>
      Promise.all([keys.occurrence(sale.organizer.user.id, id), keys.delivery(endpointId, id)].map(getItem));
    const items = await eventually('the person’s data is gone', async () => {
      const stored = await read();
      return !JSON.stringify(stored).includes(buyer.user.email) && stored;
    });
    expect(items).toMatchObject([{ type: 'order.completed' }, { status: 'delivered' }]);
    await sale.organizer.post(`${hook.path}/deliveries/${id}/retry`);
    const again = await eventually('it is sent again', () => hook.received[1]);
    const { order, ...thin } = data;
    expect(again).toMatchObject({ id, type: 'order.completed', data: thin });
    expect(again.data).not.toHaveProperty('order');
  });

  it('is not sent to organizers, for events and of types that did not ask for it', async () => {
    const [sale, other, buyer] = await Promise.all([openSale(), openSale(), registerUser()]);
    const narrow = await receive(sale.organizer, ['order.completed'], undefined, {
      eventIds: [sale.event.id],
      expand: true,
    });
    await buyTickets(other, buyer, 1);
    const { orderId } = await buyTickets(sale, buyer, 1);
    const { data } = await narrow.waitFor('order.completed');
    expect(data).toMatchObject({ orderId, order: { id: orderId, paymentStatus: 'COMPLETED' } });
    expect(narrow.received).toHaveLength(1);
  });

  it('is attempted again until it arrives, under one id', async () => {
    const [sale, buyer] = await Promise.all([openSale(), registerUser()]);
    const hook = await receive(sale.organizer, ['order.completed'], (attempt, request, response) => {
      if (attempt === 1) response.writeHead(500).end('broken');
      else if (attempt === 2) request.socket.destroy();
      else response.writeHead(200).end('thanks');
    });
    connectToTable();
    const find = async () =>
      (await findEndpoint(sale.organizer.user.id, hook.path.split('/').at(-1) as string)) as WebhookEndpoint;
    const { updatedAt } = await find();
    await buyTickets(sale, buyer, 1);
    const [delivery] = await eventually('the third attempt arrives', async () => {
      const { deliveries } = (await sale.organizer.get(`${hook.path}/deliveries`)).body;
      return deliveries[0]?.status === 'delivered' && deliveries;
    });
    expect(delivery).toMatchObject({
      type: 'order.completed',
      attempts: 3,
      statusCode: 200,
      answer: 'thanks',
    });
    expect(hook.received.map(({ id }) => id)).toEqual([delivery.id, delivery.id, delivery.id]);
    await eventually('its failures are forgotten', async () => (await find()).failures === 0);
    // Recovering an account disables what its thief has changed: a delivery must not look like a later change.
    expect((await find()).updatedAt).toBe(updatedAt);

    expect((await sale.organizer.post(`${hook.path}/deliveries/${delivery.id}/retry`)).status).toBe(202);
    await eventually('it is sent again', () => hook.received.length === 4);
    expect(hook.received[3]).toEqual({ ...hook.received[0], delay: expect.any(Number) });
  });

  it('that answers 410 disables its endpoint, until it is enabled again', async () => {
    const { organizer } = await openSale();
    let status = 410;
    const hook = await receive(organizer, ['event.updated'], (_, __, response) =>
      response.writeHead(status).end(),
    );
    expect((await organizer.post(`${hook.path}/test`)).status).toBe(202);
    const read = async () => (await organizer.get('/api/webhook-endpoints')).body.endpoints[0];
    const disabled = await eventually('it is disabled', async () => {
      const endpoint = await read();
      return endpoint.status === 'disabled' && endpoint;
    });
    expect(disabled).toMatchObject({ disabledReason: 'gone' });
    status = 204;
    const { url, types } = disabled;
    expect((await organizer.put(hook.path, { url, types })).body.endpoint).toMatchObject({
      status: 'enabled',
    });
    hook.received.length = 0;
    await organizer.post(`${hook.path}/test`);
    expect((await hook.waitFor('endpoint.test')).data).toMatchObject({ endpointId: disabled.id });
  });

  it('that hangs occupies few workers, once it is known', async () => {
    const { organizer } = await openSale();
    let open = 0;
    let most = 0;
    const hook = await receive(organizer, ['event.updated'], (_, request) => {
      most = Math.max(most, ++open);
      request.socket.once('close', () => open--);
    });
    const [organizerId, id = ''] = [organizer.user.id, hook.path.split('/').at(-1)];
    connectToTable();
    await organizer.post(`${hook.path}/test`);
    await eventually('it is known', async () => (await findEndpoint(organizerId, id))?.slowUntil);
    await eventually('the attempt ends', () => open === 0);
    await Promise.all(Array.from({ length: 12 }, () => organizer.post(`${hook.path}/test`)));
    await eventually('each was attempted, or is parked', async () => {
      const ids = await readParked(id);
      return new Set([...ids, ...hook.received.map((message) => message.id)]).size === 13;
    });
    expect(most).toBeLessThanOrEqual(maximumSlowAttempts);
  });

  it('that hangs leaves workers to others, also where many organizers have one', async () => {
    connectToTable();
    let open = 0;
    let most = 0;
    const hang = async () => {
      const { organizer } = await openSale();
      const hook = await receive(organizer, ['event.updated'], (_, request) => {
        most = Math.max(most, ++open);
        request.socket.once('close', () => open--);
      });
      const id = hook.path.split('/').at(-1) ?? '';
      await organizer.post(`${hook.path}/test`);
      await eventually('it is known', async () => (await findEndpoint(organizer.user.id, id))?.slowUntil);
      return async () => {
        await Promise.all(Array.from({ length: 6 }, () => organizer.post(`${hook.path}/test`)));
        return async () => [...(await readParked(id)), ...hook.received.map((message) => message.id)];
      };
    };
    const floods = await Promise.all([hang(), hang(), hang()]);
    await eventually('the first attempts end', () => open === 0);
    most = 0;
    const readHandled = await Promise.all(floods.map((flood) => flood()));
    await eventually('each was attempted, or is parked', async () => {
      const ids = await Promise.all(readHandled.map((read) => read()));
      return new Set(ids.flat()).size === 21;
    });
    // The first attempt of each organizer, and what they share.
    expect(most).toBeLessThanOrEqual(floods.length + sharedSlowAttempts);
  });

  it('with the data of orders needs a key that may read orders, also to send it again elsewhere', async () => {
    const [sale, buyer] = await Promise.all([openSale(), registerUser()]);
    const { organizer } = sale;
    const hook = await receive(organizer, ['order.completed'], undefined, { expand: true });
    await buyTickets(sale, buyer, 1);
    const { id } = await hook.waitFor('order.completed');
    const createKey = async (scopes: string[]) =>
      expectStatus(201, await organizer.post('/api/keys', { name: 'CRM', scopes })).secret;
    const [writer, reader] = [
      await createKey(['webhooks:write']),
      await createKey(['webhooks:write', 'orders:read']),
    ];
    const body = { url: 'https://hook.invalid/', types: ['order.completed'] };
    const expanded = { ...body, expand: true };
    const again = `${hook.path}/deliveries/${id}/retry`;
    const refusal = [403, 'scope-missing'];
    expect(errorOf(await call('POST', '/api/webhook-endpoints', { token: writer, body: expanded }))).toEqual(
      refusal,
    );
    expect(errorOf(await call('PUT', hook.path, { token: writer, body }))).toEqual(refusal);
    expect(errorOf(await call('POST', again, { token: writer }))).toEqual(refusal);
    // The organizer no longer wants it expanded. What was sent before still is.
    expectStatus(200, await organizer.put(hook.path, body));
    expect(errorOf(await call('POST', again, { token: writer }))).toEqual(refusal);
    expect((await call('PUT', hook.path, { token: writer, body })).status).toBe(200);
    expect((await call('POST', again, { token: reader })).status).toBe(202);
  });

  it('with the data of an order is sent without it once the endpoint does not get it any more', async () => {
    const [sale, buyer] = await Promise.all([openSale(), registerUser()]);
    const { organizer } = sale;
    const answer: Respond = (_, __, response) => response.writeHead(503).end();
    const hook = await receive(organizer, ['order.completed'], answer, { expand: true });
    await buyTickets(sale, buyer, 1);
    expect((await hook.waitFor('order.completed')).data).toHaveProperty('order');
    const { url, types } = (await organizer.get('/api/webhook-endpoints')).body.endpoints[0];
    expectStatus(200, await organizer.put(hook.path, { url, types, expand: false }));
    // On a slow machine it is sent again before the change, too.
    const withoutOrder = await eventually('it is sent without the order', () =>
      hook.received.find(({ data }) => !('order' in data)),
    );
    expect(withoutOrder.data).toMatchObject({ orderId: expect.any(String) });
  });

  it('that fails for five days disables its endpoint', async () => {
    const { organizer } = await openSale();
    const hook = await receive(organizer, ['event.updated'], (_, __, response) =>
      response.writeHead(500).end(),
    );
    const id = hook.path.split('/').at(-1) ?? '';
    connectToTable();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const endpoint = { organizerId: organizer.user.id, id };
    const read = async () => (await organizer.get('/api/webhook-endpoints')).body.endpoints[0];
    await changeEndpoint(endpoint, { failures: 0, failingSince: daysAgo(4.9) });
    await organizer.post(`${hook.path}/test`);
    // Once the retry is counted, the first attempt is also decided.
    await eventually(
      'two failures',
      async () => ((await findEndpoint(endpoint.organizerId, id))?.failures ?? 0) > 1,
    );
    expect(await read()).toMatchObject({ status: 'enabled' });
    await changeEndpoint(endpoint, { failingSince: daysAgo(5.1) });
    await organizer.post(`${hook.path}/test`);
    const disabled = await eventually('it is disabled', async () => {
      const view = await read();
      return view.status === 'disabled' && view;
    });
    expect(disabled).toMatchObject({ disabledReason: 'failing' });
  });

  it('is signed with both secrets while they rotate', async () => {
    const { organizer } = await openSale();
    const hook = await receive(organizer, ['event.updated']);
    const { secret } = (await organizer.post(`${hook.path}/rotate`)).body;
    await organizer.post(`${hook.path}/test`);
    await hook.waitFor('endpoint.test');
    hook.setSecret(secret);
    hook.received.length = 0;
    await organizer.post(`${hook.path}/test`);
    await hook.waitFor('endpoint.test');
    await organizer.delete(hook.path);
    expect((await organizer.get('/api/webhook-endpoints')).body.endpoints).toEqual([]);
  });

  it('has at most ten endpoints, none with an address inside', async () => {
    const { organizer } = await openSale();
    const post = (url: string) => organizer.post('/api/webhook-endpoints', { url, types: ['event.updated'] });
    for (const url of ['https://10.0.0.1/', 'http://hook.invalid/', 'https://a:b@hook.invalid/']) {
      expect(errorOf(await post(url))).toEqual([400, 'invalid-input']);
    }
    for (let count = 0; count < 10; count++) expect((await post('https://hook.invalid/')).status).toBe(201);
    expect(errorOf(await post('https://hook.invalid/'))).toEqual([409, 'too-many-endpoints']);
  });
});

/** How a receiver fails. Each failing message gets the next one. */
const failures: ((request: IncomingMessage, response: ServerResponse) => void)[] = [
  (_, response) => response.writeHead(500).end(),
  () => {}, // hangs
  (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  (request) => request.socket.destroy(),
  (_, response) => {
    response.writeHead(500);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', more);
    more();
  },
];

const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] as number;

describe('a receiver that fails in every way', () => {
  // The nightly form has 1,000 orders.
  const orders = Number(process.env.WEBHOOK_ORDERS ?? 30);

  it(
    'gets a message for every order in the end, while another organizer’s messages arrive',
    async () => {
      const tiers = [{ name: 'Floor', price: 0, quantity: 5_000, maxPerPerson: 5_000 }];
      const open = async () => {
        const organizer = await registerUser({ role: 'ORGANIZER' });
        return { organizer, event: await createEvent(organizer, { tiers }) };
      };
      const [sale, plain, other, buyer] = await Promise.all([open(), open(), open(), registerUser()]);
      let failing = false;
      let count = 0;
      const good = await receive(other.organizer, ['order.completed']);
      const placed: string[] = [];
      let sold = 0;
      /** Places orders, and others of the other organizer until `isOver`. @returns how long the other's messages took */
      const sell = async (from: typeof sale, quantity: number, afterwards: () => Promise<void>) => {
        const { length } = good.received;
        let isOver = false;
        const numbers = Array.from({ length: quantity }).keys();
        const sellers = Array.from({ length: 4 }, async () => {
          for (const _ of numbers) placed.push((await placeOrder(from, buyer)).orderId);
        });
        const others = (async () => {
          do {
            await placeOrder(other, buyer);
            sold++;
          } while (!isOver);
        })();
        await Promise.all(sellers);
        await afterwards();
        isOver = true;
        await others;
        await eventually('the other’s messages arrive', () => good.received.length >= sold);
        return good.received.slice(length).map(({ delay }) => delay);
      };
      const alone = await sell(plain, Math.ceil(orders / 4), async () => {});
      placed.length = 0;
      const bad = await receive(sale.organizer, ['order.completed'], (attempt, request, response) => {
        if (!failing) return void response.writeHead(204).end();
        // A third of the messages fail at first. In the middle, the receiver is gone.
        count++;
        if (count === Math.floor(orders / 2)) response.writeHead(410).end();
        else if (attempt === 1 && count % 3 === 0)
          failures[Math.floor(count / 3) % failures.length]?.(request, response);
        else response.writeHead(204).end();
      });
      const arrived = () => new Set(bad.received.map(({ data }) => data.orderId)).size;
      const healthy = await sell(sale, Math.ceil(orders / 4), async () => {
        await eventually('all messages arrive', () => arrived() === placed.length);
      });
      failing = true;
      const during = await sell(sale, orders, async () => {
        // The organizer enables the endpoint again, and sends again what it has missed.
        const { url, types } = await eventually('the endpoint is disabled', async () => {
          const [endpoint] = (await sale.organizer.get('/api/webhook-endpoints')).body.endpoints;
          return endpoint.status === 'disabled' && endpoint;
        });
        expectStatus(200, await sale.organizer.put(bad.path, { url, types }));
        await eventually('all messages are delivered', async () => {
          const deliveries = await listAll(sale.organizer, `${bad.path}/deliveries`, 'deliveries');
          for (const { id, status } of deliveries)
            if (status === 'failed') await sale.organizer.post(`${bad.path}/deliveries/${id}/retry`);
          return (
            deliveries.length === placed.length && deliveries.every(({ status }) => status === 'delivered')
          );
        });
      });
      expect(new Set(bad.received.map(({ data }) => data.orderId))).toEqual(new Set(placed));
      console.log(
        `${orders} orders, ${count} attempts; the messages of another organizer arrive ${median(during)} ms after their ` +
          `orders were posted (median of ${during.length}), ${median(healthy)} ms beside a receiver that works, and ` +
          `${median(alone)} ms beside as many orders without an endpoint`,
      );
    },
    330_000 + orders * 1_000,
  );
});

/** Reads all pages of a list. */
async function listAll(person: Person, path: string, name: string) {
  const items: { id: string; status: string }[] = [];
  let cursor: string | null = '';
  do {
    const { body } = await person.get(
      `${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    items.push(...body[name]);
    cursor = body.nextCursor;
  } while (cursor);
  return items;
}

/** Returns a free port. */
async function findPort(): Promise<number> {
  const server = createNetServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe('the receiver of docs/integrations.md', () => {
  it('runs as printed, and prints what it has verified', async () => {
    const { organizer } = await openSale();
    const guide = readFileSync('docs/integrations.md', 'utf8');
    const program = /```js\n(.*?)```/s.exec(guide)?.[1]?.replaceAll(/^ {3}/gm, '') ?? '';
    expect(program.trim().split('\n').length).toBeLessThanOrEqual(20);
    const port = await findPort();
    const body = { url: `http://127.0.0.1:${port}/`, types: ['order.completed'] };
    const { endpoint, secret } = (await organizer.post('/api/webhook-endpoints', body)).body;
    const child = spawn(process.execPath, ['--input-type=module', '-'], {
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    child.stdin.end(program);
    const lines = createInterface(child.stdout);
    await organizer.post(`/api/webhook-endpoints/${endpoint.id}/test`);
    const [line] = await once(lines, 'line');
    expect(line).toMatch(/^endpoint\.test \{"endpointId":/);
  });
});
