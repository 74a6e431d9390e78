import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem, type Item } from '../../shared/dynamo/read.ts';
import { type Person, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

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
    expect(await callAsOrganizer('POST', `/api/events/${id}/tiers`, tierWithDescription('x'))).toMatchObject(
      refusal,
    );
    expect((await callAsOrganizer('PUT', `/api/events/${id}`, { title: 'Same' })).status).toBe(200);
  });
});
