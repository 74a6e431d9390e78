import { createHmac, generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hashCode } from '../../infra/storefront/src/door/judge.ts';
import { insertSession } from '../../shared/accounts/auth/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { signCode } from '../../shared/tickets/check-in/admissions.ts';
import {
  buyTickets,
  checkIn,
  cookieOf,
  expectStatus,
  openSale,
  type Person,
  registerUser,
} from '../support/fixtures.ts';
import { call, errorOf } from '../support/http.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';

/**
 * Tokens over HTTP: forged, foreign, expired and misused tokens are refused. During a key rotation, tokens signed with
 * the retiring key are accepted. STAGE is not `local`, so the cookies are those of production.
 */
const keys = {
  current: 'current-access-key-7c1f',
  retiring: 'retiring-access-key-e09b',
  retired: 'retired-key-55d2',
};
const checkInKeys = { current: 'current-check-in-key-3f7d', retiring: 'retiring-check-in-key-91ba' };
const refreshKeys = { current: 'current-refresh-key-a41d', retiring: 'retiring-refresh-key-08ce' };
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

let stack: SeparateStack;
let person: Person;
beforeAll(async () => {
  const env = {
    STAGE: 'production',
    // A public key among the HMAC keys: the misconfiguration that RS256/HS256 confusion attacks exploit.
    JWT_ACCESS_SECRET: `${keys.current},${keys.retiring},${rsa.publicKey}`,
    JWT_REFRESH_SECRET: `${refreshKeys.current},${refreshKeys.retiring}`,
    CHECK_IN_SECRET: `${checkInKeys.current},${checkInKeys.retiring}`,
  };
  stack = await startStack({ env });
  connectToTable(stack);
  person = await registerUser({}, stack);
});
afterAll(() => stack?.stop());

const nowSeconds = () => Math.floor(Date.now() / 1000);
const signOptions = { issuer: 'boxoffice', audience: 'access', expiresIn: 60 } as const;
const userClaims = () => ({ userId: person.user.id, email: person.user.email, role: 'USER' });
const signAccessToken = (key: string, change: object = {}, options: jwt.SignOptions = {}) =>
  jwt.sign({ ...userClaims(), ...change }, key, { ...signOptions, ...options });
const toBase64Url = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const refreshTokenOf = ({ cookie }: Person) => cookie.replace('refreshToken=', '');

/** Signs with any text as the HMAC key. jsonwebtoken would refuse a public key. */
function signHmac(header: object, payload: object, key: string): string {
  const text = `${toBase64Url(header)}.${toBase64Url(payload)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

const getUser = (token: string) => call('GET', '/api/auth/me', { token, apiUrl: stack.apiUrl });
const refreshSession = (token: string) =>
  call('POST', '/api/auth/refresh-token', { cookie: `refreshToken=${token}`, apiUrl: stack.apiUrl });

describe('an access token', () => {
  it('signed by a current or a retiring key is accepted', async () => {
    for (const key of [keys.current, keys.retiring]) {
      const answer = await getUser(signAccessToken(key));
      expect([answer.status, answer.body.user]).toEqual([200, person.user]);
    }
  });

  it('is signed with the current key', () => {
    expect(jwt.verify(person.token, keys.current)).toMatchObject(userClaims());
    expect(() => jwt.verify(person.token, keys.retiring)).toThrow('invalid signature');
  });

  const noneHeader = toBase64Url({ alg: 'none', typ: 'JWT' });
  const allClaims = () => ({ ...userClaims(), iss: 'boxoffice', aud: 'access', exp: nowSeconds() + 60 });
  const validPayload = () => toBase64Url(allClaims());
  const validSignature = () => signAccessToken(keys.current).split('.')[2];

  it.each<[string, () => string]>([
    ['with the algorithm none', () => `${noneHeader}.${validPayload()}.`],
    ['with the algorithm none and a signature', () => `${noneHeader}.${validPayload()}.${validSignature()}`],
    ['without an algorithm', () => `${toBase64Url({ typ: 'JWT' })}.${validPayload()}.${validSignature()}`],
    ['signed with RS256', () => signAccessToken(rsa.privateKey, {}, { algorithm: 'RS256' })],
    [
      'signed with the RSA public key as the HMAC key',
      () => signHmac({ alg: 'HS256' }, allClaims(), rsa.publicKey),
    ],
    ['signed with HS512', () => signAccessToken(keys.current, {}, { algorithm: 'HS512' })],
    [
      'with the algorithm RS256 and an HMAC signature',
      () => signHmac({ alg: 'RS256' }, allClaims(), keys.current),
    ],
    ['with another issuer', () => signAccessToken(keys.current, {}, { issuer: 'elsewhere' })],
    ['without an issuer', () => jwt.sign(userClaims(), keys.current, { audience: 'access', expiresIn: 60 })],
    ['with another audience', () => signAccessToken(keys.current, {}, { audience: 'elsewhere' })],
    ['that is a refresh token', () => refreshTokenOf(person)],
    [
      'with the refresh audience, signed with the access key',
      () => signAccessToken(keys.current, {}, { audience: 'refresh' }),
    ],
    ['that expired a second ago', () => signAccessToken(keys.current, {}, { expiresIn: -1 })],
    ['that is not valid before the next minute', () => signAccessToken(keys.current, {}, { notBefore: 60 })],
    ['signed with a retired key', () => signAccessToken(keys.retired)],
    ['signed with the refresh key', () => signAccessToken(refreshKeys.current)],
    ['with an empty signature', () => `${toBase64Url({ alg: 'HS256' })}.${validPayload()}.`],
    [
      'with claims changed after signing',
      () => signAccessToken(keys.current).replace(/\.[^.]+/, `.${validPayload()}`),
    ],
    ['with an unknown role', () => signAccessToken(keys.current, { role: 'ROOT' })],
    ['without a user id', () => signAccessToken(keys.current, { userId: undefined })],
  ])('%s is refused with 401', async (_, createToken) => {
    const answer = await getUser(createToken());
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid or expired token' }]);
    expect(answer.headers.get('x-error-code')).toBe('invalid-token');
  });
});

describe('a refresh token', () => {
  /** Opens a session. @returns its refresh token, signed with `key` */
  async function openSession(key: string, options: jwt.SignOptions = {}): Promise<string> {
    const sessionId = newId();
    const token = jwt.sign({ userId: person.user.id }, key, {
      ...{ issuer: 'boxoffice', audience: 'refresh', expiresIn: 60, jwtid: sessionId },
      ...options,
    });
    const createdAt = new Date().toISOString();
    const session = {
      id: sessionId,
      version: 0,
      device: 'Firefox on Linux',
      createdAt,
      lastUsedAt: createdAt,
    };
    await write(insertSession(person.user.id, token, { ...session, ttl: nowSeconds() + 60 }));
    return token;
  }

  it('signed by a current or a retiring key is accepted', async () => {
    for (const key of [refreshKeys.current, refreshKeys.retiring]) {
      const answer = await refreshSession(await openSession(key));
      expect(answer.status).toBe(200);
      expect((await getUser(answer.body.token)).status).toBe(200);
    }
  });

  it.each<[string, () => Promise<string> | string]>([
    ['signed with a retired key', () => openSession(keys.retired)],
    ['signed with the access key', () => openSession(keys.current)],
    ['that expired a second ago', () => openSession(refreshKeys.current, { expiresIn: -1 })],
    ['with another issuer', () => openSession(refreshKeys.current, { issuer: 'elsewhere' })],
    ['with another audience', () => openSession(refreshKeys.current, { audience: 'access' })],
    ['signed with HS384', () => openSession(refreshKeys.current, { algorithm: 'HS384' })],
    ['that is an access token', () => person.token],
    [
      'without a session',
      () =>
        jwt.sign({ userId: person.user.id }, refreshKeys.current, {
          ...signOptions,
          audience: 'refresh',
          jwtid: newId(),
        }),
    ],
  ])('%s is refused with 401', async (_, createToken) => {
    const answer = await refreshSession(await createToken());
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid refresh token' }]);
  });
});

describe('the cookie of a stage that is not local', () => {
  const attributes = ['Path=/api/auth', 'Max-Age=604800', 'HttpOnly', 'SameSite=Strict', 'Secure'];

  it('is restricted to HTTPS and to /api/auth', async () => {
    const { email } = person.user;
    const login = await call('POST', '/api/auth/login', {
      apiUrl: stack.apiUrl,
      body: { email, password: person.password },
    });
    expect(login.cookies).toHaveLength(1);
    const [pair = '', ...received] = (login.cookies[0] ?? '').split('; ');
    expect(pair).toBe(cookieOf(login));
    expect(received).toEqual(attributes);
  });

  it('is cleared with the same attributes', async () => {
    const logout = await call('POST', '/api/auth/logout', { apiUrl: stack.apiUrl });
    const [, , ...others] = attributes;
    expect(logout.cookies).toEqual([['refreshToken=', attributes[0], 'Max-Age=0', ...others].join('; ')]);
  });
});

describe('a check-in code', () => {
  it('signed by the retiring key admits once, also by a device without network', async () => {
    const sale = await openSale({ stack });
    const { orderId } = await buyTickets(sale, await registerUser({}, stack), 1);
    vi.stubEnv('CHECK_IN_SECRET', checkInKeys.retiring);
    const code = await signCode({ orderId, number: 1, transfers: 0 });
    vi.unstubAllEnvs();
    const { organizer, event } = sale;
    const { seats } = expectStatus(200, await organizer.get(`/api/events/${event.id}/door`));
    const hash = await hashCode(code);
    expect(seats).toMatchObject([{ otherHashes: [hash] }]);
    const scan = { scanId: 'offline', seat: `${orderId}.1`, hash, at: new Date().toISOString() };
    const uploaded = await organizer.post(`/api/events/${event.id}/door/scans`, {
      deviceId: 'gate',
      scans: [scan],
    });
    expect(uploaded.body.results).toMatchObject([{ result: 'admitted' }]);
    expect(errorOf(await checkIn(code, organizer, event.id))).toEqual([409, 'already-checked-in']);
  });
});
