import * as fc from 'fast-check';
import { mostlyValid, tamper } from './arbitraries.ts';
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
