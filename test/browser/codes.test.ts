import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  openContext,
  openPageAs,
  orderButton,
  screenshot,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import {
  createCode,
  openSale,
  type Person,
  readCode,
  registerUser,
  requestOrder,
} from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  [organizer, buyer] = await Promise.all([registerUser({ role: 'ORGANIZER' }), registerUser()]);
});

const applyCode = async (page: Page, code: string) => {
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Apply' }).click();
};
const totalText = (page: Page) => page.locator('.price-lines').innerText();

test('a buyer applies a code, sees the discount, and pays less', async () => {
  const sale = await openSale({ organizer, currency: 'USD' });
  await createCode(sale, { code: 'EARLY-BIRD', kind: 'percent', value: 20, maxUses: 1 });
  const page = await openPageAs(buyer, `/events/${sale.event.id}`);
  await page.getByLabel('Quantity').fill('2');
  expect(await totalText(page)).toContain('US$102.50');

  await applyCode(page, 'wrong');
  await page.getByRole('alert').filter({ hasText: 'This code does not exist' }).waitFor();
  await applyCode(page, 'early bird');
  await page.getByRole('alert').filter({ hasText: 'letters, digits and dashes' }).waitFor();
  expect(await page.getByLabel('Quantity').inputValue()).toBe('2');

  await applyCode(page, 'early-bird');
  await page.getByText('-US$20.00').waitFor();
  expect(await totalText(page)).toContain('US$82.00');
  await screenshot(page, 'event-code-applied');
  await page.getByLabel('Quantity').fill('1');
  await page.getByText('-US$10.00').waitFor();
  await orderButton(page).click();
  await page.waitForURL(`${sharedStack().sandboxUrl}/checkout/**`);
  expect(await page.locator('main').innerText()).toContain('41');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor();
  expect(await page.getByRole('main').innerText()).toContain('EARLY-BIRD, takes off US$10.00');

  await page.goto(`/events/${sale.event.id}?code=early-bird`);
  await page.getByRole('alert').filter({ hasText: 'used up' }).waitFor();
  await applyCode(page, '');
  await page.getByRole('alert').waitFor({ state: 'detached' });
  expect(await totalText(page)).toContain('US$51.25');
});

test('pressing Pay with a code that was not applied shows its discount first', async () => {
  const sale = await openSale({ organizer, currency: 'USD' });
  await createCode(sale, { code: 'TEN', kind: 'amount', value: 10 });
  const page = await openPageAs(buyer, `/events/${sale.event.id}`);
  await page.getByLabel('Code').fill('ten');
  await orderButton(page).click();
  await page.getByText('-US$10.00').waitFor();
  expect(page.url()).toContain(`/events/${sale.event.id}?code=ten`);
  await orderButton(page).click();
  await page.waitForURL(`${sharedStack().sandboxUrl}/checkout/**`);
});

test('a link with a code shows a visitor the hidden tiers that the code reveals', async () => {
  const sale = await openSale({ organizer, currency: 'USD' });
  const { event } = sale;
  const crewTier = { name: 'Crew', price: 5, quantity: 10, hidden: true };
  await organizer.post(`/api/events/${event.id}/tiers`, crewTier);
  await createCode(sale, { code: 'CREW', kind: 'access' });
  const page = await (await openContext()).newPage();
  await page.goto(`/events/${event.id}`);
  await waitForContent(page);
  expect(await page.getByLabel('Crew').count()).toBe(0);
  await page.goto(`/events/${event.id}?code=crew`);
  await page.getByLabel('Quantity of Crew').fill('1');
  await page.getByText('Your code is accepted.').waitFor();
  await expect.poll(() => totalText(page)).toContain('US$5.13');
  // The sign-in page leads back to the page with the code.
  await page.getByRole('button', { name: 'Sign in to buy' }).click();
  await page.waitForURL('/login?next=*code*');
});

test('a code that reveals a paid tier of a free event shows the ways to pay', async () => {
  const sale = await openSale({ organizer, currency: 'USD', price: 0 });
  const { event } = sale;
  const crewTier = { name: 'Crew', price: 5, quantity: 10, hidden: true };
  await organizer.post(`/api/events/${event.id}/tiers`, crewTier);
  await createCode(sale, { code: 'CREW', kind: 'access', maxUses: 1 });
  const page = await openPageAs(buyer, `/events/${event.id}`);
  await waitForContent(page);
  const payWith = page.getByRole('group', { name: 'Pay with' });
  expect(await payWith.count()).toBe(0);
  await applyCode(page, 'crew');
  await page.getByLabel('Quantity of Crew').fill('1');
  await page.getByText('Your code is accepted.').waitFor();
  const method = await payWith.getByRole('radio', { checked: true }).locator('..').innerText();
  await orderButton(page).click();
  await page.waitForURL('**/checkout/**');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('heading', { name: 'Thank you, your order is paid' }).waitFor();
  expect(await page.getByRole('main').innerText()).toMatch(new RegExp(`Paid with\\s+${method.trim()}`));
});

test('an organizer creates a code, sees its use, deactivates and deletes it', async () => {
  const sale = await openSale({ organizer, currency: 'USD' });
  const { event } = sale;
  const page = await openPageAs(organizer, `/organizer/events/${event.id}`);
  await page.getByRole('link', { name: 'Codes' }).click();
  await page.getByText('There are no codes yet.').waitFor();
  await page.getByLabel('Code', { exact: true }).fill('early-bird');
  await page.getByLabel('What it does').selectOption('percent');
  await page.getByLabel('Percent').fill('20');
  await page.getByLabel('Maximum orders', { exact: true }).fill('3');
  await page.getByRole('button', { name: 'Create the code' }).click();
  const row = page.getByRole('row', { name: /EARLY-BIRD/ });
  await row.waitFor();
  expect(await row.innerText()).toMatch(/20 % off\s+All tiers\s+0 of 3/);

  // An invalid percentage and an existing code are refused, and the form keeps its input.
  await page.getByLabel('Code', { exact: true }).fill('EARLY-bird');
  await page.getByLabel('Percent').fill('150');
  await page.getByRole('button', { name: 'Create the code' }).click();
  await expect.poll(() => page.getByLabel('Percent').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Percent').fill('15');
  await page.getByRole('button', { name: 'Create the code' }).click();
  await page.getByRole('alert').filter({ hasText: 'already' }).waitFor();
  expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('EARLY-bird');

  const tierId = event.tiers[0].id;
  const body = { eventId: event.id, tierId, quantity: 1, paymentMethod: 'FIAT', code: 'early-bird' };
  await buyer.post('/api/orders/initialize', body);
  await page.reload();
  await waitForContent(page);
  expect(await row.innerText()).toMatch(/1 of 3/);
  await page.getByRole('button', { name: 'Deactivate EARLY-BIRD' }).click();
  await page.getByRole('button', { name: 'Activate EARLY-BIRD', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Activate EARLY-BIRD', exact: true }).click();
  await page.getByRole('button', { name: 'Deactivate EARLY-BIRD' }).waitFor();
  // Deleting a used code only deactivates it.
  await page.getByRole('button', { name: 'Delete EARLY-BIRD' }).click();
  await page.getByRole('button', { name: 'Activate EARLY-BIRD', exact: true }).waitFor();
  expect(await readCode(sale, 'EARLY-BIRD')).toMatchObject({ active: false, uses: 1 });
  await screenshot(page, 'codes-used');

  await createCode(sale, { code: 'BUDGET', kind: 'amount', value: 10, budget: 10 });
  await page.reload();
  const budgetRow = page.getByRole('row', { name: /BUDGET/ });
  await expect.poll(() => budgetRow.innerText()).toContain('Valid');
  expect((await requestOrder(sale, buyer, { code: 'budget' })).status).toBe(201);
  await page.reload();
  await expect.poll(() => budgetRow.innerText()).toMatch(/US\$10\.00 of US\$10\.00.*Used up/s);
});
