import { Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import { deleteApiKeysOf } from '../../shared/accounts/api-keys/change-keys.ts';
import { prepareLinkMail } from '../../shared/accounts/auth/link-mail.ts';
import { dismissMembersOf } from '../../shared/catalog/staff/change-staff.ts';
import { disableEndpointsOf } from '../../shared/catalog/webhooks/change-endpoints.ts';
import { type Key, keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { remove, transact, update, write } from '../../shared/dynamo/write.ts';
import { composeFactorMessage, composeLinkMessage } from '../../shared/jobs/mail/account-messages.ts';
import { hashLinkToken } from '../../shared/messaging/outbox/token.ts';
import { findPayout } from '../../shared/money/payouts/store.ts';
import { linkWallet, requestSignedChallenge, verifyWallet } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  changeEvent,
  confirmAddress,
  cookieOf,
  createCaller,
  createEvent,
  expectStatus,
  freshEmail,
  openSale,
  type Person,
  payOrder,
  placeGuestOrder,
  readBalance,
  readOrder,
  registerAdmin,
  registerUser,
  anonymous as sharedAnonymous,
} from '../support/fixtures.ts';
import { errorOf, viewerHeaders } from '../support/http.ts';
import { awaitMail, mailsTo, type ReceivedMail } from '../support/mailbox.ts';
import { connectToTable, type SeparateStack, startStack } from '../support/stack.ts';
import { freshRequests } from './access/table.ts';

/** The change of an account's e-mail address, and its undoing. */

let stack: SeparateStack;
beforeAll(async () => {
  stack = await startStack({ env: { STEP_UP: 'true', NEW_ACCOUNT_HOURS: '1' } });
  connectToTable(stack);
});
afterAll(() => stack?.stop());

const invalidLink = [400, 'invalid-email-change-token'];
const newPerson = (fields: object = {}) => registerUser(fields, stack);
const anonymous = () => createCaller(undefined, stack);
const logIn = (email: string, password: string) => anonymous().post('/api/auth/login', { email, password });

const tokenIn = ({ body }: ReceivedMail, page: string) =>
  new RegExp(`/${page}\\?token=([\\w-]{43})`).exec(body.text)?.[1] ?? '';
const confirmationLink = async (address: string) =>
  tokenIn(await awaitMail(address, 'Confirm your new e-mail address', stack), 'change-email');
const undoLink = async (address: string) =>
  tokenIn(await awaitMail(address, 'Your e-mail address was changed', stack), 'undo-email-change');
const resetLink = async (address: string) =>
  tokenIn(await awaitMail(address, 'Reset your password', stack), 'reset-password');

const request = ({ post }: Pick<Person, 'post'>, email: string) => post('/api/auth/change-email', { email });
const confirm = ({ post }: Pick<Person, 'post'>, token: string) =>
  post('/api/auth/change-email/confirm', { token });
const resetPassword = (token: string, password: string) =>
  anonymous().post('/api/auth/reset-password', { token, password });
const undo = (token: string) => anonymous().post('/api/auth/change-email/undo', { token });

/** Changes a person's address. @returns the new one */
async function changeAddress(person: Person): Promise<string> {
  const email = freshEmail();
  expectStatus(200, await request(person, email));
  expectStatus(200, await confirm(person, await confirmationLink(email)));
  return email;
}

describe('a change of the e-mail address', () => {
  it('happens when the link to the new address is opened in a session of the account', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    const email = freshEmail();
    expectStatus(200, await request(person, email));
    expect((await person.get('/api/auth/me')).body.user.email).toBe(person.user.email);
    const token = await confirmationLink(email);
    expect(errorOf(await confirm(anonymous(), token))).toEqual([401, 'unauthenticated']);
    expect(errorOf(await confirm(other, token))).toEqual(invalidLink);
    expect(errorOf(await confirm(person, 'guessed'))).toEqual(invalidLink);
    const { user } = expectStatus(200, await confirm(person, token));
    expect(user).toEqual({ ...person.user, email, emailVerified: true });
    // A repeated call, as after a lost answer.
    expectStatus(200, await confirm(person, token));
    expect((await person.get('/api/auth/me')).body.user).toEqual(user);
    expect((await logIn(email, person.password)).status).toBe(200);
    expect(errorOf(await logIn(person.user.email, person.password))).toEqual([401, 'wrong-credentials']);
    // The password can be changed with the access token from before.
    const change = { currentPassword: person.password, password: 'another password' };
    expect((await person.put('/api/auth/password', change)).status).toBe(200);
  });

  it('is refused for an address that has an account, at the request and when the link is opened', async () => {
    const [person, other] = [await newPerson(), await newPerson()];
    expect(errorOf(await request(person, other.user.email))).toEqual([409, 'email-taken']);
    const email = freshEmail();
    expectStatus(200, await request(person, email));
    await newPerson({ email });
    expect(errorOf(await confirm(person, await confirmationLink(email)))).toEqual([409, 'email-taken']);
    expect((await logIn(person.user.email, person.password)).status).toBe(200);
  });

  it('is not confirmed by a link that was requested before a new password', async () => {
    const person = await newPerson();
    const email = freshEmail();
    expectStatus(200, await request(person, email));
    const link = await confirmationLink(email);
    expectStatus(200, await anonymous().post('/api/auth/forgot-password', { email: person.user.email }));
    expectStatus(200, await resetPassword(await resetLink(person.user.email), 'another password'));
    const { token } = expectStatus(200, await logIn(person.user.email, 'another password'));
    expect(errorOf(await confirm(createCaller(token, stack), link))).toEqual(invalidLink);
  });

  it('is refused to an ended session, and with an expired link', async () => {
    const person = await newPerson();
    const [email, later] = [freshEmail(), freshEmail()];
    expectStatus(200, await request(person, email));
    expectStatus(200, await request(person, later));
    const [token, expired] = [await confirmationLink(email), await confirmationLink(later)];
    const key = keys.mailLink('email-change', hashLinkToken(expired));
    await write(update(key, { set: { ttl: Math.floor(Date.now() / 1000) - 1 } }));
    expect(errorOf(await confirm(person, expired))).toEqual(invalidLink);
    await person.post('/api/auth/logout', undefined, { cookie: person.cookie });
    expect(errorOf(await confirm(person, token))).toEqual([401, 'invalid-token']);
    expect(errorOf(await request(person, freshEmail()))).toEqual([401, 'invalid-token']);
  });

  it('keeps the earlier address reserved, and allows no other change meanwhile', async () => {
    const person = await newPerson();
    await changeAddress(person);
    const registration = { email: person.user.email, password: 'correct horse', name: 'New' };
    expect(errorOf(await anonymous().post('/api/auth/register', registration))).toEqual([409, 'email-taken']);
    const other = await newPerson();
    expect(errorOf(await request(other, person.user.email))).toEqual([409, 'email-taken']);
    expect(errorOf(await request(person, freshEmail()))).toEqual([409, 'email-just-changed']);
    // After the seven days, anybody can register it.
    await write(
      update(keys.credential(person.user.email), { set: { ttl: Math.floor(Date.now() / 1000) - 1 } }),
    );
    expectStatus(201, await anonymous().post('/api/auth/register', registration));
  });

  it('is not confirmed by a link that was requested for the earlier address, or mailed since', async () => {
    const person = await newPerson();
    const pending = tokenIn(
      await awaitMail(person.user.email, 'Confirm your e-mail address', stack),
      'verify-email',
    );
    const { JWT_ACCESS_SECRET, MAIL_FROM } = resolveConfiguration({ ...stack }, {});
    for (const [name, value] of Object.entries({ JWT_ACCESS_SECRET, MAIL_FROM, PUBLIC_URL: stack.apiUrl }))
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { writes, mail } = await prepareLinkMail('address-confirmation', person.user.id, {
      confirms: person.user.email,
    });
    await transact(writes);
    const compose = () => composeLinkMessage(mail as Parameters<typeof composeLinkMessage>[0]);
    expect(await compose()).toMatchObject({ to: person.user.email });
    await changeAddress(person);
    const invalid = [400, 'invalid-verification-token'];
    expect(errorOf(await person.post('/api/auth/verify-email', { token: pending }))).toEqual(invalid);
    expect(errorOf(await anonymous().post('/api/auth/verify-email', { token: pending }))).toEqual(invalid);
    // A mail that was not sent yet would take the link to the new address.
    expect(await compose()).toBeUndefined();
  });

  it('sends what is about the time before it to the earlier address, though it is mailed since', async () => {
    const person = await newPerson();
    const { MAIL_FROM } = resolveConfiguration({ ...stack }, {});
    for (const [name, value] of Object.entries({ MAIL_FROM, PUBLIC_URL: stack.apiUrl }))
      vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const content = { kind: 'factors-changed', userId: person.user.id, change: 'key-added' } as const;
    const before = { ...content, changedAt: new Date().toISOString() };
    const email = await changeAddress(person);
    const since = { ...content, changedAt: new Date(Date.now() + 1_000).toISOString() };
    expect(await composeFactorMessage(before)).toMatchObject({ to: person.user.email });
    expect(await composeFactorMessage(since)).toMatchObject({ to: email });
  });

  it('is limited to five requests a day', async () => {
    const person = await newPerson();
    for (let count = 0; count < 5; count++) expectStatus(200, await request(person, freshEmail()));
    expect(errorOf(await request(person, freshEmail()))).toEqual([429, 'too-many-attempts']);
  });

  it('frees the earlier address at once when the account is closed', async () => {
    const person = await newPerson();
    await changeAddress(person);
    expectStatus(200, await person.post(`/api/users/${person.user.id}/erasure`));
    await newPerson({ email: person.user.email });
    expect(errorOf(await undo(await undoLink(person.user.email)))).toEqual(invalidLink);
  });
});

describe('an undone change of the e-mail address', () => {
  it('restores the address, ends sessions and password, and makes every link of the thief useless', async () => {
    const owner = await newPerson();
    // With the owner’s session.
    const email = await changeAddress(owner);
    // The thief has a password of their own by the new address.
    expectStatus(200, await anonymous().post('/api/auth/forgot-password', { email }));
    expectStatus(200, await resetPassword(await resetLink(email), 'of the thief'));
    const login = await logIn(email, 'of the thief');
    expectStatus(200, await anonymous().post('/api/auth/forgot-password', { email }));
    const pending = await eventually('the second mail', async () => {
      const resets = (await mailsTo(email, stack)).filter(({ subject }) => subject === 'Reset your password');
      return resets[1] && tokenIn(resets[1], 'reset-password');
    });

    const token = await undoLink(owner.user.email);
    for (let count = 0; count < 2; count++) expectStatus(200, await undo(token));
    const cookie = cookieOf(login);
    expect((await anonymous().post('/api/auth/refresh-token', undefined, { cookie })).status).toBe(401);
    for (const [address, password] of [
      [email, 'of the thief'],
      [owner.user.email, 'of the thief'],
      [owner.user.email, owner.password],
    ] as const) {
      expect(errorOf(await logIn(address, password))).toEqual([401, 'wrong-credentials']);
    }
    expect(errorOf(await resetPassword(pending, 'once more'))).toEqual([400, 'invalid-reset-token']);
    expect(
      errorOf(await confirm(createCaller(login.body.token, stack), await confirmationLink(email))),
    ).toEqual([401, 'invalid-token']);

    expectStatus(200, await anonymous().post('/api/auth/forgot-password', { email: owner.user.email }));
    expectStatus(200, await resetPassword(await resetLink(owner.user.email), 'mine again'));
    const { user } = expectStatus(200, await logIn(owner.user.email, 'mine again'));
    expect(user).toMatchObject({ id: owner.user.id, email: owner.user.email });
    // The thief’s address is free again.
    await newPerson({ email });
    const { entries } = (await (await registerAdmin(stack)).get('/api/audit')).body;
    const actions = entries
      .filter(({ details }: { details: { userId?: string } }) => details.userId === owner.user.id)
      .map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['email-restored', 'email-changed']);
  });

  it('removes the wallet, and what the thief has added since: it was mailed to the new address only', async () => {
    const owner = await newPerson({ role: 'ORGANIZER' });
    await confirmAddress(owner);
    const url = 'https://example.com/hooks';
    const addEndpoint = async (fields: object = {}) =>
      expectStatus(
        201,
        await owner.post('/api/webhook-endpoints', { url, types: ['order.completed'], ...fields }),
      ).endpoint;
    const addKey = async () =>
      expectStatus(201, await owner.post('/api/keys', { name: 'CRM', scopes: ['events:read'] })).secret;
    const [keyBefore, untouched, redirected] = [await addKey(), await addEndpoint(), await addEndpoint()];

    await changeAddress(owner);
    const wallet = Wallet.createRandom();
    expectStatus(200, await linkWallet(owner, wallet));
    const keySince = await addKey();
    const event = await createEvent(owner);
    const staff = { email: freshEmail(), role: 'manager' };
    expectStatus(201, await owner.post(`/api/events/${event.id}/staff`, staff));
    const added = await addEndpoint({ expand: true });
    const change = { url: `${url}/elsewhere`, types: ['order.completed'] };
    expectStatus(200, await owner.put(`/api/webhook-endpoints/${redirected.id}`, change));

    const token = await undoLink(owner.user.email);
    for (let count = 0; count < 2; count++) expectStatus(200, await undo(token));
    const { message, signature } = await requestSignedChallenge(anonymous(), wallet, 'login');
    expect(errorOf(await verifyWallet(anonymous(), message, signature))).toEqual([401, 'unknown-wallet']);
    expect((await createCaller(keyBefore, stack).get('/api/events')).status).toBe(200);
    expect(errorOf(await createCaller(keySince, stack).get('/api/events'))).toEqual([401, 'invalid-token']);

    expectStatus(200, await anonymous().post('/api/auth/forgot-password', { email: owner.user.email }));
    expectStatus(200, await resetPassword(await resetLink(owner.user.email), 'mine again'));
    const { token: accessToken, user } = expectStatus(200, await logIn(owner.user.email, 'mine again'));
    expect(user).toMatchObject({ walletAddress: null, walletVerified: false });
    const again = createCaller(accessToken, stack);
    expect((await again.get(`/api/events/${event.id}/staff`)).body.staff).toEqual([]);
    const { endpoints } = (await again.get('/api/webhook-endpoints')).body;
    const statuses = new Map(
      endpoints.map((endpoint: { id: string; status: string }) => [endpoint.id, endpoint.status]),
    );
    expect(statuses).toEqual(
      new Map([
        [untouched.id, 'enabled'],
        [redirected.id, 'disabled'],
        [added.id, 'disabled'],
      ]),
    );
  });

  it('is not stopped by what the thief removes meanwhile', async () => {
    const owner = await newPerson({ role: 'ORGANIZER' });
    await confirmAddress(owner);
    const event = await createEvent(owner);
    const endpoint = { url: 'https://example.com/hooks', types: ['order.completed'] };
    const ids: string[] = [];
    for (let count = 0; count < 8; count++) {
      const staff = { email: freshEmail(), role: 'door' };
      expectStatus(201, await owner.post(`/api/events/${event.id}/staff`, staff));
      expectStatus(201, await owner.post('/api/keys', { name: 'CRM', scopes: ['events:read'] }));
      ids.push(expectStatus(201, await owner.post('/api/webhook-endpoints', endpoint)).endpoint.id);
    }
    vi.stubEnv('RETENTION_DAYS', '365');
    onTestFinished(() => void vi.unstubAllEnvs());
    const times = { since: '', until: new Date(Date.now() + 60_000).toISOString() };
    // Each finds all, and removes some before the other does.
    const twice = (end: typeof dismissMembersOf) =>
      Promise.all([end(owner.user.id, times), end(owner.user.id, times)]);
    await twice(dismissMembersOf);
    await twice(deleteApiKeysOf);
    const endpointKeys = ids.map((id) => keys.webhookEndpoint(owner.user.id, id));
    const ending = disableEndpointsOf(owner.user.id, times);
    // By then they are found, one after the other is disabled, and the last ones are deleted before their turn.
    await getItem(endpointKeys[0] as Key);
    await Promise.all(endpointKeys.slice(2).map((key) => write(remove(key))));
    await ending;
    expect((await owner.get(`/api/events/${event.id}/staff`)).body.staff).toEqual([]);
    expect((await owner.get('/api/keys')).body.keys).toEqual([]);
    const { endpoints } = (await owner.get('/api/webhook-endpoints')).body;
    expect(endpoints.map(({ status }: { status: string }) => status)).toEqual(['disabled', 'disabled']);
  });

  it('stops payouts to a new bank account, which wait as long as the change can be undone', async () => {
    const person = await newPerson({ role: 'ORGANIZER' });
    await buyTickets(await openSale({ organizer: person }), await newPerson(), 1);
    await eventually('the sale is posted', async () => (await readBalance(person)).available === 50);
    await changeAddress(person);
    const body = freshRequests['POST /api/payouts'] as object;
    const { payout } = expectStatus(201, await person.post('/api/payouts', body));
    expect(payout).toMatchObject({ status: 'PENDING', waitsFor: 'new-account' });
    const { newAccountUntil = '' } = (await findPayout(payout.id)) ?? {};
    const sixDays = 6 * 24 * 60 * 60_000;
    expect(Date.parse(newAccountUntil) - Date.now()).toBeGreaterThan(sixDays);
    expectStatus(200, await undo(await undoLink(person.user.email)));
    expect((await person.get('/api/payouts')).body.payouts).toMatchObject([
      { status: 'FAILED', attempts: 0 },
    ]);
    expect(await readBalance(person)).toMatchObject({ available: 50, pending: 0 });
  });
});

describe('the orders of a guest', () => {
  it('stay in the account that has added them; later ones of the earlier address do not come into it', async () => {
    const sale = await openSale();
    await changeEvent(sale, { buyers: 'anyone' });
    const first = await placeGuestOrder(sale);
    const account = await registerUser({ email: first.email });
    await confirmAddress(account);
    const owner = createCaller((await account.post('/api/auth/orders')).body.token);
    await payOrder({ ...first, read: () => readOrder(owner, first.orderId) });

    const email = freshEmail();
    const later = await placeGuestOrder(sale, email);
    expectStatus(200, await request(owner, email));
    const mail = await awaitMail(email, 'Confirm your new e-mail address');
    expectStatus(200, await confirm(owner, tokenIn(mail, 'change-email')));
    const sameAddress = await placeGuestOrder(sale, first.email);
    const orders = (await owner.get('/api/orders')).body.orders;
    expect(orders.map(({ id }: { id: string }) => id)).toEqual([first.orderId]);
    expect(errorOf(await owner.get(`/api/orders/${sameAddress.orderId}`))).toEqual([404, 'order-not-found']);
    // An account has the orders of one guest.
    expect(errorOf(await owner.post('/api/auth/orders'))).toEqual([409, 'other-orders-attached']);
    expect((await later.guest.get(`/api/orders/${later.orderId}`)).status).toBe(200);
    // Back at its earlier address, where somebody has bought since.
    const undoMail = await awaitMail(first.email, 'Your e-mail address was changed');
    const token = tokenIn(undoMail, 'undo-email-change');
    expectStatus(200, await sharedAnonymous.post('/api/auth/change-email/undo', { token }));
    expect((await sameAddress.guest.get(`/api/orders/${sameAddress.orderId}`)).status).toBe(200);
  });

  it('that a thief has added after a change of the address leave the account when the change is undone', async () => {
    const sale = await openSale();
    await changeEvent(sale, { buyers: 'anyone' });
    const [email, own] = [freshEmail(), await placeGuestOrder(sale)];
    const owner = await registerUser({ email: own.email });
    await confirmAddress(owner);
    await placeGuestOrder(sale, email);
    expectStatus(200, await request(owner, email));
    const mail = await awaitMail(email, 'Confirm your new e-mail address');
    expectStatus(200, await confirm(owner, tokenIn(mail, 'change-email')));
    expectStatus(200, await owner.post('/api/auth/orders'));
    const undoMail = await awaitMail(own.email, 'Your e-mail address was changed');
    const token = tokenIn(undoMail, 'undo-email-change');
    expectStatus(200, await sharedAnonymous.post('/api/auth/change-email/undo', { token }));
    await sharedAnonymous.post(
      '/api/auth/forgot-password',
      { email: own.email },
      { headers: viewerHeaders() },
    );
    const reset = tokenIn(await awaitMail(own.email, 'Reset your password'), 'reset-password');
    const credentials = { email: own.email, password: 'mine again' };
    expectStatus(
      200,
      await sharedAnonymous.post('/api/auth/reset-password', { token: reset, password: 'mine again' }),
    );
    const again = createCaller((await sharedAnonymous.post('/api/auth/login', credentials)).body.token);
    const attached = createCaller(expectStatus(200, await again.post('/api/auth/orders')).token);
    expect((await attached.get('/api/orders')).body.orders).toMatchObject([{ id: own.orderId }]);
  });
});
