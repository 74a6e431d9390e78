import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Person, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';

/** Lambda limits a response to 6 MB. Any organizer can create events so large that 100 of them exceed it. */

const tier = { name: '漢'.repeat(200), description: '漢'.repeat(666), price: 1, quantity: 1 };
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
    const answer = await organizer.get(`/api/events?${query}`);
    expect(answer.status).toBe(200);
    listedIds.push(...answer.body.events.map(({ id }: { id: string }) => id));
    cursor = answer.body.nextCursor;
    pageCount++;
  }
  expect(pageCount).toBeGreaterThan(1);
  expect(listedIds).toEqual(ids.toSorted().reverse());
});
