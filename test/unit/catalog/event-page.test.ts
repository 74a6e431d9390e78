import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../../../shared/catalog/events/event.ts';

const index = '<!doctype html><head><title>Tickets</title><script src="/assets/1.js"></script></head>';
const policy = "default-src 'none'; script-src 'self'";

/** The storefront's host. */
let host: Server;
/** The host's response; undefined to close the connection. */
let hostResponse: { status: number; body: string } | undefined;
/** The number of requests to the host. */
let requests = 0;

const getVisibleEvent = vi.fn<() => Promise<Partial<Event>>>();
vi.mock('../../../shared/catalog/events/read-events.ts', () => ({ getVisibleEvent }));
let notFound: typeof import('../../../shared/core/errors.ts').notFound;
let showEventPage: typeof import('../../../shared/catalog/events/event-page.ts').showEventPage;

beforeEach(async () => {
  requests = 0;
  hostResponse = { status: 200, body: index };
  host = createServer((_, response) => {
    requests++;
    if (!hostResponse) return response.destroy();
    return response
      .writeHead(hostResponse.status, { 'content-security-policy': policy })
      .end(hostResponse.body);
  });
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('PUBLIC_URL', `http://127.0.0.1:${(host.address() as AddressInfo).port}`);
  vi.stubEnv('SHOP_NAME', 'Old Station');
  vi.useFakeTimers({ toFake: ['Date'] });
  // Modules are imported again, so that nothing is cached, as in a new process.
  vi.resetModules();
  ({ notFound } = await import('../../../shared/core/errors.ts'));
  ({ showEventPage } = await import('../../../shared/catalog/events/event-page.ts'));
  getVisibleEvent.mockResolvedValue({
    id: 'c1',
    title: 'Lights',
    description: '',
    imageUrl: '',
    eventDate: '2031-07-01T18:30:00.000Z',
    timezone: 'UTC',
    isPublic: true,
    status: 'PUBLISHED',
    tiers: [],
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  host.closeAllConnections();
  host.close();
});

const htmlWithTitle = expect.stringContaining('<title>Lights · Old Station</title>');

describe('the page of an event', () => {
  it('is the host’s page with its policy and the event’s tags', async () => {
    const { status, html, headers } = await showEventPage('c1');
    expect({ status, html, headers }).toEqual({
      status: 200,
      html: htmlWithTitle,
      headers: { 'content-security-policy': policy },
    });
    expect(html).toMatch(/<link rel="canonical" href="http:\/\/127\.0\.0\.1:\d+\/events\/c1">/);
    expect(html).toContain('<script src="/assets/1.js"></script>');
  });

  it('has an uploaded picture in 800 pixels, and any other at its own address', async () => {
    vi.stubEnv('PUBLIC_URL', 'https://shop.example');
    const { formatPreviewTags } = await import('../../../shared/catalog/events/event-page.ts');
    const tagsOf = async (imageUrl: string) =>
      formatPreviewTags({ ...(await getVisibleEvent()), imageUrl } as Event, '', '');
    const path = '/api/pictures/c1/c2/';
    expect(await tagsOf(`https://shop.example${path}1600`)).toContain(
      `content="https://shop.example${path}800"`,
    );
    expect(await tagsOf(`https://other.example${path}1600`)).toContain(`"https://other.example${path}1600"`);
  });

  it('is read from the host at most every ten seconds', async () => {
    await showEventPage('c1');
    hostResponse = { status: 200, body: index.replace('1.js', '2.js') };
    expect((await showEventPage('c1')).html).toContain('1.js');
    expect(requests).toBe(1);
    vi.setSystemTime(Date.now() + 11_000);
    expect((await showEventPage('c1')).html).toContain('2.js');
  });

  it.each([
    ['answers with an error', { status: 503, body: 'Service Unavailable' }],
    ['closes the connection', undefined],
  ])('is the previous page while the host %s', async (_, failure) => {
    await showEventPage('c1');
    hostResponse = failure;
    vi.setSystemTime(Date.now() + 60_000);
    expect(await showEventPage('c1')).toMatchObject({ status: 200, html: htmlWithTitle });
  });

  it('is a plain page with the event’s tags and the status 503 until the host has answered once', async () => {
    hostResponse = undefined;
    const { status, html, headers } = await showEventPage('c1');
    expect(status).toBe(503);
    expect(html).toEqual(htmlWithTitle);
    expect(html).toContain('Please try again');
    expect(headers['retry-after']).toBeDefined();
    getVisibleEvent.mockRejectedValue(notFound('Event'));
    expect((await showEventPage('c1')).status).toBe(503);
  });

  it('is requested at most every ten seconds while the host does not answer', async () => {
    hostResponse = undefined;
    await showEventPage('c1');
    expect((await showEventPage('c1')).status).toBe(503);
    expect(requests).toBe(1);
    hostResponse = { status: 200, body: index };
    vi.setSystemTime(Date.now() + 11_000);
    expect((await showEventPage('c1')).status).toBe(200);
  });

  it('is read from the host once for concurrent requests', async () => {
    const pages = await Promise.all([showEventPage('c1'), showEventPage('c1')]);
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    expect(requests).toBe(1);
  });

  it('has no tags and the status 503 when the table fails, and 404 when there is no such event', async () => {
    getVisibleEvent.mockRejectedValue(new Error('The table is down'));
    expect(await showEventPage('c1')).toMatchObject({ status: 503, html: index });
    getVisibleEvent.mockRejectedValue(notFound('Event'));
    expect(await showEventPage('c1')).toMatchObject({ status: 404, html: index });
  });
});
