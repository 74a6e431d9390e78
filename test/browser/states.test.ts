import type { Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  openContext,
  openPageAs,
  orderButton,
  phone,
  screenshot,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import {
  addStaff,
  buyTickets,
  createCode,
  openSale,
  type Person,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';

useBrowser();

let sale: Sale;
let buyer: Person;
let doorStaff: Person;
let orderId: string;
beforeAll(async () => {
  [sale, buyer, doorStaff] = await Promise.all([
    openSale({ title: 'States' }),
    registerUser(),
    registerUser({ name: 'Dora Door' }),
  ]);
  ({ orderId } = await buyTickets(sale, buyer, 1));
  await addStaff(sale.organizer, sale.event.id, doorStaff, 'door');
  await createCode(sale, { code: 'EARLY-BIRD', kind: 'percent', value: 10 });
});

const answerWithError = (route: Route) => route.fulfill({ status: 500, json: { error: 'Internal error' } });
const alertOn = (page: Page) => page.getByRole('main').getByRole('alert');

type Visitor = 'buyer' | 'organizer' | 'doorStaff';

/** The requests that pages make for their content, and a text that a page shows when the request has succeeded. */
const requests: [name: string, visitor: Visitor, path: () => string, url: string, loadedText: string][] = [
  ['events', 'buyer', () => '/?q=states', '**/api/events?*', 'States'],
  ['event', 'buyer', () => `/events/${sale.event.id}`, '**/api/events/*', 'States'],
  ['order', 'buyer', () => `/orders/${orderId}`, '**/api/orders/*', 'Thank you, your order is paid'],
  ['tickets', 'buyer', () => '/tickets', '**/api/orders', 'States'],
  ['tickets-event', 'buyer', () => '/tickets', '**/api/events/*', 'States'],
  ['tickets-codes', 'buyer', () => '/tickets', '**/api/seats?*orderId=*', 'Ticket 1'],
  ['notifications', 'buyer', () => '/notifications', '**/api/notifications', 'Ticket Purchase Successful'],
  ['organizer', 'organizer', () => '/organizer', '**/api/events?*', 'States'],
  ['sales', 'organizer', () => `/organizer/events/${sale.event.id}`, '**/summary', 'Paid by buyers'],
  ['sales-orders', 'organizer', () => `/organizer/events/${sale.event.id}`, '**/orders', 'Ann Example'],
  ['edit', 'organizer', () => `/organizer/edit/${sale.event.id}`, '**/api/events/*', 'Title'],
  ['attendees', 'organizer', () => `/organizer/attendees/${sale.event.id}`, '**/admissions*', '0 of 1'],
  ['organizer-order', 'organizer', () => `/organizer/orders/${orderId}`, '**/api/orders/*', 'Refund'],
  ['payouts', 'organizer', () => '/organizer/payouts', '**/balance', 'are available'],
  ['payouts-list', 'organizer', () => '/organizer/payouts', '**/api/payouts', 'not requested a payout yet'],
  ['check-in', 'organizer', () => `/organizer/check-in/${sale.event.id}`, '**/api/events/*', 'Find a name'],
  ['codes', 'organizer', () => `/organizer/codes/${sale.event.id}`, '**/summary', 'Create a code'],
  ['codes-list', 'organizer', () => `/organizer/codes/${sale.event.id}`, '**/codes', 'EARLY-BIRD'],
  ['staff', 'organizer', () => `/organizer/staff/${sale.event.id}`, '**/staff', 'Dora Door'],
  ['work', 'doorStaff', () => '/work', '**/api/events?*staff=me*', 'At the door'],
  ['session', 'buyer', () => '/', '**/api/auth/refresh-token', 'Title, venue or city'],
];

describe.each(requests)('the page with the request %s', (name, visitor, path, url, loadedText) => {
  const openPage = async () =>
    (await openContext({ buyer, doorStaff, organizer: sale.organizer }[visitor])).newPage();
  const content = (page: Page) => page.getByText(loadedText).first();

  test('shows that it is loading, an error when the request fails, and its content after "Try again"', async () => {
    const page = await openPage();
    await page.setViewportSize(phone);
    const delay = Promise.withResolvers<void>();
    await page.route(url, async (route) => {
      await delay.promise;
      await answerWithError(route);
    });
    await page.goto(path());
    await page.getByRole('status').filter({ hasText: 'Loading…' }).first().waitFor();
    expect(await content(page).count()).toBe(0);
    delay.resolve();
    await alertOn(page).waitFor();
    expect(await alertOn(page).innerText()).toContain('Something went wrong. Please try again.');
    await screenshot(page, `error-${name}`);
    await page.unroute(url);
    await alertOn(page).getByRole('button', { name: 'Try again' }).click();
    await content(page).waitFor();
    await waitForContent(page);
    expect(await alertOn(page).count()).toBe(0);
    expect(await page.getByText('Loading…').count()).toBe(0);
  });
});

test.each([
  ['events', '/?q=nothing-has-this-title', 'No events found'],
  ['tickets', '/tickets', 'You have ordered no tickets yet'],
  ['notifications', '/notifications', 'Nothing has happened yet'],
  ['organizer', '/organizer', 'You have no events yet'],
  ['payouts', '/organizer/payouts', 'You have earned nothing yet'],
  ['work', '/work', 'confirm your e-mail address first'],
])('the page %s shows a message when its list is empty', async (name, path, sentence) => {
  const page = await openPageAs(await registerUser({ role: 'ORGANIZER' }), path);
  await page.getByText(sentence).waitFor();
  await screenshot(page, `empty-${name}`);
});

test('the organizer’s pages of an event show a message when their lists are empty', async () => {
  const { organizer, event } = await openSale({ title: 'Nothing yet' });
  const page = await openPageAs(organizer);
  for (const [name, sentence] of [
    ['events', 'Nobody has ordered yet'],
    ['attendees', 'Nobody has a ticket yet'],
    ['codes', 'There are no codes yet'],
    ['staff', 'Nobody but you works at this event'],
  ] as const) {
    await page.goto(`/organizer/${name}/${event.id}`);
    await page.getByText(sentence).waitFor();
    await screenshot(page, `empty-event-${name}`);
  }
});

test.each([
  ['/events/nothing', 'Event not found.'],
  ['/orders/nothing', 'Order not found.'],
  ['/organizer/events/nothing', 'Event not found.'],
  ['/organizer/codes/nothing', 'Event not found.'],
  ['/organizer/staff/nothing', 'Event not found.'],
  ['/organizer/check-in/nothing', 'Event not found.'],
  ['/organizer/edit/nothing', 'Event not found.'],
  ['/organizer/attendees/nothing', 'Event not found.'],
  ['/organizer/orders/nothing', 'Order not found.'],
])('%s shows only an error and a link to the events', async (path, sentence) => {
  const page = await openPageAs(buyer, path);
  const main = page.getByRole('main');
  expect(await alertOn(page).innerText()).toBe(sentence);
  await expect.poll(() => page.title()).toBe(`${sentence.slice(0, -1)} · Boxoffice`);
  expect(await main.locator('h1, h2, table, dl, button, form').count()).toBe(0);
  await screenshot(page, `missing-${path.split('/').slice(1, -1).join('-')}`);
  await main.getByRole('link', { name: 'See what is on' }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();
});

test('an unknown path is answered with the status 404 and a page that links to the events', async () => {
  const page = await (await openContext()).newPage();
  for (const viewport of [phone, { width: 1280, height: 800 }]) {
    await page.setViewportSize(viewport);
    expect((await page.goto('/no/such/page'))?.status()).toBe(404);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expect.poll(() => page.title()).toBe('Page not found · Boxoffice');
    await screenshot(page, `not-found-${viewport.width}`);
  }
  await page.getByRole('link', { name: 'See what is on' }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();
});

test('pages have the name of the deployment’s configuration', async () => {
  const page = await (await openContext()).newPage();
  await page.route('**/config.json', async (route) => {
    const config = await (await route.fetch()).json();
    return route.fulfill({ json: { ...config, name: 'Old Station' } });
  });
  await page.goto('/login');
  await page.getByRole('banner').getByRole('link', { name: 'Old Station' }).waitFor();
  await expect.poll(() => page.title()).toBe('Sign in · Old Station');
});

test('the sign-in form shows an error and keeps its input when the service is unreachable', async () => {
  const page = await (await openContext()).newPage();
  await page.goto('/login');
  await page.route('**/api/auth/login', (route) => route.abort());
  await page.getByLabel('E-mail').fill(buyer.user.email);
  await page.getByLabel('Password').fill(buyer.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await alertOn(page).filter({ hasText: 'can’t be reached' }).waitFor();
  await page.unroute('**/api/auth/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
});

test('"Show more" loads the next page of a list, also after a failed attempt', async () => {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  for (let number = 1; number <= 21; number++) {
    const body = { title: `Evening ${number}`, venue: 'Club', startDate: '2031-01-01T20:00:00Z' };
    expect((await organizer.post('/api/events', body)).status).toBe(201);
  }
  const page = await openPageAs(organizer, '/organizer');
  const cards = page.getByRole('main').getByRole('listitem');
  expect(await cards.count()).toBe(20);
  await page.route('**/api/events?*', answerWithError);
  const showMore = page.getByRole('button', { name: 'Show more' });
  await showMore.click();
  await alertOn(page).waitFor();
  expect(await cards.count()).toBe(20);
  await page.unroute('**/api/events?*');
  await showMore.click();
  await cards.nth(20).waitFor();
  expect(await cards.count()).toBe(21);
  expect(await showMore.count()).toBe(0);
  expect(await alertOn(page).count()).toBe(0);
});

test('pressing Pay again after a lost answer creates no second order', async () => {
  const guest = await registerUser();
  const page = await openPageAs(guest, `/events/${sale.event.id}`);
  await page.route('**/api/orders/initialize', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const buyButton = orderButton(page);
  await buyButton.click();
  await alertOn(page).filter({ hasText: 'can’t be reached' }).waitFor();
  await page.unroute('**/api/orders/initialize');
  await buyButton.click();
  await page.waitForURL('**/checkout/**');
  const { orders } = (await guest.get('/api/orders')).body;
  expect(orders).toHaveLength(1);
});
