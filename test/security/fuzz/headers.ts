import * as fc from 'fast-check';
import { mostly, tampered } from './arbitraries.ts';
import type { World } from './world.ts';

export type Header = [name: string, value: string];

/** Tokens, cookies and other headers that a client may send. */
export function headersFor(route: string, world: World): fc.Arbitrary<Header[]> {
  const parts = fc.tuple(authorizations(world), cookiesFor(route, world), mostly(fc.constant(none), odd));
  return parts.map((all) => all.flat());
}

const none: Header[] = [];
const bearer = (token: string): Header[] => [['authorization', `Bearer ${token}`]];
const cookie = (text: string): Header[] => [['cookie', text]];

function authorizations({ user, organizer, victims }: World): fc.Arbitrary<Header[]> {
  const { token } = victims.buyer;
  const [, payload, signature] = token.split('.');
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  return mostly(
    fc.constantFrom(user.token, organizer.token, organizer.token).map(bearer),
    fc.constant(none),
    // The last character of a signature carries bits that count for nothing, so it is left out.
    tampered([token.slice(0, -1)]).map(bearer),
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

function cookiesFor(route: string, { user, returning, victims }: World): fc.Arbitrary<Header[]> {
  const own = route.endsWith('/refresh-token') ? returning.cookie : user.cookie;
  const odd = [
    ...['', 'refreshToken', 'refreshToken=;refreshToken=', 'refreshToken=%00%ff; ;;=;=', 'refreshToken=é'],
    ...[`refreshToken="${own}"`, `a=${'b'.repeat(6_000)}; ${own}`, `__proto__=1; ${own}`],
  ];
  const given = mostly(
    fc.constant(cookie(own)),
    tampered([victims.buyer.cookie.slice(0, -1)]).map(cookie),
    fc.constantFrom<Header[]>(...odd.map(cookie), [...cookie('refreshToken=x'), ...cookie(own)]),
  );
  return route.includes('/auth/') ? mostly(given, fc.constant(none)) : mostly(fc.constant(none), given);
}

const flood = (count: number, length: number) =>
  Array.from({ length: count }, (_, index): Header => [`x-flood-${index}`, 'x'.repeat(length)]);

const odd: fc.Arbitrary<Header[]> = fc.oneof(
  fc.array(fc.tuple(fc.stringMatching(/^x-[a-z]{1,10}$/), fc.string().map(latin)), { maxLength: 100 }),
  fc.constantFrom<Header[]>(
    ...[flood(1, 9_000), flood(150, 40), flood(1, 20_000), flood(1_000, 1)],
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
    .map((key): Header[] => [['idempotency-key', latin(key)]]),
);

/** As much of a text as a header may hold. */
function latin(text: string): string {
  return text.replace(/[^\u0020-\u007e\u0080-\u00ff]/gu, '?');
}
