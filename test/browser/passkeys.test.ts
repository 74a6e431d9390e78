import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContext, signIn, useBrowser } from '../support/browser.ts';
import { buyTickets, openSale, type Person, registerUser } from '../support/fixtures.ts';
import { type SeparateStack, startStack } from '../support/stack.ts';

/** Passkeys in Chromium, with its virtual authenticator, where what moves money needs a fresh session. */

useBrowser();
let stack: SeparateStack;
let organizer: Person;
beforeAll(async () => {
  stack = await startStack({ env: { STEP_UP: 'true', REQUIRE_SECOND_FACTOR: 'payouts' } });
  organizer = await registerUser({ role: 'ORGANIZER' }, stack);
  await buyTickets(await openSale({ organizer }), await registerUser({}, stack), 1);
});
afterAll(() => stack?.stop());

/** Plugs in an authenticator that verifies its user by itself. @returns a function that takes it away */
async function plugIn(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => void (await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }));
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.waitForURL(`${stack.apiUrl}/`);
}

test('a passkey signs in without typing, confirms a payout, and a recovery code replaces it', async () => {
  const page = await (await openContext()).newPage();
  const unplug = await plugIn(page);
  await page.goto(`${stack.apiUrl}/login?next=/account`);
  await signIn(page, organizer);
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByText('Write these recovery codes down').waitFor();
  const recoveryCode = (await page.locator('li code').first().textContent()) ?? '';
  await page.getByText('Laptop').waitFor();

  await signOut(page);
  await page.goto(`${stack.apiUrl}/login?next=/organizer/payouts`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.waitForURL(`${stack.apiUrl}/organizer/payouts`);

  // A loaded page has an access token of a refresh, which is not fresh.
  await page.reload();
  await page.getByLabel('Amount in NGN').fill('5');
  await page.getByLabel('Account number').fill('0690000031');
  await page.getByLabel('Account holder').fill('O. Organizer');
  await page.getByLabel('Bank', { exact: true }).selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Request the payout' }).click();
  await page.getByRole('button', { name: 'Send it' }).click();
  await page.getByRole('heading', { name: 'Please confirm that it is you' }).waitFor();
  await page.getByRole('button', { name: 'Confirm', exact: true }).click();
  await expect
    .poll(async () => (await organizer.get('/api/payouts')).body.payouts)
    .toMatchObject([{ amount: 5 }]);

  await unplug();
  await signOut(page);
  await page.goto(`${stack.apiUrl}/login?next=/account`);
  await signIn(page, organizer);
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('9 recovery codes are left').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await page.getByText('Laptop').waitFor({ state: 'detached' });
});
