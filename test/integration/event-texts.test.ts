import { beforeAll, describe, expect, it } from 'vitest';
import { getItem, type Item } from '../../shared/dynamo/client.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { remove, update, write } from '../../shared/dynamo/write.ts';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { useTableOf } from '../support/table.ts';

/** Descriptions are stored apart from what sells tickets, and shown wherever an event is. */

let organizer: Person;
beforeAll(async () => {
  useTableOf();
  organizer = await registerUser({ role: 'ORGANIZER' });
});

const tier = (description: string) => ({ name: 'T', description, price: 1, quantity: 10 });
const send = (method: string, path: string, body?: object) =>
  call(method, path, { token: organizer.token, ...(body && { body }) });
const create = (description: string, ...tiers: string[]) =>
  send('POST', '/api/events', {
    title: 'Texts',
    venue: 'Club',
    startDate: '2099-05-01',
    description,
    tiers: tiers.map(tier),
  });

/** The descriptions of an event as it is read alone, and in a list. */
async function shown(id: string): Promise<string[][]> {
  const alone = (await send('GET', `/api/events/${id}`)).body.event;
  const { events } = (await send('GET', '/api/events?organizerId=me&limit=100')).body;
  const listed = events.find((event: { id: string }) => event.id === id);
  return [alone, listed].map(({ description, tiers }) => [
    description,
    ...tiers.map((one: { description: string }) => one.description),
  ]);
}

const stored = async (id: string) => (await getItem(keys.event(id))) as Item;
const heldByEvent = async (id: string) => {
  const { description, tiers } = (await stored(id)) as { description: string; tiers: Item[] };
  return [description, ...tiers.map((one) => one.description)];
};

describe('descriptions', () => {
  it('are not in the item that sells tickets, and follow changes', async () => {
    const { id, tiers } = (await create('Long ago', 'Front', 'Back')).body.event;
    expect(await heldByEvent(id)).toEqual(['', '', '']);
    expect(await shown(id)).toEqual(Array(2).fill(['Long ago', 'Front', 'Back']));

    await send('PUT', `/api/events/${id}`, { description: '', title: 'New' });
    await send('PUT', `/api/events/${id}/tiers/${tiers[1].id}`, { description: 'Side', quantity: 20 });
    await send('POST', `/api/events/${id}/tiers`, tier('Balcony'));
    expect(await shown(id)).toEqual(Array(2).fill(['', 'Front', 'Side', 'Balcony']));
    expect(await heldByEvent(id)).toEqual(['', '', '', '']);
    await send('DELETE', `/api/events/${id}`);
    expect(await getItem(keys.eventTexts(id))).toBeUndefined();
  });

  it('that an event holds itself are shown, and move with its next change', async () => {
    const { id } = (await create('', '')).body.event;
    const { tiers } = (await stored(id)) as { tiers: Item[] };
    const set = { description: 'Old', tiers: tiers.map((one) => ({ ...one, description: 'Floor' })) };
    await write(update(keys.event(id), { set }));
    await write(remove(keys.eventTexts(id)));
    expect(await shown(id)).toEqual(Array(2).fill(['Old', 'Floor']));

    expect((await send('PUT', `/api/events/${id}`, { title: 'New' })).body.event.description).toBe('Old');
    expect(await heldByEvent(id)).toEqual(['', '']);
    expect(await shown(id)).toEqual(Array(2).fill(['Old', 'Floor']));
  });

  it('have at most 20,000 characters together', async () => {
    const long = (count: number) => Array(count).fill('x'.repeat(2_000));
    const refused = { status: 400, body: { error: expect.stringMatching('20000 characters together') } };
    expect(await create('x', ...long(10))).toMatchObject(refused);
    const { id } = (await create('', ...long(10))).body.event;
    expect(await send('PUT', `/api/events/${id}`, { description: 'x' })).toMatchObject(refused);
    expect(await send('POST', `/api/events/${id}/tiers`, tier('x'))).toMatchObject(refused);
    expect((await send('PUT', `/api/events/${id}`, { title: 'Same' })).status).toBe(200);
  });
});
