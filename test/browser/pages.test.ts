import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  expectAccessible,
  openContext,
  openPageAs,
  phone,
  screenshot,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  controlSandbox,
  createCode,
  initializeOrder,
  openSale,
  type Person,
  readOrder,
  registerUser,
} from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

/** The addresses of pages that show the test's data, by name. */
const addresses: Record<string, string> = {};
let organizer: Person;
let buyer: Person;

beforeAll(async () => {
  const title = 'An evening of rather quiet music, with a title that is longer than most';
  const sale = await openSale({ title, currency: 'USD', price: 49.5, hasContract: true });
  const { event } = sale;
  organizer = sale.organizer;
  buyer = await registerUser({ walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' });
  await organizer.post(`/api/events/${event.id}/tiers`, {
    name: 'Balcony',
    description: 'Seated, with a view',
    price: 120,
    quantity: 0,
  });
  await createCode(sale, { code: 'EARLY-BIRD', kind: 'percent', value: 10, maxUses: 100, budget: 500 });
  const paidOrder = await buyTickets(sale, buyer, 2);
  const failedOrder = await initializeOrder(sale, buyer, 1);
  await controlSandbox(`payments/${failedOrder.reference}/decline`);
  const pendingOrder = await initializeOrder(sale, buyer, 1);
  const { checkoutUrl } = await readOrder(buyer, pendingOrder.orderId);
  await eventually('the tickets are minted', async () => {
    const { body } = await buyer.get('/api/tickets');
    return body.tickets.length === 2;
  });
  Object.assign(addresses, {
    event: `/events/${event.id}`,
    'order-paid': `/orders/${paidOrder.orderId}`,
    'order-failed': `/orders/${failedOrder.orderId}`,
    'order-pending': `/orders/${pendingOrder.orderId}`,
    checkout: checkoutUrl,
    'checkout-unknown': `${sharedStack().sandboxUrl}/checkout/unknown`,
    'event-with-code': `/events/${event.id}?code=early-bird`,
    sales: `/organizer/events/${event.id}`,
    codes: `/organizer/codes/${event.id}`,
    edit: `/organizer/edit/${event.id}`,
    attendees: `/organizer/attendees/${event.id}`,
    'order-of-organizer': `/organizer/orders/${paidOrder.orderId}`,
    payouts: '/organizer/payouts',
    integrations: '/organizer/integrations',
  });
});

describe('pages are accessible in both colour schemes, and no wider than the screen:', () => {
  test.each([
    ['index', '/'],
    ['login', '/login'],
    ['register', '/register'],
    ['forgot-password', '/forgot-password'],
    ['reset-password', '/reset-password?token=guessed'],
    ['verify-email', '/verify-email?token=guessed'],
    ['event-visitor', 'event'],
    ['event-with-code', 'event-with-code'],
    ['checkout', 'checkout'],
    ['checkout-unknown', 'checkout-unknown'],
  ])('the page %s of a visitor', async (name, pathOrName) => {
    const page = await (await openContext()).newPage();
    await page.goto(addresses[pathOrName] ?? pathOrName);
    if (pathOrName.startsWith('checkout')) await page.getByRole('main').waitFor();
    else await waitForContent(page);
    await expectAccessible(page, name);
  });

  test('the pages of a buyer', async () => {
    const page = await openPageAs(buyer, '/account');
    await expectAccessible(page, 'account');
    for (const name of ['event', 'order-paid', 'order-failed', 'order-pending', 'tickets', 'notifications']) {
      await page.goto(addresses[name] ?? `/${name}`);
      await waitForContent(page);
      await expectAccessible(page, name);
    }
  });

  test('the pages of an organizer', async () => {
    const page = await openPageAs(organizer, '/organizer');
    await expectAccessible(page, 'organizer');
    await page.goto('/organizer/events/new');
    await waitForContent(page);
    await expectAccessible(page, 'new-event');
    await page.goto(`${addresses.sales}`);
    await waitForContent(page);
    await expectAccessible(page, 'sales');
    await page.getByRole('button', { name: 'Cancel the event' }).click();
    await expectAccessible(page, 'cancel');
    for (const name of ['codes', 'edit', 'attendees', 'order-of-organizer', 'payouts', 'integrations']) {
      await page.goto(`${addresses[name]}`);
      await waitForContent(page);
      await expectAccessible(page, name);
    }
    await page.goto(`${addresses.sales}`);
    await waitForContent(page);
    await page.getByRole('link', { name: 'Check tickets in' }).click();
    await page.getByText('Enter a code', { exact: true }).click();
    await page.getByLabel('Code of the ticket').fill('somebody');
    await page.getByRole('button', { name: 'Check in' }).click();
    // Whichever result it is: without an answer in time, the page judges by its own list.
    await page.getByRole('log').getByRole('listitem').waitFor();
    await expectAccessible(page, 'check-in');
    await page.goto(`${addresses.sales}`.replace('events', 'staff'));
    await waitForContent(page);
    await expectAccessible(page, 'staff');
    await page.goto('/work');
    await waitForContent(page);
    await expectAccessible(page, 'work');
  });
});

test('the checkout works with the keyboard alone', async () => {
  const page = await (await openContext()).newPage();
  await page.goto(`${addresses.checkout}`);
  const focusedText = () => page.evaluate('document.activeElement.textContent');
  const focusOrder: unknown[] = [];
  for (let presses = 0; presses < 3; presses++) {
    await page.keyboard.press('Tab');
    focusOrder.push(await focusedText());
  }
  expect(focusOrder).toEqual(['Pay $50.74', 'Decline the payment', 'Leave without paying']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The payment was declined').waitFor();
});

test('a table that is wider than a phone has a shadow where it goes on', async () => {
  const page = await openPageAs(organizer, addresses.sales);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(phone);
  const table = page.getByRole('region', { name: 'Sold' });
  await table.scrollIntoViewIfNeeded();
  await screenshot(page, 'table-cue-light', { fullPage: false });
  expect(await readShadows(page, table)).toEqual({ left: false, right: true });
  await table.evaluate((element) => element.scrollTo({ left: 40 }));
  expect(await readShadows(page, table)).toEqual({ left: true, right: true });
  await table.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
  expect(await readShadows(page, table)).toEqual({ left: true, right: false });
});

/** Returns at which sides of a table in light colours the first pixels inside its border are darker than white. */
async function readShadows(page: Page, table: Locator) {
  const box = await table.boundingBox();
  if (!box) throw new Error('The table is not shown');
  const clip = { ...box, y: box.y + 6, height: 1 };
  const { data, width } = PNG.sync.read(await page.screenshot({ clip }));
  const isDark = (x: number) => (data[x * 4] ?? 0) < 240;
  return { left: isDark(3), right: isDark(width - 4) };
}
