import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, openContext, phone, screenshot, useBrowser } from '../support/browser.ts';
import { createEvent, freshEmail, type Person, placeOrder, registerUser } from '../support/fixtures.ts';
import { awaitMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

// biome-ignore lint/suspicious/noExplicitAny: the test runs without the browser's types
type Json = any;

let organizer: Person;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
});

test('a visitor buys on a phone without an account, opens the mail elsewhere, and keeps the order in an account', async () => {
  const tiers = [{ name: 'Floor', price: 50, quantity: 20 }];
  const seller = { name: 'Club', address: '1 Road' };
  const fields = { title: `Guests ${Date.now()}`, currency: 'EUR', tiers, buyers: 'anyone', seller };
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
  const download = other.waitForEvent('download');
  await other.getByRole('button', { name: 'Print the tickets' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tickets-BOX-.*\.pdf$/);
  expect(await text(await file.createReadStream())).toMatch(/^%PDF-/);

  for (const [button, name, start] of [
    ['Add to Apple Wallet', 'ticket-1.pkpass', 'PK'],
    ['Save as PDF', 'ticket-1.pdf', '%PDF-'],
    ['Save invoice 1', /^invoice-BOX-.*\.pdf$/, '%PDF-'],
  ] as const) {
    const saved = other.waitForEvent('download');
    await other.getByRole('button', { name: button }).first().click();
    expect((await saved).suggestedFilename()).toMatch(name);
    expect((await text(await (await saved).createReadStream())).startsWith(start)).toBe(true);
  }
  let savedAddress = '';
  await other.route('https://pay.google.com/**', (route) => {
    savedAddress = route.request().url();
    return route.fulfill({ body: 'Saved' });
  });
  await other.getByRole('button', { name: 'Add to Google Wallet' }).first().click();
  await other.getByText('Saved').waitFor();
  expect(savedAddress).toMatch(/^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/);
  await other.goBack();

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

test('a visitor buys two kinds of tickets and an add-on on a phone, and answers the questions', async () => {
  const tiers = [
    { name: 'Adult', price: 50, quantity: 20 },
    { name: 'Parking', price: 10, quantity: 5, kind: 'addon' },
    { name: 'Child', price: 20, quantity: 20 },
    { name: 'Group', price: 15, quantity: 20, minPerOrder: 3 },
  ];
  const questions = [
    { label: 'How did you hear of us?', kind: 'text' },
    { label: 'I have read the house rules', kind: 'checkbox', required: true },
    {
      label: 'What do you eat?',
      kind: 'choice',
      options: ['Everything', 'No meat'],
      required: true,
      per: 'ticket',
    },
    { label: 'Which workshops?', kind: 'multiple', options: ['Juggling', 'Clay'], per: 'ticket' },
  ];
  const fields = { title: `Family day ${Date.now()}`, currency: 'EUR', tiers, questions, buyers: 'anyone' };
  const event = await createEvent(organizer, fields);
  const page = await (await openContext(undefined, { viewport: phone })).newPage();
  const button = (name: string) => page.getByRole('button', { name });
  await page.goto(`/events/${event.id}`);
  expect(await button('Choose tickets').isDisabled()).toBe(true);
  expect(await button('More Parking').isDisabled()).toBe(true);
  await screenshot(page, 'items-none');
  await button('More Group').click();
  expect(await page.getByLabel('Quantity of Group').inputValue()).toBe('3');
  await button('Fewer Group').click();
  expect(await page.getByLabel('Quantity of Group').inputValue()).toBe('0');

  await button('More Adult').click();
  await button('More Adult').click();
  await button('More Child').click();
  await button('More Parking').click();
  await button('Pay €133.25').click();
  await page.getByLabel('What do you eat?').first().and(page.locator('[aria-invalid=true]')).waitFor();
  const email = freshEmail();
  await page.getByLabel('Name').fill('Fay Family');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('I have read the house rules').check();
  for (const [index, meal] of ['Everything', 'No meat', 'No meat'].entries()) {
    await page.getByLabel('What do you eat?').nth(index).selectOption(meal);
  }
  await page.getByRole('group', { name: 'Ticket 3 · Child' }).getByLabel('Juggling').check();
  // People type 36 words a minute on a phone (Palin et al., 2019): three characters a second.
  const typed = await page
    .locator('form :is(input[type=text], input[type=email], input:not([type]))')
    .evaluateAll((fields) => fields.reduce((sum, field) => sum + (field as Json).value.length, 0));
  expect(typed).toBeGreaterThan('Fay Family'.length);
  expect(typed / 3).toBeLessThanOrEqual(60);
  await screenshot(page, 'items-chosen');
  await expectAccessible(page, 'items-chosen');
  await button('Pay €133.25').click();
  await page.waitForURL(`${sharedStack().sandboxUrl}/checkout/**`);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByText(`Your tickets were sent to ${email}`).waitFor();
  await page.getByText('2 × Adult, 1 × Child, 1 × Parking').waitFor();
  await page.locator('.ticket', { hasText: 'Ticket 3' }).getByText('Child').waitFor();

  // The answers can be changed until the event begins.
  await page.getByText('Show and change').click();
  await page.getByLabel('What do you eat?').first().selectOption('No meat');
  await button('Save the answers').click();
  await page.getByText('Your answers are saved.').waitFor();
  await screenshot(page, 'items-paid');
  await expectAccessible(page, 'items-paid');
  const { attendees } = (await organizer.get(`/api/events/${event.id}/attendees`)).body;
  const answersOf = (number: number) =>
    attendees
      .find((attendee: { number: number }) => attendee.number === number)
      .answers.map(({ value }: { value: unknown }) => value);
  expect(answersOf(1)).toEqual(expect.arrayContaining(['No meat', true]));
  expect(answersOf(3)).toEqual(expect.arrayContaining(['No meat', ['Juggling']]));
});

test('a refusal is shown at the tier that sold out, and the rest of the form stays', async () => {
  const tiers = [
    { name: 'Floor', price: 50, quantity: 20 },
    { name: 'Balcony', price: 80, quantity: 1 },
  ];
  const event = await createEvent(organizer, { title: 'Scarce', currency: 'USD', tiers, buyers: 'anyone' });
  const page = await (await openContext(undefined, { viewport: phone })).newPage();
  await page.goto(`/events/${event.id}`);
  await page.getByLabel('Quantity of Floor').fill('2');
  await page.getByLabel('Quantity of Balcony').fill('1');
  await page.getByLabel('Name').fill('Gus Guest');
  await page.getByLabel('E-mail').fill(freshEmail());
  const tierId = event.tiers[1].id;
  await placeOrder({ event }, await registerUser(), { tierId, quantity: 1 });
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('alert').filter({ hasText: 'Balcony' }).waitFor();
  expect(await page.getByLabel('Quantity of Floor').inputValue()).toBe('2');
  await page.getByRole('button', { name: 'Pay US$102.50' }).waitFor();
  await screenshot(page, 'items-refused');
});

test('a visitor answers after paying where the organizer allows it, and has the tickets minted to a wallet', async () => {
  const { ticketContract, chainId } = sharedStack();
  const questions = [{ label: 'What do you eat?', kind: 'text', required: true }];
  const event = await createEvent(organizer, {
    title: 'Later',
    currency: 'USD',
    tiers: [{ name: 'Floor', price: 0, quantity: 20 }],
    buyers: 'anyone',
    questions,
    questionsWhen: 'later',
    contractAddress: ticketContract,
    chainId,
    entry: 'account',
  });
  const page = await (await openContext(undefined, { viewport: phone })).newPage();
  await page.goto(`/events/${event.id}`);
  await page.getByLabel('Quantity').waitFor();
  expect(await page.getByLabel('What do you eat?').count()).toBe(0);
  await page.getByLabel('Name').fill('Lea Later');
  await page.getByLabel('E-mail').fill(freshEmail());
  await page.getByRole('button', { name: 'Get tickets' }).click();
  await page.getByText('Please answer before the event begins.').waitFor();
  await page.getByLabel('What do you eat?').fill('Soup');
  await page.getByRole('button', { name: 'Save the answers' }).click();
  await page.getByText('Your answers are saved.').waitFor();
  expect(await page.getByText('Please answer before the event begins.').count()).toBe(0);
  await page.getByLabel('Wallet address').fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  await screenshot(page, 'guest-wallet');
  await expectAccessible(page, 'guest-wallet');
  await page.getByRole('button', { name: 'Mint to this wallet' }).click();
  await page.getByText('Your tickets are in your wallet.').waitFor();
  expect(await page.getByLabel('Wallet address').count()).toBe(0);
});
