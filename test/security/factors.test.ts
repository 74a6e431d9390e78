import { randomBytes } from 'node:crypto';
import { Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { handler as createKey } from '../../functions/keys/create-key.ts';
import { handler as createEndpoint } from '../../functions/webhook-endpoints/create-endpoint.ts';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { resetPassword as resetPasswordHere } from '../../shared/accounts/auth/reset-password.ts';
import { activateTotp } from '../../shared/accounts/factors/change-factors.ts';
import { insertPasskey } from '../../shared/accounts/factors/store.ts';
import { changeProfile } from '../../shared/accounts/users/change-user.ts';
import { linkWallet as linkWalletHere } from '../../shared/accounts/wallets/link-wallet.ts';
import { dueAttributes, keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import { undoEmailChange } from '../../shared/money/payouts/stop-payouts.ts';
import { type Authenticator, createAuthenticator, sha256, toBase64Url } from '../support/authenticator.ts';
import { createApiEvent } from '../support/backend.ts';
import { requestSignedChallenge, verifyWallet } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  addPasskey,
  addTotp,
  ageFactors,
  beginPasskey,
  buyTickets,
  confirmAddress,
  createCaller,
  expectStatus,
  freshEmail,
  openSale,
  type Person,
  readBalance,
  registerAdmin,
  registerUser,
  totpCodeOf,
} from '../support/fixtures.ts';
import { type Answer, errorOf } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { withRival } from '../support/rival.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';

/** Passkeys, authenticator apps and recovery codes over HTTP, with an authenticator in software. */

let stack: SeparateStack;
let anonymous: ReturnType<typeof createCaller>;
beforeAll(async () => {
  stack = await startStack({ env: { STEP_UP: 'true', REQUIRE_SECOND_FACTOR: 'payouts' } });
  connectToTable(stack);
  anonymous = createCaller(undefined, stack);
});
afterAll(() => stack?.stop());

const wrongCredentials = [401, 'wrong-credentials'];
/** Makes a payout that is held due again. */
async function sendPayoutNow(id: string): Promise<void> {
  await write(update(keys.payout(id), { set: dueAttributes(id, Date.now() - 1000) }));
  await stack.sweep();
}

const newPerson = (fields: object = {}) => registerUser({ email: freshEmail(), ...fields }, stack);

async function requestChallenge(caller: Pick<Person, 'post'> = anonymous): Promise<string> {
  return expectStatus(200, await caller.post('/api/auth/passkeys/login/options')).options.challenge;
}

const loginWith = (response: object): Promise<Answer> =>
  anonymous.post('/api/auth/passkeys/login', { response });
const logIn = ({ user, password }: Person) =>
  anonymous.post('/api/auth/login', { email: user.email, password });
const beginLogin = async (person: Person): Promise<string> =>
  expectStatus(200, await logIn(person)).challenge;
const completeLogin = (body: object) => anonymous.post('/api/auth/login/verify', body);
const confirm = ({ post }: Pick<Person, 'post'>, body: object) => post('/api/auth/confirm', body);

/** Calls an endpoint in this process, where a rival can run between its requests to the table. */
async function callHere(handler: unknown, { token }: Person, body: object): Promise<void> {
  const call = handler as (event: object, context: object) => Promise<unknown>;
  const event = createApiEvent(JSON.stringify(body), { authorization: `Bearer ${token}` });
  await call(event, { getRemainingTimeInMillis: () => 60_000 });
}

/** Expires a challenge in the table. */
async function expire(challenge: string): Promise<void> {
  const key = keys.authChallenge(sha256(challenge).toString('base64url'));
  await write(update(key, { set: { ttl: Math.floor(Date.now() / 1000) - 1 } }));
}

describe('a passkey', () => {
  it('logs its user in without a password, into a fresh session', async () => {
    const person = await newPerson();
    const passkey = await addPasskey(person);
    const answer = await loginWith(passkey.get({ challenge: await requestChallenge() }));
    const { token, user } = expectStatus(200, answer);
    expect(user.id).toBe(person.user.id);
    expect(answer.cookies[0]).toMatch(/^refreshToken=.+HttpOnly/);
    const again = createCaller(token, stack);
    expect((await again.patch('/api/auth/me', { walletAddress: null })).status).toBe(200);
    const { passkeys, recoveryCodes } = (await again.get('/api/auth/passkeys')).body;
    expect(passkeys).toEqual([
      {
        id: passkey.id,
        name: 'Passkey',
        backedUp: false,
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ]);
    expect(recoveryCodes).toBe(10);
  });

  it('is refused with another origin, relying party, key, or without user verification', async () => {
    const passkey = await addPasskey(await newPerson());
    for (const ceremony of [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { unverified: true },
      { userHandle: toBase64Url((await newPerson()).user.id) },
    ]) {
      const response = passkey.get({ challenge: await requestChallenge(), ...ceremony });
      expect(errorOf(await loginWith(response))).toEqual(wrongCredentials);
    }
    const forged = createAuthenticator(stack.apiUrl).get({ challenge: await requestChallenge() });
    const { userHandle } = passkey.get({ challenge: '' }).response;
    const response = {
      ...forged,
      id: passkey.id,
      rawId: passkey.id,
      response: { ...forged.response, userHandle },
    };
    expect(errorOf(await loginWith(response))).toEqual(wrongCredentials);
  });

  it('is refused with a challenge that was used, has expired, is unknown, or belongs to something else', async () => {
    const person = await newPerson();
    const passkey = await addPasskey(person);
    const response = passkey.get({ challenge: await requestChallenge() });
    const answers = await Promise.all([loginWith(response), loginWith(response)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(errorOf(await loginWith(response))).toEqual(wrongCredentials);
    const expired = await requestChallenge();
    await expire(expired);
    const { challenge: ofRegistration } = await beginPasskey(person);
    const unknown = toBase64Url(randomBytes(32));
    const [ofConfirmation, ofPassword] = [await requestChallenge(person), await beginLogin(person)];
    for (const challenge of [expired, unknown, ofRegistration, ofConfirmation, ofPassword]) {
      expect(errorOf(await loginWith(passkey.get({ challenge })))).toEqual(wrongCredentials);
    }
  });

  it('is refused when its counter goes back, which is audited', async () => {
    const person = await newPerson();
    const passkey = await addPasskey(person, 5);
    const use = async (counter: number) =>
      loginWith(passkey.get({ challenge: await requestChallenge(), counter }));
    expect((await use(7)).status).toBe(200);
    expect(errorOf(await use(7))).toEqual(wrongCredentials);
    expect(errorOf(await use(6))).toEqual(wrongCredentials);
    expect((await use(8)).status).toBe(200);
    const { entries } = (await (await registerAdmin(stack)).get('/api/audit')).body;
    const refusals = entries.filter(({ action }: { action: string }) => action === 'passkey-refused');
    expect(refusals[0].details).toEqual({ userId: person.user.id, passkeyId: passkey.id });
    expect(refusals).toHaveLength(2);
  });

  it('is added only with a challenge of the same session, at this origin and relying party', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const otherSession = createCaller(expectStatus(200, await logIn(person)).token, stack);
    const add = (response: object) => person.post('/api/auth/passkeys', { response });
    const [ceremony, expired] = [await beginPasskey(person), await beginPasskey(person)];
    await expire(expired.challenge);
    for (const change of [
      await beginPasskey(other),
      await beginPasskey(otherSession),
      expired,
      { challenge: await requestChallenge(person) },
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { unverified: true },
    ]) {
      const response = createAuthenticator(stack.apiUrl).create({ ...ceremony, ...change });
      expect(errorOf(await add(response))).toEqual([400, 'invalid-passkey']);
    }
    const response = createAuthenticator(stack.apiUrl).create(ceremony);
    expect((await add(response)).status).toBe(201);
    expect(errorOf(await add(response))).toEqual([400, 'invalid-passkey']);
  });

  it('belongs to its user: nobody else renames or deletes it', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const { id } = await addPasskey(person);
    const path = `/api/auth/passkeys/${id}`;
    expect(errorOf(await other.patch(path, { name: 'Mine' }))).toEqual([404, 'passkey-not-found']);
    expect(errorOf(await other.delete(path))).toEqual([404, 'passkey-not-found']);
    expect((await person.patch(path, { name: 'Phone' })).body.passkey).toMatchObject({ id, name: 'Phone' });
    expect((await person.delete(path)).status).toBe(200);
    const factors = (await person.get('/api/auth/passkeys')).body;
    expect(factors).toEqual({ passkeys: [], totp: false, recoveryCodes: 0 });
    expect((await logIn(person)).body).toHaveProperty('token');
  });

  it('has an id that fits into a key of the table', async () => {
    const person = await newPerson();
    const id = 'a'.repeat(1_000);
    const path = `/api/auth/passkeys/${id}`;
    expect(errorOf(await person.patch(path, { name: 'Mine' }))).toEqual([400, 'invalid-input']);
    expect(errorOf(await person.delete(path))).toEqual([400, 'invalid-input']);
    const authenticator = createAuthenticator(stack.apiUrl);
    await authenticator.create(await beginPasskey(person));
    const response = authenticator.get({ challenge: await requestChallenge() });
    for (const long of [
      { ...response, id, rawId: id },
      { ...response, response: { ...response.response, userHandle: 'a'.repeat(4_000) } },
    ])
      expect(errorOf(await loginWith(long))).toEqual([400, 'invalid-input']);
  });

  it('is one of at most 20, however many were begun before and are added at once', async () => {
    const person = await newPerson();
    const fields = { userId: person.user.id, name: 'Passkey', publicKey: new Uint8Array(1), counter: 0 };
    const times = { createdAt: new Date().toISOString(), lastUsedAt: null };
    for (let number = 1; number <= 18; number++)
      await write(insertPasskey({ ...fields, ...times, id: `passkey${number}`, backedUp: false }));
    const begin = async () => createAuthenticator(stack.apiUrl).create(await beginPasskey(person));
    const add = (response: object) => person.post('/api/auth/passkeys', { response });
    const responses = await Promise.all([1, 2, 3, 4].map(begin));
    const answers = await Promise.all(responses.slice(0, 3).map(add));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409]);
    expect(answers.flatMap((answer) => (answer.status === 409 ? [errorOf(answer)] : []))).toEqual([
      [409, 'too-many-passkeys'],
    ]);
    expect(errorOf(await add(responses[3] as object))).toEqual([409, 'too-many-passkeys']);
    expectStatus(200, await person.delete('/api/auth/passkeys/passkey1'));
    expectStatus(201, await add(responses[3] as object));
  });

  it('comes with recovery codes once, when several first ones are added at once', async () => {
    const person = await newPerson();
    const begin = async () => createAuthenticator(stack.apiUrl).create(await beginPasskey(person));
    const responses = await Promise.all([1, 2, 3, 4].map(begin));
    const answers = await Promise.all(
      responses.map((response) => person.post('/api/auth/passkeys', { response })),
    );
    expect(
      answers.map((answer) => expectStatus(201, answer)).filter((body) => body.recoveryCodes),
    ).toHaveLength(1);
    expect((await person.get('/api/auth/passkeys')).body.recoveryCodes).toBe(10);
  });
});

describe('a login with a second factor', () => {
  it('needs the code after the password, which works once', async () => {
    const person = await newPerson();
    const { codeAt } = await addTotp(person);
    const answer = await logIn(person);
    expect(answer.body).toEqual({ challenge: expect.any(String), methods: ['totp', 'recovery-code'] });
    expect(answer.cookies).toEqual([]);
    const code = codeAt(0);
    const signedIn = await completeLogin({ challenge: answer.body.challenge, code });
    expect(expectStatus(200, signedIn).user.id).toBe(person.user.id);
    expect(signedIn.cookies[0]).toMatch(/^refreshToken=/);
    // The same challenge, and the same code with another challenge.
    expect(errorOf(await completeLogin({ challenge: answer.body.challenge, code: codeAt(1) }))).toEqual([
      401,
      'invalid-challenge',
    ]);
    expect(errorOf(await completeLogin({ challenge: await beginLogin(person), code }))).toEqual(
      wrongCredentials,
    );
    // An earlier code than the last one.
    const earlier = { challenge: await beginLogin(person), code: codeAt(-1) };
    expect(errorOf(await completeLogin(earlier))).toEqual(wrongCredentials);
  });

  it('succeeds once for one code at the same moment', async () => {
    const person = await newPerson();
    const { codeAt } = await addTotp(person);
    const challenges = await Promise.all(Array.from({ length: 4 }, () => beginLogin(person)));
    const code = codeAt(0);
    const answers = await Promise.all(challenges.map((challenge) => completeLogin({ challenge, code })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401]);
  });

  it('limits guesses, across challenges', async () => {
    const person = await newPerson();
    const { codeAt } = await addTotp(person);
    // Setting it up took one of ten tries.
    for (let guess = 0; guess < 9; guess++) {
      const body = { challenge: await beginLogin(person), code: codeAt(-50) };
      expect(errorOf(await completeLogin(body))).toEqual(wrongCredentials);
    }
    const right = { challenge: await beginLogin(person), code: codeAt(0) };
    expect(errorOf(await completeLogin(right))).toEqual([429, 'too-many-attempts']);
  });

  it('needs the challenge that followed the same user’s password', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const { codeAt } = await addTotp(person);
    const { codeAt: otherCodeAt, recoveryCodes } = await addTotp(other);
    // Somebody with a stolen session has this challenge without the password.
    for (const challenge of [await requestChallenge(person), await requestChallenge()]) {
      expect(errorOf(await completeLogin({ challenge, code: codeAt(0) }))).toEqual([
        401,
        'invalid-challenge',
      ]);
    }
    const challenge = await beginLogin(person);
    for (const proof of [{ code: otherCodeAt(0) }, { recoveryCode: recoveryCodes[0] }]) {
      expect(errorOf(await completeLogin({ challenge, ...proof }))).toEqual(wrongCredentials);
    }
    expect((await completeLogin({ challenge, code: codeAt(0) })).status).toBe(200);
  });

  it('ends with its challenge after five minutes, and with a new password', async () => {
    const person = await newPerson();
    const { codeAt } = await addTotp(person);
    const expectRefusal = async (challenge: string) =>
      expect(errorOf(await completeLogin({ challenge, code: codeAt(0) }))).toEqual([
        401,
        'invalid-challenge',
      ]);
    const [expired, outdated] = [await beginLogin(person), await beginLogin(person)];
    await expire(expired);
    for (const challenge of [expired, 'unknown']) await expectRefusal(challenge);
    const change = { currentPassword: person.password, password: 'another password' };
    expect((await person.put('/api/auth/password', change)).status).toBe(200);
    await expectRefusal(outdated);
  });

  it('accepts each recovery code once, after the other factors are lost', async () => {
    const person = await newPerson();
    const { recoveryCodes } = await addPasskey(person);
    expect(recoveryCodes).toHaveLength(10);
    const use = async (recoveryCode = '') =>
      completeLogin({ challenge: await beginLogin(person), recoveryCode });
    expect((await use(recoveryCodes[0]?.toLowerCase())).status).toBe(200);
    expect(errorOf(await use(recoveryCodes[0]))).toEqual(wrongCredentials);
    expect(errorOf(await use('AAAA-AAAA-AAAA-AAAA'))).toEqual(wrongCredentials);
    expect((await use(recoveryCodes[1])).status).toBe(200);
  });

  it('refuses the recovery codes of a factor that was removed, and accepts those of others', async () => {
    const person = await newPerson();
    const first = await addPasskey(person);
    const own = await addPasskey(person);
    const use = async (recoveryCode = '') =>
      errorOf(await completeLogin({ challenge: await beginLogin(person), recoveryCode }));
    await person.delete(`/api/auth/passkeys/${first.id}`);
    expect(await use(first.recoveryCodes[0])).toEqual(wrongCredentials);
    const app = await addTotp(person);
    await person.delete(`/api/auth/passkeys/${own.id}`);
    const [code, otherCode] = app.recoveryCodes;
    expect((await completeLogin({ challenge: await beginLogin(person), recoveryCode: code })).status).toBe(
      200,
    );
    expect((await addPasskey(person)).recoveryCodes).toBeUndefined();
    await person.delete('/api/auth/totp');
    expect(await use(otherCode)).toEqual(wrongCredentials);
    expect((await addPasskey(person)).recoveryCodes).toHaveLength(10);
  });

  it('accepts a passkey of its user, and no other', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const [passkey, otherPasskey] = [await addPasskey(person), await addPasskey(other)];
    const answer = async (authenticator: Authenticator) => {
      const challenge = await beginLogin(person);
      const path = `/api/auth/passkeys/login/options?challenge=${challenge}`;
      const { options } = expectStatus(200, await anonymous.post(path));
      expect(options.allowCredentials.map(({ id }: { id: string }) => id)).toEqual([passkey.id]);
      return completeLogin({ challenge, response: authenticator.get({ challenge: options.challenge }) });
    };
    expect(errorOf(await answer(otherPasskey))).toEqual(wrongCredentials);
    expect((await answer(passkey)).status).toBe(200);
  });
});

describe('a confirmation of a session with a second factor', () => {
  it('needs a challenge of the same session, and not the password', async () => {
    const person = await newPerson();
    const passkey = await addPasskey(person);
    const otherLogin = await loginWith(passkey.get({ challenge: await requestChallenge() }));
    const otherSession = createCaller(expectStatus(200, otherLogin).token, stack);
    expect(errorOf(await confirm(person, { password: person.password }))).toEqual([
      403,
      'confirmation-required',
    ]);
    for (const challenge of [await requestChallenge(), await requestChallenge(otherSession)]) {
      const response = passkey.get({ challenge });
      expect(errorOf(await confirm(person, { response }))).toEqual(wrongCredentials);
    }
    const response = passkey.get({ challenge: await requestChallenge(person) });
    expect((await confirm(person, { response })).status).toBe(200);
    expect(errorOf(await confirm(person, { response }))).toEqual(wrongCredentials);
  });

  it('takes a code once, and is needed once the session is stale', async () => {
    const person = await newPerson();
    const { codeAt } = await addTotp(person);
    const stale = createCaller(
      (await person.post('/api/auth/refresh-token', undefined, { cookie: person.cookie })).body.token,
      stack,
    );
    const refusal = await stale.delete('/api/auth/totp');
    expect(errorOf(refusal)).toEqual([403, 'confirmation-required']);
    expect(refusal.headers.get('x-confirm-with')).toBe('totp,recovery-code');
    const code = codeAt(0);
    const { token } = expectStatus(200, await confirm(stale, { code }));
    expect(errorOf(await confirm(stale, { code }))).toEqual(wrongCredentials);
    expect((await createCaller(token, stack).delete('/api/auth/totp')).status).toBe(200);
  });
});

describe('a payout', () => {
  it('needs an account with a second factor where REQUIRE_SECOND_FACTOR is `payouts`, before a fresh session', async () => {
    const person = await newPerson({ role: 'ORGANIZER' });
    const { token } = (await person.post('/api/auth/refresh-token', undefined, { cookie: person.cookie }))
      .body;
    const destination = { accountNumber: '0690000031', bankCode: '044', accountName: 'O. Organizer' };
    const request = { amount: 5, currency: 'NGN', gateway: 'gateway-a', destination };
    const requestPayout = (caller: Pick<Person, 'post'>) => caller.post('/api/payouts', request);
    const stale = createCaller(token, stack);
    expect(errorOf(await requestPayout(stale))).toEqual([403, 'second-factor-required']);
    await addPasskey(person);
    expect(errorOf(await requestPayout(stale))).toEqual([403, 'confirmation-required']);
    expect(errorOf(await requestPayout(person))).toEqual([409, 'insufficient-balance']);
  });
});

describe('a reset by an administrator', () => {
  const reset = (admin: Pick<Person, 'delete'>, { user }: Person) =>
    admin.delete(`/api/users/${user.id}/factors`);

  it('removes all factors, ends all sessions, is recorded and mailed', async () => {
    const person = await newPerson();
    const { recoveryCodes } = await addPasskey(person);
    await addTotp(person);
    const challenge = await beginLogin(person);
    const stale = await registerAdmin(stack);
    expect(errorOf(await reset(stale, person))).toEqual([403, 'confirmation-required']);
    const admin = createCaller(expectStatus(200, await logIn(stale)).token, stack);
    expect(errorOf(await reset(person, person))).toEqual([403, 'forbidden']);
    // The second call does nothing.
    for (let count = 0; count < 2; count++) expectStatus(200, await reset(admin, person));
    const { cookie, post } = person;
    expect((await post('/api/auth/refresh-token', undefined, { cookie })).status).toBe(401);
    expect(errorOf(await completeLogin({ challenge, recoveryCode: recoveryCodes[0] }))).toEqual([
      401,
      'invalid-challenge',
    ]);
    const { token } = expectStatus(200, await logIn(person));
    const factors = (await createCaller(token, stack).get('/api/auth/passkeys')).body;
    expect(factors).toEqual({ passkeys: [], totp: false, recoveryCodes: 0 });
    const { entries } = (await admin.get('/api/audit')).body;
    expect(entries.filter(({ action }: { action: string }) => action === 'factors-reset')).toMatchObject([
      { by: { type: 'admin', userId: stale.user.id }, details: { userId: person.user.id } },
    ]);
    await awaitMail(person.user.email, 'Your two-step sign-in was reset', stack);
  });

  it('holds payouts for 72 hours, also to known accounts and those that were requested before', async () => {
    const person = await newPerson({ role: 'ORGANIZER' });
    await buyTickets(await openSale({ organizer: person }), await newPerson(), 1);
    await eventually('the sale is posted', async () => (await readBalance(person)).available === 50);
    await addPasskey(person);
    const admin = await registerAdmin(stack);
    const fresh = createCaller(expectStatus(200, await logIn(admin)).token, stack);
    expectStatus(200, await reset(fresh, person));
    const again = { ...person, ...createCaller(expectStatus(200, await logIn(person)).token, stack) };
    await addPasskey(again);
    const destination = { accountNumber: '0690000031', bankCode: '044', accountName: 'O. Organizer' };
    const request = { amount: 5, currency: 'NGN', gateway: 'gateway-a', destination };
    const { payout } = expectStatus(201, await again.post('/api/payouts', request));
    const readPayout = async () => (await again.get('/api/payouts')).body.payouts[0];
    await eventually('the payout is held', async () => (await readPayout()).waitsFor === 'factors-reset');
    await stack.sweep();
    expect(await readPayout()).toMatchObject({ status: 'PENDING', attempts: 0 });
    // The 72 hours are over.
    await write(update(keys.user(person.user.id), { set: { payoutsHeldUntil: new Date().toISOString() } }));
    await sendPayoutNow(payout.id);
    await eventually('the payout is sent', async () => (await readPayout()).attempts === 1);
    expect((await readPayout()).waitsFor).toBeNull();
  });
});

describe('a change of the second factors', () => {
  it('is mailed', async () => {
    const person = await newPerson();
    const { id } = await addPasskey(person);
    await addTotp(person);
    expectStatus(200, await person.delete(`/api/auth/passkeys/${id}`));
    for (let count = 0; count < 2; count++) expectStatus(200, await person.delete('/api/auth/totp'));
    for (const subject of [
      'A passkey was added to your account',
      'An authenticator app was added to your account',
      'A passkey was removed from your account',
      'The authenticator app was removed from your account',
    ]) {
      await awaitMail(person.user.email, subject, stack);
    }
  });
});

const requestReset = async ({ user }: Person) => {
  expectStatus(200, await anonymous.post('/api/auth/forgot-password', { email: user.email }));
  const { body } = await awaitMail(user.email, 'Reset your password', stack);
  return /reset-password\?token=([\w-]{43})/.exec(body.text)?.[1] ?? '';
};
const resetPassword = async (person: Person) => {
  const { user } = person;
  const token = await requestReset(person);
  expectStatus(200, await anonymous.post('/api/auth/reset-password', { token, password: 'a new password' }));
  return anonymous.post('/api/auth/login', { email: user.email, password: 'a new password' });
};

describe('a password reset', () => {
  const readUser = async ({ user }: Person) => (await getItem(keys.user(user.id))) ?? {};
  it('keeps the second factors of the owner of the address from the time before the last seven days', async () => {
    const person = await newPerson();
    await confirmAddress(person);
    await addPasskey(person);
    await ageFactors(person);
    expect((await resetPassword(person)).body.methods).toEqual(['passkey', 'recovery-code']);
    expect((await readUser(person)).payoutsHeldUntil).toBeUndefined();
  });

  it('removes newer ones, ends their sessions and recovery codes, and holds payouts for 72 hours', async () => {
    const person = await newPerson();
    await confirmAddress(person);
    const passkey = await addPasskey(person);
    await addTotp(person);
    const session = expectStatus(200, await resetPassword(person));
    const factors = (await createCaller(session.token, stack).get('/api/auth/passkeys')).body;
    expect(factors).toEqual({ passkeys: [], totp: false, recoveryCodes: 0 });
    expect(errorOf(await loginWith(passkey.get({ challenge: await requestChallenge() })))).toEqual(
      wrongCredentials,
    );
    const held = Date.parse(String((await readUser(person)).payoutsHeldUntil)) - Date.now();
    expect(held / 3_600_000).toBeGreaterThan(71);
  });

  it('ends the recovery codes of an app that was added in the last seven days and removed again', async () => {
    const person = await newPerson();
    await confirmAddress(person);
    await addPasskey(person);
    await ageFactors(person);
    const { recoveryCodes } = await addTotp(person);
    expectStatus(200, await person.delete('/api/auth/totp'));
    const { challenge } = (await resetPassword(person)).body;
    expect(errorOf(await completeLogin({ challenge, recoveryCode: recoveryCodes[0] }))).toEqual(
      wrongCredentials,
    );
  });

  it('leaves none that is added after the factors were read', async () => {
    const person = await newPerson();
    await confirmAddress(person);
    const response = createAuthenticator(stack.apiUrl).create(await beginPasskey(person));
    const token = await requestReset(person);
    const add = async () => expectStatus(201, await person.post('/api/auth/passkeys', { response }));
    await withRival(add, () => resetPasswordHere({ token, password: 'a new password' }));
    expect((await logIn({ ...person, password: 'a new password' })).body).toHaveProperty('token');
  });

  it('ends the session of one that is added after the factors were read and logs in at once', async () => {
    const person = await newPerson();
    await confirmAddress(person);
    const passkey = createAuthenticator(stack.apiUrl);
    const response = passkey.create(await beginPasskey(person));
    const token = await requestReset(person);
    const add = async () => expectStatus(201, await person.post('/api/auth/passkeys', { response }));
    let late = createCaller(undefined, stack);
    const logInLate = async () => {
      const answer = await loginWith(passkey.get({ challenge: await requestChallenge() }));
      late = createCaller(expectStatus(200, answer).token, stack);
    };
    const reset = () => resetPasswordHere({ token, password: 'a new password' });
    await withRival(add, () => withRival(logInLate, reset, 'written'));
    expect(errorOf(await late.get('/api/auth/sessions'))).toEqual([401, 'invalid-token']);
    expect((await logIn({ ...person, password: 'a new password' })).body).toHaveProperty('token');
  });

  it('refuses one that was begun before and is stored after it', async () => {
    const person = await newPerson();
    await confirmAddress(person);
    const { secret } = expectStatus(200, await person.post('/api/auth/totp'));
    const claims = JSON.parse(Buffer.from(person.token.split('.')[1] ?? '', 'base64url').toString());
    const activate = () => activateTotp(claims, totpCodeOf(secret)(0));
    await expect(withRival(() => resetPassword(person), activate)).rejects.toMatchObject({
      code: 'invalid-token',
    });
    expect((await logIn({ ...person, password: 'a new password' })).body).toHaveProperty('token');
  });

  it.each([
    ['API key', createKey, { name: 'CRM', scopes: ['orders:read'] }],
    ['webhook endpoint', createEndpoint, { url: 'https://a.example/hook', types: ['order.completed'] }],
  ])('leaves no %s that was sent before and is stored after it', async (_, handler, body) => {
    const person = await newPerson({ role: 'ORGANIZER' });
    const { JWT_ACCESS_SECRET } = resolveConfiguration({ ...stack }, {});
    vi.stubEnv('JWT_ACCESS_SECRET', JWT_ACCESS_SECRET);
    vi.stubEnv('STEP_UP', 'true');
    onTestFinished(() => void vi.unstubAllEnvs());
    await withRival(
      () => resetPassword(person),
      () => callHere(handler, person, body),
      'write',
    );
    const owner = createCaller((await logIn({ ...person, password: 'a new password' })).body.token, stack);
    expect((await owner.get('/api/keys')).body.keys).toEqual([]);
    const { endpoints } = (await owner.get('/api/webhook-endpoints')).body;
    expect(endpoints.filter(({ status }: { status: string }) => status === 'enabled')).toEqual([]);
  });

  it('leaves no wallet that was sent before and is stored after it', async () => {
    const [linking, entering] = [await newPerson(), await newPerson()];
    const wallet = Wallet.createRandom();
    const { JWT_ACCESS_SECRET, SHOP_NAME } = resolveConfiguration({ ...stack }, {});
    vi.stubEnv('JWT_ACCESS_SECRET', JWT_ACCESS_SECRET);
    vi.stubEnv('SHOP_NAME', SHOP_NAME);
    vi.stubEnv('PUBLIC_URL', stack.apiUrl);
    onTestFinished(() => void vi.unstubAllEnvs());
    const signed = await requestSignedChallenge(linking, wallet, 'link');
    const claims = ({ token }: Person) =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const link = () => linkWalletHere(claims(linking), signed);
    const enter = () => changeProfile(claims(entering), { walletAddress: wallet.address });
    for (const [person, change] of [
      [linking, link],
      [entering, enter],
    ] as const) {
      const ended = { code: 'invalid-token' };
      await expect(withRival(() => resetPassword(person), change, 'write')).rejects.toMatchObject(ended);
      const { user } = (await logIn({ ...person, password: 'a new password' })).body;
      expect(user).toMatchObject({ walletAddress: null, walletVerified: false });
    }
    const { message, signature } = await requestSignedChallenge(anonymous, wallet, 'login');
    expect(errorOf(await verifyWallet(anonymous, message, signature))).toEqual([401, 'unknown-wallet']);
  });

  it('removes all of an account whose address was confirmed without a session of it, mails this, and holds payouts', async () => {
    const person = await newPerson();
    await confirmAddress({ ...person, post: anonymous.post });
    await addPasskey(person);
    await ageFactors(person);
    expect((await resetPassword(person)).body).toHaveProperty('token');
    await awaitMail(person.user.email, 'Your two-step sign-in was reset', stack);
    const held = Date.parse(String((await readUser(person)).payoutsHeldUntil)) - Date.now();
    expect(held / 3_600_000).toBeGreaterThan(71);
  });

  it('removes those of somebody else who may have registered with the address', async () => {
    const squatter = await newPerson();
    const passkey = await addPasskey(squatter);
    expect((await resetPassword(squatter)).body).toHaveProperty('token');
    expect(errorOf(await loginWith(passkey.get({ challenge: await requestChallenge() })))).toEqual(
      wrongCredentials,
    );
  });
});

describe('the undoing of a change of the address', () => {
  it('removes an API key that is added until the sessions have ended', async () => {
    const person = await newPerson({ role: 'ORGANIZER' });
    await confirmAddress(person);
    const email = freshEmail();
    expectStatus(200, await person.post('/api/auth/change-email', { email }));
    const tokenIn = ({ body }: Awaited<ReturnType<typeof awaitMail>>) =>
      /change(?:-email)?\?token=([\w-]{43})/.exec(body.text)?.[1] ?? '';
    const confirmation = tokenIn(await awaitMail(email, 'Confirm your new e-mail address', stack));
    expectStatus(200, await person.post('/api/auth/change-email/confirm', { token: confirmation }));
    const undo = tokenIn(await awaitMail(person.user.email, 'Your e-mail address was changed', stack));
    const key = { name: 'CRM', scopes: ['orders:read'] };
    await withRival(
      async () => expectStatus(201, await person.post('/api/keys', key)),
      () => undoEmailChange(undo),
    );
    const { token } = expectStatus(200, await resetPassword(person));
    expect((await createCaller(token, stack).get('/api/keys')).body.keys).toEqual([]);
  });
});
