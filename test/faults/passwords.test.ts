import bcrypt from 'bcryptjs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { changePassword } from '../../shared/auth/change-password.ts';
import { findLinkByToken } from '../../shared/auth/links/mail-link.ts';
import { login } from '../../shared/auth/login.ts';
import { register } from '../../shared/auth/register.ts';
import { requestPasswordReset } from '../../shared/auth/request-password-reset.ts';
import { resetPassword } from '../../shared/auth/reset-password.ts';
import { prepareSession, refreshAccessToken } from '../../shared/auth/sessions.ts';
import { newId } from '../../shared/core/ids.ts';
import { write } from '../../shared/dynamo/write.ts';
import { findLinkToken } from '../../shared/mail/token.ts';
import { getUser } from '../../shared/users/store.ts';
import { type Backend, startBackend } from '../support/backend.ts';
import { type Call, type FaultProxy, startProxy } from '../support/fault-proxy.ts';
import { freshEmail } from '../support/people.ts';

/** Resets and changes of passwords over the real table: their requests, concurrent calls, and lost answers. */

const old = 'correct horse battery';
const refusedLink = { kind: 'invalid', code: 'invalid-reset-token' };
const refusedPassword = { kind: 'unauthenticated', code: 'wrong-credentials' };

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
  const remove = proxy.add((call, forward) => {
    calls.push(call);
    return forward();
  });
  await run();
  remove();
  return calls;
}

const newcomer = async () =>
  register(
    { email: freshEmail(), password: old, name: 'Ann', role: 'USER', walletAddress: null },
    '192.0.2.1',
  );
const address = () => `192.0.2.${Math.floor(Math.random() * 256)}-${newId()}`;

/** Requests a reset. @returns the token in its mail */
async function requestReset(email: string): Promise<string> {
  const calls = await requestsOf(() => requestPasswordReset(email, address()));
  const written = calls.find(({ method }) => method === 'TransactWriteItems');
  const mail = written?.body.TransactItems.find((item: Call['body']) => item.Put.Item.sk.S === 'MAIL');
  const { requestId, tokenHash } = mail.Put.Item.content.M;
  return (await findLinkToken('password-reset', requestId.S, tokenHash.S)) as string;
}

const logIn = (email: string, password: string) => login({ email, password }, address());
const outcome = (promise: Promise<unknown>) =>
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

  it('makes the same requests with and without an account, below and above the limit', async () => {
    const { user } = await newcomer();
    const [known, unknown] = [user.email, freshEmail()];
    const compare = vi.spyOn(bcrypt, 'compare');
    for (let request = 0; request < 5; request++) {
      const [one, other] = [
        await requestsOf(() => requestPasswordReset(known, address())),
        await requestsOf(() => requestPasswordReset(unknown, address())),
      ];
      expect(one.length).toBeGreaterThan(2);
      expect(one.map(shapeOf)).toEqual(other.map(shapeOf));
    }
    expect(compare).not.toHaveBeenCalled();
  });

  it('makes three mails an hour for an account, and none for more requests at once', async () => {
    const { user } = await newcomer();
    const calls = await requestsOf(() =>
      Promise.all(Array.from({ length: 8 }, () => requestPasswordReset(user.email, address()))),
    );
    expect(calls.filter(({ method }) => method === 'TransactWriteItems')).toHaveLength(3);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * 60_000 });
    await requestReset(user.email);
  });

  it('is accepted twenty times an hour from an IP address, over all accounts', async () => {
    const ip = address();
    const calls = await requestsOf(async () => {
      for (let request = 0; request < 23; request++) await requestPasswordReset(freshEmail(), ip);
    });
    expect(calls.filter(({ method }) => method === 'TransactWriteItems')).toHaveLength(20);
  });

  it('makes no mail while mail is not configured', async () => {
    vi.stubEnv('MAIL_FROM', '');
    const { user } = await newcomer();
    expect(await requestsOf(() => requestPasswordReset(user.email, address()))).toEqual([]);
    vi.unstubAllEnvs();
  });

  it('stores no token, but a hash of it', async () => {
    const { user } = await newcomer();
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
    const { user, refreshToken } = await newcomer();
    const tokens = [refreshToken];
    for (let session = 0; session < 150; session++) {
      const { refreshToken, sessionWrite } = await prepareSession(user, 0);
      await write(sessionWrite);
      tokens.push(refreshToken);
    }
    expect(await refreshAccessToken(tokens[77])).toEqual(expect.any(String));
    const token = await requestReset(user.email);

    const calls = await requestsOf(() => resetPassword({ token, password: 'a new password' }));

    const writes = calls.filter(({ method }) => !/^(Get|BatchGet|Query)/.test(method));
    expect(writes.map(({ method, body }) => [method, body.TransactItems?.length])).toEqual([
      ['TransactWriteItems', 2],
    ]);
    const ended = await Promise.all(tokens.map((one) => outcome(refreshAccessToken(one))));
    expect(ended).toEqual(Array(151).fill('invalid-refresh-token'));
    const { refreshToken: next } = await logIn(user.email, 'a new password');
    expect(await refreshAccessToken(next)).toEqual(expect.any(String));
    expect((await getUser(user.id)).emailVerified).toBe(true);
  });

  it('happens once for a token, also when it is sent twice at once', async () => {
    const { user } = await newcomer();
    const token = await requestReset(user.email);
    const choices = ['the first password', 'the second password', 'the third password'];
    const outcomes = await Promise.all(
      choices.map((password) => outcome(resetPassword({ token, password }))),
    );
    expect(outcomes.filter((one) => one === 'done')).toHaveLength(1);
    expect(outcomes.filter((one) => one === 'invalid-reset-token')).toHaveLength(2);
    const chosen = choices[outcomes.indexOf('done')] as string;
    for (const password of [...choices, old]) {
      const expected = password === chosen ? 'done' : 'wrong-credentials';
      expect([password, await outcome(logIn(user.email, password))]).toEqual([password, expected]);
    }
    await expect(resetPassword({ token, password: chosen })).rejects.toMatchObject(refusedLink);
  });

  it('ends the other links that were requested before it', async () => {
    const { user } = await newcomer();
    const [first, second] = [await requestReset(user.email), await requestReset(user.email)];
    await resetPassword({ token: second, password: 'a new password' });
    await expect(resetPassword({ token: first, password: 'another one' })).rejects.toMatchObject(refusedLink);
    const third = await requestReset(user.email);
    await resetPassword({ token: third, password: 'another one' });
    await logIn(user.email, 'another one');
  });

  it('is refused after an hour, although the table may keep the item for days', async () => {
    const { user } = await newcomer();
    const start = Date.now();
    const token = await requestReset(user.email);
    vi.useFakeTimers({ toFake: ['Date'], now: start + 61 * 60_000 });
    await expect(resetPassword({ token, password: 'a new password' })).rejects.toMatchObject(refusedLink);
    vi.setSystemTime(start + 59 * 60_000);
    await resetPassword({ token, password: 'a new password' });
  });

  it('refuses unknown tokens, tokens of other links and tokens without a user, before it hashes a password', async () => {
    const { user } = await newcomer();
    const calls = await requestsOf(() =>
      register(
        { email: freshEmail(), password: old, name: 'Ann', role: 'USER', walletAddress: null },
        address(),
      ),
    );
    const mail = calls
      .flatMap(({ body }) => body.TransactItems ?? [])
      .find((item: Call['body']) => item.Put.Item.sk.S === 'MAIL');
    const { requestId, tokenHash } = mail.Put.Item.content.M;
    const confirmation = await findLinkToken('address-confirmation', requestId.S, tokenHash.S);
    expect(await findLinkByToken('address-confirmation', confirmation as string)).toBeDefined();
    const ofNobody = await requestReset(freshEmail());
    const hash = vi.spyOn(bcrypt, 'hash');
    for (const token of ['', 'unknown', confirmation as string, ofNobody, user.id]) {
      await expect(resetPassword({ token, password: 'a new password' })).rejects.toMatchObject(refusedLink);
    }
    expect(hash).not.toHaveBeenCalled();
  });
});

describe('an answer that is lost', () => {
  it('of the reset’s transaction has no effect, since the repeated transaction succeeds', async () => {
    const { user } = await newcomer();
    const token = await requestReset(user.email);
    let lost = 0;
    const remove = proxy.add(async ({ method }, forward) => {
      const answer = await forward();
      return method === 'TransactWriteItems' && lost++ === 0 ? 'drop' : answer;
    });
    await resetPassword({ token, password: 'a new password' });
    remove();
    expect(lost).toBe(2);
    const { refreshToken } = await logIn(user.email, 'a new password');
    expect(await refreshAccessToken(refreshToken)).toEqual(expect.any(String));
  });

  it('to the caller lets the same attempt with the same password succeed again, and no other', async () => {
    const { user } = await newcomer();
    const token = await requestReset(user.email);
    const attempt = 'the key of a form';
    await resetPassword({ token, password: 'a new password' }, attempt);
    const { refreshToken } = await logIn(user.email, 'a new password');

    await resetPassword({ token, password: 'a new password' }, attempt);

    expect(await refreshAccessToken(refreshToken)).toEqual(expect.any(String));
    const others = [
      ['another password', attempt],
      ['a new password', 'another key'],
      ['a new password', undefined],
    ] as const;
    for (const [password, key] of others) {
      await expect(resetPassword({ token, password }, key)).rejects.toMatchObject(refusedLink);
    }
  });
});

describe('a change of the password', () => {
  const change = (
    user: { id: string; email: string },
    currentPassword: string,
    password: string,
    session?: string,
  ) => changePassword({ userId: user.id, email: user.email }, { currentPassword, password }, session);

  it('keeps the caller’s session and ends the others', async () => {
    const { user, refreshToken } = await newcomer();
    const { refreshToken: other } = await logIn(user.email, old);
    await change(user, old, 'a new password', refreshToken);
    expect(await refreshAccessToken(refreshToken)).toEqual(expect.any(String));
    await expect(refreshAccessToken(other)).rejects.toMatchObject({ code: 'invalid-refresh-token' });
    await expect(logIn(user.email, old)).rejects.toMatchObject(refusedPassword);
    await change(user, 'a new password', 'the next password', refreshToken);
    expect(await refreshAccessToken(refreshToken)).toEqual(expect.any(String));
  });

  it('ends all sessions without a refresh token, and never keeps a session of another user', async () => {
    const [ann, ben] = [await newcomer(), await newcomer()];
    await change(ann.user, old, 'a new password', ben.refreshToken);
    await expect(refreshAccessToken(ann.refreshToken)).rejects.toMatchObject({
      code: 'invalid-refresh-token',
    });
    expect(await refreshAccessToken(ben.refreshToken)).toEqual(expect.any(String));
  });

  it('ends the links that were requested before', async () => {
    const { user } = await newcomer();
    const token = await requestReset(user.email);
    await change(user, old, 'a new password');
    await expect(resetPassword({ token, password: 'another one' })).rejects.toMatchObject(refusedLink);
    await logIn(user.email, 'a new password');
  });

  it('at the same time as a reset leaves the password of one that succeeded', async () => {
    const { user } = await newcomer();
    const token = await requestReset(user.email);
    const [reset, changed] = await Promise.all([
      outcome(resetPassword({ token, password: 'of the reset' })),
      outcome(change(user, old, 'of the change')),
    ]);
    // The first one makes the other fail: it invalidates the link, or the password that was compared.
    expect([
      ['done', 'wrong-credentials'],
      ['invalid-reset-token', 'done'],
    ]).toContainEqual([reset, changed]);
    const [right, wrong] =
      reset === 'done' ? ['of the reset', 'of the change'] : ['of the change', 'of the reset'];
    await logIn(user.email, right);
    await expect(logIn(user.email, wrong)).rejects.toMatchObject(refusedPassword);
  });

  it('allows ten attempts in 15 minutes, successful ones included', async () => {
    const { user } = await newcomer();
    const tries = Array.from({ length: 13 }, () =>
      outcome(change(user, 'a wrong password', 'a new password')),
    );
    const outcomes = await Promise.all(tries);
    expect(outcomes.filter((one) => one === 'wrong-credentials')).toHaveLength(10);
    expect(outcomes.filter((one) => one === 'too-many-attempts')).toHaveLength(3);
    expect(await outcome(change(user, old, 'a new password'))).toBe('too-many-attempts');
  });

  it('succeeds once when the answer of its transaction is lost', async () => {
    const { user, refreshToken } = await newcomer();
    let lost = 0;
    const remove = proxy.add(async ({ method }, forward) => {
      const answer = await forward();
      return method === 'TransactWriteItems' && lost++ === 0 ? 'drop' : answer;
    });
    await change(user, old, 'a new password', refreshToken);
    remove();
    expect(lost).toBe(2);
    expect(await refreshAccessToken(refreshToken)).toEqual(expect.any(String));
  });
});

describe('a login with the old password while a reset happens', () => {
  it('opens a session that has ended', async () => {
    const { user } = await newcomer();
    const token = await requestReset(user.email);
    // Between the comparison of the password and the session, the login reads the user.
    let hasReset = false;
    const remove = proxy.add(async ({ method, body }, forward) => {
      if (!hasReset && method === 'GetItem' && body.Key.pk.S === `USER#${user.id}`) {
        hasReset = true;
        await resetPassword({ token, password: 'a new password' });
      }
      return forward();
    });
    const { refreshToken } = await logIn(user.email, old);
    remove();
    expect(hasReset).toBe(true);
    await expect(refreshAccessToken(refreshToken)).rejects.toMatchObject({ code: 'invalid-refresh-token' });
  });
});
