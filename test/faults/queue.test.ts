import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDynamoDb } from '../../infra/local/services/aws.ts';
import { findInventoryDifferences } from '../../infra/ops/reconcile.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { signQueueTicket } from '../../shared/runtime/tokens.ts';
import { createBuyers, prolong } from '../bench/load/buyers.ts';
import { type Call, type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { type Caller, createCaller, createEvent, expectStatus, registerUser } from '../support/fixtures.ts';
import { type Answer, call, errorOf } from '../support/http.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';

/**
 * Many people queue for tickets of one event over HTTP, and all of them order at once: only those who were admitted get
 * tickets. Then the requests to the table are counted while many browsers poll the queue. QUEUE_PEOPLE sets the number of
 * people.
 */

const people = Number(process.env.QUEUE_PEOPLE ?? 80);
const tickets = (people * 3) / 4;
const placesPerAddress = 3;
const originSecret = 'the secret of CloudFront';
const minute = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString();
const dataDir = mkdtempSync(path.join(tmpdir(), 'boxoffice-queue-'));
let table: Awaited<ReturnType<typeof startDynamoDb>> | undefined;
let proxy: FaultProxy | undefined;
let stack: SeparateStack;
let organizer: Caller;

// biome-ignore lint/suspicious/noExplicitAny: the tests read answers without types
type Json = any;

beforeAll(async () => {
  process.env.JWT_ACCESS_SECRET = 'only-for-tests-access-0123456789abcdef';
  table = await startDynamoDb(path.join(dataDir, 'queue.db'), path.join(dataDir, 'table.log'));
  proxy = await startProxy({ table: table.url });
  stack = await startStack({
    dataDir,
    env: {
      AWS_ENDPOINT_URL_DYNAMODB: proxy.url('stack', 'table'),
      ORIGIN_SECRET: originSecret,
      QUEUE_PLACES_PER_ADDRESS: String(placesPerAddress),
      // Turns last longer than the test, whose admissions are moved in time.
      QUEUE_TURN_MINUTES: String(people * 10),
      STOCK_SHARD_SIZE: String(Math.ceil(tickets / 4)),
    },
  });
  connectToTable({ ...stack, dynamodbUrl: proxy.url('test', 'table') });
  const { token } = await registerUser({ role: 'ORGANIZER' }, stack);
  organizer = createCaller(await prolong(token), stack);
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.stop();
  await table?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Somebody who buys, at an IP address. */
interface Buyer {
  token: string;
  address: string;
}

const withAddress = (token: string, index: number): Buyer => ({
  token,
  address: `10.0.${index >> 8}.${index & 255}`,
});

const openQueue = (quantity = tickets): Promise<Json> =>
  createEvent(organizer, {
    saleStart: inMinutes(-5),
    tiers: [{ name: 'Floor', price: 0, quantity, maxPerPerson: 1 }],
    queue: { opensAt: inMinutes(-2), drawAt: inMinutes(30), perMinute: 1 },
  });

const join = ({ id }: Json, { token, address }: Buyer): Promise<Answer> =>
  call('POST', `/api/events/${id}/queue`, {
    apiUrl: stack.apiUrl,
    token,
    headers: { 'x-origin-secret': originSecret, 'x-viewer-address': address },
  });

const readQueue = ({ id }: Json, token?: string): Promise<Answer> =>
  call('GET', `/api/events/${id}/queue`, { apiUrl: stack.apiUrl, ...(token && { token }) });

const order = ({ id, tiers }: Json, token: string, ticket: string): Promise<Answer> =>
  call('POST', '/api/orders/initialize', {
    apiUrl: stack.apiUrl,
    token,
    headers: { 'x-queue-ticket': ticket },
    body: { eventId: id, tierId: tiers[0].id, quantity: 1, paymentMethod: 'FIAT' },
  });

const control = async ({ id }: Json, body: object): Promise<Json> =>
  expectStatus(200, await organizer.put(`/api/events/${id}/queue`, body));

/** Draws the queue at once, as if its time had been a minute ago. */
async function draw({ id, queue }: Json): Promise<void> {
  await write(update(keys.event(id), { set: { queue: { ...queue, drawAt: inMinutes(-1.5) } } }));
  await tend({ id });
}

/** Does the work on a queue at once, as the sweep has it done every minute. */
async function tend({ id }: Json): Promise<void> {
  await stack.invoke('workers-run-event-jobs', {
    Records: [{ messageId: '1', body: JSON.stringify({ type: 'tend-queue', eventId: id }), attributes: {} }],
  });
}

/** Lets minutes of admissions pass. */
async function passMinutes({ id }: Json, minutes: number): Promise<void> {
  const { queueState } = (await getItem(keys.event(id))) as Json;
  const rates = queueState.rates.map((rate: Json) => ({ ...rate, at: rate.at - minutes * minute }));
  await write(update(keys.event(id), { set: { queueState: { ...queueState, rates } } }));
}

/** Runs something for each buyer, for so many at the same time as the machine's sockets allow. */
async function forAll<Result>(
  buyers: readonly Buyer[],
  run: (buyer: Buyer) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = buyers.entries();
  const runNext = async () => {
    for (const [index, buyer] of waiting) results[index] = await run(buyer);
  };
  await Promise.all(Array.from({ length: 200 }, runNext));
  return results;
}

/** Counts the answers by their status and error code. */
function countAnswers(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    const name = errorOf(answer).join(' ').trim();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test(`lets only admitted people order, of ${people} who all try`, { timeout: 3_600_000 }, async () => {
  const event = await openQueue();
  const buyers = (await createBuyers(people)).map(withAddress);
  const joined = await forAll(buyers, (buyer) => join(event, buyer));
  expect(countAnswers(joined)).toEqual({ 200: people });
  await control(event, { paused: true });
  await draw(event);
  const drawn = await call('GET', `/api/events/${event.id}/queue/draw`, { apiUrl: stack.apiUrl });
  expect(drawn.body.count).toBe(people);

  /** Everybody asks for their place, and orders with its ticket. */
  const orderAll = () =>
    forAll(buyers, async (buyer) => {
      const { place, ticket } = expectStatus(200, await join(event, buyer));
      return { number: place.number as number, answer: await order(event, buyer.token, ticket) };
    });
  const answersOf = (results: Awaited<ReturnType<typeof orderAll>>, isChosen: (number: number) => boolean) =>
    countAnswers(results.filter(({ number }) => isChosen(number)).map(({ answer }) => answer));

  // While the queue is paused nobody is admitted, however much time passes.
  await passMinutes(event, people);
  const early = await orderAll();
  expect(new Set(early.map(({ number }) => number)).size).toBe(people);
  expect(answersOf(early, () => true)).toEqual({ '409 not-your-turn': people });

  // About half of the people are admitted before the next pause, and exactly these can order.
  await control(event, { paused: false });
  await passMinutes(event, people / 2);
  const { admittedUpTo } = await control(event, { paused: true });
  expect(admittedUpTo).toBeGreaterThanOrEqual(people / 2);
  expect(admittedUpTo).toBeLessThan(tickets);
  await passMinutes(event, people);
  const half = await orderAll();
  expect((await readQueue(event)).body).toMatchObject({ state: 'paused', admittedUpTo });
  expect(answersOf(half, (number) => number <= admittedUpTo)).toEqual({ 201: admittedUpTo });
  expect(answersOf(half, (number) => number > admittedUpTo)).toEqual({
    '409 not-your-turn': people - admittedUpTo,
  });

  // All others compete for the tickets that are left.
  await control(event, { paused: false });
  await passMinutes(event, people);
  const all = await orderAll();
  const rest = answersOf(all, (number) => number > admittedUpTo);
  expect(rest).toEqual({ 201: tickets - admittedUpTo, '409 sold-out': people - tickets });
  expect(answersOf(all, (number) => number <= admittedUpTo)).not.toHaveProperty('201');
  const summary = expectStatus(200, await organizer.get(`/api/events/${event.id}/summary`)).summary;
  expect(summary).toMatchObject({ sold: tickets, held: 0, available: 0 });
  expect(await findInventoryDifferences()).toEqual([]);
});

test('raises an automatic rate while people order, and halves it while the service refuses them', async () => {
  const event = await openQueue(150);
  const buyers = (await createBuyers(90)).map(withAddress);
  await forAll(buyers, (buyer) => join(event, buyer));
  await draw(event);
  await control(event, { perMinute: 1_200 });
  await passMinutes(event, 1);
  await control(event, { perMinute: null });
  const turns = await forAll(buyers, async (buyer) => ({
    token: buyer.token,
    ticket: expectStatus(200, await join(event, buyer)).ticket as string,
  }));
  const [first] = turns as [(typeof turns)[number]];
  /** All order at the same time. */
  const orderAll = async (those: typeof turns) =>
    countAnswers(await Promise.all(those.map(({ token, ticket }) => order(event, token, ticket))));
  const refuse = () =>
    proxy?.intercept(async ({ worker, method, body }, forward) => {
      const isOrder = method === 'TransactWriteItems' && JSON.stringify(body).includes(event.id);
      if (worker !== 'stack' || !isOrder) return forward();
      return { status: 500, body: { __type: 'com.amazonaws.dynamodb.v20120810#InternalServerError' } };
    });
  const adapt = async () => {
    await tend(event);
    return (await readQueue(event)).body.perMinute;
  };

  // One person is refused again and again.
  const stopRefusing = refuse();
  const sameBuyer = Array.from({ length: 20 }, () => first);
  for (let times = 0; times < 4; times++)
    expect(await orderAll(sameBuyer)).toEqual({ '503 unavailable': 20 });
  expect(await adapt()).toBe(1_200);
  stopRefusing?.();
  for (let start = 0; start < turns.length; start += 15)
    expect(await orderAll(turns.slice(start, start + 15))).toEqual({ 201: 15 });
  expect(await adapt()).toBe(1_500);
  // A lower rate, of whose people a few are a twentieth, however slow the machine is.
  await control(event, { perMinute: 800 });
  await control(event, { perMinute: null });
  refuse();
  // An environment stores what it has counted with its next refusal.
  await expect
    .poll(
      async () => {
        for (let start = 0; start < turns.length; start += 15) await orderAll(turns.slice(start, start + 15));
        return (await adapt()) < 800;
      },
      { timeout: 120_000 },
    )
    .toBe(true);
}, 300_000);

test('numbers late people in the order of joining, with few writes of the counter', async () => {
  const event = await openQueue();
  const [firstToken = '', ...tokens] = await createBuyers(people);
  expectStatus(200, await join(event, withAddress(firstToken, 0)));
  await draw(event);
  let counted = 0;
  const stopCounting = proxy?.intercept(({ method, body }, forward) => {
    if (method === 'UpdateItem' && body.Key.pk.S === `QUEUE#${event.id}`) counted++;
    return forward();
  });
  const joined = await forAll(
    tokens.map((token, index) => withAddress(token, index + 1)),
    async (buyer) => {
      const startedAt = Date.now();
      const { place } = expectStatus(200, await join(event, buyer));
      return { buyer, id: place.id, number: place.number as number, startedAt, endedAt: Date.now() };
    },
  );
  stopCounting?.();
  expect(new Set(joined.map(({ number }) => number)).size).toBe(joined.length);
  expect(Math.min(...joined.map(({ number }) => number))).toBe(2);
  for (const one of joined) {
    // A person who joins two seconds later than another has the higher number.
    const overtaking = joined.filter(
      (other) => other.startedAt > one.endedAt + 2_000 && other.number < one.number,
    );
    expect(overtaking).toEqual([]);
    const again = expectStatus(200, await join(event, one.buyer)).place;
    expect(again).toMatchObject({ id: one.id, number: one.number });
  }
  console.info(`${joined.length} late places took ${counted} writes of the counter`);
  expect(counted).toBeLessThan(joined.length / 2);
});

test('refuses an expired ticket, and one that another secret has signed', async () => {
  const event = await openQueue();
  const [token = ''] = await createBuyers(1);
  expectStatus(200, await join(event, withAddress(token, 0)));
  await draw(event);
  await passMinutes(event, 1);
  const { ticket } = expectStatus(200, await join(event, withAddress(token, 0)));
  const claims = jwt.decode(ticket) as Json;
  const { eventId, userId, placeId, number } = claims;
  const expired = await signQueueTicket({ eventId, userId, placeId, number }, Date.now() - 1_000);
  expect(errorOf(await order(event, token, expired))).toEqual([403, 'queue-required']);
  const forged = jwt.sign(claims, 'only-for-tests-another-0123456789abcdef');
  expect(errorOf(await order(event, token, forged))).toEqual([403, 'queue-required']);
  expectStatus(201, await order(event, token, ticket));
});

test('gives the accounts of one address a limited number of places in a queue', async () => {
  const [event, other] = [await openQueue(), await openQueue()];
  const tokens = await createBuyers(placesPerAddress + 1);
  const neighbours = tokens.map((token) => ({ token, address: '192.0.2.1' }));
  const last = neighbours.pop() as Buyer;
  for (const buyer of neighbours) expectStatus(200, await join(event, buyer));
  expect(errorOf(await join(event, last))).toEqual([429, 'too-many-attempts']);
  // A place that exists is shown without limit.
  for (const buyer of neighbours) expectStatus(200, await join(event, buyer));
  expectStatus(200, await join(event, { ...last, address: '192.0.2.2' }));
  expectStatus(200, await join(other, last));
});

test('polling a queue costs the table one read for each time that a CDN asks again, and no write', async () => {
  const event = await openQueue();
  const [token = ''] = await createBuyers(1);
  expectStatus(200, await join(event, withAddress(token, 0)));
  const requests: Pick<Call, 'method' | 'body'>[] = [];
  const stopCounting = proxy?.intercept(({ worker, method, body }, forward) => {
    if (worker === 'stack' && JSON.stringify(body).includes(event.id)) requests.push({ method, body });
    return forward();
  });

  // A CDN keeps an answer for as long as it allows, here by a clock of its own.
  const clock = { seconds: 0 };
  let kept: { answer: Answer; until: number } | undefined;
  const poll = async () => {
    if (kept && clock.seconds < kept.until) return kept.answer;
    const answer = await readQueue(event);
    const [, seconds] =
      /^public, max-age=0, s-maxage=(\d+)$/.exec(answer.headers.get('cache-control') ?? '') ?? [];
    kept = { answer, until: clock.seconds + Number(seconds) };
    return answer;
  };
  for (clock.seconds = 0; clock.seconds < 20; clock.seconds++) {
    for (let browser = 0; browser < 1_000; browser++) expect((await poll()).body.state).toBe('open');
  }
  const read = { method: 'GetItem', body: expect.objectContaining({ Key: expect.anything() }) };
  expect(requests).toEqual(Array.from({ length: 10 }, () => read));
  stopCounting?.();

  // The answer is the same with a token, so the CDN need not ask for each person.
  const own = await readQueue(event, token);
  expect(own.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=2');
  expect(own.headers.get('vary') ?? '').not.toMatch(/authorization/i);
  expect({ ...own.body, serverTime: '' }).toEqual({ ...kept?.answer.body, serverTime: '' });
});
