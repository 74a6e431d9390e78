import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildStorefront } from '../../../infra/build/storefront.ts';
import { completeRow } from '../../../infra/functions.ts';
import { Cors, createHttpApi } from '../../../infra/local/http/api-gateway.ts';
import { Routes } from '../../../infra/local/http/routes.ts';
import { Site } from '../../../infra/local/http/site.ts';
import { listen } from '../../../infra/local/services/process.ts';

const functionRows = [
  completeRow({ entry: 'a/tickets', trigger: { route: 'GET /api/tickets' }, table: [] }),
  completeRow({ entry: 'a/fallback', trigger: { route: '$default' }, table: [] }),
];
const configuration = {
  name: 'Old Station',
  apiUrl: '',
  ticketContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  chainId: 137,
  chains: { 137: { name: 'Polygon' } },
  paymentNames: {},
  wallets: [],
};

let directory: string;
let server: Server;
let port: number;

beforeAll(async () => {
  directory = mkdtempSync(path.join(tmpdir(), 'boxoffice-storefront-'));
  await buildStorefront(directory);
  const gateway = {
    routes: new Routes(functionRows),
    cors: new Cors(''),
    invoke: async (name: string) => ({ payload: JSON.stringify({ statusCode: 418, body: name }) }),
    site: new Site(directory, configuration, 'http://127.0.0.1:9000'),
  };
  server = createHttpApi(() => gateway);
  port = await listen(server, 0);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(directory, { recursive: true });
});

const send = (path: string, method = 'GET', accept = '*/*') =>
  fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { accept } });
/** Requests a page with the Accept header of a browser. */
const openInBrowser = (path: string, method = 'GET') =>
  send(path, method, 'text/html,application/xhtml+xml,*/*;q=0.8');

test.each([
  '/',
  '/?q=jazz',
  // The function for event pages reads this file, and answers with its content security policy.
  '/index.html',
  '/orders/c123?reference=BOX-1',
  '/organizer/events/new',
  '/organizer/events/c123',
  '/organizer/check-in/c123',
])('%s is a page with a strict content security policy', async (path) => {
  const response = await send(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(await response.text()).toContain('<script type="module"');
});

test('scripts and styles are cached as immutable, since their names change with their content', async () => {
  const assets = readdirSync(path.join(directory, 'assets'));
  expect(new Set(assets.map((name) => path.extname(name)))).toEqual(new Set(['.css', '.js']));
  for (const name of assets) {
    const response = await send(`/assets/${name}`);
    expect(response.headers.get('content-type')).toMatch(/^text\/(css|javascript)/);
    expect(response.headers.get('cache-control')).toContain('immutable');
  }
  expect((await send('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml');
});

test.each(['/nothing', '/orders/c1/more', '/apis', '/events/c1/'])(
  'a browser that opens %s, which does not exist, gets a page with the status 404',
  async (path) => {
    const response = await openInBrowser(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toContain('<script type="module"');
  },
);

test('/config.json has the storefront’s settings', async () => {
  expect(await (await send('/config.json')).json()).toEqual(configuration);
});

test('files are compressed for those who accept it', async () => {
  const [script] = readdirSync(path.join(directory, 'assets')).filter((name) => name.startsWith('index-'));
  const load = (encoding: string) =>
    fetch(`http://127.0.0.1:${port}/assets/${script}`, { headers: { 'accept-encoding': encoding } });
  const [plain, compressed] = await Promise.all([load('identity'), load('gzip')]);
  expect(plain.headers.get('content-encoding')).toBeNull();
  expect(compressed.headers.get('content-encoding')).toBe('gzip');
  expect(await compressed.text()).toBe(await plain.text());
  const sizeOf = (response: Response) => Number(response.headers.get('content-length'));
  expect(sizeOf(compressed)).toBeLessThan(sizeOf(plain) / 2);
});

test('HEAD returns the headers only', async () => {
  const response = await send('/', 'HEAD');
  expect(response.status).toBe(200);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(300);
  expect(await response.text()).toBe('');
});

test.each([
  ['GET', '/api/tickets', 'a-tickets'],
  ['POST', '/', 'a-fallback'],
  ['POST', '/nothing', 'a-fallback'],
  ['GET', '/api', 'a-fallback'],
  ['GET', '/api/nothing', 'a-fallback'],
  ['GET', '/docs/nothing', 'a-fallback'],
])('%s %s invokes the function %s, even in a browser', async (method, path, name) => {
  const response = await openInBrowser(path, method);
  expect([response.status, await response.text()]).toEqual([418, name]);
});

test.each(['/nothing', '/assets', '/assets/', '/src/main.tsx', '/package.json'])(
  'GET %s without a browser’s Accept header invokes the fallback function',
  async (path) => {
    const response = await send(path);
    expect([response.status, await response.text()]).toEqual([418, 'a-fallback']);
  },
);

test.each(['/../site.ts', '/../../../biome.json', '/..%2fsite.ts', '/%2e%2e/site.ts', '/..\\site.ts'])(
  'no file outside the storefront’s folder is served: %s',
  async (path) => {
    // A raw request, since fetch normalizes the path.
    const connection = createConnection(port, '127.0.0.1');
    connection.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(await text(connection)).toMatch(/^HTTP\/1\.1 418 .*a-fallback$/s);
  },
);
