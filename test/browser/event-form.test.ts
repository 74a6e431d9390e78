import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  desktop,
  expectAccessible,
  fillEvent,
  formSteps,
  openPageAs,
  openStep,
  useBrowser,
} from '../support/browser.ts';
import { createEvent, type Person, registerUser } from '../support/fixtures.ts';

useBrowser();

let organizer: Person;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const currentStep = (page: Page) => page.locator('[aria-current=step]').innerText();
const focusedField = (page: Page) => page.evaluate('document.activeElement.name');
const storedForm = (page: Page) => page.evaluate("localStorage.getItem('boxoffice.new-event')");

test('a new event is entered step by step, by keyboard alone', async () => {
  const page = await openPageAs(organizer, '/organizer/events/new');
  const { keyboard } = page;
  for (const title of formSteps.slice(1)) expect(await button(page, title).isDisabled()).toBe(true);
  await button(page, 'Event').focus();
  await keyboard.press('Tab');
  expect(await focusedField(page)).toBe('title');
  // Enter is Next, which stays at a wrong field.
  await keyboard.press('Enter');
  await expect.poll(() => field(page, 'Title').getAttribute('aria-invalid')).toBe('true');
  expect([await focusedField(page), await currentStep(page)]).toEqual(['title', 'Event']);
  await keyboard.type('Typed');
  await keyboard.press('Enter');
  await expect.poll(() => currentStep(page)).toBe('Place and time');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Place and time');
  expect(await page.getByLabel('Title').isHidden()).toBe(true);
  await keyboard.press('Tab');
  await keyboard.type('Club');
  await keyboard.press('Enter');
  await expect.poll(() => focusedField(page)).toBe('startDate');
  await button(page, 'Back').press('Enter');
  await expect.poll(() => currentStep(page)).toBe('Event');
  expect(await field(page, 'Title').inputValue()).toBe('Typed');
  await button(page, 'Place and time').press('Enter');
  expect(await field(page, 'Venue').inputValue()).toBe('Club');
});

test('an error from the API opens the step with its field', async () => {
  const page = await openPageAs(organizer, '/organizer/events/new');
  await fillEvent(page, 'Refused');
  await openStep(page, 'Questions and rules');
  await page.getByText('Advanced: tickets as NFTs').click();
  await field(page, 'Ticket contract').fill('0x12');
  await page.getByText('Advanced: tickets as NFTs').click();
  await openStep(page, 'Preview');
  await button(page, 'Put on sale').click();
  await expect.poll(() => focusedField(page)).toBe('contractAddress');
  expect(await currentStep(page)).toBe('Questions and rules');
  await field(page, 'Ticket contract').fill('');
  // So does an error of a step that was left again, which the form finds itself.
  await openStep(page, 'Tickets');
  await field(page, 'Tickets').fill('');
  await openStep(page, 'Preview');
  await button(page, 'Put on sale').click();
  await expect.poll(() => focusedField(page)).toBe('tiers.0.quantity');
  expect(await currentStep(page)).toBe('Tickets');
  await field(page, 'Tickets').fill('5');
  await openStep(page, 'Preview');
  await button(page, 'Put on sale').click();
  await page.getByText('Nobody has ordered yet').waitFor();
  expect(await storedForm(page)).toBe(null);
});

test('a reload keeps what was entered, until it is discarded or its organizer signs out', async () => {
  const person = await registerUser({ role: 'ORGANIZER' });
  const page = await openPageAs(person, '/organizer/events/new');
  await fillEvent(page, 'Kept');
  await openStep(page, 'Tickets');
  await field(page, 'Currency').selectOption('JPY');
  await button(page, 'Add a tier').click();
  await page.getByRole('group', { name: 'Tier 2' }).getByLabel('Name').fill('Balcony');
  await openStep(page, 'Questions and rules');
  await page.getByLabel('Tickets can be transferred').uncheck();
  await button(page, 'Add a question').click();
  await field(page, 'What you ask').fill('Your meal?');
  await field(page, 'Kind of answer').selectOption('One of several answers');
  await field(page, 'Possible answers').fill('Meat\nNo meat');
  await page.reload();
  await page.getByText('What you entered before is still here').waitFor();
  await expect.poll(() => currentStep(page)).toBe('Questions and rules');
  expect(await field(page, 'Possible answers').inputValue()).toBe('Meat\nNo meat');
  expect(await page.getByLabel('Tickets can be transferred').isChecked()).toBe(false);
  await openStep(page, 'Tickets');
  const balcony = page.getByRole('group', { name: 'Tier 2' });
  expect(await balcony.getByLabel('Name').inputValue()).toBe('Balcony');
  await balcony.getByLabel('Price in JPY').waitFor();
  await balcony.getByRole('button', { name: 'Remove' }).click();
  await page.reload();
  await page.getByText('What you entered before is still here').waitFor();
  expect(await page.getByLabel('Price in JPY').count()).toBe(1);
  await expectAccessible(page, 'new-event-kept');
  await page.setViewportSize(desktop);

  await button(page, 'Start again').click();
  await expect.poll(() => field(page, 'Title').inputValue()).toBe('');
  expect(await currentStep(page)).toBe('Event');
  expect(await page.getByText('What you entered before').count()).toBe(0);
  expect(await storedForm(page)).toBe(null);
  await field(page, 'Title').fill('Secret plans');
  expect(await storedForm(page)).toContain('Secret plans');
  await button(page, 'Sign out').click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  expect(await storedForm(page)).toBe(null);
});

test('an event whose creation got no answer is not created again after a reload', async () => {
  const person = await registerUser({ role: 'ORGANIZER' });
  const page = await openPageAs(person, '/organizer/events/new');
  let answersLost = 0;
  await page.route('**/api/events', async (route) => {
    if (route.request().method() !== 'POST' || answersLost > 0) return route.fallback();
    answersLost++;
    await route.fetch();
    await route.abort();
  });
  await fillEvent(page, 'Only once');
  await openStep(page, 'Preview');
  await button(page, 'Put on sale').click();
  await page.getByRole('alert').waitFor();
  await page.reload();
  await page.getByText('What you entered before is still here').waitFor();
  await openStep(page, 'Preview');
  await button(page, 'Put on sale').click();
  await page.getByRole('heading', { name: 'Only once' }).waitFor();
  expect((await person.get('/api/events?organizerId=me')).body.events).toHaveLength(1);
});

test('the preview shows what was entered as buyers see it', async () => {
  const page = await openPageAs(organizer, '/organizer/events/new');
  await fillEvent(page, 'Seen before');
  await openStep(page, 'Event');
  await field(page, 'Category').selectOption({ label: 'Theater' });
  await field(page, 'Description').fill('A **loud** evening.');
  await openStep(page, 'Tickets');
  await field(page, 'Currency').selectOption('EUR');
  await button(page, 'Add a tier').click();
  const hidden = page.getByRole('group', { name: 'Tier 2' });
  await hidden.getByLabel('Name').fill('Friends');
  await hidden.getByLabel('Price').fill('3');
  await hidden.getByLabel('Tickets').fill('2');
  await hidden.getByText('More about this tier').click();
  await hidden.getByLabel('Hidden').check();
  await openStep(page, 'Preview');
  const preview = page.getByRole('article');
  const text = await preview.innerText();
  expect(text).toMatch(/^Theater\s+Seen before\s+Sunday,? 1 June 2031 at 20:30/);
  expect(text).toMatch(/until 22:30 \(2 h\)\s+Club/);
  expect(text).toMatch(/Floor\s+5 tickets left\s+€10\.00/);
  expect(text).not.toContain('Friends');
  await preview.locator('strong', { hasText: 'loud' }).waitFor();
  await preview.locator('svg.picture').waitFor();
  // Nothing in it belongs to the form.
  expect(await preview.locator('input, button').count()).toBe(0);
});

test('a new event begins with the currency and the time zone of the last one', async () => {
  const person = await registerUser({ role: 'ORGANIZER' });
  const tiers = [{ name: 'Floor', price: 5, quantity: 5 }];
  await createEvent(person, { currency: 'NGN', timezone: 'Africa/Lagos', tiers });
  const page = await openPageAs(person, '/organizer/events/new');
  expect(await field(page, 'Time zone').inputValue()).toBe('Africa/Lagos');
  expect(await field(page, 'Currency').inputValue()).toBe('NGN');
  expect(await page.getByLabel('Price in NGN').count()).toBe(1);
});

test('each step of a new event is accessible', async () => {
  const page = await openPageAs(organizer, '/organizer/events/new');
  await fillEvent(page, 'New');
  for (const [index, title] of formSteps.entries()) {
    await openStep(page, title);
    await expectAccessible(page, `new-event-step-${index + 1}`);
  }
});

test('each step of a stored event can be opened at once, and saves', async () => {
  const tiers = [{ name: 'Floor', price: 5, quantity: 5 }];
  const event = await createEvent(organizer, { title: 'Stepwise', description: 'Loud.', tiers });
  const page = await openPageAs(organizer, `/organizer/edit/${event.id}`);
  for (const title of formSteps) expect(await button(page, title).isEnabled()).toBe(true);
  await openStep(page, 'Preview');
  await page.getByRole('article').getByRole('heading', { name: 'Stepwise' }).waitFor();
  await expectAccessible(page, 'edit-event-preview');
  for (const title of formSteps) {
    await openStep(page, title);
    expect(await button(page, 'Save').isVisible()).toBe(true);
  }
  await openStep(page, 'Event');
  await field(page, 'Title').fill('');
  await openStep(page, 'Tickets');
  await button(page, 'Save').click();
  await expect.poll(() => focusedField(page)).toBe('title');
  await field(page, 'Title').fill('Stepwise again');
  await openStep(page, 'Preview');
  await page.getByRole('article').getByRole('heading', { name: 'Stepwise again' }).waitFor();
  await button(page, 'Save').click();
  await page.getByText('Your changes are saved.').waitFor();
});
