import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible, openPageAs, orderButton, useBrowser, waitForContent } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  initializeOrder,
  openSale,
  type Person,
  readOrder,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';

/** The buyer's pages in each state of an order. States that need a fault or a long wait replace the API's answer. */

useBrowser();

let organizer: Person;
let sale: Sale;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
  sale = await openSale({ organizer, currency: 'USD' });
});

const callAsOrganizer = (method: string, path: string, body?: object) =>
  call(method, path, { token: organizer.token, body });
const cancelEvent = ({ event }: Sale) =>
  callAsOrganizer('PUT', `/api/events/${event.id}`, { status: 'CANCELLED' });

/** Opens the buyer's page of an order, and waits for its heading. */
async function openOrder(buyer: Person, orderId: string, heading: string): Promise<Page> {
  const page = await openPageAs(buyer, `/orders/${orderId}`);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  return page;
}
const mainText = (page: Page) => page.getByRole('main').innerText();

test('the order and the tickets of a cancelled event show the cancellation and the refund', async () => {
  const cancelled = await openSale({ organizer, currency: 'USD', title: 'Cancelled night' });
  const [buyer, unpaidBuyer] = await Promise.all([registerUser(), registerUser()]);
  const [{ orderId }, unpaidOrder] = await Promise.all([
    buyTickets(cancelled, buyer, 2),
    initializeOrder(cancelled, unpaidBuyer, 1),
  ]);
  expect((await cancelEvent(cancelled)).status).toBe(200);

  const page = await openOrder(buyer, orderId, 'The event was cancelled');
  await eventually('the refund is sent', async () => {
    await sharedStack().sweep();
    return (await readOrder(buyer, orderId)).refund?.status === 'done';
  });
  await page.getByText('US$102.50 were sent back the way you paid').waitFor();
  expect(await mainText(page)).not.toMatch(/Thank you|At the door|Add to calendar|COMPLETED/);
  await expectAccessible(page, 'order-event-cancelled');
  await page.goto('/tickets');
  await waitForContent(page);
  await page.locator('.ticket').getByText('Your tickets are no longer valid.').waitFor();
  expect(await mainText(page)).toContain('Refunded');
  await expectAccessible(page, 'tickets-event-cancelled');

  const unpaidPage = await openOrder(unpaidBuyer, unpaidOrder.orderId, 'The event was cancelled');
  await unpaidPage.getByText('there is nothing to refund').waitFor();
  expect(await unpaidPage.getByRole('link', { name: /Go to payment|Order again/ }).count()).toBe(0);
});

test('a refunded order shows the refund, and its tickets are no longer valid', async () => {
  const buyer = await registerUser();
  const { orderId } = await buyTickets(sale, buyer, 1);
  expect((await callAsOrganizer('POST', `/api/orders/${orderId}/refund`)).status).toBe(200);
  const page = await openOrder(buyer, orderId, 'Your order was refunded');
  expect(await mainText(page)).toMatch(/Refunded\s+US\$51\.25/);
  await expectAccessible(page, 'order-refunded');
  await page.goto('/tickets');
  await page.locator('.ticket').getByText('Its tickets are no longer valid.').waitFor();
});

test('free tickets are ordered without choosing a way to pay', async () => {
  const free = await openSale({ organizer, price: 0 });
  const buyer = await registerUser();
  const page = await openPageAs(buyer, `/events/${free.event.id}`);
  expect(await page.getByText('Pay with').count()).toBe(0);
  await orderButton(page).click();
  await page.getByRole('heading', { name: 'Thank you, the tickets are yours' }).waitFor();
  await page.getByText('Show the codes below at the door').waitFor();
});

test('an event’s page offers no way to pay a currency that nothing accepts', async () => {
  const unpayableSale = await openSale({ organizer, currency: 'ETH', price: 5 });
  const page = await openPageAs(await registerUser(), `/events/${unpayableSale.event.id}`);
  await page.getByText('There is no way to pay for these tickets at present').waitFor();
  expect(await orderButton(page).isDisabled()).toBe(true);
  await expectAccessible(page, 'event-way-to-pay');
});

test('a hold counts down by the service’s clock, announces its last minutes, and ends without a link to the payment', async () => {
  const buyer = await registerUser();
  const { orderId } = await initializeOrder(sale, buyer, 1);
  const page = await openPageAs(buyer);
  const { expiresAt } = await readOrder(buyer, orderId);
  await page.route(`**/api/orders/${orderId}`, async (route) => {
    const response = await route.fetch();
    const date = new Date(Date.parse(expiresAt) - 120_000).toUTCString();
    await route.fulfill({ response, headers: { ...response.headers(), date } });
  });
  // The visitor's clock is a day ahead.
  await page.clock.install({ time: Date.now() + 86_400_000 });
  await page.goto(`/orders/${orderId}`);
  const timer = page.getByRole('timer');
  await timer.waitFor();
  const readSeconds = async () => {
    const [, minutes, seconds] = /^(\d+):(\d\d) left$/.exec(await timer.innerText()) ?? [];
    return Number(minutes) * 60 + Number(seconds);
  };
  // Real time passes too. The service's time has no fractions of a second.
  const initialSeconds = await readSeconds();
  expect(initialSeconds).toBeGreaterThan(60);
  expect(initialSeconds).toBeLessThanOrEqual(121);
  await page.clock.runFor(5_000);
  expect(await readSeconds()).toBeLessThanOrEqual(initialSeconds - 5);
  const announcement = page.getByRole('status').filter({ hasText: 'left to pay' });
  expect(await announcement.innerText()).toBe('Less than five minutes are left to pay.');
  await page.clock.runFor(60_000);
  await page.getByText('Less than one minute is left to pay.').waitFor();
  expect(await page.getByRole('link', { name: 'Go to payment' }).count()).toBe(1);
  await page.clock.runFor(60_000);
  await page.getByRole('heading', { name: 'The time to pay is over' }).waitFor();
  expect(await timer.count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Go to payment' }).count()).toBe(0);
});
