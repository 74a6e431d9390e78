import bcrypt from 'bcryptjs';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { countFailure, login, refuseAfterTooManyFailures } from '../../shared/accounts/auth/login.ts';
import { findSessionByToken, insertSession } from '../../shared/accounts/auth/store.ts';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { freshEmail, type Person, registerAdmin, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { connectToTable } from '../support/stack.ts';

let admin: Person;
let user: Person;
beforeAll(async () => {
  [admin, user] = await Promise.all([registerAdmin(), registerUser()]);
});

const statusOfRefresh = async (cookie: string) =>
  (await call('POST', '/api/auth/refresh-token', { cookie })).status;

describe('DELETE /api/users/{id}/sessions', () => {
  it('is allowed for the user', async () => {
    const person = await registerUser();
    const answer = await person.delete(`/api/users/${person.user.id}/sessions`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'All sessions ended' });
    expect(await statusOfRefresh(person.cookie)).toBe(401);
  });

  it('is allowed for administrators', async () => {
    const person = await registerUser();
    expect((await admin.delete(`/api/users/${person.user.id}/sessions`)).status).toBe(200);
    expect(await statusOfRefresh(person.cookie)).toBe(401);
    expect(await statusOfRefresh(admin.cookie)).toBe(200);
  });
});

describe('PUT /api/users/{id}/kyc', () => {
  it.each(['PENDING', 'VERIFIED', 'REJECTED', 'NONE'])('sets the user’s KYC status to %s', async (status) => {
    const answer = await admin.put(`/api/users/${user.user.id}/kyc`, { status });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ user: { ...user.user, kycStatus: status } });
    const me = await user.get('/api/auth/me');
    expect(me.body).toEqual({ user: { ...user.user, kycStatus: status } });
  });
});

let person: Person;
beforeAll(async () => {
  connectToTable();
  person = await registerUser();
});

async function openSession(refreshToken: string, secondsLeft: number): Promise<string> {
  const id = newId();
  const ttl = Math.floor(Date.now() / 1000) + secondsLeft;
  const createdAt = new Date().toISOString();
  const session = { id, version: 3, device: 'Firefox on Linux', createdAt, lastUsedAt: createdAt, ttl };
  await write(insertSession(person.user.id, refreshToken, session));
  return id;
}

describe('a stored session', () => {
  it('is found by its user, its id and its refresh token', async () => {
    const sessionId = await openSession('token', 60);
    expect(await findSessionByToken(person.user.id, sessionId, 'token')).toMatchObject({ version: 3 });
    expect(await findSessionByToken(person.user.id, sessionId, 'another')).toBeUndefined();
    expect(await findSessionByToken(newId(), sessionId, 'token')).toBeUndefined();
  });

  it('is not found after it expires, although DynamoDB deletes the item later', async () => {
    const sessionId = await openSession('token', -1);
    expect(await findSessionByToken(person.user.id, sessionId, 'token')).toBeUndefined();
  });
});

// These tests call the functions directly, to set the clock and to act between two steps of a login.

const ip = '192.0.2.1';
const tooManyAttempts = { kind: 'too-many-requests', code: 'too-many-attempts' };

beforeAll(() => connectToTable());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function countFailures(email: string, times: number): Promise<void> {
  for (let failure = 0; failure < times; failure++) await countFailure(email, ip);
}

describe('failed logins', () => {
  it('no longer count 15 minutes after the first one', async () => {
    const email = freshEmail();
    const start = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    await countFailures(email, 10);

    vi.setSystemTime(start + 14 * 60_000);
    await expect(refuseAfterTooManyFailures(email, ip)).rejects.toMatchObject(tooManyAttempts);
    await expect(countFailure(email, ip)).rejects.toMatchObject(tooManyAttempts);

    vi.setSystemTime(start + 15 * 60_000);
    await refuseAfterTooManyFailures(email, ip);
    await countFailures(email, 10);
    await expect(refuseAfterTooManyFailures(email, ip)).rejects.toMatchObject({
      ...tooManyAttempts,
      retryAfter: 900,
    });
  });

  it('from one IP address do not count for another IP address', async () => {
    const email = freshEmail();
    await countFailures(email, 10);
    await refuseAfterTooManyFailures(email, '192.0.2.2');
  });

  it('block a login whose correct password is still being compared', async () => {
    const { user, password } = await registerUser();
    const compare = bcrypt.compare;
    vi.spyOn(bcrypt, 'compare').mockImplementation(async (text: string, hash: string) => {
      await countFailures(user.email, 10);
      return compare(text, hash);
    });
    await expect(
      login({ email: user.email, password }, ip, { name: 'Firefox on Linux' }),
    ).rejects.toMatchObject(tooManyAttempts);
  });
});
