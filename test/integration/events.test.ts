import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';

let organizer: Person;
let person: Person;
beforeAll(async () => {
  [organizer, person] = await Promise.all([registerUser({ role: 'ORGANIZER' }), registerUser()]);
});

const requiredFields = { title: 'Jazz Night', venue: 'Club', startDate: '2027-05-01T18:00:00+02:00' };

async function createEvent(fields: object = {}, token = organizer.token) {
  const answer = await call('POST', '/api/events', { token, body: { ...requiredFields, ...fields } });
  expect(answer.status).toBe(201);
  return answer.body.event;
}

/** Lists the ids of events on all pages. */
async function listEventIds(query: string, token?: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await call('GET', `/api/events?${query}${page}`, { token });
    expect(status).toBe(200);
    ids.push(...body.events.map(({ id }: { id: string }) => id));
    cursor = body.nextCursor;
  }
  return ids;
}

describe('the calendar file of an event', () => {
  const readCalendar = (id: string, token?: string) => call('GET', `/api/events/${id}/calendar`, { token });

  it('is text/calendar with times in UTC, and cacheable by a CDN', async () => {
    const { id } = await createEvent({ timezone: 'Europe/Berlin', title: 'Jazz, and more' });
    const { status, headers, body } = await readCalendar(id);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(headers.get('content-disposition')).toBe('attachment; filename="event.ics"');
    expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=2');
    const lines = body.split('\r\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        'DTSTART:20270501T160000Z',
        'DTEND:20270501T180000Z',
        'SUMMARY:Jazz\\, and more',
      ]),
    );
  });
});

describe('Cache-Control of events', () => {
  it('lets a CDN cache an event for two seconds, but not answers to authenticated requests or errors', async () => {
    const { id } = await createEvent();
    for (const path of ['/api/events', `/api/events/${id}`]) {
      const anonymousAnswer = await call('GET', path);
      expect(anonymousAnswer.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=2');
      const authenticatedAnswer = await organizer.get(path);
      expect(authenticatedAnswer.headers.get('cache-control')).toBe('no-store');
    }
    const missingAnswer = await call('GET', '/api/events/no-such-event');
    expect([missingAnswer.status, missingAnswer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });
});

describe('POST /api/events', () => {
  it('returns all fields of the event', async () => {
    const startedAt = new Date().toISOString();
    const event = await createEvent({
      description: 'Late',
      address: '1 Main Street',
      city: 'Lagos',
      country: 'Nigeria',
      latitude: 6.5244,
      longitude: 3.3792,
      timezone: 'Africa/Lagos',
      endDate: '2027-05-01T23:00:00+02:00',
      category: 'conference',
      image: 'https://example.com/a.png',
      contractAddress: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
      chainId: 80002,
      metadataUri: 'ipfs://metadata',
      tiers: [
        { name: 'Front', description: 'Seats', price: 100, quantity: 50, maxPerPerson: 4 },
        { name: 'Back', price: 50.25, quantity: 100 },
      ],
    });
    const ticketFields = { kind: 'ticket', perTicket: 1, minPerOrder: 1, taxPercent: null };
    expect(event).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      title: 'Jazz Night',
      description: 'Late',
      venue: 'Club',
      address: '1 Main Street',
      city: 'Lagos',
      country: 'Nigeria',
      latitude: 6.5244,
      longitude: 3.3792,
      timezone: 'Africa/Lagos',
      source: 'boxoffice',
      externalUrl: null,
      eventDate: '2027-05-01T16:00:00.000Z',
      endDate: '2027-05-01T21:00:00.000Z',
      saleStart: event.createdAt,
      saleEnd: '2027-05-01T21:00:00.000Z',
      totalSupply: 150,
      ticketPrice: 50.25,
      currency: 'USD',
      maxPerWallet: 10,
      contractAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      chainId: 80002,
      contractStatus: 'unauthorized',
      imageUrl: 'https://example.com/a.png',
      metadataUri: 'ipfs://metadata',
      category: 'CONFERENCE',
      tags: '',
      isPublic: true,
      allowTransfers: true,
      entry: 'token',
      requireKYC: false,
      lockAfterAdmission: false,
      status: 'PUBLISHED',
      buyers: 'accounts',
      questions: [],
      questionsWhen: 'order',
      offlineMode: 'ask',
      checkInLists: [],
      feePaidBy: 'buyer',
      language: 'en',
      seller: null,
      returns: null,
      waitingList: false,
      attachPdf: false,
      queue: null,
      organizer: null,
      organizerId: organizer.user.id,
      tiers: [
        {
          id: expect.any(String),
          name: 'Front',
          description: 'Seats',
          price: 100,
          quantity: 50,
          maxPerPerson: 4,
          hidden: false,
          saleStart: event.createdAt,
          saleEnd: '2027-05-01T21:00:00.000Z',
          ...ticketFields,
          available: 50,
        },
        {
          id: expect.any(String),
          name: 'Back',
          description: '',
          price: 50.25,
          quantity: 100,
          maxPerPerson: 10,
          hidden: false,
          saleStart: event.createdAt,
          saleEnd: '2027-05-01T21:00:00.000Z',
          ...ticketFields,
          available: 100,
        },
      ],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: event.createdAt,
    });
    expect(event.createdAt >= startedAt).toBe(true);
  });
});

describe('POST /api/events/{id}/duplicate', () => {
  it('copies an event as a draft whose times keep their distances, once for an idempotency key', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' });
    const original = (
      await organizer.post('/api/events', {
        title: 'Weekly',
        description: '**Loud**',
        venue: 'Club',
        startDate: '2030-06-01T20:00:00Z',
        endDate: '2030-06-01T23:00:00Z',
        saleStart: '2030-05-01T00:00:00Z',
        saleEnd: '2030-06-01T20:00:00Z',
        tiers: [{ name: 'Floor', price: 50, quantity: 10, saleEnd: '2030-05-20T00:00:00Z' }],
        questions: [{ label: 'Meal?', kind: 'text' }],
      })
    ).body.event;
    const copy = () =>
      call('POST', `/api/events/${original.id}/duplicate`, {
        token: organizer.token,
        headers: { 'idempotency-key': 'copy-it-once' },
        body: { startDate: '2030-06-08T20:00:00Z' },
      });
    const { event } = (await copy()).body;
    expect((await copy()).body.event.id).toBe(event.id);
    expect(event.id).not.toBe(original.id);
    expect(event).toMatchObject({
      title: 'Weekly',
      description: '**Loud**',
      status: 'DRAFT',
      eventDate: '2030-06-08T20:00:00.000Z',
      endDate: '2030-06-08T23:00:00.000Z',
      saleStart: '2030-05-08T00:00:00.000Z',
      saleEnd: '2030-06-08T20:00:00.000Z',
      tiers: [{ name: 'Floor', quantity: 10, available: 10, saleEnd: '2030-05-27T00:00:00.000Z' }],
      questions: [{ label: 'Meal?' }],
    });
  });
});

describe('GET /api/events/{id}', () => {
  it('lists the payment methods for the event’s currency, and none for free tickets', async () => {
    const listPaymentMethodNames = async (fields: object) => {
      const { id } = await createEvent({ ticketPrice: 10, maxCapacity: 20, ...fields });
      const { paymentMethods } = (await call('GET', `/api/events/${id}`)).body;
      return paymentMethods.map(({ name }: { name: string }) => name);
    };
    expect(await listPaymentMethodNames({ currency: 'EUR' })).toEqual([
      'Bank transfer',
      'International card',
    ]);
    expect(await listPaymentMethodNames({ currency: 'POL' })).toEqual(['POL on Polygon']);
    // The stack has no nodes for this chain.
    expect(await listPaymentMethodNames({ currency: 'ETH', chainId: 1 })).toEqual([]);
    expect(await listPaymentMethodNames({ ticketPrice: 0 })).toEqual([]);
  });

  it('returns 404 for an unknown id, and 400 for one that is too long', async () => {
    for (const id of ['cnone', randomUUID(), '%20', 'a'.repeat(100)]) {
      const answer = await call('GET', `/api/events/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { error: 'Event not found' } });
    }
    expect((await call('GET', `/api/events/${'a'.repeat(3000)}`)).status).toBe(400);
  });
});

describe('GET /api/events', () => {
  it('lists published public events, soonest first, in pages', async () => {
    const city = randomUUID();
    const laterEvent = await createEvent({ city, startDate: '2027-07-01' });
    const soonerEvent = await createEvent({ city, startDate: '2027-06-01' });
    const draft = await createEvent({ city });
    const unlisted = await createEvent({ city });
    const { token } = organizer;
    await call('PUT', `/api/events/${draft.id}`, { token, body: { status: 'DRAFT' } });
    await call('PUT', `/api/events/${unlisted.id}`, { token, body: { isPublic: false } });
    expect(await listEventIds(`city=${city}`)).toEqual([soonerEvent.id, laterEvent.id]);
    expect(await listEventIds(`city=${city}&limit=1`)).toEqual([soonerEvent.id, laterEvent.id]);
    const { body } = await call('GET', `/api/events?city=${city}`);
    expect(body.events).toEqual([soonerEvent, laterEvent]);
  });

  it('filters by city, category, time, organizer and words of the title', async () => {
    const word = randomUUID();
    const jazz = await createEvent({ title: `${word} Blue JAZZ`, city: 'Lagos', category: 'concert' });
    const talk = await createEvent({
      title: `Talk on ${word}`,
      city: 'Accra',
      startDate: '2027-06-01T10:00:00Z',
    });
    const search = (query: string) => listEventIds(`q=${word}&${query}`);
    expect(await search('')).toEqual([jazz.id, talk.id]);
    expect(await search('city=lAGOS')).toEqual([jazz.id]);
    expect(await search('category=MUSIC')).toEqual([jazz.id]);
    expect(await search('from=2027-05-02')).toEqual([talk.id]);
    expect(await search('to=2027-05-02')).toEqual([jazz.id]);
    expect(await search('from=2027-06-01T10:00:00Z&to=2027-06-01T10:00:00Z')).toEqual([talk.id]);
    expect(await search(`organizerId=${organizer.user.id}`)).toEqual([jazz.id, talk.id]);
    expect(await search(`organizerId=${person.user.id}`)).toEqual([]);
    expect(await listEventIds(`q=jazz%20blue%20${word}`)).toEqual([jazz.id]);
    expect(await listEventIds(`q=rock%20${word}`)).toEqual([]);
  });

  it('lists the caller’s own events, including drafts, newest first', async () => {
    const other = await registerUser({ role: 'ORGANIZER' });
    const first = await createEvent({ startDate: '2027-01-01' }, other.token);
    const second = await createEvent({ startDate: '2028-01-01', city: 'Oslo' }, other.token);
    await other.put(`/api/events/${first.id}`, { status: 'DRAFT' });
    expect(await listEventIds('organizerId=me', other.token)).toEqual([second.id, first.id]);
    expect(await listEventIds('organizerId=me&to=2027-06-01', other.token)).toEqual([first.id]);
    expect(await listEventIds('organizerId=me&city=oslo&limit=1', other.token)).toEqual([second.id]);
    expect(await listEventIds(`organizerId=${other.user.id}`)).toEqual([second.id]);
    expect((await call('GET', '/api/events?organizerId=me')).status).toBe(401);
  });

  it.each([
    'limit=0',
    'limit=101',
    'cursor=made-up',
    'category=opera',
    'from=soon',
    'from=2027-05-02&to=2027-05-01',
  ])('refuses %s', async (query) => {
    expect((await call('GET', `/api/events?${query}`)).status).toBe(400);
  });
});
