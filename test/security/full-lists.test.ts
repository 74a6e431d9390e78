import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';

/** Lambda limits an answer to 6 MB, and any organizer may create events large enough to exceed it in a public list. */

const tier = { name: '漢'.repeat(200), description: '漢'.repeat(666), price: 1, quantity: 1 };
const fullest = { title: 'Full', venue: 'Club', startDate: '9000-01-01', tiers: Array(30).fill(tier) };

let organizer: Person;
let ids: string[];

beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
  const { token } = organizer;
  const create = () => call('POST', '/api/events', { token, body: fullest });
  const answers = await Promise.all(Array.from({ length: 75 }, create));
  ids = answers.map(({ body }) => body.event.id);
}, 90_000);
// Other tests read the public list, too.
afterAll(async () => {
  await Promise.all(ids.map((id) => call('DELETE', `/api/events/${id}`, { token: organizer.token })));
});

it('pages of the largest events are shorter, and together list all of them', async () => {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = `organizerId=me&limit=100${cursor && `&cursor=${cursor}`}`;
    const answer = await call('GET', `/api/events?${query}`, { token: organizer.token });
    expect(answer.status).toBe(200);
    found.push(...answer.body.events.map(({ id }: { id: string }) => id));
    cursor = answer.body.nextCursor;
  }
  expect(found).toEqual(ids.toSorted().reverse());
});
