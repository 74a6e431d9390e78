import { expect, test } from 'vitest';
import { openContext, openPageAs, signIn, useBrowser, waitForContent } from '../support/browser.ts';
import { type Person, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { awaitMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

/** Returns the link in a mail. */
async function linkOf({ user }: Person, subject: string): Promise<string> {
  const { body } = await awaitMail(user.email, subject);
  return /https?:\S+token=[\w-]+/.exec(body.text)?.[0] ?? '';
}

test('a user replaces a forgotten password by a mailed link, and signs in with the new one', async () => {
  const ann = await registerUser();
  const page = await (await openContext()).newPage();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await page.getByLabel('E-mail').fill(ann.user.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await page.getByText('the link is on its way').waitFor();

  const link = await linkOf(ann, 'Reset your password');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(`${request.url()} ${request.headers().referer ?? ''}`));
  await page.goto(link);
  await page.getByLabel('New password').fill('a new password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed').waitFor();
  // The token is removed from the page's address, and no request to the API contains it.
  const token = new URL(link).searchParams.get('token') as string;
  expect(page.url()).toBe(`${sharedStack().apiUrl}/reset-password`);
  const [pageRequest, ...otherRequests] = requests.filter((request) => request.includes(token));
  expect(pageRequest?.split(' ')[0]).toBe(link);
  expect(otherRequests.filter((request) => request.includes('/api/'))).toEqual([]);

  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
  await signIn(page, { ...ann, password: 'a new password' });
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();

  await page.goto(link);
  await page.getByLabel('New password').fill('another password');
  await page.getByRole('button', { name: 'Change password' }).click();
  expect(await page.getByRole('alert').innerText()).toBe(
    'This link is not valid any more, please request a new one',
  );
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await page.waitForURL('/forgot-password');
});

test('a password reset whose answer is lost succeeds when it is sent again', async () => {
  const ann = await registerUser();
  await call('POST', '/api/auth/forgot-password', { body: { email: ann.user.email } });
  const page = await (await openContext()).newPage();
  await page.route(
    '**/api/auth/reset-password',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await page.goto(await linkOf(ann, 'Reset your password'));
  await page.getByLabel('New password').fill('a new password');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('The service can’t be reached').waitFor();
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed').waitFor();
});

test('a user requests another confirmation mail, and confirms the address by its link', async () => {
  const ann = await registerUser();
  const page = await openPageAs(ann, '/account');
  await page.getByText('is not confirmed yet').waitFor();
  await page.getByRole('button', { name: 'Send the link again' }).click();
  await page.getByText(`We sent a link to ${ann.user.email}.`).waitFor();
  await page.goto(await linkOf(ann, 'Confirm your e-mail address'));
  await page.getByText(`${ann.user.email} is confirmed.`).waitFor();
  expect(page.url()).toBe(`${sharedStack().apiUrl}/verify-email`);
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByText(ann.user.email).waitFor();
  expect(await page.getByText('is not confirmed yet').count()).toBe(0);

  await page.goto('/verify-email?token=guessed');
  expect(await page.getByRole('alert').innerText()).toContain('This link is not valid any more');
});

test('the account page changes the password and keeps this session', async () => {
  const ann = await registerUser();
  const page = await openPageAs(ann, '/account');
  let renewalCount = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/auth/refresh-token')) renewalCount++;
  });
  const changePassword = async (currentPassword: string, newPassword: string) => {
    await page.getByLabel('Current password').fill(currentPassword);
    await page.getByLabel('New password').fill(newPassword);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await changePassword('a wrong password', 'a new password');
  await page.getByText('The current password is wrong').waitFor();
  // A wrong password does not end the session, so the access token is not renewed.
  expect(renewalCount).toBe(0);
  await changePassword(ann.password, 'a new password');
  await page.getByText('Your password is changed. You are signed out everywhere else.').waitFor();
  expect(await page.getByLabel('Current password').inputValue()).toBe('');
  await page.reload();
  await waitForContent(page);
  await page.getByRole('heading', { name: 'Account' }).waitFor();
});
