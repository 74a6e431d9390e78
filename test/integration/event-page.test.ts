import { beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/http.ts';
import { type Person, registerUser } from '../support/people.ts';
import { sharedStack } from '../support/stack.ts';

let organizer: Person;
let index: string;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
  index = await (await fetch(`${sharedStack().apiUrl}/index.html`)).text();
});

const pageOf = (id: string) => call('GET', `/events/${id}`, { headers: { accept: 'text/html' } });

async function publish(fields: object = {}): Promise<string> {
  const body = { title: 'Quiet Lights', venue: 'The Foundry', startDate: '2031-07-01T18:30:00Z', ...fields };
  const created = await call('POST', '/api/events', { token: organizer.token, body });
  expect(created.status).toBe(201);
  return created.body.event.id;
}

const change = (id: string, body: object) =>
  call('PUT', `/api/events/${id}`, { token: organizer.token, body });

/** The tags of a page by their names, as a browser reads them. */
function tagsOf(html: string): Record<string, string> {
  const tags = html.matchAll(/<meta (?:name|property)="([\w:]+)" content="([^"<>]*)">/g);
  const decoded = [...tags].map(([, name = '', content = '']) => [name, decode(content)]);
  const [, title = ''] = /<title>([^<]*)<\/title>/.exec(html) ?? [];
  const [, canonical] = /<link rel="canonical" href="([^"<>]*)">/.exec(html) ?? [];
  return { ...Object.fromEntries(decoded), title: decode(title), ...(canonical && { canonical }) };
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const decode = (text: string) => text.replace(/&([\w#]+);/g, (_, name) => characters[name] ?? '?');
const count = (html: string, text: string) => html.split(text).length - 1;

describe('the page of a published event', () => {
  it('has its title and the tags of a preview', async () => {
    const id = await publish({
      description: 'Lamps,\nand  a\tcello.',
      city: 'Lagos',
      timezone: 'Africa/Lagos',
      image: 'https://pictures.example/lights.jpg?w=1200&h=630',
      tiers: [
        { name: 'Floor', price: 20, quantity: 10 },
        { name: 'Friends of the house', price: 7.25, quantity: 10, hidden: true },
      ],
    });
    const { status, headers, body } = await pageOf(id);
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
    expect(body.replace(/<title>[\s\S]*twitter:card[^>]*>/, '<title>Boxoffice</title>')).toBe(index);
  });

  it('has the policy of the storefront’s other pages, and may be cached for two seconds', async () => {
    const { headers } = await pageOf(await publish());
    const home = await fetch(`${sharedStack().apiUrl}/`);
    for (const name of ['content-security-policy', 'referrer-policy', 'x-content-type-options']) {
      expect(headers.get(name)).toBe(home.headers.get(name));
      expect(headers.get(name)).toBeTruthy();
    }
    expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=2');
  });

  it('has no picture that a messenger could not load', async () => {
    const tags = tagsOf((await pageOf(await publish({ image: 'ipfs://bafybeigdyrzt/lights.png' }))).body);
    expect(tags['og:image']).toBeUndefined();
    expect(tags['twitter:card']).toBe('summary');
  });

  it('shortens a long description between characters', async () => {
    const tags = tagsOf((await pageOf(await publish({ description: '🎻'.repeat(300) }))).body);
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
  ])('shows the title %s as text', async (title) => {
    const texts = { title, description: title, venue: title, city: title };
    const { body } = await pageOf(
      await publish({ ...texts, image: 'https://x.example/"><script>1</script>' }),
    );
    for (const tag of ['<script', '<img', '<base', '<!--', '<title', '</title', '</head'])
      expect(count(body, tag), tag).toBe(count(index, tag));
    const tags = tagsOf(body);
    expect(tags.title).toBe(`${title} · Boxoffice`);
    expect(tags['og:title']).toBe(title);
    expect(tags.description).toContain(title);
    expect(tags['og:image']).toContain('x.example');
  });
});

describe('the page of an event that not everybody finds', () => {
  it.each([
    ['an unknown event', async () => 'cm5x2k9q0h3v7r1t8w4y6z0ab'],
    ['a draft', () => publish({ status: 'DRAFT' })],
    [
      'an event that became a draft',
      async () => {
        const id = await publish();
        expect((await change(id, { status: 'DRAFT' })).status).toBe(200);
        return id;
      },
    ],
    [
      'a deleted event',
      async () => {
        const id = await publish();
        const { token } = organizer;
        expect((await call('DELETE', `/api/events/${id}`, { token })).status).toBe(200);
        return id;
      },
    ],
    ['a longer address', async () => `${await publish()}/more`],
    ['no id', async () => `${'a'.repeat(3_000)}`],
    ['a path', async () => '..%2f..%2fconfig.json'],
  ])('of %s is the plain page with the status 404', async (_, makeId) => {
    const { status, body, headers } = await pageOf(await makeId());
    expect(status).toBe(404);
    expect(body).toBe(index);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('shows an unlisted event to those with the link, and not to search engines', async () => {
    const { status, body } = await pageOf(await publish({ isPublic: false }));
    expect(status).toBe(200);
    expect(tagsOf(body)).toMatchObject({ 'og:title': 'Quiet Lights', robots: 'noindex' });
  });

  it('says that an event is cancelled', async () => {
    const id = await publish();
    await change(id, { status: 'CANCELLED' });
    const { status, body } = await pageOf(id);
    expect(status).toBe(200);
    expect(tagsOf(body).description).toMatch(/^Cancelled\. Tuesday/);
  });
});
