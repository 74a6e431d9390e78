import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, openPageAs, useBrowser } from '../support/browser.ts';
import { createCaller, freshEmail, registerUser } from '../support/fixtures.ts';
import { awaitMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

/** The list of devices, and the pages of the links that change an address and undo it. */

useBrowser();

async function openLink(page: Page, address: string, subject: string): Promise<void> {
  const { body } = await awaitMail(address, subject);
  await page.goto(/https?:\S+token=[\w-]{43}/.exec(body.text)?.[0] ?? '');
}

test('the account page signs another device out, and changes the address, which the earlier one undoes', async () => {
  const person = await registerUser();
  const { email, id } = person.user;
  const login = { email, password: person.password };
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' };
  await createCaller(undefined).post('/api/auth/login', login, { headers });
  const page = await openPageAs(person, '/account');
  const signOut = page.getByRole('button', { name: 'Sign out Firefox on Linux' });
  await signOut.waitFor();
  await expectAccessible(page, 'account-devices');
  await signOut.click();
  await signOut.waitFor({ state: 'detached' });
  expect((await person.get('/api/auth/sessions')).body.sessions).toHaveLength(1);

  const next = freshEmail();
  expect((await person.post('/api/auth/change-email', { email: next })).status).toBe(200);
  await openLink(page, next, 'Confirm your new e-mail address');
  await page.getByRole('button', { name: 'Use this address' }).waitFor();
  await expectAccessible(page, 'change-email');
  await page.getByRole('button', { name: 'Use this address' }).click();
  await page.getByText(`From now on you sign in with ${next}`).waitFor();

  await openLink(page, email, 'Your e-mail address was changed');
  const undo = page.getByRole('button', { name: 'Undo it, and sign out everywhere' });
  await undo.waitFor();
  await expectAccessible(page, 'undo-email-change');
  await undo.click();
  await page.getByText('Your account has its earlier address again').waitFor();
  await page.getByRole('link', { name: 'set a new password' }).click();
  await page.waitForURL(`${sharedStack().apiUrl}/forgot-password`);
  expect((await person.get('/api/auth/me')).body.user).toMatchObject({ id, email });
});
