import { Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findLinkByToken } from '../../shared/accounts/auth/link-mail.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { eventually } from '../support/eventually.ts';
import {
  addPasskey,
  addTotp,
  ageFactors,
  buyTickets,
  type Caller,
  confirmAddress,
  cookieOf,
  createCaller,
  createEvent,
  expectStatus,
  freshEmail,
  offerSeat,
  openSale,
  type Person,
  placeOrder,
  readBalance,
  registerAdmin,
  registerUser,
} from '../support/fixtures.ts';
import { errorOf } from '../support/http.ts';
import { awaitMail, mailsTo } from '../support/mailbox.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';
import { freshRequests } from './access/table.ts';

/** What the thieves of SECURITY.md can and cannot reach, with the settings of production. Each title is a sentence there. */

let stack: SeparateStack;
beforeAll(async () => {
  stack = await startStack({
    env: { STEP_UP: 'true', REQUIRE_SECOND_FACTOR: 'payouts', NEW_ACCOUNT_HOURS: '48' },
  });
  connectToTable(stack);
});
afterAll(() => stack?.stop());

const password = 'correct horse battery';
const anonymous = () => createCaller(undefined, stack);
const as = (token: string) => ({ ...createCaller(token, stack), stack });
const payoutRequest = freshRequests['POST /api/payouts'] as object;
const requestPayout = ({ post }: Pick<Person, 'post'>) => post('/api/payouts', payoutRequest);
const logIn = ({ user }: Person, guess = password, headers = {}) =>
  anonymous().post('/api/auth/login', { email: user.email, password: guess }, { headers });

/** An organizer with a confirmed address and a balance of 50. */
async function createOrganizer(): Promise<Person> {
  const person = await registerUser({ role: 'ORGANIZER' }, stack);
  await confirmAddress(person);
  await buyTickets(await openSale({ organizer: person }), await registerUser({}, stack), 1);
  await eventually('the sale is posted', async () => (await readBalance(person)).available === 50);
  return person;
}

async function resetPassword({ user }: Person, next: string): Promise<void> {
  expectStatus(200, await anonymous().post('/api/auth/forgot-password', { email: user.email }));
  const { body } = await awaitMail(user.email, 'Reset your password', stack);
  const token = /reset-password\?token=([\w-]{43})/.exec(body.text)?.[1];
  expectStatus(200, await anonymous().post('/api/auth/reset-password', { token, password: next }));
}

/** Changes an account's address. @returns the token of the link that undoes it */
async function changeAddress(owner: Person, thief: Caller): Promise<string> {
  const email = freshEmail();
  expectStatus(200, await thief.post('/api/auth/change-email', { email }));
  const { body } = await awaitMail(email, 'Confirm your new e-mail address', stack);
  const token = /change-email\?token=([\w-]{43})/.exec(body.text)?.[1];
  expectStatus(200, await thief.post('/api/auth/change-email/confirm', { token }));
  const mail = await awaitMail(owner.user.email, 'Your e-mail address was changed', stack);
  expect(mail.body.text).toContain('for 7 days');
  return /undo-email-change\?token=([\w-]{43})/.exec(mail.body.text)?.[1] ?? '';
}

async function stopLink({ user }: Person): Promise<string> {
  const { body } = await awaitMail(user.email, 'A payout to a new bank account', stack);
  return /stop-payouts\?token=([\w-]{43})/.exec(body.text)?.[1] ?? '';
}

describe('a thief with a stolen refresh cookie', () => {
  it('reads what the owner reads and runs the owner’s events, until the owner ends the session', async () => {
    const owner = await registerUser({ role: 'ORGANIZER' }, stack);
    const event = await createEvent(owner);
    const { token } = expectStatus(
      200,
      await anonymous().post('/api/auth/refresh-token', undefined, { cookie: owner.cookie }),
    );
    const thief = as(token);
    expect((await thief.put(`/api/events/${event.id}`, { city: 'Lagos' })).status).toBe(200);
    expect((await thief.get(`/api/events/${event.id}/orders`)).status).toBe(200);
    const login = await logIn(owner);
    const again = as(login.body.token);
    expect((await again.get('/api/auth/sessions')).body.sessions).toHaveLength(2);
    expectStatus(200, await again.delete('/api/auth/sessions'));
    const { cookie } = owner;
    expect((await anonymous().post('/api/auth/refresh-token', undefined, { cookie })).status).toBe(401);
  });

  it('ends its own session, and the owner’s only together with it', async () => {
    const owner = await registerUser({}, stack);
    const { cookie } = owner;
    const { token } = expectStatus(
      200,
      await anonymous().post('/api/auth/refresh-token', undefined, { cookie }),
    );
    const thief = as(token);
    const again = as((await logIn(owner)).body.token);
    const { sessions } = expectStatus(200, await again.get('/api/auth/sessions'));
    const idOf = (isCurrent: boolean) =>
      sessions.find(({ current }: { current: boolean }) => current === isCurrent).id;
    const refused = [403, 'confirmation-required'];
    expect(errorOf(await thief.delete('/api/auth/sessions'))).toEqual(refused);
    expect(errorOf(await thief.delete(`/api/auth/sessions/${idOf(true)}`))).toEqual(refused);
    expectStatus(200, await thief.delete(`/api/auth/sessions/${idOf(false)}`));
    expect((await again.get('/api/auth/sessions')).body.sessions).toHaveLength(1);
    const next = await logIn(owner);
    await anonymous().post('/api/auth/logout?everywhere=true', undefined, { cookie: cookieOf(next) });
    expect((await again.get('/api/auth/sessions')).status).toBe(401);
    expect((await as(next.body.token).get('/api/auth/sessions')).status).toBe(401);
  });

  it('offers no ticket once its session has ended', async () => {
    const owner = await registerUser({}, stack);
    const { orderId } = await buyTickets(await openSale({ stack }), owner, 1);
    const { cookie } = owner;
    const { token } = expectStatus(
      200,
      await anonymous().post('/api/auth/refresh-token', undefined, { cookie }),
    );
    expectStatus(201, await offerSeat(as(token), orderId, 1, freshEmail()));
    await anonymous().post('/api/auth/logout', undefined, { cookie });
    expect(errorOf(await offerSeat(as(token), orderId, 1, freshEmail()))).toEqual([401, 'invalid-token']);
  });

  // Step-up.test.ts has each of these requests in a stale session, and the limit of guesses.
  it('is not paid out, and has no orders sent elsewhere', async () => {
    const owner = await createOrganizer();
    await addPasskey(owner);
    const { cookie } = owner;
    const { token } = (await anonymous().post('/api/auth/refresh-token', undefined, { cookie })).body;
    expect(errorOf(await requestPayout(as(token)))).toEqual([403, 'confirmation-required']);
    const endpoint = { url: 'https://thief.example/orders', types: ['order.completed'] };
    expect(errorOf(await as(token).post('/api/webhook-endpoints', endpoint))).toEqual([
      403,
      'confirmation-required',
    ]);
    expect(errorOf(await as(token).post('/api/auth/confirm', { password }))).toEqual([
      403,
      'confirmation-required',
    ]);
  });
});

describe('a thief with a stolen access token, within ten minutes of a login', () => {
  it('has a payout wait for 48 hours, which the owner’s link stops once, and ends all sessions', async () => {
    const owner = await createOrganizer();
    await addPasskey(owner);
    const thief = as(owner.token);
    expect(expectStatus(201, await requestPayout(thief)).payout.waitsFor).toBe('new-account');
    const token = await stopLink(owner);
    expectStatus(200, await anonymous().post('/api/payouts/stop', { token }));
    expect(await readBalance(owner)).toMatchObject({ available: 50, pending: 0 });
    expect(errorOf(await requestPayout(thief))).toEqual([401, 'invalid-token']);
    const again = await anonymous().post('/api/payouts/stop', { token });
    expect(errorOf(again)).toEqual([400, 'invalid-stop-token']);
  });

  it('has a payout wait for 72 hours after the owner’s new password, also when the app is removed before it', async () => {
    const owner = await createOrganizer();
    const thief = as(owner.token);
    await addTotp(thief);
    expectStatus(201, await requestPayout(thief));
    expectStatus(200, await thief.delete('/api/auth/totp'));
    await resetPassword(owner, 'the password of the owner');
    const { payoutsHeldUntil } = (await getItem(keys.user(owner.user.id))) ?? {};
    const heldUntil = Date.parse(String(payoutsHeldUntil));
    expect((heldUntil - Date.now()) / 3_600_000).toBeGreaterThan(71);
    const link = await findLinkByToken('new-bank-account', await stopLink(owner));
    expect(link?.ttl).toBeGreaterThanOrEqual(Math.floor(heldUntil / 1000));
  });

  it('adds a passkey or an app, which the owner is mailed about, and which the owner’s new password removes', async () => {
    const owner = await registerUser({}, stack);
    await confirmAddress(owner);
    const older = await addPasskey(owner);
    await ageFactors(owner);
    await addPasskey(as(owner.token));
    await addTotp(as(owner.token));
    const { body } = await awaitMail(owner.user.email, 'A passkey was added to your account', stack);
    expect(body.text).toContain('/forgot-password');
    await resetPassword(owner, 'the password of the owner');
    const { challenge, methods } = (await logIn(owner, 'the password of the owner')).body;
    // The recovery codes that came with the app end with it.
    expect(methods).toEqual(['passkey']);
    const path = `/api/auth/passkeys/login/options?challenge=${challenge}`;
    const { options } = (await anonymous().post(path)).body;
    expect(options.allowCredentials).toMatchObject([{ id: older.id }]);
    await awaitMail(owner.user.email, 'Your new passkey or authenticator app was removed', stack);
  });

  it('adds the first passkey, which does not lock the owner out', async () => {
    const owner = await registerUser({}, stack);
    await confirmAddress(owner);
    const { recoveryCodes } = await addPasskey(as(owner.token));
    expect(recoveryCodes).toHaveLength(10);
    await resetPassword(owner, 'the password of the owner');
    const session = as(expectStatus(200, await logIn(owner, 'the password of the owner')).token);
    const factors = (await session.get('/api/auth/passkeys')).body;
    expect(factors).toEqual({ passkeys: [], totp: false, recoveryCodes: 0 });
  });

  it('adds a passkey that stays when the owner sets no new password for a week, until an administrator removes it', async () => {
    const owner = await registerUser({}, stack);
    await confirmAddress(owner);
    await addPasskey(as(owner.token));
    await ageFactors(owner);
    await resetPassword(owner, 'the password of the owner');
    expect((await logIn(owner, 'the password of the owner')).body.methods).toContain('passkey');
    const admin = await registerAdmin(stack);
    const fresh = as(expectStatus(200, await logIn(admin, admin.password)).token);
    expectStatus(200, await fresh.delete(`/api/users/${owner.user.id}/factors`));
    expect((await logIn(owner, 'the password of the owner')).body.user.id).toBe(owner.user.id);
  });

  it('changes the address and adds a passkey, which the undoing of the change removes', async () => {
    const owner = await registerUser({}, stack);
    const thief = as(owner.token);
    const undo = await changeAddress(owner, thief);
    const passkey = await addPasskey(thief);
    expectStatus(200, await anonymous().post('/api/auth/change-email/undo', { token: undo }));
    const { options } = (await anonymous().post('/api/auth/passkeys/login/options')).body;
    const response = passkey.get(options);
    expect(errorOf(await anonymous().post('/api/auth/passkeys/login', { response }))).toEqual([
      401,
      'wrong-credentials',
    ]);
  });

  it('adds an API key, which the owner is mailed about, which requests no payouts, and stays until the owner deletes it', async () => {
    const owner = await createOrganizer();
    const event = await createEvent(owner);
    const { key, secret } = expectStatus(
      201,
      await as(owner.token).post('/api/keys', { name: 'CRM', scopes: ['orders:read'] }),
    );
    await awaitMail(owner.user.email, 'An API key was added to your account', stack);
    expect(errorOf(await requestPayout(as(secret)))).toEqual([403, 'scope-missing']);
    await resetPassword(owner, 'the password of the owner');
    expect((await as(secret).get(`/api/events/${event.id}/orders`)).status).toBe(200);
    const again = as((await logIn(owner, 'the password of the owner')).body.token);
    expectStatus(200, await again.delete(`/api/keys/${key.id}`));
    expect((await again.get('/api/keys')).body.keys).toEqual([]);
  });

  it('adds a manager to an event, which the owner is mailed about, and who stays until the owner removes them', async () => {
    const owner = await registerUser({ role: 'ORGANIZER' }, stack);
    await confirmAddress(owner);
    const event = await createEvent(owner);
    const accomplice = await registerUser({}, stack);
    await confirmAddress(accomplice);
    const { email } = accomplice.user;
    const path = `/api/events/${event.id}/staff`;
    expectStatus(201, await as(owner.token).post(path, { email, role: 'manager' }));
    await awaitMail(owner.user.email, 'A manager was added to your event', stack);
    await resetPassword(owner, 'the password of the owner');
    expect((await accomplice.get(`/api/events/${event.id}/orders`)).status).toBe(200);
    const again = as((await logIn(owner, 'the password of the owner')).body.token);
    expectStatus(200, await again.delete(path, { email }));
    expect((await accomplice.get(`/api/events/${event.id}/orders`)).status).toBe(403);
  });

  it('links a wallet, which the owner is mailed about, and which a password reset unlinks', async () => {
    const owner = await registerUser({}, stack);
    await confirmAddress(owner);
    const wallet = Wallet.createRandom();
    const { message } = expectStatus(
      200,
      await owner.post('/api/auth/wallet/challenge', {
        address: wallet.address,
        chainId: stack.chainId,
        purpose: 'link',
      }),
    );
    const signed = { message, signature: wallet.signMessageSync(message) };
    expectStatus(200, await as(owner.token).post('/api/auth/wallet/verify', signed));
    await awaitMail(owner.user.email, 'A wallet was linked to your account', stack);
    await resetPassword(owner, 'the password of the owner');
    const { user } = (await logIn(owner, 'the password of the owner')).body;
    expect(user).toMatchObject({ walletAddress: null, walletVerified: false });
  });

  it('enters a wallet for the account or an order, which the owner is mailed about, and which a password reset clears', async () => {
    const owner = await registerUser({}, stack);
    const { orderId } = await placeOrder(await openSale({ stack }), owner);
    const { address: walletAddress } = Wallet.createRandom();
    const thief = as(owner.token);
    expectStatus(200, await thief.put(`/api/orders/${orderId}/wallet`, { walletAddress }));
    await awaitMail(owner.user.email, 'The tickets of an order go to a wallet', stack);
    const { user } = expectStatus(200, await thief.patch('/api/auth/me', { walletAddress }));
    expect(user).toMatchObject({ walletAddress, walletVerified: false });
    await awaitMail(owner.user.email, 'Your tickets go to another wallet', stack);
    await resetPassword(owner, 'the password of the owner');
    const login = expectStatus(200, await logIn(owner, 'the password of the owner'));
    expect(login.user.walletAddress).toBeNull();
  });

  it('changes the address, which the earlier one undoes for seven days', async () => {
    const owner = await registerUser({}, stack);
    const thief = as(owner.token);
    const undo = await changeAddress(owner, thief);
    expectStatus(200, await anonymous().post('/api/auth/change-email/undo', { token: undo }));
    expect(errorOf(await thief.get('/api/auth/sessions'))).toEqual([401, 'invalid-token']);
    await resetPassword(owner, 'the password of the owner');
    expect((await logIn(owner, 'the password of the owner')).body.user.id).toBe(owner.user.id);
  });

  it('does not change the password, and does not read bank account numbers', async () => {
    const owner = await createOrganizer();
    await addPasskey(owner);
    await requestPayout(owner);
    const thief = as(owner.token);
    const change = { currentPassword: 'a guess', password: 'of the thief' };
    expect(errorOf(await thief.put('/api/auth/password', change))).toEqual([401, 'wrong-credentials']);
    const { accountNumber } = (payoutRequest as { destination: { accountNumber: string } }).destination;
    expect(JSON.stringify((await thief.get('/api/payouts')).body)).not.toContain(accountNumber);
  });
});

describe('a thief with a stolen password', () => {
  it('does not log in to an account with a passkey or an authenticator app', async () => {
    const owner = await registerUser({}, stack);
    await addPasskey(owner);
    const answer = await logIn(owner);
    expect(answer.body).toEqual({ challenge: expect.any(String), methods: ['passkey', 'recovery-code'] });
    expect(answer.cookies).toEqual([]);
  });

  it('logs in to another account, which the owner is mailed about when the device is new', async () => {
    const owner = await registerUser({}, stack);
    expectStatus(200, await logIn(owner, password, { 'user-agent': 'curl/8.5.0' }));
    const { body } = await awaitMail(owner.user.email, 'A new device signed in to your account', stack);
    expect(body.text).toContain('curl signed in to your account');
  });

  it('is not mailed about with the browser, system and country of a device of the owner', async () => {
    const owner = await registerUser({}, stack);
    const headers = { 'user-agent': 'curl/8.5.0' };
    for (let count = 0; count < 2; count++) expectStatus(200, await logIn(owner, password, headers));
    // A mail that is sent after the logins.
    await resetPassword(owner, 'the next password');
    const mails = await mailsTo(owner.user.email, stack);
    expect(mails.filter(({ subject }) => subject.startsWith('A new device'))).toHaveLength(1);
  });

  it('is not paid out before adding a passkey, and then waits for 48 hours', async () => {
    const owner = await createOrganizer();
    const thief = as((await logIn(owner)).body.token);
    expect(errorOf(await requestPayout(thief))).toEqual([403, 'second-factor-required']);
    await addPasskey(thief);
    await awaitMail(owner.user.email, 'A passkey was added to your account', stack);
    expect(expectStatus(201, await requestPayout(thief)).payout.waitsFor).toBe('new-account');
    expect(await stopLink(owner)).toHaveLength(43);
  });
});

describe('a thief with a stolen mailbox', () => {
  it('sets a new password, and then has what a stolen password has', async () => {
    const owner = await registerUser({}, stack);
    await confirmAddress(owner);
    await addPasskey(owner);
    await ageFactors(owner);
    await resetPassword(owner, 'of the thief');
    const answer = await logIn(owner, 'of the thief');
    expect(answer.body).toEqual({ challenge: expect.any(String), methods: ['passkey', 'recovery-code'] });
    expect(answer.cookies).toEqual([]);
  });

  it('stops payouts, and requests none', async () => {
    const owner = await createOrganizer();
    await addPasskey(owner);
    expectStatus(201, await requestPayout(owner));
    const token = await stopLink(owner);
    expect(errorOf(await anonymous().post('/api/payouts', payoutRequest))).toEqual([401, 'unauthenticated']);
    expectStatus(200, await anonymous().post('/api/payouts/stop', { token }));
    expect(await readBalance(owner)).toMatchObject({ available: 50, pending: 0 });
  });

  it('does not change the address', async () => {
    const body = { email: freshEmail() };
    expect(errorOf(await anonymous().post('/api/auth/change-email', body))).toEqual([401, 'unauthenticated']);
  });
});

describe('somebody who was removed from the staff', () => {
  it('is refused at the next request, with the same access token', async () => {
    const organizer = await registerUser({ role: 'ORGANIZER' }, stack);
    const event = await createEvent(organizer);
    const manager = await registerUser({}, stack);
    await confirmAddress(manager);
    const path = `/api/events/${event.id}`;
    const member = { email: manager.user.email, role: 'manager' };
    expectStatus(201, await organizer.post(`${path}/staff`, member));
    expect((await manager.put(path, { city: 'Lagos' })).status).toBe(200);
    expectStatus(200, await organizer.delete(`${path}/staff`, { email: manager.user.email }));
    expect(errorOf(await manager.put(path, { city: 'Abuja' }))).toEqual([403, 'forbidden']);
  });
});
