import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { forbidden, invalidFields, unauthenticated } from '../../../shared/core/errors.ts';
import { readViewerAddress, requireFront } from '../../../shared/http/endpoint.ts';
import { fileResponse } from '../../../shared/http/file.ts';
import {
  http,
  jsonResponse,
  maximumBodyBytes,
  readBodyBytes,
  readJson,
} from '../../../shared/http/middleware.ts';

type Handler = () => Promise<APIGatewayProxyStructuredResultV2>;

async function run(handler: Handler, context: Partial<Context> = {}) {
  const event = { headers: {}, routeKey: 'GET /', requestContext: { requestId: 'r1' } };
  const result = await http().handler(handler)(
    event as unknown as APIGatewayProxyEventV2,
    context as Context,
  );
  return result as APIGatewayProxyStructuredResultV2;
}

const defaultHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
};

it.each<[string, Handler, number]>([
  ['a success', async () => jsonResponse(200, { ok: true }), 200],
  ['a refusal', () => Promise.reject(forbidden('No')), 403],
  ['an unexpected error', () => Promise.reject(new TypeError('internal detail')), 500],
])('the response to %s has the request id and the default headers', async (_, handler, status) => {
  const { statusCode, headers, body } = await run(handler);
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject({ ...defaultHeaders, 'x-request-id': 'r1' });
  expect(body).not.toContain('internal detail');
});

it('a request that takes longer than its function may is answered with a 503', async () => {
  const { statusCode, headers } = await run(() => new Promise(() => {}), {
    getRemainingTimeInMillis: () => 6,
  });
  expect([statusCode, headers?.['x-error-code'], headers?.['x-request-id']]).toEqual([
    503,
    'unavailable',
    'r1',
  ]);
});

it('a response with status 401 names the authentication scheme', async () => {
  const { headers } = await run(() => Promise.reject(unauthenticated('Authentication required')));
  expect(headers).toMatchObject({ 'www-authenticate': 'Bearer' });
});

it('a response may override the default headers, but not the request id', async () => {
  const headersOfHandler = { 'cache-control': 'public, max-age=60', 'x-request-id': 'mine' };
  const { headers } = await run(async () => jsonResponse(200, {}, { headers: headersOfHandler }));
  expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', 'x-request-id': 'r1' });
});

it('an error about fields has the first message in its body, and all fields in an ASCII header', async () => {
  const title = { path: 'title', message: 'title must not be “empty”\r\nx-evil: yes' };
  const price = { path: 'tiers.0.price', message: 'tiers.0.price must be at least 0' };
  const { headers = {}, body = '' } = await run(() => Promise.reject(invalidFields(title, price)));
  const header = String(headers['x-error-fields']);
  expect(header).toMatch(/^[ -~]+$/);
  expect(JSON.parse(header)).toEqual([title, price]);
  expect(JSON.parse(body)).toEqual({ error: title.message });
});

it('the header of an error about many fields omits those beyond its maximum size', async () => {
  const fields = Array.from({ length: 200 }, (_, index) => ({
    path: `field${index}`,
    message: 'é'.repeat(50),
  }));
  const [first, ...others] = fields;
  if (!first) throw new Error('No field');
  const { headers = {} } = await run(() => Promise.reject(invalidFields(first, ...others)));
  const header = String(headers['x-error-fields']);
  expect(header.length).toBeLessThanOrEqual(4_000);
  expect(JSON.parse(header)).toEqual(fields.slice(0, JSON.parse(header).length));
  expect((await run(() => Promise.reject(forbidden('No')))).headers).not.toHaveProperty('x-error-fields');
});

const json = { 'content-type': 'application/json' };

/** Creates the event of a request: API Gateway passes text unchanged and other bodies in base64. */
function createEvent(body: string | Buffer | undefined, headers: Record<string, string> = json) {
  const isBase64Encoded = Buffer.isBuffer(body);
  const text = isBase64Encoded ? body.toString('base64') : body;
  return { body: text, isBase64Encoded, headers } as unknown as APIGatewayProxyEventV2;
}

const errorOfKind = (kind: string) => expect.objectContaining({ kind });

describe('the bytes of a body', () => {
  it('are those that were sent, with or without base64', () => {
    const text = '{"name":"Zoë 🎫"}';
    expect(readBodyBytes(createEvent(text))).toEqual(Buffer.from(text));
    expect(readBodyBytes(createEvent(Buffer.from(text)))).toEqual(Buffer.from(text));
  });

  it('are at most 256 KiB, not counting the base64 encoding', () => {
    expect(readBodyBytes(createEvent('a'.repeat(maximumBodyBytes)))).toHaveLength(256 * 1024);
    expect(() => readBodyBytes(createEvent('a'.repeat(maximumBodyBytes + 1)))).toThrow(
      errorOfKind('too-large'),
    );
    expect(() => readBodyBytes(createEvent('ë'.repeat(maximumBodyBytes / 2 + 1)))).toThrow(
      errorOfKind('too-large'),
    );
    expect(readBodyBytes(createEvent(Buffer.alloc(maximumBodyBytes)))).toHaveLength(256 * 1024);
  });
});

describe('a JSON body', () => {
  it('is parsed from text and from base64', () => {
    expect(readJson(createEvent('{"name":"Zoë"}'))).toEqual({ name: 'Zoë' });
    expect(readJson(createEvent(Buffer.from('{"name":"Zoë"}')))).toEqual({ name: 'Zoë' });
    expect(readJson(createEvent('{"text":"\\ud83c\\udfab"}'))).toEqual({ text: '🎫' });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON', 'application/a+json'])(
    'may have the content type %s',
    (type) => {
      expect(readJson(createEvent('{}', { 'content-type': type }))).toEqual({});
    },
  );

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonp' },
  ])('is refused with the headers %j', (headers) => {
    expect(() => readJson(createEvent('{}', headers))).toThrow(errorOfKind('unsupported-media-type'));
  });

  it.each<[string, string | Buffer | undefined]>([
    ['absent', undefined],
    ['empty', ''],
    ['blank', ' '],
    ['cut off', '{"a":1'],
    ['not JSON', 'NaN'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['nested too deeply and not closed', '['.repeat(200_000)],
    ['nested too deeply', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['an object with the key __proto__', '{"__proto__":{"role":"ADMIN"}}'],
    ['an object with the nested key __proto__', '{"a":[{"__proto__":1}]}'],
    ['text with half a surrogate pair', '{"name":"\\ud800"}'],
  ])('is refused when it is %s', (_, body) => {
    expect(() => readJson(createEvent(body))).toThrow(errorOfKind('invalid'));
  });
});

const file = { content: gzipSync('{}').toString('base64'), type: 'application/json', headers: {} };
const request = (headers: Record<string, string>) =>
  fileResponse({ headers } as unknown as APIGatewayProxyEventV2, file);
const etagOf = (headers: Record<string, string>) => String(request(headers).headers?.etag);

it('a file has one weak ETag, compressed or not', () => {
  expect(etagOf({ 'accept-encoding': 'gzip' })).toMatch(/^W\/"[\w-]{43}"$/);
  expect(etagOf({})).toBe(etagOf({ 'accept-encoding': 'gzip' }));
});

it.each([
  ['its ETag', (etag: string) => etag],
  ['its ETag without W/', (etag: string) => etag.replace('W/', '')],
  ['its ETag among others', (etag: string) => `"another", ${etag}, "third"`],
])('a file is not sent again (304) for %s', (_, toHeader) => {
  expect(request({ 'if-none-match': toHeader(etagOf({})) })).toMatchObject({ statusCode: 304 });
});

it('a file is sent for another ETag', () => {
  expect(request({ 'if-none-match': 'W/"another"' })).toMatchObject({ statusCode: 200, body: '{}' });
});

const addressOf = (headers: Record<string, string>) =>
  readViewerAddress({ ip: '127.0.0.1', header: (name) => headers[name] });

beforeEach(() => {
  vi.stubEnv('ORIGIN_SECRET', 'the secret of CloudFront');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('the viewer’s address is that in CloudFront’s header when the request has the right secret', async () => {
  const headers = { 'x-viewer-address': '192.0.2.7', 'x-origin-secret': 'the secret of CloudFront' };
  expect(await addressOf(headers)).toBe('192.0.2.7');
});

it.each([
  ['no headers', {}],
  ['an address header and no secret', { 'x-viewer-address': '192.0.2.7' }],
  ['a wrong secret', { 'x-viewer-address': '192.0.2.7', 'x-origin-secret': 'a guess' }],
  ['a secret and no address header', { 'x-origin-secret': 'the secret of CloudFront' }],
])('the viewer’s address is the source address of a request with %s', async (_, headers) => {
  expect(await addressOf(headers)).toBe('127.0.0.1');
});

it.each([
  ['functions have the new list and CloudFront the old value', 'new,old', 'old'],
  ['functions have the old value and CloudFront the new list', 'old', 'new,old'],
  ['functions have the new value and CloudFront the list', 'new', 'new,old'],
])('a rotation has no gap: %s', async (_, known, given) => {
  vi.stubEnv('ORIGIN_SECRET', known);
  const headers = { 'x-viewer-address': '192.0.2.7', 'x-origin-secret': given };
  expect(await addressOf(headers)).toBe('192.0.2.7');
  expect(await addressOf({ ...headers, 'x-origin-secret': 'other,' })).toBe('127.0.0.1');
});

it('the viewer’s address is the source address when no secret is configured', async () => {
  vi.stubEnv('ORIGIN_SECRET', '');
  expect(await addressOf({ 'x-viewer-address': '192.0.2.7', 'x-origin-secret': '' })).toBe('127.0.0.1');
  expect(await addressOf({ 'x-viewer-address': '192.0.2.7', 'x-origin-secret': 'any' })).toBe('127.0.0.1');
});

it.each([
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:192.0.2.7', '::ffff:192.0.2.7'],
])('the viewer’s address for the source address %s is %s', async (address, network) => {
  expect(await readViewerAddress({ ip: address, header: () => undefined })).toBe(network);
});

describe('with REQUIRE_FRONT', () => {
  const answer = async (headers: Record<string, string>) => {
    const handler = http()
      .use(requireFront())
      .handler(async () => ({ statusCode: 204 }));
    const event = { headers, requestContext: { requestId: 'r1', http: {} } } as never;
    const { statusCode, headers: answered = {} } = await handler(event, {} as never);
    return [statusCode, answered['x-error-code']];
  };

  it('a request is answered only if it has the secret of CloudFront', async () => {
    vi.stubEnv('REQUIRE_FRONT', 'true');
    vi.stubEnv('ORIGIN_SECRET', 'new,old');
    expect(await answer({ 'x-origin-secret': 'old' })).toEqual([204, undefined]);
    for (const headers of [{}, { 'x-origin-secret': '' }, { 'x-origin-secret': 'a guess' }] as Record<
      string,
      string
    >[])
      expect(await answer(headers)).toEqual([403, 'front-required']);
    vi.stubEnv('ORIGIN_SECRET', '');
    expect(await answer({ 'x-origin-secret': '' })).toEqual([403, 'front-required']);
  });

  it('other stages answer every request', async () => {
    expect(await answer({})).toEqual([204, undefined]);
  });
});
