import bcrypt from 'bcryptjs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { changePassword } from '../../shared/accounts/auth/change-password.ts';
import { findLinkByToken } from '../../shared/accounts/auth/link-mail.ts';
import { login } from '../../shared/accounts/auth/login.ts';
import { register } from '../../shared/accounts/auth/register.ts';
import { requestPasswordReset } from '../../shared/accounts/auth/request-password-reset.ts';
import { resetPassword } from '../../shared/accounts/auth/reset-password.ts';
import { prepareSession, refreshAccessToken } from '../../shared/accounts/auth/sessions.ts';
import { findCredential, moveCredential } from '../../shared/accounts/auth/store.ts';
import { getUser } from '../../shared/accounts/users/store.ts';
import type { SignedIn } from '../../shared/accounts/users/user.ts';
import { newId } from '../../shared/core/ids.ts';
import { transact } from '../../shared/dynamo/write.ts';
import { findLinkToken } from '../../shared/messaging/outbox/token.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { type Call, type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { freshEmail } from '../support/fixtures.ts';

/** Resets and changes of passwords with the real table: what their requests reveal, races, and the ends of sessions. */

const device = { name: 'Firefox on Linux' };
const oldPassword = 'correct horse battery';
const invalidLinkError = { kind: 'invalid', code: 'invalid-reset-token' };

let backend: Backend;
let proxy: FaultProxy;
beforeAll(async () => {
  backend = await startBackend();
  proxy = await startProxy({ table: backend.dynamodbUrl });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url('passwords', 'table'),
    JWT_REFRESH_SECRET: 'only-for-tests-refresh-0123456789abcdef',
    MAIL_FROM: 'tickets@boxoffice.test',
    STAGE: 'local',
  });
}, 90_000);
afterAll(async () => {
  await proxy?.stop();
  await backend?.stop();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Runs a function and returns its requests to the table. */
async function requestsOf(run: () => Promise<unknown>): Promise<Call[]> {
  const calls: Call[] = [];
  const remove = proxy.intercept((call, forward) => {
    calls.push(call);
    return forward();
  });
  await run();
  remove();
  return calls;
}

const registerNewUser = async () =>
  register(
    { email: freshEmail(), password: oldPassword, name: 'Ann', role: 'USER', walletAddress: null },
    '192.0.2.1',
    device,
  );
const newIpAddress = () => `192.0.2.${Math.floor(Math.random() * 256)}-${newId()}`;

/** Requests a reset. @returns the token of the mailed link */
async function requestReset(email: string): Promise<string> {
  const calls = await requestsOf(() => requestPasswordReset(email, newIpAddress()));
  const transaction = calls.find(({ method }) => method === 'TransactWriteItems');
  const mail = transaction?.body.TransactItems.find((item: Call['body']) => item.Put.Item.sk.S === 'MAIL');
  const { requestId, tokenHash } = mail.Put.Item.content.M;
  return (await findLinkToken('password-reset', requestId.S, tokenHash.S)) as string;
}

const logIn = async (email: string, password: string) =>
  (await login({ email, password }, newIpAddress(), device)) as SignedIn;
/** Returns 'done' or the error code. */
const resultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    ({ code }) => code,
  );

describe('a request for a reset', () => {
  /** Replaces each text of a request by its length, so that only observable differences remain. */
  const shapeOf = ({ method, body }: Call) => {
    const lengths = (_: string, value: unknown) => (typeof value === 'string' ? value.length : value);
    return [method, JSON.stringify(body, lengths)];
  };

  it('sends the table the same requests with and without an account, below and above the limit', async () => {
    const { user } = await registerNewUser();
    const [knownEmail, unknownEmail] = [user.email, freshEmail()];
    const compare = vi.spyOn(bcrypt, 'compare');
    for (let request = 0; request < 5; request++) {
      const [knownRequests, unknownRequests] = [
        await requestsOf(() => requestPasswordReset(knownEmail, newIpAddress())),
        await requestsOf(() => requestPasswordReset(unknownEmail, newIpAddress())),
      ];
      expect(knownRequests.length).toBeGreaterThan(1);
      expect(knownRequests.map(shapeOf)).toEqual(unknownRequests.map(shapeOf));
    }
    expect(compare).not.toHaveBeenCalled();
  });

  it('creates no mail while MAIL_FROM is not set', async () => {
    vi.stubEnv('MAIL_FROM', '');
    const { user } = await registerNewUser();
    expect(await requestsOf(() => requestPasswordReset(user.email, newIpAddress()))).toEqual([]);
    vi.unstubAllEnvs();
  });

  it('stores a hash of the token instead of the token', async () => {
    const { user } = await registerNewUser();
    let token = '';
    const calls = await requestsOf(async () => {
      token = await requestReset(user.email);
    });
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(JSON.stringify(calls)).not.toContain(token);
  });
});

describe('a reset', () => {
  it('ends all sessions in one transaction of two items, however many there are', async () => {
    const { user, refreshToken } = await registerNewUser();
    const tokens = [refreshToken];
    for (let session = 0; session < 150; session++) {
      const options = { device, isConfirmed: true, isFirst: true };
      const { refreshToken, writes } = await prepareSession({ user }, 0, options);
      await transact(writes);
      tokens.push(refreshToken);
    }
    expect(await refreshAccessToken(tokens[77], device)).toEqual(expect.any(String));
    const token = await requestReset(user.email);

    const calls = await requestsOf(() => resetPassword({ token, password: 'a new password' }));

    const writes = calls.filter(({ method }) => !/^(Get|BatchGet|Query)/.test(method));
    expect(writes.map(({ method, body }) => [method, body.TransactItems?.length])).toEqual([
      ['TransactWriteItems', 2],
    ]);
    // One after the other: 151 connections at once may time out on a busy machine.
    const codes: unknown[] = [];
    for (const token of tokens) codes.push(await resultOf(refreshAccessToken(token, device)));
    expect(codes).toEqual(Array(151).fill('invalid-refresh-token'));
    const { refreshToken: next } = await logIn(user.email, 'a new password');
    expect(await refreshAccessToken(next, device)).toEqual(expect.any(String));
    expect((await getUser(user.id)).emailVerified).toBe(true);
  });

  it('succeeds once for a token, also with concurrent requests', async () => {
    const { user } = await registerNewUser();
    const token = await requestReset(user.email);
    const passwords = ['the first password', 'the second password', 'the third password'];
    const results = await Promise.all(
      passwords.map((password) => resultOf(resetPassword({ token, password }))),
    );
    expect(results.filter((result) => result === 'done')).toHaveLength(1);
    expect(results.filter((result) => result === 'invalid-reset-token')).toHaveLength(2);
    const chosenPassword = passwords[results.indexOf('done')] as string;
    for (const password of [...passwords, oldPassword]) {
      const expected = password === chosenPassword ? 'done' : 'wrong-credentials';
      expect([password, await resultOf(logIn(user.email, password))]).toEqual([password, expected]);
    }
    await expect(resetPassword({ token, password: chosenPassword })).rejects.toMatchObject(invalidLinkError);
  });

  it('is refused when the account gets another address meanwhile, and leaves its sessions and its password', async () => {
    const { user } = await registerNewUser();
    const token = await requestReset(user.email);
    const credential = await findCredential(user.email);
    if (!credential) throw new Error('The account has no credential');
    // The account's address changes after the reset has read it.
    await transact(moveCredential(credential, freshEmail(), Math.floor(Date.now() / 1000) + 60));
    await expect(resetPassword({ token, password: 'a new password' })).rejects.toMatchObject(
      invalidLinkError,
    );
  });

  it('invalidates the links that were requested before it', async () => {
    const { user } = await registerNewUser();
    const [first, second] = [await requestReset(user.email), await requestReset(user.email)];
    await resetPassword({ token: second, password: 'a new password' });
    await expect(resetPassword({ token: first, password: 'another one' })).rejects.toMatchObject(
      invalidLinkError,
    );
    const third = await requestReset(user.email);
    await resetPassword({ token: third, password: 'another one' });
    await logIn(user.email, 'another one');
  });

  it('is refused after an hour, even if the table has not deleted the expired item', async () => {
    const { user } = await registerNewUser();
    const start = Date.now();
    const token = await requestReset(user.email);
    vi.useFakeTimers({ toFake: ['Date'], now: start + 61 * 60_000 });
    await expect(resetPassword({ token, password: 'a new password' })).rejects.toMatchObject(
      invalidLinkError,
    );
    vi.setSystemTime(start + 59 * 60_000);
    await resetPassword({ token, password: 'a new password' });
  });

  it('refuses unknown tokens, tokens that confirm an address and tokens without a user, before it hashes a password', async () => {
    const { user } = await registerNewUser();
    const calls = await requestsOf(() =>
      register(
        { email: freshEmail(), password: oldPassword, name: 'Ann', role: 'USER', walletAddress: null },
        newIpAddress(),
        device,
      ),
    );
    const mail = calls
      .flatMap(({ body }) => body.TransactItems ?? [])
      .find((item: Call['body']) => item.Put.Item.sk.S === 'MAIL');
    const { requestId, tokenHash } = mail.Put.Item.content.M;
    const confirmation = await findLinkToken('address-confirmation', requestId.S, tokenHash.S);
    expect(await findLinkByToken('address-confirmation', confirmation as string)).toBeDefined();
    const tokenWithoutUser = await requestReset(freshEmail());
    const hash = vi.spyOn(bcrypt, 'hash');
    for (const token of ['', 'unknown', confirmation as string, tokenWithoutUser, user.id]) {
      await expect(resetPassword({ token, password: 'a new password' })).rejects.toMatchObject(
        invalidLinkError,
      );
    }
    expect(hash).not.toHaveBeenCalled();
  });
});

describe('a change of the password', () => {
  const change = (user: { id: string }, currentPassword: string, password: string, session?: string) =>
    changePassword({ userId: user.id }, { currentPassword, password }, session);

  it('ends all sessions of the user, and no others, when it has another user’s refresh token', async () => {
    const [ann, ben] = [await registerNewUser(), await registerNewUser()];
    await change(ann.user, oldPassword, 'a new password', ben.refreshToken);
    await expect(refreshAccessToken(ann.refreshToken, device)).rejects.toMatchObject({
      code: 'invalid-refresh-token',
    });
    expect(await refreshAccessToken(ben.refreshToken, device)).toEqual(expect.any(String));
  });

  it('by a thief leaves the links valid that the owner has requested', async () => {
    const { user } = await registerNewUser();
    const token = await requestReset(user.email);
    await change(user, oldPassword, 'a thief’s password');
    await resetPassword({ token, password: 'the owner’s password' });
    await logIn(user.email, 'the owner’s password');
    await expect(resetPassword({ token, password: 'another one' })).rejects.toMatchObject(invalidLinkError);
  });

  it('allows ten attempts in 15 minutes, successful ones included', async () => {
    const { user } = await registerNewUser();
    // Ten concurrent password checks would delay the table's answers past their deadlines on a busy machine.
    const compare = vi.spyOn(bcrypt, 'compare').mockImplementation(async () => false);
    const attempts = Array.from({ length: 13 }, () =>
      resultOf(change(user, 'a wrong password', 'a new password')),
    );
    const results = await Promise.all(attempts);
    compare.mockRestore();
    expect(results.filter((result) => result === 'wrong-credentials')).toHaveLength(10);
    expect(results.filter((result) => result === 'too-many-attempts')).toHaveLength(3);
    expect(await resultOf(change(user, oldPassword, 'a new password'))).toBe('too-many-attempts');
  });
});

describe('a login with the old password during a reset', () => {
  it('returns a refresh token that is not valid', async () => {
    const { user } = await registerNewUser();
    const token = await requestReset(user.email);
    // The login reads the user after it has compared the password and before it opens the session.
    let hasReset = false;
    const remove = proxy.intercept(async ({ method, body }, forward) => {
      if (!hasReset && method === 'GetItem' && body.Key.pk.S === `USER#${user.id}`) {
        hasReset = true;
        await resetPassword({ token, password: 'a new password' });
      }
      return forward();
    });
    const { refreshToken } = await logIn(user.email, oldPassword);
    remove();
    expect(hasReset).toBe(true);
    await expect(refreshAccessToken(refreshToken, device)).rejects.toMatchObject({
      code: 'invalid-refresh-token',
    });
  });
});
