import { expect, it } from 'vitest';
import {
  confirmAddress,
  cookieOf,
  createCaller,
  expectStatus,
  type Person,
  registerUser,
} from '../support/fixtures.ts';
import { errorOf, viewerHeaders } from '../support/http.ts';
import { awaitMail, mailsTo } from '../support/mailbox.ts';

/** The sessions of an account: where they are, how they end, and the mail about a device that was not seen before. */

const chromeOnMac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const lagos = { 'cloudfront-viewer-country': 'NG', 'cloudfront-viewer-city': 'Lagos' };
const newDevice = 'A new device signed in to your account';

/** Logs a person in again. */
async function logIn({ user, password, stack }: Person, headers: Record<string, string> = {}) {
  const body = { email: user.email, password };
  const answer = await createCaller(undefined, stack).post('/api/auth/login', body, { headers });
  const { token } = expectStatus(200, answer);
  return { ...createCaller(token, stack), token, cookie: cookieOf(answer) };
}

const listSessions = async ({ get }: Pick<Person, 'get'>) =>
  expectStatus(200, await get('/api/auth/sessions')).sessions;
const refresh = ({ post, cookie }: Pick<Person, 'post' | 'cookie'>, headers = {}) =>
  post('/api/auth/refresh-token', undefined, { cookie, headers });

it('are listed with their device, and the place that CloudFront tells', async () => {
  const person = await registerUser();
  const laptop = await logIn(person, { 'user-agent': chromeOnMac, ...viewerHeaders(), ...lagos });
  const [second, first] = await listSessions(laptop);
  expect(first).toMatchObject({ device: 'node', place: null, current: false });
  expect(second).toEqual({
    id: expect.any(String),
    createdAt: expect.any(String),
    lastUsedAt: second.createdAt,
    device: 'Chrome on macOS',
    place: 'Lagos, Nigeria',
    current: true,
  });
  // Without CloudFront's secret, anybody can send these headers.
  const claimed = await logIn(person, { 'user-agent': chromeOnMac, ...lagos });
  expect((await listSessions(claimed))[0]).toMatchObject({ place: null });
  // Used elsewhere.
  const abuja = { ...lagos, 'cloudfront-viewer-city': 'Abuja' };
  const headers = { 'user-agent': chromeOnMac, ...viewerHeaders(), ...abuja };
  expect((await refresh(laptop, headers)).status).toBe(200);
  expect(await listSessions(person)).toContainEqual(
    expect.objectContaining({ id: second.id, place: 'Abuja, Nigeria' }),
  );
});

it('end one by one, and all others at once', async () => {
  const person = await registerUser();
  // Only the owner of an address can add the orders of its guest, with which the account gets a new access token.
  await confirmAddress(person);
  const [phone, tablet, stolen] = [await logIn(person), await logIn(person), await logIn(person)];
  const [{ id }] = await listSessions(stolen);
  expect((await person.delete(`/api/auth/sessions/${id}`)).status).toBe(200);
  expect(errorOf(await refresh(stolen))).toEqual([401, 'invalid-refresh-token']);
  expect(errorOf(await person.delete(`/api/auth/sessions/${id}`))).toEqual([404, 'session-not-found']);
  expect((await refresh(phone)).status).toBe(200);
  expect((await person.delete('/api/auth/sessions')).status).toBe(200);
  for (const ended of [phone, tablet]) expect((await refresh(ended)).status).toBe(401);
  expect((await refresh(person)).status).toBe(200);
  expect(await listSessions(person)).toMatchObject([{ current: true }]);
  // Its access token is still valid, ends or lists nothing, and gets no other token.
  const [{ id: own }] = await listSessions(person);
  for (const answer of [
    await stolen.get('/api/auth/sessions'),
    await stolen.delete('/api/auth/sessions'),
    await stolen.delete(`/api/auth/sessions/${own}`),
    await stolen.delete(`/api/users/${person.user.id}/sessions`),
    await stolen.post('/api/auth/orders'),
  ]) {
    expect(errorOf(answer)).toEqual([401, 'invalid-token']);
  }
  expect((await refresh(person)).status).toBe(200);
});

it('belong to their user', async () => {
  const [person, other] = [await registerUser(), await registerUser()];
  const [{ id }] = await listSessions(person);
  expect(errorOf(await other.delete(`/api/auth/sessions/${id}`))).toEqual([404, 'session-not-found']);
  expect((await refresh(person)).status).toBe(200);
});

it('of a device or a country that was not seen before are mailed, once', async () => {
  const person = await registerUser();
  await logIn(person);
  const headers = { 'user-agent': chromeOnMac, ...viewerHeaders(), ...lagos };
  await logIn(person, headers);
  await logIn(person, headers);
  const { body } = await awaitMail(person.user.email, newDevice);
  expect(body.text).toContain('Chrome on macOS in Lagos, Nigeria signed in to your account on');
  await logIn(person, { ...headers, 'cloudfront-viewer-country': 'FR', 'cloudfront-viewer-city': 'Paris' });
  await expect
    .poll(async () => (await mailsTo(person.user.email)).filter(({ subject }) => subject === newDevice))
    .toHaveLength(2);
});
