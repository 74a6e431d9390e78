import type { Server } from 'node:http';
import { createConnection } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completeRow } from '../../../infra/functions.ts';
import { Cors } from '../../../infra/local/cors.ts';
import { httpApi } from '../../../infra/local/http.ts';
import { listen } from '../../../infra/local/ports.ts';
import { Routes } from '../../../infra/local/routes.ts';
import { Site } from '../../../infra/local/site.ts';

const rows = [
  completeRow({ entry: 'a/tickets', trigger: { route: 'GET /tickets' }, table: [] }),
  completeRow({ entry: 'a/fallback', trigger: { route: '$default' }, table: [] }),
];
const configuration = { ticketContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', chainId: 137 };

let server: Server;
let port: number;

beforeAll(async () => {
  const gateway = {
    routes: new Routes(rows),
    cors: new Cors(''),
    invoke: async (name: string) => ({ payload: JSON.stringify({ statusCode: 418, body: name }) }),
    site: new Site(configuration),
  };
  server = httpApi(() => gateway);
  port = await listen(server, 0);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method });

test.each([
  ['/', 'text/html', 'Events'],
  ['/?q=jazz', 'text/html', 'Events'],
  ['/orders/c123?reference=BOX-1', 'text/html', 'order.js'],
  ['/organizer/events/new', 'text/html', 'Create an event'],
  ['/organizer/events/c123', 'text/html', 'Sales'],
  ['/organizer/check-in/c123', 'text/html', 'At the door'],
  ['/lib/api.js', 'text/javascript', 'export'],
  ['/style/base.css', 'text/css', ':root'],
])('%s is a file of the storefront, under a strict policy', async (path, type, content) => {
  const response = await ask(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain(type);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self';/);
  expect(await response.text()).toContain(content);
});

test('the storefront gets its settings', async () => {
  expect(await (await ask('/config.json')).json()).toEqual(configuration);
});

test('HEAD returns the headers only', async () => {
  const response = await ask('/', 'HEAD');
  expect(response.status).toBe(200);
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(500);
  expect(await response.text()).toBe('');
});

test.each([
  ['GET', '/tickets', 'a-tickets'],
  ['POST', '/', 'a-fallback'],
  ['GET', '/nothing', 'a-fallback'],
  ['GET', '/lib', 'a-fallback'],
  ['GET', '/lib/', 'a-fallback'],
  ['GET', '/orders/c1/more', 'a-fallback'],
  ['GET', '/tsconfig.json', 'a-fallback'],
])('%s %s is for a function', async (method, path, name) => {
  const response = await ask(path, method);
  expect([response.status, await response.text()]).toEqual([418, name]);
});

test.each(['/../site.ts', '/../../../biome.json', '/..%2fsite.ts', '/%2e%2e/site.ts', '/..\\site.ts'])(
  'nothing outside of its folder is shown: %s',
  async (path) => {
    // By hand, since fetch would tidy the path.
    const connection = createConnection(port, '127.0.0.1');
    connection.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    expect(await text(connection)).toMatch(/^HTTP\/1\.1 418 .*a-fallback$/s);
  },
);
