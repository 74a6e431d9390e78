import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { call } from '../support/http.ts';
import { awaitMail, mailsTo, type ReceivedMail } from '../support/mailbox.ts';
import { cookieOf, freshEmail, type Person, registerUser } from '../support/people.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';
import { viewerHeaders } from '../support/viewer-headers.ts';

/** Passwords and addresses over HTTP, with the tokens of the mails that arrive. */

let stack: SeparateStack;
beforeAll(async () => {
  stack = await startStack({ env: { ORDERS_NEED_VERIFIED_EMAIL: 'true' } });
});
afterAll(() => stack?.stop());

const subject = 'Reset your password';
const message = 'If there is an account with this e-mail, a link to a new password is on its way';
const changed = { message: 'Password changed' };

const api = (method: string, path: string, options: Parameters<typeof call>[2] = {}) =>
  call(method, path, { apiUrl: stack.apiUrl, ...options });
const forgot = (email: string, headers = viewerHeaders()) =>
  api('POST', '/api/auth/forgot-password', { body: { email }, headers });
const reset = (token: string, password: string, headers?: Record<string, string>) =>
  api('POST', '/api/auth/reset-password', { body: { token, password }, headers });
const logIn = (email: string, password: string) =>
  api('POST', '/api/auth/login', { body: { email, password } });
const refresh = (cookie: string) => api('POST', '/api/auth/refresh-token', { cookie });
const errorOf = ({ status, headers }: Awaited<ReturnType<typeof api>>) => [
  status,
  headers.get('x-error-code'),
];

const person = () => registerUser({}, stack);
const tokenIn = ({ body }: ReceivedMail, page: string) => {
  const links = body.text.match(new RegExp(`${stack.apiUrl}/${page}\\?token=([\\w-]{43})`));
  return links?.[1] ?? '';
};
async function resetTokenFor({ user }: Person): Promise<string> {
  await forgot(user.email);
  return tokenIn(await awaitMail(user.email, subject, stack), 'reset-password');
}
const resetMails = async (email: string) =>
  (await mailsTo(email, stack)).filter((mail) => mail.subject === subject);

describe('a forgotten password', () => {
  it('is replaced by the link of a mail, which works once; all sessions end, and the address is confirmed', async () => {
    const ann = await person();
    const other = cookieOf(await logIn(ann.user.email, ann.password));
    const answer = await forgot(` ${ann.user.email.toUpperCase()}`);
    expect([answer.status, answer.body]).toEqual([200, { message }]);
    const mail = await awaitMail(ann.user.email, subject, stack);
    expect(mail.subject).toBe(subject);
    const token = tokenIn(mail, 'reset-password');
    expect(mail.body.html).toContain(`${stack.apiUrl}/reset-password?token=${token}`);

    const answered = await reset(token, 'a new password');
    expect([answered.status, answered.body, answered.cookies]).toEqual([200, changed, []]);

    for (const cookie of [ann.cookie, other]) expect((await refresh(cookie)).status).toBe(401);
    expect((await logIn(ann.user.email, ann.password)).status).toBe(401);
    const login = await logIn(ann.user.email, 'a new password');
    expect([login.status, login.body.user.emailVerified]).toEqual([200, true]);
    expect((await refresh(cookieOf(login))).status).toBe(200);
    for (const password of ['a new password', 'another password']) {
      expect(errorOf(await reset(token, password))).toEqual([400, 'invalid-reset-token']);
    }
    expect((await refresh(cookieOf(login))).status).toBe(200);
  });

  it('stays for a password that is too short, and the link works on', async () => {
    const ann = await person();
    const token = await resetTokenFor(ann);
    expect(errorOf(await reset(token, 'short'))).toEqual([400, 'invalid-input']);
    expect((await reset(token, 'long enough')).status).toBe(200);
  });

  it('is answered alike for an unknown e-mail, to which nothing is sent', async () => {
    const [ann, nobody] = [await person(), freshEmail()];
    const answers = [await forgot(nobody), await forgot(ann.user.email)];
    const [unknown, known] = answers.map(({ status, body, headers }) => {
      const names = [...headers.keys()].sort();
      return { status, body, names, length: headers.get('content-length') };
    });
    expect(unknown).toEqual(known);
    await awaitMail(ann.user.email, subject, stack);
    expect(await mailsTo(nobody, stack)).toEqual([]);
  });

  it('is mailed three times an hour at most, which the answers do not show', async () => {
    const ann = await person();
    for (let request = 0; request < 5; request++) {
      const answer = await forgot(ann.user.email);
      expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
        200,
        { message },
        null,
      ]);
    }
    await eventually('three mails', async () => (await resetMails(ann.user.email)).length === 3);
    // A mail that is asked for later comes later: the fourth would have been there.
    const ben = await person();
    await resetTokenFor(ben);
    expect(await resetMails(ann.user.email)).toHaveLength(3);
  });

  it('is served twenty times an hour for an address, which headers of the caller do not change', async () => {
    const office = '203.0.113.9';
    for (let request = 0; request < 20; request++) await forgot(freshEmail(), viewerHeaders(office));
    const [ann, ben] = [await person(), await person()];
    const disguises = [
      viewerHeaders(office),
      {
        ...viewerHeaders(office),
        'x-forwarded-for': '192.0.2.77',
        'x-real-ip': '192.0.2.77',
        forwarded: 'for=192.0.2.77',
      },
    ];
    for (const headers of disguises)
      expect((await forgot(ann.user.email, headers)).body).toEqual({ message });
    await resetTokenFor(ben);
    expect(await resetMails(ann.user.email)).toEqual([]);
    // Attempts that were refused for the address are not counted for the account.
    expect(await resetTokenFor(ann)).toHaveLength(43);
  });

  it('can be replaced again when the caller got no answer, by the key of the attempt', async () => {
    const ann = await person();
    const token = await resetTokenFor(ann);
    const key = { 'idempotency-key': 'one attempt' };
    const answers = [];
    for (let time = 0; time < 2; time++) answers.push(await reset(token, 'a new password', key));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, changed]));
    expect(errorOf(await reset(token, 'another password', key))).toEqual([400, 'invalid-reset-token']);
    expect((await logIn(ann.user.email, 'a new password')).status).toBe(200);
  });
});

describe('changing the password', () => {
  const change = (token: string, currentPassword: string, password: string, cookie?: string) =>
    api('PUT', '/api/auth/password', { token, cookie, body: { currentPassword, password } });

  it('needs the current one, keeps this session and ends the others', async () => {
    const { user, password, cookie, token } = await person();
    const other = cookieOf(await logIn(user.email, password));
    expect(errorOf(await change(token, 'a wrong one', 'a new password', cookie))).toEqual([
      401,
      'wrong-credentials',
    ]);
    expect((await refresh(other)).status).toBe(200);

    const answer = await change(token, password, 'a new password', cookie);

    expect([answer.status, answer.body]).toEqual([200, changed]);
    expect((await refresh(cookie)).status).toBe(200);
    expect((await refresh(other)).status).toBe(401);
    expect((await logIn(user.email, password)).status).toBe(401);
    expect((await logIn(user.email, 'a new password')).status).toBe(200);
  });
});

describe('the address of an account', () => {
  const verify = (token: string) => api('POST', '/api/auth/verify-email', { body: { token } });
  const send = (token: string) => api('POST', '/api/auth/verify-email/send', { token });
  const confirmation = async ({ user }: Person) =>
    tokenIn(await awaitMail(user.email, 'Confirm your e-mail address', stack), 'verify-email');

  it('is confirmed by the link of the mail that follows a registration, also when it is opened twice', async () => {
    const ann = await person();
    expect(ann.user.emailVerified).toBe(false);
    const token = await confirmation(ann);
    for (let time = 0; time < 2; time++) {
      const answer = await verify(token);
      expect([answer.status, answer.body]).toEqual([200, { user: { ...ann.user, emailVerified: true } }]);
    }
    const me = await api('GET', '/api/auth/me', { token: ann.token });
    expect(me.body.user.emailVerified).toBe(true);
  });

  it('is confirmed by links of its own kind alone', async () => {
    const ann = await person();
    await forgot(ann.user.email);
    const resetToken = tokenIn(await awaitMail(ann.user.email, subject, stack), 'reset-password');
    for (const token of ['', 'unknown', resetToken, ann.token]) {
      expect(errorOf(await verify(token))).toEqual([400, 'invalid-verification-token']);
    }
    expect(errorOf(await reset(await confirmation(ann), 'a new password'))).toEqual([
      400,
      'invalid-reset-token',
    ]);
  });

  it('is mailed another link when its user asks, three times an hour at most, and none once it is confirmed', async () => {
    const [ann, ben] = [await person(), await person()];
    for (let time = 0; time < 3; time++) {
      const answer = await send(ann.token);
      expect([answer.status, answer.body]).toEqual([200, { user: ann.user }]);
    }
    const refused = await send(ann.token);
    expect(errorOf(refused)).toEqual([429, 'too-many-attempts']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    await eventually('four mails', async () => (await mailsTo(ann.user.email, stack)).length === 4);

    await verify(await confirmation(ben));
    expect((await send(ben.token)).body.user.emailVerified).toBe(true);
    const carl = await person();
    await confirmation(carl);
    expect(await mailsTo(ben.user.email, stack)).toHaveLength(1);
  });

  it('has to be confirmed before ordering, where the service requires it', async () => {
    const [organizer, buyer] = [await registerUser({ role: 'ORGANIZER' }, stack), await person()];
    const event = { title: 'Jazz', venue: 'Club', startDate: '2031-01-01', maxCapacity: 5 };
    const created = await api('POST', '/api/events', { token: organizer.token, body: event });
    const { id: eventId, tiers } = created.body.event;
    const body = { eventId, tierId: tiers[0].id, quantity: 1, paymentMethod: 'FIAT' };
    const order = () => api('POST', '/api/orders/initialize', { token: buyer.token, body });
    const refused = await order();
    expect(errorOf(refused)).toEqual([403, 'email-not-verified']);
    expect(refused.body.error).toBe('Please confirm your e-mail address on your account page first');
    await verify(await confirmation(buyer));
    expect((await order()).status).toBe(201);
  });
});

describe('names and titles in mails', () => {
  it('are never in mails to unconfirmed addresses', async () => {
    const name = '<a href="https://elsewhere.example">You won</a> https://elsewhere.example';
    const ann = await registerUser({ name }, stack);
    await forgot(ann.user.email);
    await awaitMail(ann.user.email, subject, stack);
    for (const { subject, body } of await mailsTo(ann.user.email, stack)) {
      expect([subject, body.text, body.html].join('\n')).not.toMatch(/elsewhere|You won/);
    }
  });
});
