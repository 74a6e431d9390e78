import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';

let organizer: Person;
let indexHtml: string;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
  indexHtml = await (await fetch(`${sharedStack().apiUrl}/index.html`)).text();
});

const requestPage = (id: string) => call('GET', `/events/${id}`, { headers: { accept: 'text/html' } });

async function createEvent(fields: object = {}): Promise<string> {
  const body = { title: 'Quiet Lights', venue: 'The Foundry', startDate: '2031-07-01T18:30:00Z', ...fields };
  const answer = await organizer.post('/api/events', body);
  expect(answer.status).toBe(201);
  return answer.body.event.id;
}

const changeEvent = (id: string, body: object) => organizer.put(`/api/events/${id}`, body);

/** Returns what search engines read. */
const structuredDataOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*)<\/script>/.exec(html)?.[1] ?? '');

/** Returns the title, the canonical address and the meta tags of a page, by name and decoded. */
function tagsOf(html: string): Record<string, string> {
  const tags = html.matchAll(/<meta (?:name|property)="([\w:]+)" content="([^"<>]*)">/g);
  const metaTags = [...tags].map(([, name = '', content = '']) => [name, decodeEntities(content)]);
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
  const [, canonical] = /<link rel="canonical" href="([^"<>]*)">/.exec(html) ?? [];
  return { ...Object.fromEntries(metaTags), title: decodeEntities(title), ...(canonical && { canonical }) };
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decodeEntities = (text: string) => text.replace(/&([\w#]+);/g, (_, name) => entities[name] ?? '?');
const countOccurrences = (html: string, text: string) => html.split(text).length - 1;

describe('the page of a published event', () => {
  it('has the title and the link preview tags of the event', async () => {
    const id = await createEvent({
      description: 'Lamps,\nand  a\tcello.',
      city: 'Lagos',
      timezone: 'Africa/Lagos',
      image: 'https://pictures.example/lights.jpg?w=1200&h=630',
      tiers: [
        { name: 'Floor', price: 20, quantity: 10 },
        { name: 'Friends of the house', price: 7.25, quantity: 10, hidden: true },
      ],
    });
    const { status, headers, body } = await requestPage(id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const address = `${sharedStack().apiUrl}/events/${id}`;
    const description =
      'Tuesday, 1 July 2031 at 19:30 (Africa/Lagos), The Foundry, Lagos. Lamps, and a cello.';
    expect(tagsOf(body)).toEqual({
      viewport: expect.any(String),
      title: 'Quiet Lights · Boxoffice',
      description,
      canonical: address,
      'og:type': 'website',
      'og:site_name': 'Boxoffice',
      'og:title': 'Quiet Lights',
      'og:description': description,
      'og:url': address,
      'og:image': 'https://pictures.example/lights.jpg?w=1200&h=630',
      'og:image:alt': 'Quiet Lights',
      'twitter:card': 'summary_large_image',
    });
    expect(body).not.toMatch(/Friends|7\.25/);
    expect(body.replace(/<title>[\s\S]*ld\+json">.*<\/script>/, '<title>Tickets</title>')).toBe(indexHtml);
    expect(structuredDataOf(body)).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Event',
      name: 'Quiet Lights',
      description: 'Lamps,\nand  a\tcello.',
      startDate: '2031-07-01T18:30:00.000Z',
      endDate: expect.any(String),
      eventStatus: 'https://schema.org/EventScheduled',
      image: 'https://pictures.example/lights.jpg?w=1200&h=630',
      url: address,
      location: { '@type': 'Place', name: 'The Foundry', address: 'Lagos' },
      offers: [
        { '@type': 'Offer', price: '20', priceCurrency: 'USD', validFrom: expect.any(String), url: address },
      ],
    });
  });

  it('has the security headers of the home page, and is cacheable for two seconds', async () => {
    const { headers } = await requestPage(await createEvent());
    const home = await fetch(`${sharedStack().apiUrl}/`);
    for (const name of ['content-security-policy', 'referrer-policy', 'x-content-type-options']) {
      expect(headers.get(name)).toBe(home.headers.get(name));
      expect(headers.get(name)).toBeTruthy();
    }
    expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=2');
  });

  it('has no preview picture when the event’s image has an ipfs: address', async () => {
    const tags = tagsOf(
      (await requestPage(await createEvent({ image: 'ipfs://bafybeigdyrzt/lights.png' }))).body,
    );
    expect(tags['og:image']).toBeUndefined();
    expect(tags['twitter:card']).toBe('summary');
  });

  it('shortens a long description to 200 characters', async () => {
    const tags = tagsOf((await requestPage(await createEvent({ description: '🎻'.repeat(300) }))).body);
    expect([...(tags.description ?? '')]).toHaveLength(200);
    expect(tags.description).toMatch(/🎻…$/u);
  });

  it.each([
    '"><script>alert(1)</script>',
    '</title><script src=//evil.example></script>',
    "' onmouseover='alert(1)",
    '&quot;><img src=x onerror=alert(1)>',
    '<!-- --!> <base href=//evil.example>',
    "$& $' $` $1 $<title>",
  ])('escapes the title %s', async (title) => {
    const texts = { title, description: title, venue: title, city: title };
    const { body } = await requestPage(
      await createEvent({ ...texts, image: 'https://x.example/"><script>1</script>' }),
    );
    expect(structuredDataOf(body)).toMatchObject({ name: title, location: { name: title } });
    expect(countOccurrences(body, '<script')).toBe(countOccurrences(indexHtml, '<script') + 1);
    expect(countOccurrences(body, 'ld+json')).toBe(1);
    for (const tag of ['<img', '<base', '<!--', '<title', '</title', '</head'])
      expect(countOccurrences(body, tag), tag).toBe(countOccurrences(indexHtml, tag));
    const tags = tagsOf(body);
    expect(tags.title).toBe(`${title} · Boxoffice`);
    expect(tags['og:title']).toBe(title);
    expect(tags.description).toContain(title);
    expect(tags['og:image']).toContain('x.example');
  });
});

describe('the page of an event', () => {
  it.each([
    ['an unknown event', async () => 'cm5x2k9q0h3v7r1t8w4y6z0ab'],
    ['a draft', () => createEvent({ status: 'DRAFT' })],
    [
      'an event that became a draft',
      async () => {
        const id = await createEvent();
        expect((await changeEvent(id, { status: 'DRAFT' })).status).toBe(200);
        return id;
      },
    ],
    [
      'a deleted event',
      async () => {
        const id = await createEvent();
        const { token } = organizer;
        expect((await call('DELETE', `/api/events/${id}`, { token })).status).toBe(200);
        return id;
      },
    ],
    ['a path after the id', async () => `${await createEvent()}/more`],
    ['an id of 3,000 characters', async () => `${'a'.repeat(3_000)}`],
    ['an encoded path', async () => '..%2f..%2fconfig.json'],
  ])('is the home page with status 404 for %s', async (_, createId) => {
    const { status, body, headers } = await requestPage(await createId());
    expect(status).toBe(404);
    expect(body).toBe(indexHtml);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('is shown for an unlisted event, but not indexed by search engines', async () => {
    const { status, body } = await requestPage(await createEvent({ isPublic: false }));
    expect(status).toBe(200);
    expect(tagsOf(body)).toMatchObject({ 'og:title': 'Quiet Lights', robots: 'noindex' });
  });

  it('begins its description with “Cancelled” for a cancelled event', async () => {
    const id = await createEvent();
    await changeEvent(id, { status: 'CANCELLED' });
    const { status, body } = await requestPage(id);
    expect(status).toBe(200);
    expect(tagsOf(body).description).toMatch(/^Cancelled\. Tuesday/);
  });
});
