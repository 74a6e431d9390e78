import { generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  accessLifetimeSeconds,
  refreshLifetimeSeconds,
  signAccessToken,
  signRefreshToken,
  verifyAccessToken,
  verifyRefreshToken,
} from '../../../shared/runtime/tokens.ts';

const accessKey = 'access-key-of-the-unit-tests';
const refreshKey = 'refresh-key-of-the-unit-tests';
const claims = { userId: 'cuser', email: 'ann@example.com', role: 'USER' } as const;
const validOptions = { issuer: 'boxoffice', audience: 'access', expiresIn: 60 };
const rsa = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

beforeEach(() => {
  vi.stubEnv('JWT_ACCESS_SECRET', accessKey);
  vi.stubEnv('JWT_REFRESH_SECRET', refreshKey);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const invalidToken = { kind: 'unauthenticated', code: 'invalid-token' };

describe('an access token', () => {
  it('contains the user’s id, e-mail and role', async () => {
    expect(await verifyAccessToken(await signAccessToken(claims))).toEqual(claims);
  });

  it('expires after 15 minutes', async () => {
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    const token = await signAccessToken(claims);
    vi.advanceTimersByTime((15 * 60 - 1) * 1000);
    expect(await verifyAccessToken(token)).toEqual(claims);
    vi.advanceTimersByTime(1000);
    await expect(verifyAccessToken(token)).rejects.toMatchObject(invalidToken);
    expect(accessLifetimeSeconds).toBe(15 * 60);
  });

  it.each<[string, () => string]>([
    ['is not a JWT', () => 'abc'],
    ['is signed with another key', () => jwt.sign(claims, 'another key', validOptions)],
    ['claims the algorithm none', () => jwt.sign(claims, '', { ...validOptions, algorithm: 'none' })],
    [
      'is signed with another HMAC',
      () => jwt.sign(claims, accessKey, { ...validOptions, algorithm: 'HS512' }),
    ],
    ['is signed with RSA', () => jwt.sign(claims, rsa.privateKey, { ...validOptions, algorithm: 'RS256' })],
    [
      'comes from another issuer',
      () => jwt.sign(claims, accessKey, { ...validOptions, issuer: 'elsewhere' }),
    ],
    ['names no issuer', () => jwt.sign(claims, accessKey, { audience: 'access', expiresIn: 60 })],
    [
      'is meant for another audience',
      () => jwt.sign(claims, accessKey, { ...validOptions, audience: 'refresh' }),
    ],
    ['names no user', () => jwt.sign({ ...claims, userId: undefined }, accessKey, validOptions)],
    ['names an unknown role', () => jwt.sign({ ...claims, role: 'ROOT' }, accessKey, validOptions)],
    ['has no claims', () => jwt.sign('cuser', accessKey)],
  ])('is refused when it %s', async (_, forge) => {
    await expect(verifyAccessToken(forge())).rejects.toMatchObject(invalidToken);
  });

  it('is refused when its claims were changed after signing', async () => {
    const [header, , signature] = (await signAccessToken(claims)).split('.');
    const [, payload] = jwt.sign({ ...claims, role: 'ADMIN' }, 'any', validOptions).split('.');
    await expect(verifyAccessToken(`${header}.${payload}.${signature}`)).rejects.toMatchObject(invalidToken);
  });

  it('is refused when signed with RSA, even if the configured key is the public key', async () => {
    vi.stubEnv('JWT_ACCESS_SECRET', rsa.publicKey);
    const token = jwt.sign(claims, rsa.privateKey, { ...validOptions, algorithm: 'RS256' });
    await expect(verifyAccessToken(token)).rejects.toMatchObject(invalidToken);
  });

  it('is refused as a refresh token and vice versa, even with the same key', async () => {
    vi.stubEnv('JWT_REFRESH_SECRET', accessKey);
    const refreshToken = await signRefreshToken({ userId: 'cuser', sessionId: 'csession' });
    await expect(verifyAccessToken(refreshToken)).rejects.toMatchObject(invalidToken);
    expect(await verifyRefreshToken(await signAccessToken(claims))).toBeUndefined();
  });
});

describe('a refresh token', () => {
  const session = { userId: 'cuser', sessionId: 'csession' };

  it('contains its session, and expires after 7 days', async () => {
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    const token = await signRefreshToken(session);
    vi.advanceTimersByTime((7 * 24 * 60 * 60 - 1) * 1000);
    expect(await verifyRefreshToken(token)).toEqual(session);
    vi.advanceTimersByTime(1000);
    expect(await verifyRefreshToken(token)).toBeUndefined();
    expect(refreshLifetimeSeconds).toBe(7 * 24 * 60 * 60);
  });

  it('is refused without a session', async () => {
    const token = jwt.sign({ userId: 'cuser' }, refreshKey, { ...validOptions, audience: 'refresh' });
    expect(await verifyRefreshToken(token)).toBeUndefined();
  });
});

describe('during key rotation', () => {
  it('a token signed with the old key is accepted until the key is removed', async () => {
    const token = await signAccessToken(claims);

    vi.stubEnv('JWT_ACCESS_SECRET', `new-key, ${accessKey}`);
    expect(await verifyAccessToken(token)).toEqual(claims);

    vi.stubEnv('JWT_ACCESS_SECRET', 'new-key');
    await expect(verifyAccessToken(token)).rejects.toMatchObject(invalidToken);
  });

  it('the first key signs tokens', async () => {
    vi.stubEnv('JWT_ACCESS_SECRET', `new-key,${accessKey}`);
    const token = await signAccessToken(claims);
    vi.stubEnv('JWT_ACCESS_SECRET', 'new-key');
    expect(await verifyAccessToken(token)).toEqual(claims);
  });

  it('verification throws an internal error without a key', async () => {
    vi.stubEnv('JWT_ACCESS_SECRET', '');
    await expect(verifyAccessToken('abc')).rejects.toThrow('JWT_ACCESS_SECRET is not configured');
    vi.stubEnv('JWT_ACCESS_SECRET', ',');
    await expect(verifyAccessToken('abc')).rejects.toThrow('JWT_ACCESS_SECRET holds no key');
  });
});
