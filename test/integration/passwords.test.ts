import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smokeTest } from '../../infra/ops/smoke-test.ts';
import { eventually } from '../support/eventually.ts';
import { cookieOf, freshEmail, type Person, registerUser } from '../support/fixtures.ts';
import { call, errorOf, viewerHeaders } from '../support/http.ts';
import { awaitMail, mailsTo, type ReceivedMail } from '../support/mailbox.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';

/** Password resets and e-mail confirmations, with the tokens of the mails that the service sends. */

let stack: SeparateStack;
beforeAll(async () => {
  stack = await startStack({ env: { ORDERS_NEED_VERIFIED_EMAIL: 'true' } });
});
afterAll(() => stack?.stop());

const subject = 'Reset your password';
const resetRequestMessage =
  'If there is an account with this e-mail, a link to set a new password is on its way';
const passwordChangedBody = { message: 'Password changed' };

const api = (method: string, path: string, options: Parameters<typeof call>[2] = {}) =>
  call(method, path, { apiUrl: stack.apiUrl, ...options });
const requestReset = (email: string, headers = viewerHeaders()) =>
  api('POST', '/api/auth/forgot-password', { body: { email }, headers });
const resetPassword = (token: string, password: string, headers?: Record<string, string>) =>
  api('POST', '/api/auth/reset-password', { body: { token, password }, headers });
const logIn = (email: string, password: string) =>
  api('POST', '/api/auth/login', { body: { email, password } });
const refresh = (cookie: string) => api('POST', '/api/auth/refresh-token', { cookie });

const registerPerson = () => registerUser({}, stack);
const findToken = ({ body }: ReceivedMail, page: string) => {
  const links = body.text.match(new RegExp(`${stack.apiUrl}/${page}\\?token=([\\w-]{43})`));
  return links?.[1] ?? '';
};
async function requestResetToken({ user }: Person): Promise<string> {
  await requestReset(user.email);
  return findToken(await awaitMail(user.email, subject, stack), 'reset-password');
}
const listResetMails = async (email: string) =>
  (await mailsTo(email, stack)).filter((mail) => mail.subject === subject);

describe('resetting a forgotten password', () => {
  it('accepts the token of the mail once, ends all sessions and confirms the e-mail address', async () => {
    const ann = await registerPerson();
    const otherCookie = cookieOf(await logIn(ann.user.email, ann.password));
    const answer = await requestReset(` ${ann.user.email.toUpperCase()}`);
    expect([answer.status, answer.body]).toEqual([200, { message: resetRequestMessage }]);
    const mail = await awaitMail(ann.user.email, subject, stack);
    expect(mail.subject).toBe(subject);
    const token = findToken(mail, 'reset-password');
    expect(mail.body.html).toContain(`${stack.apiUrl}/reset-password?token=${token}`);

    const resetAnswer = await resetPassword(token, 'a new password');
    expect([resetAnswer.status, resetAnswer.body, resetAnswer.cookies]).toEqual([
      200,
      passwordChangedBody,
      [],
    ]);

    for (const cookie of [ann.cookie, otherCookie]) expect((await refresh(cookie)).status).toBe(401);
    expect((await logIn(ann.user.email, ann.password)).status).toBe(401);
    const login = await logIn(ann.user.email, 'a new password');
    expect([login.status, login.body.user.emailVerified]).toEqual([200, true]);
    expect((await refresh(cookieOf(login))).status).toBe(200);
    for (const password of ['a new password', 'another password']) {
      expect(errorOf(await resetPassword(token, password))).toEqual([400, 'invalid-reset-token']);
    }
    expect((await refresh(cookieOf(login))).status).toBe(200);
  });

  it('refuses a password that is too short, and then still accepts the token', async () => {
    const ann = await registerPerson();
    const token = await requestResetToken(ann);
    expect(errorOf(await resetPassword(token, 'short'))).toEqual([400, 'invalid-input']);
    expect((await resetPassword(token, 'long enough')).status).toBe(200);
  });

  it('returns the same answer for an unknown e-mail, but sends no mail', async () => {
    const [ann, nobody] = [await registerPerson(), freshEmail()];
    const answers = [await requestReset(nobody), await requestReset(ann.user.email)];
    const [unknown, known] = answers.map(({ status, body, headers }) => {
      const names = [...headers.keys()].sort();
      return { status, body, names, length: headers.get('content-length') };
    });
    expect(unknown).toEqual(known);
    await awaitMail(ann.user.email, subject, stack);
    expect(await mailsTo(nobody, stack)).toEqual([]);
  });

  it('sends at most three mails per account and hour, and returns the same answer beyond that limit', async () => {
    const ann = await registerPerson();
    for (let request = 0; request < 5; request++) {
      const answer = await requestReset(ann.user.email);
      expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
        200,
        { message: resetRequestMessage },
        null,
      ]);
    }
    await eventually('three mails arrive', async () => (await listResetMails(ann.user.email)).length === 3);
    // Mails are sent in the order of the requests, so a fourth mail would arrive before Ben's.
    const ben = await registerPerson();
    await requestResetToken(ben);
    expect(await listResetMails(ann.user.email)).toHaveLength(3);
  });

  it('sends no mail after twenty requests an hour from one IP address, regardless of forwarding headers', async () => {
    const ipAddress = '203.0.113.9';
    for (let request = 0; request < 20; request++) await requestReset(freshEmail(), viewerHeaders(ipAddress));
    const [ann, ben] = [await registerPerson(), await registerPerson()];
    const headersOfRequests = [
      viewerHeaders(ipAddress),
      {
        ...viewerHeaders(ipAddress),
        'x-forwarded-for': '192.0.2.77',
        'x-real-ip': '192.0.2.77',
        forwarded: 'for=192.0.2.77',
      },
    ];
    for (const headers of headersOfRequests)
      expect((await requestReset(ann.user.email, headers)).body).toEqual({ message: resetRequestMessage });
    await requestResetToken(ben);
    expect(await listResetMails(ann.user.email)).toEqual([]);
    // Requests beyond the limit of the IP address do not count for the account.
    expect(await requestResetToken(ann)).toHaveLength(43);
  });

  it('returns the same answer to a repeated reset with the same idempotency key and password', async () => {
    const ann = await registerPerson();
    const token = await requestResetToken(ann);
    const headers = { 'idempotency-key': 'one attempt' };
    const answers = [];
    for (let time = 0; time < 2; time++) answers.push(await resetPassword(token, 'a new password', headers));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      Array(2).fill([200, passwordChangedBody]),
    );
    expect(errorOf(await resetPassword(token, 'another password', headers))).toEqual([
      400,
      'invalid-reset-token',
    ]);
    expect((await logIn(ann.user.email, 'a new password')).status).toBe(200);
  });
});

describe('changing the password', () => {
  const changePassword = (token: string, currentPassword: string, password: string, cookie?: string) =>
    api('PUT', '/api/auth/password', { token, cookie, body: { currentPassword, password } });

  it('requires the current password, keeps this session and ends the others', async () => {
    const { user, password, cookie, token } = await registerPerson();
    const otherCookie = cookieOf(await logIn(user.email, password));
    expect(errorOf(await changePassword(token, 'a wrong one', 'a new password', cookie))).toEqual([
      401,
      'wrong-credentials',
    ]);
    expect((await refresh(otherCookie)).status).toBe(200);

    const answer = await changePassword(token, password, 'a new password', cookie);

    expect([answer.status, answer.body]).toEqual([200, passwordChangedBody]);
    expect((await refresh(cookieOf(answer))).status).toBe(200);
    // A thief may have a copy of the earlier cookie, and of the access token.
    for (const ended of [cookie, otherCookie]) expect((await refresh(ended)).status).toBe(401);
    await api('POST', '/api/auth/logout', { cookie });
    const changeEmail = (accessToken: string) =>
      api('POST', '/api/auth/change-email', { token: accessToken, body: { email: freshEmail() } });
    expect(errorOf(await changeEmail(token))).toEqual([401, 'invalid-token']);
    expect((await changeEmail((await refresh(cookieOf(answer))).body.token)).status).toBe(200);
    expect((await logIn(user.email, password)).status).toBe(401);
    expect((await logIn(user.email, 'a new password')).status).toBe(200);
  });
});

describe('confirming an e-mail address', () => {
  const verifyEmail = (token: string, session?: string) =>
    api('POST', '/api/auth/verify-email', { body: { token }, ...(session && { token: session }) });
  const sendVerificationMail = (token: string) => api('POST', '/api/auth/verify-email/send', { token });
  const findVerificationToken = async ({ user }: Person) =>
    findToken(await awaitMail(user.email, 'Confirm your e-mail address', stack), 'verify-email');

  it('accepts the token of the mail after registration, also repeatedly', async () => {
    const ann = await registerPerson();
    expect(ann.user.emailVerified).toBe(false);
    const token = await findVerificationToken(ann);
    for (let time = 0; time < 2; time++) {
      const answer = await verifyEmail(token);
      expect([answer.status, answer.body]).toEqual([200, { user: { ...ann.user, emailVerified: true } }]);
    }
    const me = await api('GET', '/api/auth/me', { token: ann.token });
    expect(me.body.user.emailVerified).toBe(true);
  });

  it('refuses other tokens, and a password reset refuses verification tokens', async () => {
    const ann = await registerPerson();
    await requestReset(ann.user.email);
    const resetToken = findToken(await awaitMail(ann.user.email, subject, stack), 'reset-password');
    for (const token of ['', 'unknown', resetToken, ann.token]) {
      expect(errorOf(await verifyEmail(token))).toEqual([400, 'invalid-verification-token']);
    }
    expect(errorOf(await resetPassword(await findVerificationToken(ann), 'a new password'))).toEqual([
      400,
      'invalid-reset-token',
    ]);
  });

  it('sends at most three more mails an hour on request, and none after confirmation', async () => {
    const [ann, ben] = [await registerPerson(), await registerPerson()];
    for (let time = 0; time < 3; time++) {
      const answer = await sendVerificationMail(ann.token);
      expect([answer.status, answer.body]).toEqual([200, { user: ann.user }]);
    }
    const refusal = await sendVerificationMail(ann.token);
    expect(errorOf(refusal)).toEqual([429, 'too-many-attempts']);
    expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await eventually('four mails arrive', async () => (await mailsTo(ann.user.email, stack)).length === 4);

    // Opened where nobody is signed in: it can still be confirmed in a session.
    const benToken = await findVerificationToken(ben);
    await verifyEmail(benToken);
    expect((await sendVerificationMail(ben.token)).body.user.emailVerified).toBe(true);
    await eventually('another mail arrives', async () => (await mailsTo(ben.user.email, stack)).length === 2);
    await verifyEmail(benToken, ben.token);
    expect((await sendVerificationMail(ben.token)).status).toBe(200);
    const carl = await registerPerson();
    await findVerificationToken(carl);
    expect(await mailsTo(ben.user.email, stack)).toHaveLength(2);
  });

  it('is required before an order when ORDERS_NEED_VERIFIED_EMAIL is true', async () => {
    const [organizer, buyer] = [await registerUser({ role: 'ORGANIZER' }, stack), await registerPerson()];
    const event = { title: 'Jazz', venue: 'Club', startDate: '2031-01-01', maxCapacity: 5 };
    const creation = await api('POST', '/api/events', { token: organizer.token, body: event });
    const { id: eventId, tiers } = creation.body.event;
    const body = { eventId, tierId: tiers[0].id, quantity: 1, paymentMethod: 'FIAT' };
    const requestOrder = () => api('POST', '/api/orders/initialize', { token: buyer.token, body });
    const refusal = await requestOrder();
    expect(errorOf(refusal)).toEqual([403, 'email-not-verified']);
    expect(refusal.body.error).toBe('Please confirm your e-mail address on your account page first');
    await verifyEmail(await findVerificationToken(buyer));
    expect((await requestOrder()).status).toBe(201);
  });

  it('is what the smoke test can’t do, so it sells no ticket at a stage that requires it', async () => {
    const steps: string[] = [];
    for await (const step of smokeTest({ url: stack.apiUrl })) steps.push(step);
    expect(steps.slice(-3)).toEqual([
      'An organizer and a buyer are registered, and an event is on sale.',
      'The stage sells only to confirmed e-mail addresses, so the test orders no tickets.',
      'The event is cancelled, and both accounts are closed.',
    ]);
  });
});

describe('mails to unconfirmed addresses', () => {
  it('do not contain the name of the user', async () => {
    const name = '<a href="https://elsewhere.example">You won</a> https://elsewhere.example';
    const ann = await registerUser({ name }, stack);
    await requestReset(ann.user.email);
    await awaitMail(ann.user.email, subject, stack);
    for (const { subject, body } of await mailsTo(ann.user.email, stack)) {
      expect([subject, body.text, body.html].join('\n')).not.toMatch(/elsewhere|You won/);
    }
  });
});
