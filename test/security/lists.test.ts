import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import {
  createEvent,
  initializeOrder,
  openSale,
  type Person,
  placeOrder,
  registerUser,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';

let owner: Person;
let other: Person;
let cursor: string;

const getPage = ({ token }: Person, list: string, cursor: string) =>
  call('GET', `/api/${list}?limit=1&cursor=${encodeURIComponent(cursor)}`, { token });

beforeAll(async () => {
  const [sale, ...people] = await Promise.all([openSale(), registerUser(), registerUser()]);
  [owner, other] = people;
  await Promise.all([
    initializeOrder(sale, owner, 1),
    initializeOrder(sale, owner, 1),
    initializeOrder(sale, other, 1),
    initializeOrder(sale, other, 1),
  ]);
  cursor = (await owner.get('/api/orders?limit=1')).body.nextCursor;
});

const refusal = [400, { error: 'cursor is not valid' }];

describe('a cursor', () => {
  it('continues the list that returned it', async () => {
    const next = await getPage(owner, 'orders', cursor);
    expect([next.status, next.body.orders.length]).toEqual([200, 1]);
  });

  it('is refused with 400 in another list and for another user', async () => {
    for (const [person, list] of [
      [other, 'orders'],
      [owner, 'notifications'],
      [owner, 'events'],
    ] as const) {
      const { status, body } = await getPage(person, list, cursor);
      expect([status, body], list).toEqual(refusal);
    }
  });

  it('is refused with 400 when it is changed, truncated or without its signature', async () => {
    const [payload = '', signature = ''] = cursor.split('.');
    const positions = Array.from({ length: cursor.length }, (_, index) => index).filter(
      (position) => position % 5 === 0,
    );
    const changed = positions.map(
      (position) =>
        cursor.slice(0, position) + (cursor[position] === 'A' ? 'B' : 'A') + cursor.slice(position + 1),
    );
    const content = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const otherUsersContent = { ...content, ownerPk: `USER#${other.user.id}#ORDERS` };
    const otherUsersPayload = Buffer.from(JSON.stringify(otherUsersContent)).toString('base64url');
    const forged = [
      payload,
      `${cursor}.x`,
      `${payload}.`,
      `.${signature}`,
      `${otherUsersPayload}.${signature}`,
      '',
      '.',
      '..',
    ];
    for (const invalidCursor of [...changed, ...forged, cursor.slice(0, -1)]) {
      const { status, body } = await getPage(owner, 'orders', invalidCursor);
      expect([status, body], invalidCursor).toEqual(refusal);
    }
  });
});

/** Lambda limits a response to 6 MB. Any organizer can create events so large that 100 of them exceed it. */

// Quotes are escaped twice: in the body, and in Lambda's answer with the body.
const tier = { name: '"'.repeat(200), description: '"'.repeat(666), price: 1, quantity: 1 };
const largestEvent = { title: 'Full', venue: 'Club', startDate: '9000-01-01', tiers: Array(30).fill(tier) };

let organizer: Person;
let ids: string[];

beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
  const { token } = organizer;
  const create = () => call('POST', '/api/events', { token, body: largestEvent });
  const answers = await Promise.all(Array.from({ length: 75 }, create));
  ids = answers.map(({ body }) => body.event.id);
});
// Other tests read the public list.
afterAll(async () => {
  await Promise.all(ids.map((id) => organizer.delete(`/api/events/${id}`)));
});

it('GET /api/events lists all of 75 events of the largest size, in pages shorter than the requested limit', async () => {
  const listedIds: string[] = [];
  let pageCount = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `organizerId=me&limit=100${cursor && `&cursor=${cursor}`}`;
    // On a slow machine the table may take longer for such a page than the function waits for it.
    const answer = await eventually('a page', async () => {
      const received = await organizer.get(`/api/events?${query}`);
      return received.status !== 503 && received;
    });
    expect(answer.status).toBe(200);
    listedIds.push(...answer.body.events.map(({ id }: { id: string }) => id));
    cursor = answer.body.nextCursor;
    pageCount++;
  }
  expect(pageCount).toBeGreaterThan(1);
  expect(listedIds).toEqual(ids.toSorted().reverse());
});

it('GET /api/events/{id}/attendees lists all tickets of ten orders of the largest size', async () => {
  const tiers = [{ name: '"'.repeat(200), price: 0, quantity: 5_000, maxPerPerson: 500 }];
  const event = await createEvent(organizer, { tiers });
  const customerName = '"'.repeat(100);
  for (let count = 0; count < 10; count++)
    await placeOrder({ event }, await registerUser(), { quantity: 500, customerName });
  let tickets = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `limit=100${cursor && `&cursor=${cursor}`}`;
    const page = await organizer.get(`/api/events/${event.id}/attendees?${query}`);
    expect(page.status).toBe(200);
    tickets += page.body.attendees.length;
    cursor = page.body.nextCursor;
  }
  expect(tickets).toBe(5_000);
});
