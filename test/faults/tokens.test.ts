import { createHmac, generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertSession } from '../../shared/auth/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { call } from '../support/http.ts';
import { cookieOf, type Person, registerUser } from '../support/people.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';
import { useTableOf } from '../support/table.ts';

/**
 * Tokens over HTTP: forged, foreign, expired and misused tokens are refused. During a rotation of keys, tokens of the
 * retiring key are accepted. STAGE is not `local`, so the cookies are those of production.
 */
const keys = {
  current: 'current-access-key-7c1f',
  retiring: 'retiring-access-key-e09b',
  retired: 'retired-key-55d2',
};
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
    // A public key among the configured keys, the mistake that an RS256/HS256 confusion exploits.
    JWT_ACCESS_SECRET: `${keys.current},${keys.retiring},${rsa.publicKey}`,
    JWT_REFRESH_SECRET: `${refreshKeys.current},${refreshKeys.retiring}`,
  };
  stack = await startStack({ env });
  useTableOf(stack);
  person = await registerUser({}, stack);
});
afterAll(() => stack?.stop());

const now = () => Math.floor(Date.now() / 1000);
const ours = { issuer: 'boxoffice', audience: 'access', expiresIn: 60 } as const;
const claims = () => ({ userId: person.user.id, email: person.user.email, role: 'USER' });
const access = (key: string, change: object = {}, options: jwt.SignOptions = {}) =>
  jwt.sign({ ...claims(), ...change }, key, { ...ours, ...options });
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const refreshTokenOf = ({ cookie }: Person) => cookie.replace('refreshToken=', '');

/** Signs with any text as the HMAC key, which jsonwebtoken refuses. */
function sign(header: object, payload: object, key: string): string {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

const me = (token: string) => call('GET', '/api/auth/me', { token, apiUrl: stack.apiUrl });
const refresh = (token: string) =>
  call('POST', '/api/auth/refresh-token', { cookie: `refreshToken=${token}`, apiUrl: stack.apiUrl });

describe('an access token', () => {
  it('signed by a current or a retiring key is accepted', async () => {
    for (const key of [keys.current, keys.retiring]) {
      const answer = await me(access(key));
      expect([answer.status, answer.body.user]).toEqual([200, person.user]);
    }
  });

  it('is signed with the first key', () => {
    expect(jwt.verify(person.token, keys.current)).toMatchObject(claims());
    expect(() => jwt.verify(person.token, keys.retiring)).toThrow('invalid signature');
  });

  const none = encode({ alg: 'none', typ: 'JWT' });
  const all = () => ({ ...claims(), iss: 'boxoffice', aud: 'access', exp: now() + 60 });
  const payload = () => encode(all());
  const signature = () => access(keys.current).split('.')[2];

  it.each<[string, () => string]>([
    ['of the algorithm none', () => `${none}.${payload()}.`],
    ['of the algorithm none, with a signature', () => `${none}.${payload()}.${signature()}`],
    ['of no algorithm', () => `${encode({ typ: 'JWT' })}.${payload()}.${signature()}`],
    ['signed with RSA', () => access(rsa.privateKey, {}, { algorithm: 'RS256' })],
    ['signed with RSA’s public key for a secret', () => sign({ alg: 'HS256' }, all(), rsa.publicKey)],
    ['signed with another HMAC', () => access(keys.current, {}, { algorithm: 'HS512' })],
    ['that says RS256 over an HMAC', () => sign({ alg: 'RS256' }, all(), keys.current)],
    ['of another issuer', () => access(keys.current, {}, { issuer: 'elsewhere' })],
    ['of no issuer', () => jwt.sign(claims(), keys.current, { audience: 'access', expiresIn: 60 })],
    ['for another audience', () => access(keys.current, {}, { audience: 'elsewhere' })],
    ['that is a refresh token', () => refreshTokenOf(person)],
    ['that is a refresh token under the access key', () => access(keys.current, {}, { audience: 'refresh' })],
    ['that expired a second ago', () => access(keys.current, {}, { expiresIn: -1 })],
    ['that begins in a minute', () => access(keys.current, {}, { notBefore: 60 })],
    ['under a retired key', () => access(keys.retired)],
    ['under the refresh key', () => access(refreshKeys.current)],
    ['under an empty key', () => `${encode({ alg: 'HS256' })}.${payload()}.`],
    ['with claims changed after signing', () => access(keys.current).replace(/\.[^.]+/, `.${payload()}`)],
    ['of a role there is not', () => access(keys.current, { role: 'ROOT' })],
    ['without a user', () => access(keys.current, { userId: undefined })],
  ])('%s is refused', async (_, forge) => {
    const answer = await me(forge());
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid or expired token' }]);
    expect(answer.headers.get('x-error-code')).toBe('invalid-token');
  });
});

describe('a refresh token', () => {
  /** Opens a session. @returns its refresh token, signed with a key */
  async function openSession(key: string, options: jwt.SignOptions = {}): Promise<string> {
    const sessionId = newId();
    const token = jwt.sign({ userId: person.user.id }, key, {
      ...{ issuer: 'boxoffice', audience: 'refresh', expiresIn: 60, jwtid: sessionId },
      ...options,
    });
    const session = { userId: person.user.id, id: sessionId, refreshToken: token, version: 0 };
    await write(insertSession({ ...session, expiresAt: now() + 60 }));
    return token;
  }

  it('signed by a current or a retiring key is accepted', async () => {
    for (const key of [refreshKeys.current, refreshKeys.retiring]) {
      const answer = await refresh(await openSession(key));
      expect(answer.status).toBe(200);
      expect((await me(answer.body.token)).status).toBe(200);
    }
  });

  it.each<[string, () => Promise<string> | string]>([
    ['under a retired key', () => openSession(keys.retired)],
    ['under the access key', () => openSession(keys.current)],
    ['that expired a second ago', () => openSession(refreshKeys.current, { expiresIn: -1 })],
    ['of another issuer', () => openSession(refreshKeys.current, { issuer: 'elsewhere' })],
    ['for another audience', () => openSession(refreshKeys.current, { audience: 'access' })],
    ['of another HMAC', () => openSession(refreshKeys.current, { algorithm: 'HS384' })],
    ['that is an access token', () => person.token],
    [
      'without a session',
      () =>
        jwt.sign({ userId: person.user.id }, refreshKeys.current, {
          ...ours,
          audience: 'refresh',
          jwtid: newId(),
        }),
    ],
  ])('%s is refused, though its session is there', async (_, forge) => {
    const answer = await refresh(await forge());
    expect([answer.status, answer.body]).toEqual([401, { error: 'Invalid refresh token' }]);
  });
});

describe('the cookie of a stage that is not local', () => {
  const attributes = ['Path=/api/auth', 'Max-Age=604800', 'HttpOnly', 'SameSite=Strict', 'Secure'];

  it('is sent over HTTPS only, and to its own paths only', async () => {
    const { email } = person.user;
    const login = await call('POST', '/api/auth/login', {
      apiUrl: stack.apiUrl,
      body: { email, password: person.password },
    });
    expect(login.cookies).toHaveLength(1);
    const [pair = '', ...given] = (login.cookies[0] ?? '').split('; ');
    expect(pair).toBe(cookieOf(login));
    expect(given).toEqual(attributes);
  });

  it('is cleared with the same attributes', async () => {
    const logout = await call('POST', '/api/auth/logout', { apiUrl: stack.apiUrl });
    const [, , ...others] = attributes;
    expect(logout.cookies).toEqual([['refreshToken=', attributes[0], 'Max-Age=0', ...others].join('; ')]);
  });
});
