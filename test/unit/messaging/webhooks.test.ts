import { createSocket } from 'node:dgram';
import { getServers, Resolver, setServers } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  isPublicAddress,
  parseEndpointUrl,
  postToEndpoint,
} from '../../../shared/messaging/webhooks/address.ts';
import {
  bodyOf,
  endpointPause,
  newWebhookSecret,
  occurrenceTypes,
  pauseAfter,
  signedHeaders,
} from '../../../shared/messaging/webhooks/webhook.ts';

describe('a signature', () => {
  it.each(occurrenceTypes)('of %s is verified by the library of Standard Webhooks', (type) => {
    const [secret, old] = [newWebhookSecret(), newWebhookSecret()];
    const occurrence = {
      id: 'cm5x2k9q0h3v7r1t8w4y6z0ab',
      organizerId: 'o',
      type,
      timestamp: '2030-06-01T20:00:00.000Z',
      data: JSON.stringify({ title: 'Café “Łódź” 🎫' }),
      endpointIds: [],
    };
    const body = bodyOf(occurrence, { expand: false });
    const message = { id: occurrence.id, body };
    const now = Date.now();
    const rotated = [{ secret }, { secret: old, validUntil: new Date(now + 1000).toISOString() }];
    const headers = signedHeaders({ secrets: rotated }, message, now);
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(old).verify(body, headers)).toEqual(JSON.parse(body));
    const later = signedHeaders({ secrets: rotated }, message, now + 2000);
    expect(() => new Webhook(old).verify(body, later)).toThrow();
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  });
});

describe('attempts', () => {
  it('are made ten times in three days, with jitter', () => {
    const minutes = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, 1, 0)).map(
      (pause) => pause && pause / 60_000,
    );
    expect(minutes).toEqual([5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440, undefined]);
    expect(pauseAfter(2, 1, 1)).toBe(330_000);
    expect(pauseAfter(2, 0.01, 0)).toBe(3_000);
  });

  it('pause an endpoint that fails five times in a row, for up to a minute', () => {
    expect([4, 5, 6, 20].map(endpointPause)).toEqual([0, 1000, 2000, 60_000]);
  });
});

/** Addresses of which none may be reached. */
const refused = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.255.255.254/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://①②⑦.⓪.⓪.①/',
  'https://0.0.0.0/',
  'https://0/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://172.31.255.255/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://169.254.170.2/v2/credentials',
  'https://2852039166/',
  'https://0xa9fea9fe/',
  'https://100.64.0.1/',
  'https://192.0.0.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://239.255.255.255/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[::]/',
  'https://[::1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:0:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::a9fe:a9fe]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://localhost/',
  'https://localhost./',
  'https://api.localhost/',
  'https://metadata.google.internal/',
  'https://printer.local/',
  'https://intranet/',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'example.com',
  '',
];

describe('an address', () => {
  it.each(refused)('%s is refused when an endpoint is created', (url) => {
    expect(() => parseEndpointUrl(url)).toThrow(/url must/);
  });

  it.each(refused.filter((url) => URL.canParse(url) && !/@|^(?!https)/.test(url)))(
    '%s is not connected to either',
    async (url) => {
      const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
      if (/^[\d.]+$|:/.test(host)) expect(isPublicAddress(host)).toBe(false);
      // The owner of a name decides to which addresses it resolves.
      const result = await postToEndpoint(
        'https://hook.example.com/',
        '{}',
        {},
        { resolve: async () => [host] },
      );
      expect(result).toEqual({ answer: 'hook.example.com is not an address of the internet' });
    },
  );

  it.each(['https://example.com/', 'https://93.184.215.14:8443/hook?a=1', 'https://[2606:2800:220:1::1]/'])(
    '%s is accepted',
    (url) => {
      expect(parseEndpointUrl(url).href).toBe(url);
    },
  );

  it('is refused if one of those that a name resolves to is', async () => {
    const resolve = async () => ['93.184.215.14', '10.0.0.1'];
    const { statusCode } = await postToEndpoint('https://hook.example.com/', '{}', {}, { resolve });
    expect(statusCode).toBeUndefined();
  });
});

/** Starts a name server on this machine that answers each query of a name with the next of these addresses. */
async function startNameServer(addresses: string[]) {
  const queries: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port }) => {
    const address = addresses[Math.min(queries.length, addresses.length - 1)] ?? '';
    queries.push(address);
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const header = Buffer.from([...query.subarray(0, 2), 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
    socket.send(Buffer.concat([header, question, answer]), port, '127.0.0.1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { queries, resolve: (name: string) => resolver.resolve4(name) };
}

/** Starts a receiver on an address of this machine. */
async function startReceiver(host: string, port: number, answer: Parameters<typeof createServer>[1]) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    answer?.(request, response as never);
  });
  server.listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, count: () => requests };
}

describe('an attempt', () => {
  // A developer's machine allows http to the loopback address only; the test then chooses which of its addresses.
  beforeEach(() => {
    vi.stubEnv('WEBHOOKS_TO_LOOPBACK', 'true');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('connects to the address that was checked, although the name server changes it', async () => {
    const good = await startReceiver('127.0.0.2', 0, (_, response) => response.end('good'));
    const evil = await startReceiver('127.0.0.3', good.port, (_, response) => response.end('evil'));
    const { queries, resolve } = await startNameServer(['127.0.0.2', '127.0.0.3']);
    const isAllowed = (address: string) => address === '127.0.0.2';
    const post = () =>
      postToEndpoint(
        `http://localhost:${good.port}/`,
        '{}',
        {},
        { isAllowed, resolve: () => resolve('rebind.test') },
      );
    expect(await post()).toEqual({ statusCode: 200, answer: 'good' });
    expect(queries).toEqual(['127.0.0.2']);
    expect(await post()).toEqual({ answer: 'localhost is not an address of the internet' });
    expect([good.count(), evil.count()]).toEqual([1, 0]);
  });

  it('does not wait for names whose servers do not answer', async () => {
    const silent = createSocket('udp4');
    let queries = 0;
    silent.on('message', () => queries++);
    silent.bind(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const servers = getServers();
    setServers([`127.0.0.1:${silent.address().port}`]);
    onTestFinished(() => setServers(servers));
    const { port } = await startReceiver('127.0.0.1', 0, (_, response) => response.end('good'));
    const stuck = Array.from({ length: 20 }, (_, index) =>
      postToEndpoint(`https://hook-${index}.example.com/`, '{}', {}, { timeoutMilliseconds: 2_000 }),
    );
    await vi.waitFor(() => expect(queries).toBeGreaterThanOrEqual(20));
    const answer = await postToEndpoint(`http://localhost:${port}/`, '{}', {});
    expect(answer).toEqual({ statusCode: 200, answer: 'good' });
    for (const result of await Promise.all(stuck)) expect(result).toEqual({ answer: 'No answer in time' });
  });

  it('follows no redirect', async () => {
    const target = await startReceiver('127.0.0.1', 0, (_, response) => response.end());
    const location = `http://127.0.0.1:${target.port}/`;
    const { port } = await startReceiver('127.0.0.1', 0, (_, response) =>
      response.writeHead(307, { location }).end(),
    );
    expect(await postToEndpoint(`http://127.0.0.1:${port}/`, '{}', {})).toMatchObject({ statusCode: 307 });
    expect(target.count()).toBe(0);
  });

  it('switches to no other protocol', async () => {
    const { port } = await startReceiver('127.0.0.1', 0, (_, response) =>
      response.writeHead(101, { connection: 'upgrade', upgrade: 'other' }).end(),
    );
    expect(await postToEndpoint(`http://127.0.0.1:${port}/`, '{}', {})).toEqual({
      statusCode: 101,
      answer: '',
    });
  });

  it('reads 64 KB of an answer without end', async () => {
    let written = 0;
    const { port } = await startReceiver('127.0.0.1', 0, (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000))) written += 10_000;
      };
      response.on('drain', more);
      more();
    });
    const { statusCode, answer } = await postToEndpoint(`http://127.0.0.1:${port}/`, '{}', {});
    expect([statusCode, answer.length]).toEqual([200, 1000]);
    expect(written).toBeLessThan(20_000_000);
  });

  it('ends without an answer in time, and sends no cookies', async () => {
    const headers: unknown[] = [];
    const { port } = await startReceiver('127.0.0.1', 0, (request) => headers.push(request.headers));
    const result = await postToEndpoint(
      `http://127.0.0.1:${port}/`,
      '{}',
      { 'webhook-id': 'a' },
      { timeoutMilliseconds: 100 },
    );
    expect(result).toEqual({ answer: 'No answer in time' });
    expect(headers).toEqual([
      {
        host: `127.0.0.1:${port}`,
        'webhook-id': 'a',
        'content-type': 'application/json',
        'content-length': '2',
        'user-agent': 'boxoffice-webhooks/1',
        connection: 'close',
      },
    ]);
  });
});
