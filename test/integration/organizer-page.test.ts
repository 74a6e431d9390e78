import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { copyToEvents, getEvent } from '../../shared/catalog/events/store.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { toDueWork } from '../../shared/jobs/sweep/due-work.ts';
import { eventually } from '../support/eventually.ts';
import {
  anonymous,
  buyTickets,
  createEvent,
  expectStatus,
  openSale,
  type Person,
  registerUser,
} from '../support/fixtures.ts';
import { type Answer, call, errorOf } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import {
  awaitProcessed,
  createPng,
  decodeJpeg,
  listObjects,
  postFile,
  readPicture,
  type Upload,
} from '../support/pictures.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

const newSlug = () => `page-${randomUUID().slice(0, 8)}`;
const putPage = (organizer: Person, fields: object) =>
  organizer.put('/api/organizer/page', { slug: newSlug(), name: 'Old Station', ...fields });
const readPage = (slug: string) => anonymous.get(`/api/organizers/${slug}`);
const readOrganizer = async (eventId: string) =>
  (await anonymous.get(`/api/events/${eventId}`)).body.event.organizer;

test('anyone sees an organizer’s page, and events show the organizer', async () => {
  const { organizer, event } = await openSale();
  expect(await readOrganizer(event.id)).toBeNull();
  expect(errorOf(await organizer.get('/api/organizer/page'))).toEqual([404, 'page-not-found']);
  const fields = {
    slug: newSlug(),
    name: 'Old Station',
    about: 'Since *1890*',
    contact: 'hello@old-station.example',
    accent: '#0B6E4F',
    logoUrl: 'https://old-station.example/logo.svg',
    font: 'serif',
  };
  const page = {
    ...fields,
    accent: '#0b6e4f',
    accentText: '#ffffff',
    organizerId: organizer.user.id,
    updatedAt: expect.any(String),
  };
  expect(expectStatus(200, await putPage(organizer, fields)).organizer).toEqual(page);
  expect((await organizer.get('/api/organizer/page')).body.organizer).toEqual(page);
  const shown = await readPage(fields.slug.toUpperCase());
  expect(shown.body.organizer).toEqual(page);
  expect(shown.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=2');

  const { organizerId: _, about: __, updatedAt: ___, ...mark } = page;
  const { slug, name } = mark;
  expect(await readOrganizer(event.id)).toEqual(mark);
  const later = await createEvent(organizer);
  expect(later.organizer).toEqual(mark);
  const copy = await organizer.post(`/api/events/${event.id}/duplicate`, {
    startDate: '2031-01-01T20:00:00Z',
  });
  expect(expectStatus(201, copy).event.organizer).toEqual(mark);

  // What a change leaves out is empty again.
  await putPage(organizer, { slug, accent: '#ffd400' });
  const plain = { contact: null, logoUrl: null, font: null };
  const cleared = { slug, name, ...plain, accent: '#ffd400', accentText: '#000000' };
  expect(await readOrganizer(event.id)).toEqual(cleared);
  expect(await readOrganizer(later.id)).toEqual(cleared);
});

test('an uploaded logo is shown by the page and its events, until it is replaced or the page is deleted', async () => {
  const { organizer, event } = await openSale();
  const { id } = organizer.user;
  const request = () => organizer.post('/api/organizer/page/logo', { type: 'image/png' });
  expect(errorOf(await request())).toEqual([404, 'page-not-found']);
  const slug = newSlug();
  await putPage(organizer, { slug });
  const upload = async (file: Buffer) => {
    const requested: Upload = expectStatus(201, await request());
    expect((await postFile(requested, file)).status).toBe(204);
    await awaitProcessed(requested);
    return requested.imageUrl;
  };
  const first = await upload(createPng(20));
  expect((await readOrganizer(event.id)).logoUrl).toBe(first);
  expect(expectStatus(200, await putPage(organizer, { slug, logoUrl: first })).organizer.logoUrl).toBe(first);
  expect(decodeJpeg(Buffer.from((await readPicture(first, 400)).body, 'latin1')).width).toBe(20);

  const second = await upload(createPng(30));
  await upload(Buffer.from('<svg onload="alert(1)"/>'));
  expect((await readPage(slug)).body.organizer.logoUrl).toBe(second);
  expect((await readPicture(first)).status).toBe(404);
  expect(await listObjects(id)).toHaveLength(3);

  const late: Upload = expectStatus(201, await request());
  expectStatus(200, await organizer.delete('/api/organizer/page'));
  await eventually('the objects are deleted', async () => (await listObjects(id)).length === 0);
  // Another page does not get the logo of the deleted one.
  await putPage(organizer, { slug });
  await postFile(late, createPng(20));
  await awaitProcessed(late);
  expect((await readPage(slug)).body.organizer.logoUrl).toBeNull();
  expect(await listObjects(id)).toEqual([]);
});

test('a slug belongs to one organizer, until another slug frees it', async () => {
  const [first, second] = await Promise.all([
    registerUser({ role: 'ORGANIZER' }),
    registerUser({ role: 'ORGANIZER' }),
  ]);
  const slug = newSlug();
  const results = await Promise.all([putPage(first, { slug }), putPage(second, { slug })]);
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  const [owner, other] = results[0]?.status === 200 ? [first, second] : [second, first];
  expect(errorOf(await putPage(other, { slug }))).toEqual([409, 'slug-taken']);
  expectStatus(200, await putPage(owner, { slug, name: 'Renamed' }));
  expect((await readPage(slug)).body.organizer.name).toBe('Renamed');

  expectStatus(200, await putPage(owner, {}));
  expect(errorOf(await readPage(slug))).toEqual([404, 'page-not-found']);
  expectStatus(200, await putPage(other, { slug }));
});

test('concurrent changes of a page leave one slug', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  await putPage(organizer, {});
  const slugs = Array.from({ length: 6 }, newSlug);
  await Promise.all(slugs.map((slug) => putPage(organizer, { slug })));
  const { slug } = (await organizer.get('/api/organizer/page')).body.organizer;
  const found = await Promise.all(slugs.map(async (each) => (await readPage(each)).status === 200));
  expect(slugs.filter((_, index) => found[index])).toEqual([slug]);
  const other = await registerUser({ role: 'ORGANIZER' });
  for (const freed of slugs.filter((each) => each !== slug)) {
    expectStatus(200, await putPage(other, { slug: freed }));
  }
});

test.each([
  ['slug', 'admin', 'reserved'],
  ['slug', 'ab', 'must have 3 to 40'],
  ['slug', 'a'.repeat(41), 'must have 3 to 40'],
  ['slug', 'two--hyphens', 'must have 3 to 40'],
  ['slug', '../x', 'must have 3 to 40'],
  ['name', '', ''],
  ['contact', 'javascript:alert(1)', 'must be an e-mail address'],
  ['contact', 'http://old-station.example', 'must be an e-mail address'],
  ['contact', 'https://boxoffice.example@evil.example', 'must be an e-mail address'],
  ['accent', 'red', 'must be a color'],
  ['accent', '#fff;x', 'must be a color'],
  ['about', 'x'.repeat(5001), ''],
])('a page is refused with the %s %j', async (field, value, reason) => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const answer = await putPage(organizer, { [field]: value });
  expect(errorOf(answer)).toEqual([400, 'invalid-input']);
  expect(answer.body.error).toContain(reason);
});

test('an API key changes the page, unless it is limited to some events', async () => {
  const { organizer, event } = await openSale();
  const newKey = async (fields: object) =>
    (await organizer.post('/api/keys', { name: 'Site', ...fields })).body.secret as string;
  const body = { slug: newSlug(), name: 'Old Station' };
  const put = async (fields: object) =>
    call('PUT', '/api/organizer/page', { token: await newKey(fields), body });
  expect(expectStatus(200, await put({ scopes: ['events:write'] })).organizer.slug).toBe(body.slug);
  expect(errorOf(await put({ scopes: ['events:read'] }))).toEqual([403, 'scope-missing']);
  expect(errorOf(await put({ scopes: ['events:write'], eventIds: [event.id] }))).toEqual([
    403,
    'scope-missing',
  ]);
});

test('the mail with the tickets has the organizer’s color', async () => {
  const sale = await openSale();
  await putPage(sale.organizer, { accent: '#ffd400' });
  const buyer = await registerUser();
  await buyTickets(sale, buyer, 1);
  const mail = await awaitMail(buyer.user.email, 'Your ticket to');
  expect(mail.body.html).toContain('background:#ffd400;color:#000000;');
});

test('a deleted page is gone from events and mails, and its address is free', async () => {
  const sale = await openSale();
  const { organizer, event } = sale;
  const slug = newSlug();
  await putPage(organizer, { slug, accent: '#ffd400' });
  expect(expectStatus(200, await organizer.delete('/api/organizer/page'))).toEqual({
    message: 'Page deleted',
  });
  expect(errorOf(await organizer.get('/api/organizer/page'))).toEqual([404, 'page-not-found']);
  expect(errorOf(await organizer.delete('/api/organizer/page'))).toEqual([404, 'page-not-found']);
  expect(errorOf(await readPage(slug))).toEqual([404, 'page-not-found']);
  expect(await readOrganizer(event.id)).toBeNull();
  expect((await createEvent(organizer)).organizer).toBeNull();
  const buyer = await registerUser();
  await buyTickets(sale, buyer, 1);
  expect((await awaitMail(buyer.user.email, 'Your ticket to')).body.html).not.toContain('#ffd400');

  const other = await registerUser({ role: 'ORGANIZER' });
  expectStatus(200, await putPage(other, { slug }));
  expect(errorOf(await putPage(organizer, { slug }))).toEqual([409, 'slug-taken']);
  // The next page is newer than all that events have copied.
  const next = newSlug();
  expectStatus(200, await putPage(organizer, { slug: next }));
  expect(await readOrganizer(event.id)).toMatchObject({ slug: next, accent: null });
});

test('a copy that arrives after the deletion is too old, and the deletion stays due until events have copied it', async () => {
  const { organizer, event } = await openSale();
  const { id: organizerId } = organizer.user;
  await putPage(organizer, { name: 'Deleted station' });
  expectStatus(200, await organizer.delete('/api/organizer/page'));
  connectToTable();
  const mark = {
    slug: 'late',
    name: 'Deleted station',
    contact: null,
    accent: null,
    logoUrl: null,
    font: null,
  };
  await copyToEvents(organizerId, { organizer: mark }, { name: 'organizerVersion', version: 1 });
  expect((await getEvent(event.id)).organizer).toBeUndefined();

  const left = await getItem(keys.organizerPage(organizerId));
  expect(left).toMatchObject({ version: 2, duePk: expect.any(String) });
  expect(JSON.stringify(left)).not.toContain('Deleted station');
  expect(toDueWork(left ?? {}, Date.now() + 3_600_000, new Set())).toMatchObject({
    message: { queue: 'run-event-jobs', body: { type: 'copy-page', organizerId } },
  });
  const body = JSON.stringify({ type: 'copy-page', organizerId });
  await sharedStack().invoke('workers-run-event-jobs', {
    Records: [{ messageId: '1', attributes: {}, body }],
  });
  expect(await getItem(keys.organizerPage(organizerId))).not.toHaveProperty('duePk');
});

test('concurrent changes and deletions of a page leave events with the page that is stored', async () => {
  const { organizer, event } = await openSale();
  await putPage(organizer, {});
  for (let round = 0; round < 5; round++) {
    const creation = { title: 'Jazz', venue: 'Club', startDate: '2031-01-01T20:00:00Z' };
    const [created] = await Promise.all([
      organizer.post('/api/events', creation),
      putPage(organizer, {}),
      organizer.delete('/api/organizer/page'),
      putPage(organizer, {}),
    ]);
    const { organizer: stored } = (await organizer.get('/api/organizer/page')).body;
    expect((await readOrganizer(event.id))?.slug).toBe(stored?.slug);
    // An event is not created while the page changes.
    if (created?.status === 409) continue;
    const { id } = expectStatus(201, created as Answer).event;
    await expect.poll(async () => (await readOrganizer(id))?.slug, { timeout: 90_000 }).toBe(stored?.slug);
  }
});

test('an erasure removes the page and frees its slug', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const draft = await createEvent(organizer, { status: 'DRAFT' });
  const slug = newSlug();
  await putPage(organizer, { slug });
  const exported = await organizer.get(`/api/users/${organizer.user.id}/export`);
  expect(expectStatus(200, exported).page).toMatchObject({ slug });
  expectStatus(200, await organizer.post(`/api/users/${organizer.user.id}/erasure`));
  await expect.poll(async () => (await readPage(slug)).status, { timeout: 90_000 }).toBe(404);
  const other = await registerUser({ role: 'ORGANIZER' });
  expectStatus(200, await putPage(other, { slug }));
  connectToTable();
  await expect.poll(async () => (await getEvent(draft.id)).organizer, { timeout: 90_000 }).toBeUndefined();
});
