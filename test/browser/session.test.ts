import { json } from 'node:stream/consumers';
import jwt from 'jsonwebtoken';
import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { resolveConfiguration } from '../../infra/local/defaults.ts';
import {
  expectAccessible,
  openContext,
  openPageAs,
  orderButton,
  signIn,
  useBrowser,
} from '../support/browser.ts';
import { openSale, registerUser } from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

/** The key of the stack's access tokens: from the environment, or the local default. */
const signingKey =
  process.env.JWT_ACCESS_SECRET ??
  resolveConfiguration({ apiUrl: '', sandboxUrl: '', chainRpcUrl: '' }, {}).JWT_ACCESS_SECRET;

test('an access token that has expired is renewed, and the purchase continues', async () => {
  const [{ event }, buyer] = await Promise.all([openSale(), registerUser()]);
  const page = await openPageAs(buyer, `/events/${event.id}`);
  let renewalCount = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh-token')) renewalCount++;
  });
  // The order is sent with an expired token, as after 15 minutes on the page.
  const { exp, iat, ...claims } = jwt.decode(buyer.token) as jwt.JwtPayload;
  const expiredToken = jwt.sign(claims, signingKey as string, { algorithm: 'HS256', expiresIn: -1 });
  const sendExpiredToken = (route: Route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${expiredToken}` } });
  await page.route('**/api/orders/initialize', sendExpiredToken, { times: 1 });

  const refusal = page.waitForResponse((response) => response.status() === 401);
  await orderButton(page).click();
  expect((await refusal).url()).toContain('/api/orders/initialize');
  await page.waitForURL('**/checkout/**');
  expect(renewalCount).toBe(1);
});

test.each([
  ['/api/auth/refresh-token', 504],
  ['/api/auth/me', 503],
  ['/api/events/*', 502],
])('a page loads although the first two calls of %s are answered with %i', async (path, status) => {
  const [{ event }, buyer] = await Promise.all([openSale(), registerUser()]);
  const page = await (await openContext(buyer)).newPage();
  const answerWithError = (route: Route) =>
    route.fulfill({ status, json: { message: 'Service Unavailable' } });
  await page.route(`**${path}`, answerWithError, { times: 2 });
  await page.goto(`/events/${event.id}`);
  await orderButton(page).waitFor();
});

test('a page of a revoked session redirects to the sign-in page, which leads back', async () => {
  const buyer = await registerUser();
  const page = await openPageAs(buyer);
  await buyer.delete(`/api/users/${buyer.user.id}/sessions`);
  await page.goto('/tickets');
  await page.waitForURL('/login?next=%2Ftickets');
  await signIn(page, buyer);
  await page.waitForURL('/tickets');
  await page.getByText('You have ordered no tickets yet').waitFor();
});

test('a wrong password shows the API’s message, and signing out ends the session', async () => {
  const buyer = await registerUser();
  const page = await (await openContext()).newPage();
  await page.goto('/login');
  await signIn(page, { ...buyer, password: 'not this one' });
  expect(await page.getByRole('alert').innerText()).toBe('Invalid email or password');
  await signIn(page, buyer);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await page.goto('/tickets');
  await page.waitForURL('/login?next=%2Ftickets');
});

test('a user downloads what is stored about them, and closes the account', async () => {
  const user = await registerUser();
  const page = await openPageAs(user, '/account');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ]);
  expect(await json(await file.createReadStream())).toMatchObject({ user: { email: user.user.email } });
  await page.getByRole('button', { name: 'Close the account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close your account?' });
  await expectAccessible(page, 'account-close');
  await dialog.getByRole('button', { name: 'Close the account' }).click();
  await page.waitForURL('/');
  await page.goto('/login');
  await signIn(page, user);
  await page.getByRole('alert').waitFor();
});

test.each(['https://elsewhere.example/', '//elsewhere.example/', '/.//elsewhere.example/', 'http://['])(
  'signing in ignores the foreign address %s in `next`',
  async (next) => {
    const buyer = await registerUser();
    const page = await (await openContext()).newPage();
    await page.goto(`/login?${new URLSearchParams({ next })}`);
    await signIn(page, buyer);
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
    expect(new URL(page.url()).origin).toBe(sharedStack().apiUrl);
  },
);
