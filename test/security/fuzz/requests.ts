import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import type * as z from 'zod';
import { resolveConfiguration } from '../../../infra/local/defaults.ts';
import type { WireRequest } from './answers.ts';
import { type Body, bodiesOf, fieldsOf, mostlyValid, tamper, valuesOf } from './generators.ts';
import type { World } from './world.ts';

export type Header = [name: string, value: string];

/** Generates valid and hostile headers: tokens, cookies and others. */
export function headersFor(route: string, world: World): fc.Arbitrary<Header[]> {
  const groups = fc.tuple(
    authorizationsFor(world),
    cookiesFor(route, world),
    mostlyValid(fc.constant(noHeaders), hostileHeaders),
  );
  return groups.map((headers) => headers.flat());
}

const noHeaders: Header[] = [];
const bearer = (token: string): Header[] => [['authorization', `Bearer ${token}`]];
const cookie = (text: string): Header[] => [['cookie', text]];

function authorizationsFor({ user, organizer, victims }: World): fc.Arbitrary<Header[]> {
  const { token } = victims.buyer;
  const [, payload, signature] = token.split('.');
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  return mostlyValid(
    fc.constantFrom(user.token, organizer.token, organizer.token).map(bearer),
    fc.constant(noHeaders),
    // The last character of a signature has unused bits, so a change of it can leave the signature valid. Without the last
    // two, no added character can complete it.
    tamper([token.slice(0, -2)]).map(bearer),
    fc.constantFrom<Header[]>(
      bearer(`${unsigned}.${payload}.`),
      bearer(`${unsigned}.${payload}.${signature}`),
      bearer(user.cookie.replace('refreshToken=', '')),
      bearer(''),
      [...bearer(user.token), ...bearer(organizer.token)],
      [['authorization', 'Basic YTpi']],
      [['authorization', `bearer\t${user.token}`]],
      bearer('é\u00ff'),
      bearer('a'.repeat(7_000)),
      bearer('e30.e30.e30'),
    ),
  );
}

function cookiesFor(route: string, { user, refreshUser, victims }: World): fc.Arbitrary<Header[]> {
  const validCookie = route.endsWith('/refresh-token') ? refreshUser.cookie : user.cookie;
  const hostileCookies = [
    ...['', 'refreshToken', 'refreshToken=;refreshToken=', 'refreshToken=%00%ff; ;;=;=', 'refreshToken=é'],
    ...[
      `refreshToken="${validCookie}"`,
      `a=${'b'.repeat(6_000)}; ${validCookie}`,
      `__proto__=1; ${validCookie}`,
    ],
  ];
  const cookies = mostlyValid(
    fc.constant(cookie(validCookie)),
    tamper([victims.buyer.cookie.slice(0, -2)]).map(cookie),
    fc.constantFrom<Header[]>(...hostileCookies.map(cookie), [
      ...cookie('refreshToken=x'),
      ...cookie(validCookie),
    ]),
  );
  return route.includes('/auth/')
    ? mostlyValid(cookies, fc.constant(noHeaders))
    : mostlyValid(fc.constant(noHeaders), cookies);
}

const manyHeaders = (count: number, length: number) =>
  Array.from({ length: count }, (_, index): Header => [`x-flood-${index}`, 'x'.repeat(length)]);

const hostileHeaders: fc.Arbitrary<Header[]> = fc.oneof(
  fc.array(fc.tuple(fc.stringMatching(/^x-[a-z]{1,10}$/), fc.string().map(toHeaderValue)), {
    maxLength: 100,
  }),
  fc.constantFrom<Header[]>(
    ...[manyHeaders(1, 9_000), manyHeaders(150, 40), manyHeaders(1, 20_000), manyHeaders(1_000, 1)],
    [['__proto__', 'x']],
    [['constructor', 'x']],
    [['x-http-method-override', 'DELETE']],
    [['x-forwarded-for', '127.0.0.1, "><script>']],
    [['x-original-url', '/api/users/x/kyc']],
    [['accept', 'text/csv']],
    [['accept-encoding', 'gzip, br, *;q=0']],
    [['origin', 'https://evil.example']],
    [['origin', 'null']],
    [['content-type', 'text/plain']],
    [['expect', '100-continue']],
    [['range', 'bytes=0-0']],
  ),
  fc
    .oneof(
      fc.string(),
      fc.constantFrom('', ' ', 'a', 'a'.repeat(255), 'a'.repeat(256), 'é', 'a,b', '#', '__proto__'),
    )
    .map((key): Header[] => [['idempotency-key', toHeaderValue(key)]]),
);

/** Replaces the characters that a header value must not contain. */
function toHeaderValue(text: string): string {
  return text.replace(/[^\u0020-\u007e\u0080-\u00ff]/gu, '?');
}

/** Generates valid and hostile paths with queries for a route such as `/api/orders/{id}`. */
export function targetsOf(path: string, query: z.ZodType | undefined, world: World): fc.Arbitrary<string> {
  const parts = path.split('/');
  const segments = parts.map((segment, index) => segmentsFor(segment, parts[index - 1] ?? '', world));
  return fc
    .tuple(fc.tuple(...segments), queriesFor(query, world))
    .map(([path, search]) => toRequestTarget(path.join('/') + search));
}

/** Percent-encodes characters that a request line must not contain. Does not encode percent signs again. */
function toRequestTarget(text: string): string {
  return text.replace(/[^\u0021-\u007e]/gu, (character) => encodeURIComponent(character));
}

const invalidSegments =
  '% %zz %c3%28 %00 %2e%2e%2f .. . ..%2f..%2f ; a;b %252e %ff %ed%a0%80 %20 %23 a%23b {id} * %u0041 __proto__ constructor me null undefined -1 0';

function segmentsFor(segment: string, precedingSegment: string, { ids }: World): fc.Arbitrary<string> {
  if (!segment.startsWith('{')) return fc.constant(segment);
  const validIds = fc.constantFrom(
    ...(ids[segment === '{tierId}' ? 'tiers' : precedingSegment] ?? ['nobody']),
  );
  return mostlyValid(
    validIds,
    fc.constantFrom(...Object.values(ids).flat()),
    fc.constantFrom(...invalidSegments.split(' ')),
    validIds.chain((id) => fc.constantFrom(`${id}%20`, ` ${id}`, id.toUpperCase(), `${id}%23x`, `${id}/`)),
    fc.string({ unit: 'binary', minLength: 1 }).map(encodeURIComponent),
    fc.constantFrom(64, 65, 101, 2_000, 6_000).map((length) => 'a'.repeat(length)),
  );
}

const invalidValues = '% %zz %ff %00 __proto__ -1 0 1e9 NaN 101 1.5 %205 [] true 9'.split(' ');

function queriesFor(schema: z.ZodType | undefined, world: World): fc.Arbitrary<string> {
  const invalid = fc.oneof(
    fc.constantFrom('', ...invalidValues),
    fc.string({ unit: 'binary' }).map(encodeURIComponent),
    fc.constantFrom(2_001, 7_000).map((length) => 'q'.repeat(length)),
    tamper(world.cursors),
  );
  const unknownNames = ['__proto__', 'x', '[a]', 'limit', 'cursor', 'userId', ''];
  const unknownParameter = fc.tuple(fc.constantFrom(...unknownNames), invalid).map((pair) => pair.join('='));
  if (!schema)
    return mostlyValid(
      fc.constant(''),
      unknownParameter.map((pair) => `?${pair}`),
    );
  const knownParameters = fieldsOf(schema, world.samples).map(([name, values]) =>
    mostlyValid(
      values.map((value) => encodeURIComponent(`${value}`)),
      invalid,
    ).map((value) => `${name}=${value}`),
  );
  const parameters = fc.array(mostlyValid(fc.oneof(...knownParameters), unknownParameter), { maxLength: 4 });
  return parameters.map((pairs) => (pairs.length > 0 ? `?${pairs.join('&')}` : ''));
}

/** The request schemas of an endpoint's contract. */
export interface Contract {
  body?: z.ZodType;
  query?: z.ZodType;
}

const emptyBody: Body = { bytes: Buffer.alloc(0), headers: [] };

/** Generates valid and invalid requests to an endpoint. */
export function requestsTo(route: string, contract: Contract, world: World): fc.Arbitrary<WireRequest> {
  const [method = '', path = ''] = route.split(' ');
  const bodies = contract.body
    ? bodiesOf(valuesOf(contract.body, world.samples))
    : mostlyValid(fc.constant(emptyBody), bodiesOf(fc.jsonValue()));
  return fc
    .tuple(targetsOf(path, contract.query, world), headersFor(route, world), bodies)
    .map(([target, headers, body]) => ({
      method,
      target,
      headers: [...headers, ...body.headers],
      body: body.bytes,
    }));
}

const { GATEWAY_A_SECRET, GATEWAY_B_SECRET_HASH, GATEWAY_C_WEBHOOK_SECRET } = resolveConfiguration(
  { apiUrl: '', sandboxUrl: '', chainRpcUrl: '' },
  process.env,
);
const hmacHex = (algorithm: string, key = '', ...parts: (string | Buffer)[]) =>
  parts
    .reduce<ReturnType<typeof createHmac>>((hmac, part) => hmac.update(part), createHmac(algorithm, key))
    .digest('hex');

/** Returns the signature header of a body, by gateway. */
const signatureHeaders: Record<string, (body: Buffer) => [string, string]> = {
  'gateway-a': (body) => ['x-gateway-a-signature', hmacHex('sha512', GATEWAY_A_SECRET, body)],
  'gateway-b': () => ['verif-hash', GATEWAY_B_SECRET_HASH ?? ''],
  'gateway-c': (body) => {
    const time = Math.floor(Date.now() / 1000);
    return [
      'stripe-signature',
      `t=${time},v1=${hmacHex('sha256', GATEWAY_C_WEBHOOK_SECRET, `${time}.`, body)}`,
    ];
  },
};

/**
 * Generates webhooks with a valid signature and arbitrary content. Many refer to the payments of the attackers' own
 * orders, none to the victims'.
 */
export function signedWebhooks(route: string, world: World): fc.Arbitrary<WireRequest> {
  const [method = '', target = ''] = route.split(' ');
  const sign = signatureHeaders[target.split('/').at(-1) ?? ''];
  return bodiesOf(contentsFor(world)).map(({ bytes, headers }) => ({
    method,
    target,
    headers: [...headers, ...(sign ? [sign(bytes)] : [])],
    body: bytes,
  }));
}

/** Generates webhooks without a valid signature. */
export function unsignedWebhooks(route: string, world: World): fc.Arbitrary<WireRequest> {
  const name = route.split('/').at(-1) ?? '';
  const invalidSignatures = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '0',
      'x'.repeat(128),
      'x'.repeat(7_000),
      't=1,v1=',
      't=,v1=a',
      't=NaN,v1=a,v1=b',
      'undefined',
      '\u00e9',
    ),
    fc.stringMatching(/^[0-9a-f]{128}$/),
    fc.stringMatching(/^t=\d{10},v1=[0-9a-f]{64}$/),
  );
  const [header = ''] = signatureHeaders[name]?.(Buffer.alloc(0)) ?? [];
  return fc
    .tuple(signedWebhooks(route, world), fc.option(invalidSignatures), fc.boolean())
    .map(([{ headers, ...rest }, signature, isDuplicate]) => {
      const otherHeaders = headers.filter(([headerName]) => headerName !== header);
      const invalidHeaders: [string, string][] = signature === null ? [] : [[header, signature]];
      return {
        ...rest,
        headers: [...otherHeaders, ...invalidHeaders, ...(isDuplicate ? invalidHeaders : [])],
      };
    });
}

/** Generates contents with the fields of all three gateways. Each gateway reads its own fields. */
function contentsFor({ references }: World): fc.Arbitrary<unknown> {
  const unexpectedValues: unknown[] = [
    1,
    '1',
    null,
    1e21,
    '9'.repeat(400),
    [[]],
    {},
    { toString: 1, valueOf: 1 },
    '\ud800',
  ];
  const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(...unexpectedValues));
  const reference = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...references) }, fc.string(), anything);
  const money = fc.oneof(fc.constantFrom(5_125, 51.25, '51.25', 0, -1, 1e300), anything);
  const charge = fc.record(
    {
      reference,
      tx_ref: reference,
      client_reference_id: reference,
      id: fc.oneof(fc.nat(), fc.string(), anything),
      status: fc.oneof(fc.constantFrom('successful', 'success', 'failed', 'SUCCESSFUL', 'FAILED'), anything),
      amount: money,
      amount_total: money,
      currency: fc.oneof(fc.constantFrom('NGN', 'ngn', 'USD', 'XXX'), anything),
      payment_status: fc.oneof(fc.constantFrom('paid', 'unpaid'), anything),
      payment_intent: anything,
    },
    { requiredKeys: [] },
  );
  const data = fc.oneof(
    { weight: 5, arbitrary: charge },
    { weight: 3, arbitrary: charge.map((object) => ({ object })) },
    anything,
  );
  const event = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom(
        'charge.success',
        'charge.failed',
        'charge.completed',
        'transfer.success',
        'transfer.failed',
        'transfer.reversed',
        'transfer.completed',
        'checkout.session.completed',
        'checkout.session.async_payment_succeeded',
        'checkout.session.async_payment_failed',
        'checkout.session.expired',
        'charge.unknown',
        '__proto__',
      ),
    },
    { weight: 1, arbitrary: anything },
  );
  return fc.tuple(event, data).map(([name, content]) => ({ event: name, type: name, data: content }));
}
