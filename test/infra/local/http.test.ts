import { once } from 'node:events';
import type { Server } from 'node:http';
import { createConnection } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { completeRow, functions } from '../../../infra/functions.ts';
import { Cors, createHttpApi } from '../../../infra/local/http/api-gateway.ts';
import { Routes } from '../../../infra/local/http/routes.ts';
import { listen } from '../../../infra/local/services/process.ts';

const rows = [
  completeRow({ entry: 'a/preflight', trigger: { route: 'OPTIONS /{proxy+}' }, table: [] }),
  completeRow({ entry: 'a/item', trigger: { route: 'POST /items/{id}' }, table: [] }),
  completeRow({ entry: 'a/latest', trigger: { route: 'POST /items/latest' }, table: [] }),
  completeRow({ entry: 'a/fallback', trigger: { route: '$default' }, table: [] }),
];

let server: Server;
let port: number;
let url: string;
/** The result of the invoked function; by default its name and event. */
let result: unknown;

beforeAll(async () => {
  const gateway = {
    routes: new Routes(rows),
    cors: new Cors('https://shop.example'),
    invoke: async (name: string, event: unknown) => ({ payload: JSON.stringify(result ?? { name, event }) }),
  };
  server = createHttpApi(() => gateway);
  port = await listen(server, 0);
  url = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  result = undefined;
});

/** Sends a request to a function that returns its name and event. */
async function post(
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url + path, { method: 'POST', body, headers });
  return (await response.json()) as { name: string; event: Record<string, never> };
}

test('a text body reaches the function byte for byte', async () => {
  const body = '{ "b":1,\r\n\t"a" : "é€😀" }  ';
  const { event } = await post('/items/7', body, { 'content-type': 'application/json; charset=utf-8' });
  expect(event).toMatchObject({ body, isBase64Encoded: false });
});

test.each([
  ['another type', 'application/octet-stream', Buffer.from('plain')],
  ['a form', 'application/x-www-form-urlencoded', Buffer.from('a=1')],
  ['invalid UTF-8', 'application/json', Buffer.from([0x7b, 0xff, 0x00, 0x7d])],
])('a body of %s reaches the function in base64', async (_, type, body) => {
  const { event } = await post('/items/7', body, { 'content-type': type });
  expect(event).toMatchObject({ body: body.toString('base64'), isBase64Encoded: true });
});

test('a literal segment takes precedence over a parameter, which is decoded', async () => {
  expect(await post('/items/latest')).toMatchObject({ name: 'a-latest' });
  expect(await post('/items/a%2Fb%20c')).toMatchObject({
    name: 'a-item',
    event: { routeKey: 'POST /items/{id}', rawPath: '/items/a%2Fb%20c', pathParameters: { id: 'a/b c' } },
  });
  expect(await post('/items/%zz')).toMatchObject({ event: { pathParameters: { id: '%zz' } } });
  for (const path of ['/items', '/items/', '/items/7/', '//', '/Items/7']) {
    expect(await post(path), path).toMatchObject({ name: 'a-fallback', event: { routeKey: '$default' } });
  }
});

test('the event has headers, cookies and query in payload format 2.0', async () => {
  const { event } = await post('/items/7?a=1&a=2&b=%C3%A9+x', undefined, {
    'X-Custom': 'One',
    cookie: 'first=1; second=a=b',
  });
  expect(event).toMatchObject({
    version: '2.0',
    headers: { 'x-custom': 'One' },
    cookies: ['first=1', 'second=a=b'],
    rawQueryString: 'a=1&a=2&b=%C3%A9+x',
    queryStringParameters: { a: '1,2', b: 'é x' },
    requestContext: {
      http: { method: 'POST', path: '/items/7', sourceIp: '127.0.0.1', protocol: 'HTTP/1.1' },
      stage: '$default',
      requestId: expect.stringMatching(/^[\w-]{36}$/),
      time: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
    },
  });
  expect(event.headers).not.toHaveProperty('cookie');
});

test('the values of a repeated header are joined by commas', async () => {
  const answer = await sendRaw(
    'POST /items/7 HTTP/1.1\r\nhost: x\r\nx-a: 1\r\nX-A: 2\r\nconnection: close\r\n\r\n',
  );
  expect(answer).toContain('"x-a":"1,2"');
});

test('the response has the status, headers, cookies and decoded base64 body of the result', async () => {
  result = {
    statusCode: 201,
    headers: { 'Content-Type': 'image/png', 'x-number': 5 },
    cookies: ['a=1; HttpOnly', 'b=2'],
    body: Buffer.from([1, 2, 3]).toString('base64'),
    isBase64Encoded: true,
  };
  const response = await fetch(url);
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('image/png');
  expect(response.headers.get('x-number')).toBe('5');
  expect(response.headers.getSetCookie()).toEqual(['a=1; HttpOnly', 'b=2']);
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3]));
});

test.each([
  ['a status that is not a number', { statusCode: 'many' }],
  ['a body that is not a string', { statusCode: 200, body: { a: 1 } }],
  ['a header that cannot be sent', { statusCode: 200, headers: { 'x-a': 'line\r\nbreak' } }],
])('%s causes an internal error', async (_, invalidResult) => {
  result = invalidResult;
  const response = await fetch(url);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ message: 'Internal Server Error' });
});

const preflightHeaders = (origin: string) => ({ origin, 'access-control-request-method': 'POST' });

test('listed origins are allowed with credentials; others get no CORS header', async () => {
  result = { statusCode: 204 };
  const send = (origin: string, method = 'OPTIONS') =>
    fetch(`${url}/items/7`, { method, headers: preflightHeaders(origin) });
  const preflight = await send('https://shop.example');
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
  const answer = await send('https://shop.example', 'GET');
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example');
  expect(answer.headers.has('access-control-allow-methods')).toBe(false);
  for (const method of ['OPTIONS', 'GET']) {
    expect((await send('https://evil.example', method)).headers.has('access-control-allow-origin')).toBe(
      false,
    );
  }
});

test('CORS headers of a function are ignored', async () => {
  result = { statusCode: 200, headers: { 'Access-Control-Allow-Origin': '*' } };
  const answer = await fetch(url, { headers: { origin: 'https://evil.example' } });
  expect(answer.headers.has('access-control-allow-origin')).toBe(false);
});

test('the route for preflights matches every path, but only OPTIONS', async () => {
  const send = async (path: string, method: string) => (await fetch(url + path, { method })).json();
  expect(await send('/items/7', 'OPTIONS')).toMatchObject({
    name: 'a-preflight',
    event: { routeKey: 'OPTIONS /{proxy+}', pathParameters: { proxy: 'items/7' } },
  });
  expect(await send('/deep/er/path', 'OPTIONS')).toMatchObject({ name: 'a-preflight' });
  expect(await send('/deep/er/path', 'PUT')).toMatchObject({ name: 'a-fallback' });
});

test.each(functions.flatMap(({ trigger }) => ('route' in trigger ? [trigger.route] : [])))(
  'the preflight of %s invokes health-preflight',
  (route) => {
    const path = route.split(' ')[1] ?? '/api/unknown';
    expect(new Routes(functions).find('OPTIONS', path)?.functionName).toBe('health-preflight');
  },
);

test.each(['http://localhost:5173', 'http://127.0.0.1:8080', 'http://[::1]:4000', 'http://localhost'])(
  'the local origin %s is allowed',
  async (origin) => {
    const headers = { origin, 'access-control-request-method': 'POST' };
    const preflight = await fetch(url, { method: 'OPTIONS', headers });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
  },
);

test.each([
  'http://localhost.evil.example',
  'http://evil.example:80#localhost',
  'https://localhost:5173',
  'null',
])('the origin %s gets no CORS header', async (origin) => {
  const response = await fetch(url, { headers: { origin } });
  expect(response.headers.has('access-control-allow-origin')).toBe(false);
});

test('a body that is too large is answered with 413', async () => {
  const response = await fetch(url, { method: 'POST', body: Buffer.alloc(10 * 1024 * 1024 + 1) });
  expect(response.status).toBe(413);
});

test('malformed and aborted requests do not stop the server', async () => {
  const flood = `GET / HTTP/1.1\r\nhost: x\r\n${'x-flood: yes\r\n'.repeat(5_000)}\r\n`;
  expect(await sendRaw(flood)).toMatch(/^HTTP\/1\.1 431 /);
  expect(await sendRaw('no http at all\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  expect(await sendRaw('GET http://[bad HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 200 /,
  );
  expect(await sendRaw('OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 200 /,
  );
  await sendAborted('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf');
  expect((await fetch(url)).status).toBe(200);
});

test('requests are answered with 503 until the functions are ready', async () => {
  const starting = createHttpApi(() => undefined);
  const response = await fetch(`http://127.0.0.1:${await listen(starting, 0)}`);
  expect(response.status).toBe(503);
  starting.closeAllConnections();
  starting.close();
});

/** Sends a raw request. @returns the raw response */
async function sendRaw(text: string): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  socket.on('error', () => {});
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

/** Sends part of a request, and resets the connection once the server has received its headers. */
async function sendAborted(text: string): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  await once(socket, 'connect');
  const received = once(server, 'request');
  socket.write(text);
  await received;
  socket.resetAndDestroy();
}
