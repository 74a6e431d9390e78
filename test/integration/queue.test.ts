import { execFile } from 'node:child_process';
import path from 'node:path';
import jwt from 'jsonwebtoken';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { commitmentOf, drawOrder } from '../../shared/catalog/queue/draw.ts';
import { placeIdOf } from '../../shared/catalog/queue/queue.ts';
import { readLateCount } from '../../shared/catalog/queue/store.ts';
import { keys, queuePartitions } from '../../shared/dynamo/keys.ts';
import { documentClient, getItem, queryAll } from '../../shared/dynamo/read.ts';
import { put, putAll, remove, update, write } from '../../shared/dynamo/write.ts';
import { joinQueue } from '../../shared/orders/queue/join-queue.ts';
import { tendQueue } from '../../shared/orders/queue/tend-queue.ts';
import { eventually } from '../support/eventually.ts';
import {
  addStaff,
  anonymous,
  changeEvent,
  createEvent,
  expectStatus,
  type Person,
  readOrder,
  registerAdmin,
  registerUser,
  requestOrder,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
type Json = any;

beforeAll(() => connectToTable());

const tier = { name: 'Floor', price: 0, quantity: 20, maxPerPerson: 4 };
const minute = 60_000;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString();

async function openQueue(fields: object = {}, queue: object = {}): Promise<Sale> {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const event = await createEvent(organizer, {
    saleStart: inMinutes(-5),
    tiers: [tier],
    queue: { opensAt: inMinutes(-2), drawAt: inMinutes(30), perMinute: 60_000, ...queue },
    ...fields,
  });
  return { organizer, event };
}

const people = (count: number) => Promise.all(Array.from({ length: count }, () => registerUser()));
const queuePath = ({ event }: Sale) => `/api/events/${event.id}/queue`;
const join = async (sale: Sale, person: Person): Promise<Json> =>
  expectStatus(200, await person.post(queuePath(sale)));
const readQueue = async (sale: Sale): Promise<Json> =>
  expectStatus(200, await anonymous.get(queuePath(sale)));
const readDraw = async (sale: Sale): Promise<Json> =>
  expectStatus(200, await anonymous.get(`${queuePath(sale)}/draw`));
const order = (sale: Sale, person: Person, ticket?: string) =>
  requestOrder(sale, person, {}, ticket === undefined ? {} : { 'x-queue-ticket': ticket });

/** Does the work on a queue at once, as the sweep has it done every minute. */
const tend = ({ event }: Sale) =>
  sharedStack().invoke('workers-run-event-jobs', {
    Records: [
      { messageId: '1', body: JSON.stringify({ type: 'tend-queue', eventId: event.id }), attributes: {} },
    ],
  });

/** Does the work on a queue that has ended, again when the sweep has done it at the same moment, from before the end. */
const endWork = (sale: Sale) =>
  eventually('the work on the queue has ended', async () => {
    await tend(sale);
    return (await readTask(sale)) === undefined;
  });

/** Moves the draw to a minute ago, when nobody can be joining any more. */
async function passDraw({ event }: Sale): Promise<void> {
  const queue = { ...event.queue, drawAt: inMinutes(-1.5) };
  await write(update(keys.event(event.id), { set: { queue } }));
}

it('draws who joined before, in an order that everybody can check, and admits in that order', async () => {
  const sale = await openQueue();
  const [first, second, third, late] = (await people(4)) as [Person, Person, Person, Person];
  const before = await readQueue(sale);
  expect(before).toMatchObject({ state: 'open', seed: null, publicValue: null, admittedUpTo: 0 });
  const joined = await Promise.all([first, second, third].map((person) => join(sale, person)));
  for (const { place } of joined)
    expect(place).toMatchObject({ state: 'waiting', number: null, estimatedSeconds: null });
  expect((await join(sale, first)).place).toEqual(joined[0].place);
  expect(errorOf(await anonymous.get(`${queuePath(sale)}/draw`))).toEqual([409, 'not-drawn']);
  expect(errorOf(await order(sale, first))).toEqual([403, 'queue-required']);
  expect(errorOf(await order(sale, first, joined[0].ticket))).toEqual([409, 'not-your-turn']);

  await passDraw(sale);
  const lateTicket = await join(sale, late);
  expect(lateTicket.place.number).toBeNull();
  await tend(sale);
  const after = await readQueue(sale);
  expect(after).toMatchObject({ state: 'admitting', commitment: before.commitment, perMinute: 60_000 });
  expect(commitmentOf(after.seed)).toBe(before.commitment);
  const draw = await readDraw(sale);
  const ids = joined.map(({ place }) => place.id);
  expect(draw).toMatchObject({ count: 3, pages: 1, seed: after.seed, publicValue: after.publicValue });
  expect(draw.places.map(({ id }: Json) => id)).toEqual(drawOrder(ids, draw));
  expect(draw.places.map(({ number }: Json) => number)).toEqual([1, 2, 3]);

  // Repeating the job changes nothing.
  await tend(sale);
  expect(await readDraw(sale)).toEqual(draw);

  for (const [index, person] of [first, second, third].entries()) {
    const { place, ticket } = await join(sale, person);
    expect(place).toMatchObject({ id: ids[index], state: 'admitted', estimatedSeconds: 0 });
    expect(draw.places[place.number - 1].id).toBe(place.id);
    expectStatus(201, await order(sale, person, ticket));
  }
  expect((await join(sale, late)).place.number).toBe(4);
});

describe('somebody with an offer of the waiting list, without a turn', () => {
  const joinList = (sale: Sale, person: Person, quantity: number) =>
    person.post(`/api/events/${sale.event.id}/waiting-list`, { tierId: sale.event.tiers[0].id, quantity });
  const findOffer = async (person: Person): Promise<string | undefined> =>
    (await person.get('/api/waiting-list')).body.entries[0]?.offer?.id;

  /** Has the lists served some times: a pass leaves what that of the sweep is just doing. */
  async function serveLists({ event }: Sale, person: Person): Promise<string | undefined> {
    const body = JSON.stringify({ type: 'offer-tickets', eventId: event.id });
    for (let pass = 0; pass < 5 && (await findOffer(person)) === undefined; pass++)
      await sharedStack().invoke('workers-run-event-jobs', {
        Records: [{ messageId: '1', body, attributes: {} }],
      });
    return findOffer(person);
  }

  it('does not get the free tickets of the queue by opening the list', async () => {
    const sale = await openQueue({ waitingList: true, tiers: [{ ...tier, quantity: 2 }] });
    const [greedy, second] = (await people(2)) as [Person, Person];
    // More tickets than there are, so the tier cannot serve them.
    await joinList(sale, greedy, 3);
    await joinList(sale, second, 2);
    const offerId = await serveLists(sale, second);
    expect(errorOf(await requestOrder(sale, second, { quantity: 2, offerId }))).toEqual([
      403,
      'queue-required',
    ]);
  });

  it('orders no tickets of other tiers together with the offered ones', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const tiers = [
      { ...tier, quantity: 1 },
      { ...tier, name: 'Balcony' },
    ];
    const fields = { saleStart: inMinutes(-5), tiers, waitingList: true };
    const sale = { organizer, event: await createEvent(organizer, fields) };
    const [holder, waiting] = (await people(2)) as [Person, Person];
    const { orderId } = expectStatus(201, await order(sale, holder));
    expectStatus(201, await joinList(sale, waiting, 1));
    expectStatus(200, await changeEvent(sale, { queue: { opensAt: inMinutes(-2), drawAt: inMinutes(30) } }));
    await eventually('the order is posted', async () => {
      const { fulfilment } = await readOrder(holder, orderId);
      return fulfilment.status !== 'queued';
    });
    expectStatus(200, await requestRefund(orderId, organizer));
    const offerId = await serveLists(sale, waiting);
    const [offered, other] = sale.event.tiers.map(({ id }: Json) => id);
    const items = [
      { tierId: offered, quantity: 1 },
      { tierId: other, quantity: 3 },
    ];
    expect(offerId).toEqual(expect.any(String));
    expect(errorOf(await requestOrder(sale, waiting, { items, offerId }))).toEqual([403, 'queue-required']);
    expectStatus(201, await requestOrder(sale, waiting, { offerId }));
  });
});

const readTask = ({ event }: Sale) => getItem(keys.queueTask(event.id));

it('has the draw take place in time although a later one was refused', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const sale = { organizer, event: await createEvent(organizer, { currency: 'NGN', tiers: [tier] }) };
  expectStatus(201, await order(sale, await registerUser()));
  const queue = { opensAt: inMinutes(10), drawAt: inMinutes(30) };
  expectStatus(200, await changeEvent(sale, { queue }));
  const refused = await changeEvent(sale, { queue: { ...queue, drawAt: inMinutes(600) }, currency: 'USD' });
  expect(errorOf(refused)).toEqual([409, 'tickets-sold']);
  expect(String((await readTask(sale))?.dueAt) < inMinutes(31)).toBe(true);
  expectStatus(200, await changeEvent(sale, { queue: { ...queue, drawAt: inMinutes(600) } }));
  await tend(sale);
  expect(String((await readTask(sale))?.dueAt) > inMinutes(599)).toBe(true);
});

it('gives a person who joins many times at once after the draw at most three blocks of numbers', async () => {
  const sale = await openQueue();
  const [first, many] = (await people(2)) as [Person, Person];
  await join(sale, first);
  await passDraw(sale);
  await tend(sale);
  vi.stubEnv('JWT_ACCESS_SECRET', 'only-for-tests-access-0123456789abcdef');
  onTestFinished(() => void vi.unstubAllEnvs());
  const before = await readLateCount(sale.event.id);
  const joins = Array.from({ length: 20 }, () => joinQueue(many.user.id, sale.event.id, '192.0.2.1'));
  // Those that find a number return it.
  const codes = (await Promise.allSettled(joins)).flatMap((result) =>
    result.status === 'rejected' ? result.reason.code : [],
  );
  expect(new Set(codes)).toEqual(new Set(['too-many-attempts']));
  // A block is up to twice as large as the one before.
  expect((await readLateCount(sale.event.id)) - before).toBeLessThanOrEqual(1 + 2 + 4);
  expect((await join(sale, many)).place.number).toBeGreaterThan(1);
});

it('is tended again when its event, which was a draft meanwhile, is published', async () => {
  const sale = await openQueue();
  expectStatus(200, await changeEvent(sale, { status: 'DRAFT' }));
  await passDraw(sale);
  await tend(sale);
  expect(await readTask(sale)).toBeUndefined();
  expectStatus(200, await changeEvent(sale, { status: 'PUBLISHED' }));
  expect(await readTask(sale)).toBeDefined();
});

it('goes on when its end is put off after it has passed', async () => {
  const sale = await openQueue();
  const [first, late] = (await people(2)) as [Person, Person];
  await join(sale, first);
  await passDraw(sale);
  await tend(sale);
  const { queue } = expectStatus(200, await sale.organizer.get(`/api/events/${sale.event.id}`)).event;
  const ended = { ...queue, until: inMinutes(-1) };
  await write(update(keys.event(sale.event.id), { set: { queue: ended } }));
  await endWork(sale);
  const { opensAt, drawAt } = queue;
  expectStatus(
    200,
    await changeEvent(sale, { queue: { opensAt, drawAt, until: inMinutes(60), perMinute: 60_000 } }),
  );
  expect(await readTask(sale)).toBeDefined();
  await join(sale, late);
  await tend(sale);
  const { ticket } = await join(sale, late);
  expectStatus(201, await order(sale, late, ticket));
});

it('refuses tickets of others, of other events, forged, expired and without a number', async () => {
  const [sale, other] = await Promise.all([openQueue(), openQueue()]);
  const [ann, ben] = (await people(2)) as [Person, Person];
  const early = await join(sale, ann);
  await join(sale, ben);
  await join(other, ann);
  for (const each of [sale, other]) {
    await passDraw(each);
    await tend(each);
  }
  const { ticket, place } = await join(sale, ann);
  const claims = jwt.decode(ticket) as jwt.JwtPayload;
  const forged = jwt.sign(claims, 'another secret');
  const [head, , signature] = ticket.split('.');
  const changed = Buffer.from(JSON.stringify({ ...claims, number: 1 })).toString('base64url');
  const refused = [forged, `${head}.${changed}x.${signature}`, 'nonsense', (await join(other, ann)).ticket];
  for (const wrong of refused)
    expect(errorOf(await order(sale, ann, wrong))).toEqual([403, 'queue-required']);
  expect(errorOf(await order(sale, ben, ticket))).toEqual([403, 'queue-required']);
  expect(errorOf(await order(sale, ann, early.ticket))).toEqual([409, 'not-your-turn']);
  expect(place.state).toBe('admitted');
  // The turn is ten minutes long.
  await shiftRates(sale, -11 * minute);
  expect((await join(sale, ann)).place.state).toBe('over');
  expect(errorOf(await order(sale, ann, ticket))).toEqual([410, 'turn-over']);
});

/** Moves all admissions in time. */
async function shiftRates({ event }: Sale, milliseconds: number): Promise<void> {
  const item = (await getItem(keys.event(event.id))) as Json;
  const rates = item.queueState.rates.map((rate: Json) => ({ ...rate, at: rate.at + milliseconds }));
  await write(update(keys.event(event.id), { set: { queueState: { ...item.queueState, rates } } }));
}

it('admits at the rate that the organizer, a manager or an admin sets, and nobody while it is paused', async () => {
  const sale = await openQueue({}, { perMinute: 1 });
  const persons = await people(3);
  for (const person of persons) await join(sale, person);
  const manager = await registerUser();
  await addStaff(sale.organizer, sale.event.id, manager, 'manager');
  const control = (caller: Person, body: object) => caller.put(queuePath(sale), body);
  expect(errorOf(await control(persons[0] as Person, { paused: true }))).toEqual([403, 'forbidden']);
  expectStatus(200, await control(manager, { paused: true }));
  await passDraw(sale);
  await tend(sale);
  expect(await readQueue(sale)).toMatchObject({ state: 'paused', admittedUpTo: 0 });
  await shiftRates(sale, -10 * minute);
  expect(await readQueue(sale)).toMatchObject({ state: 'paused', admittedUpTo: 0 });
  const admin = await registerAdmin();
  expect(expectStatus(200, await control(admin, { paused: false, perMinute: 1 }))).toMatchObject({
    state: 'admitting',
    admittedUpTo: 0,
    perMinute: 1,
  });
  await shiftRates(sale, -minute);
  expect((await readQueue(sale)).admittedUpTo).toBe(1);
  const { body } = await control(sale.organizer, { paused: true });
  expect(body).toMatchObject({ state: 'paused', admittedUpTo: 1 });
  await shiftRates(sale, -5 * minute);
  expect((await readQueue(sale)).admittedUpTo).toBe(1);
  const places: Json[] = await Promise.all(persons.map((person) => join(sale, person)));
  expect(places.map(({ place }) => place.state).sort()).toEqual(['admitted', 'waiting', 'waiting']);
  const last = places.findIndex(({ place }) => place.number === 3);
  const refusal = await order(sale, persons[last] as Person, places[last].ticket);
  expect(errorOf(refusal)).toEqual([409, 'not-your-turn']);
  expect(refusal.headers.get('x-queue-position')).toBe('1');
  const shown = expectStatus(200, await sale.organizer.get(`/api/events/${sale.event.id}`));
  expect(shown.event.queue.perMinute).toBe(1);
});

it('keeps an automatic rate when few people order, and a rate that the organizer sets', async () => {
  const sale = await openQueue({}, { perMinute: null });
  const [person] = (await people(1)) as [Person];
  await join(sale, person);
  await passDraw(sale);
  await tend(sale);
  await expect.poll(async () => (await readQueue(sale)).admittedUpTo).toBeGreaterThan(0);
  const { ticket } = await join(sale, person);
  for (let orders = 0; orders < 3; orders++) expectStatus(201, await order(sale, person, ticket));
  await tend(sale);
  expect((await readQueue(sale)).perMinute).toBe(3_000);
  expectStatus(200, await sale.organizer.put(queuePath(sale), { perMinute: 100 }));
  await tend(sale);
  expect((await readQueue(sale)).perMinute).toBe(100);
});

it('is over once everything is sold, and then lets everybody order', async () => {
  const sale = await openQueue({ tiers: [{ ...tier, quantity: 1 }], waitingList: true });
  const [ann, ben] = (await people(2)) as [Person, Person];
  await join(sale, ann);
  await passDraw(sale);
  await tend(sale);
  expectStatus(201, await order(sale, ann, (await join(sale, ann)).ticket));
  await expect

    .poll(
      async () => {
        await tend(sale);
        return (await readQueue(sale)).state;
      },
      { timeout: 90_000 },
    )
    .toBe('over');
  expect(errorOf(await ben.post(queuePath(sale)))).toEqual([409, 'queue-ended']);
  expect(errorOf(await order(sale, ben))).toEqual([409, 'sold-out']);
  expect(await getItem(keys.queueTask(sale.event.id))).toBeUndefined();
});

it('keeps its times once it has opened', async () => {
  const sale = await openQueue();
  const { queue } = sale.event;
  const later = { queue: { ...queue, drawAt: inMinutes(40) } };
  expect(errorOf(await changeEvent(sale, later))).toEqual([409, 'queue-opened']);
  expect(errorOf(await changeEvent(sale, { queue: null }))).toEqual([409, 'queue-opened']);
  // The public value of the draw is a block of the event's chain.
  expect(errorOf(await changeEvent(sale, { chainId: 80_002 }))).toEqual([409, 'queue-opened']);
  const until = inMinutes(60);
  const changed = expectStatus(200, await changeEvent(sale, { queue: { ...queue, until } }));
  expect(changed.event.queue).toEqual({ ...queue, until });
  const early = await openQueue({}, { opensAt: inMinutes(5) });
  const { commitment } = await readQueue(early);
  expect(commitment).toBeNull();
  expect(errorOf(await early.organizer.post(queuePath(early)))).toEqual([409, 'queue-not-open']);
  expectStatus(200, await changeEvent(early, { queue: null }));
  expect(errorOf(await anonymous.get(queuePath(early)))).toEqual([409, 'no-queue']);
  const invalid = { queue: { opensAt: inMinutes(1), drawAt: inMinutes(-10) } };
  expect(errorOf(await changeEvent(early, invalid))).toEqual([400, 'invalid-input']);
});

it('stores no person with a place, and answers the state without reading places', async () => {
  const sale = await openQueue();
  const [person] = (await people(1)) as [Person];
  const { place } = await join(sale, person);
  const stored: Json[] = [];
  for (const partition of queuePartitions(sale.event.id))
    for await (const item of queryAll({ partition })) stored.push(item);
  expect(stored.map(({ sk }) => sk)).toEqual([`PLACE#${place.id}`]);
  expect(JSON.stringify(stored)).not.toContain(person.user.id);
  // A place whose write was late was not drawn: it follows.
  await passDraw(sale);
  await tend(sale);
  const { queueState } = (await getItem(keys.event(sale.event.id))) as Json;
  const straggler = await registerUser();
  const key = keys.queuePlace(sale.event.id, placeIdOf(queueState, straggler.user.id));
  await write(put({ ...key, joinedAt: Date.now() }));
  expect((await join(sale, straggler)).place.number).toBe(2);
  expect((await join(sale, straggler)).place.number).toBe(2);
  expect((await join(sale, await registerUser())).place.number).toBe(3);
  const answer = await anonymous.get(queuePath(sale));
  expect(answer.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=2');
});

/** Runs the script that verifies a draw, as somebody without the project would. */
async function verify({ event }: Sale, ...args: string[]): Promise<string> {
  const script = path.resolve('docs/verify-draw.mjs');
  return new Promise((resolve) => {
    execFile(process.execPath, [script, sharedStack().apiUrl, event.id, ...args], (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

it('draws the same after the job was killed at any of its writes', async () => {
  const sale = await openQueue();
  const { id } = sale.event;
  await write(update(keys.event(id), { set: { queue: { ...sale.event.queue, drawAt: inMinutes(-1.5) } } }));
  const places = Array.from({ length: 1_200 }, (_, index) => `place-${index}`);
  await putAll(places.map((place) => ({ ...keys.queuePlace(id, place), joinedAt: 0 })));
  const { queueState } = (await getItem(keys.event(id))) as Json;
  const task = (await getItem(keys.queueTask(id))) as Json;

  const drawAfterKill = async (kill: Kill | undefined) => {
    await write(update(keys.event(id), { set: { queueState } }));
    await write(put(task));
    for (const page of [0, 1, 2]) await write(remove(keys.drawPage(id, page)));
    const killed = await runKilled(() => tendQueue(id), kill);
    if (killed) await tendQueue(id);
    const { seed, publicValue, pages } = await readDraw(sale);
    const answers: Json[] = [];
    for (let page = 1; page <= pages; page++)
      answers.push((await anonymous.get(`/api/events/${id}/queue/draw?page=${page}`)).body);
    return { killed, order: answers.flatMap((answer) => answer.places), seed, publicValue };
  };
  const { killed: _, ...reference } = await drawAfterKill(undefined);
  expect(reference.order.map((place: Json) => place.id)).toEqual(drawOrder(places, reference));
  let kills = 0;
  for (const isDone of [false, true]) {
    for (let writes = 0; ; writes++) {
      const { killed, ...result } = await drawAfterKill({ writes, isDone });
      expect(result).toEqual(reference);
      if (!killed) break;
      kills++;
    }
  }
  // The public value, the pages, the draw and the task, each killed before and after the write.
  expect(kills).toBe(8);

  const [place] = reference.order;
  expect(await verify(sale, '--place', place.id)).toContain('Verified: 1200 places');
  const { commitment } = await readQueue(sale);
  expect(await verify(sale, '--commitment', commitment)).toContain('Verified');
  expect(await verify(sale, '--commitment', '00'.repeat(32))).toContain('NOT VERIFIED');
  const page = (await getItem(keys.drawPage(id, 0))) as Json;
  await write(put({ ...page, ids: [page.ids[1], page.ids[0], ...page.ids.slice(2)] }));
  expect(await verify(sale)).toContain('is not in the order of the draw');
});

/** Where a job is killed: before or after a write. */
interface Kill {
  writes: number;
  isDone: boolean;
}

/** Runs a job that is killed at a write. @returns whether it came to this write */
async function runKilled(run: () => Promise<void>, kill: Kill | undefined): Promise<boolean> {
  let writes = 0;
  let killed = false;
  const name = 'kill';
  if (kill) {
    documentClient().middlewareStack.add(
      (next, { commandName = '' }) =>
        async (args) => {
          const isWrite = /Put|Update|Delete|Write/.test(commandName);
          const isHere = isWrite && writes++ === kill.writes;
          if (killed || (isHere && !kill.isDone)) {
            killed = true;
            throw new Error('killed');
          }
          const answer = await next(args);
          if (!isHere) return answer;
          killed = true;
          throw new Error('killed');
        },
      { step: 'initialize', name },
    );
  }
  try {
    await run();
  } catch (error) {
    if (!killed) throw error;
  } finally {
    if (kill) documentClient().middlewareStack.remove(name);
  }
  return killed;
}
