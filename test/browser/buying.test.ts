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
import { controlSandbox, freshEmail, openSale, type Person, registerUser } from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  [organizer, buyer] = await Promise.all([registerUser({ role: 'ORGANIZER' }), registerUser()]);
});

const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

/** Orders tickets on the event's page, and waits for the gateway's checkout. */
async function orderTickets(page: Page, { quantity = 1, method = 'Card' } = {}): Promise<void> {
  await page.getByLabel('Quantity').fill(`${quantity}`);
  await page.getByLabel(method, { exact: true }).check();
  await orderButton(page).click();
  await page.waitForURL(`${sharedStack().sandboxUrl}/checkout/**`);
}

test('a new visitor finds an event, registers, buys through gateway-a, and sees the tickets', async () => {
  const title = `Night ${Date.now()}`;
  const { event } = await openSale({ organizer, title, currency: 'USD', hasContract: true });
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const page = await (await openContext()).newPage();

  // Deployments have block explorers; the local chain has none.
  await page.route('**/config.json', async (route) => {
    const config = await (await route.fetch()).json();
    const chains = { 137: { name: 'Polygon', explorer: 'https://polygonscan.com' } };
    await route.fulfill({ json: { ...config, chains } });
  });
  await page.goto('/');
  await page.getByLabel('Title, venue or city').fill(title.toLowerCase());
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: title }).click();
  await page.waitForURL(`/events/${event.id}`);
  await page.getByRole('button', { name: 'Sign in to buy' }).click();
  await page.getByRole('link', { name: 'Register' }).click();
  await page.getByLabel('Name').fill('Ben Buyer');
  await page.getByLabel('E-mail').fill(freshEmail());
  await page.getByLabel('Password').fill('battery staple');
  await page.getByRole('button', { name: 'Register' }).click();
  await page.waitForURL(`/events/${event.id}`);
  const account = await page.context().newPage();
  await account.goto('/account');
  await account.getByLabel('Wallet address').fill(wallet);
  await account.getByRole('button', { name: 'Save the wallet' }).click();
  await account.getByText('Saved.').waitFor();
  await account.close();

  await orderTickets(page, { quantity: 2 });
  expect(await page.locator('main').innerText()).toMatch(/102\.50.*2 × Standing, Night \d+.*BOX-/s);
  expect(await page.locator('body').innerText()).toContain('no money moves');
  await page.getByRole('button', { name: /^Pay/ }).click();

  await page.waitForURL('/orders/*?reference=BOX-*');
  await waitForHeading(page, 'Thank you, your order is paid');
  await page.getByText('Your tickets are in your wallet').waitFor();
  await screenshot(page, 'order-paid');
  await page.getByRole('main').getByRole('link', { name: 'My tickets' }).click();
  await waitForContent(page);
  const tickets = page.locator('.ticket');
  expect(await tickets.count()).toBe(2);
  expect(await tickets.getByRole('img', { name: 'QR code for the door' }).count()).toBe(2);
  await tickets.first().getByText('Details').click();
  const ticketText = await tickets.first().innerText();
  const explorer = 'https://polygonscan.com';
  // Values are shortened in the text, but complete in the links.
  expect(ticketText).toMatch(/Token\s+\d{6}…\d{4}\s/);
  expect(ticketText).toMatch(/Transaction\s+0x[0-9a-f]{4}…[0-9a-f]{4}\s/);
  const links = await tickets
    .first()
    .locator(`a[href^="${explorer}"]`)
    .evaluateAll((found) => found.map((link) => `${(link as unknown as { href: string }).href}`));
  expect(links).toEqual([
    expect.stringMatching(/\/nft\/0x[0-9a-fA-F]{40}\/\d{60,78}$/),
    expect.stringMatching(/\/address\/0x[0-9a-fA-F]{40}$/),
    expect.stringMatching(/\/tx\/0x[0-9a-f]{64}$/),
  ]);

  await page.getByRole('link', { name: 'Notifications 1' }).click();
  await page.getByText(`You bought 2 tickets to ${title}.`).waitFor();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await page.getByRole('link', { name: 'Notifications', exact: true }).waitFor();
});

test.each(['Bank transfer', 'International card'])('a buyer pays with %s', async (method) => {
  const { event } = await openSale({ organizer });
  const page = await openPageAs(buyer, `/events/${event.id}`);
  await orderTickets(page, { method });
  await page.getByRole('button', { name: /^Pay/ }).click();
  await waitForHeading(page, 'Thank you, your order is paid');
});

test('a declined payment leads back to an unpaid order, and the ticket is on sale again', async () => {
  const { event } = await openSale({ organizer, quantity: 1 });
  const page = await openPageAs(buyer, `/events/${event.id}`);
  await orderTickets(page);
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('status').filter({ hasText: 'declined' }).waitFor();
  await page.getByRole('button', { name: 'Leave' }).click();
  await waitForHeading(page, 'Your payment was declined');
  await page.getByRole('link', { name: 'Order again' }).click();
  await page.getByText('1 ticket left').waitFor();
});

test('the order’s page waits for the webhook, even when its URL says that the order is paid', async () => {
  const { event } = await openSale({ organizer });
  const page = await openPageAs(buyer, `/events/${event.id}`);
  await orderTickets(page);
  const reference = await page.locator('dd', { hasText: 'BOX-' }).innerText();
  const { returnUrl } = await controlSandbox(`payments/${reference}/pay`, { webhook: false });
  await page.goto(`${returnUrl}&status=successful`);
  await waitForHeading(page, 'Waiting for your payment');
  for (let polls = 0; polls < 3; polls++) {
    const response = await page.waitForResponse('**/api/orders/*');
    expect((await response.json()).order.paymentStatus).toBe('PENDING');
  }
  await waitForHeading(page, 'Waiting for your payment');
  await screenshot(page, 'order-pending');

  await controlSandbox(`payments/${reference}/pay`);
  await waitForHeading(page, 'Thank you, your order is paid');
});

test('a buyer who leaves without paying can go back to the payment, or cancel', async () => {
  const { event } = await openSale({ organizer });
  const page = await openPageAs(buyer, `/events/${event.id}`);
  await orderTickets(page);
  await page.getByRole('button', { name: 'Leave' }).click();
  await waitForHeading(page, 'Waiting for your payment');
  await page.getByRole('link', { name: 'Go to payment' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await waitForHeading(page, 'You cancelled this order');
});

test('two tabs order the last ticket at once: one opens the checkout, the other shows that it is sold out', async () => {
  const { event } = await openSale({ organizer, quantity: 1 });
  const first = await openPageAs(buyer, `/events/${event.id}`);
  const second = await first.context().newPage();
  await second.goto(`/events/${event.id}`);
  const tabs = [first, second];
  await Promise.all(tabs.map((tab) => tab.getByText('1 ticket left').waitFor()));
  await Promise.all(tabs.map((tab) => orderButton(tab).click()));

  const outcomes = await Promise.all(
    tabs.map((tab) =>
      Promise.race([
        tab.waitForURL('**/checkout/**').then(() => 'checkout'),
        tab.getByRole('alert').innerText(),
      ]),
    ),
  );
  expect(outcomes.sort()).toEqual(['Sold out', 'checkout']);
  const soldOutTab = tabs.find((tab) => !tab.url().includes('/checkout/')) as Page;
  await soldOutTab.getByText('This event is sold out.').waitFor();
  expect(await orderButton(soldOutTab).count()).toBe(0);
  await screenshot(soldOutTab, 'event-sold-out');
  const { orders } = (await buyer.get('/api/orders?limit=100')).body;
  expect(orders.filter(({ eventId }: { eventId: string }) => eventId === event.id)).toHaveLength(1);
});
