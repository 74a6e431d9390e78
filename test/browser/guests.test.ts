import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, openContext, phone, screenshot, useBrowser } from '../support/browser.ts';
import { createEvent, freshEmail, type Person, registerUser } from '../support/fixtures.ts';
import { awaitMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

let organizer: Person;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
});

test('a visitor buys on a phone without an account, opens the mail elsewhere, and keeps the order in an account', async () => {
  const tiers = [{ name: 'Floor', price: 50, quantity: 20 }];
  const fields = { title: `Guests ${Date.now()}`, currency: 'EUR', tiers, buyers: 'anyone' };
  const event = await createEvent(organizer, fields);
  const page = await (await openContext(undefined, { viewport: phone })).newPage();
  await page.goto(`/events/${event.id}`);
  await page.getByLabel('Quantity').fill('2');
  const email = freshEmail();
  await page.getByLabel('Name').fill('Gus Guest');
  await page.getByLabel('E-mail').fill(email);
  await screenshot(page, 'guest-buys');
  await expectAccessible(page, 'guest-buys');
  await page.getByRole('button', { name: /^Pay .*102\.50/ }).click();
  await page.waitForURL(`${sharedStack().sandboxUrl}/checkout/**`);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.waitForURL('/orders/*?reference=BOX-*');
  await page.getByText(`Your tickets were sent to ${email}. This page is your receipt.`).waitFor();
  await page.getByRole('heading', { name: 'At the door' }).waitFor();
  await screenshot(page, 'guest-order');
  await expectAccessible(page, 'guest-order');

  // The mail's link opens the order in another browser, and does not stay in its history.
  const { body } = await awaitMail(email, 'Your tickets');
  const link = /\S+\/orders\/\w+#\S+/.exec(body.text)?.[0] ?? '';
  const other = await (await openContext()).newPage();
  await other.goto(link);
  await other.getByText('This page is your receipt').waitFor();
  expect(new URL(other.url()).hash).toBe('');
  await screenshot(other, 'guest-order-desktop');

  await page.getByRole('link', { name: 'Keep them in an account' }).click();
  await page.getByLabel('Name').fill('Gus Guest');
  await page.getByLabel('Password').fill('battery staple');
  await page.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL('/');
  const confirmation = await awaitMail(email, 'Confirm your e-mail address');
  await page.goto(/\S+verify-email\?token=\S+/.exec(confirmation.body.text)?.[0] ?? '');
  await page.getByText(`${email} is confirmed`).waitFor();
  await page.goto('/tickets');
  await page.getByText(event.title).first().waitFor();
  expect(await page.getByText('Floor').count()).toBeGreaterThan(0);

  // The link of the mail has ended: the account opens the order.
  await other.reload();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
});
