import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  expectAccessible,
  openPageAs,
  phone,
  screenshot,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import {
  acceptTransfer,
  buyTickets,
  changeEvent,
  checkIn,
  expectStatus,
  findSeat,
  initializeOrder,
  offerSeat,
  openSale,
  registerUser,
  waitForMintedOrder,
} from '../support/fixtures.ts';

useBrowser();

/** What nobody needs to read at first: ids, addresses and hashes. */
const hexadecimal = /0x[0-9a-f]|[0-9a-f]{12,}|\bcm[0-9a-z]{20,}/i;

/** Returns the text of a page, without e-mail addresses. */
const mainText = async (page: Page) =>
  (await page.getByRole('main').innerText()).replace(/\S+@\S+/g, '').replace(/\s+/g, ' ');

test('tickets show event, holder, state and code, each on a page of its own when printed', async () => {
  const [sale, buyer, friend] = await Promise.all([
    openSale({ title: 'Night trains', currency: 'USD', price: 20, hasContract: true, entry: 'account' }),
    registerUser({ name: 'Ben Buyer', walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
    registerUser({ name: 'Fay Friend' }),
  ]);
  const { organizer, event } = sale;
  const page = { slug: `tickets-${event.id.slice(-8)}`, name: 'Old Station', accent: '#0b6e4f' };
  expectStatus(200, await organizer.put('/api/organizer/page', page));
  expectStatus(200, await changeEvent(sale, { timezone: 'America/New_York' }));
  const { orderId } = await buyTickets(sale, buyer, 3);
  await waitForMintedOrder(buyer, orderId);
  const { transfer } = (await offerSeat(buyer, orderId, 3, friend.user.email)).body;
  expectStatus(200, await acceptTransfer(friend, transfer.token));
  expectStatus(200, await checkIn((await findSeat(buyer, orderId, 2)).code, organizer));
  await initializeOrder(sale, buyer, 1);
  const refunded = await buyTickets(sale, buyer, 1);
  expectStatus(200, await organizer.post(`/api/orders/${refunded.orderId}/refund`));

  const opened = await openPageAs(buyer, '/tickets');
  const tickets = opened.locator('.ticket');
  await expect.poll(() => tickets.count()).toBe(5);
  const texts = (await tickets.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  // The newest order is first.
  expect(texts[0]).toMatch(/^(Refunded|Being refunded|To be refunded) Night trains/);
  expect(texts[1]).toMatch(/^Waiting for payment Night trains/);
  expect(texts[2]).toMatch(
    /^Valid Ticket 1 Night trains .*(EDT|EST|GMT-[45]).* Ticket Standing Attendee Ben Buyer/,
  );
  expect(texts[3]).toMatch(/^Used Ticket 2 .* Checked in /);
  expect(texts[4]).toMatch(/^Transferred Ticket 3 /);
  expect(await mainText(opened)).not.toMatch(hexadecimal);
  expect(await tickets.nth(2).getAttribute('class')).toContain('branded');
  await tickets.nth(2).getByText('Details').click();
  expect(await tickets.nth(2).innerText()).toMatch(/Code[\s\S]*Token[\s\S]*Contract[\s\S]*Transaction\s+0x/);
  await tickets.nth(2).getByText('Details').click();
  await expectAccessible(opened, 'ticket-list');
  // A phone's camera reads a code of 4 cm, which are 150 pixels.
  expect((await tickets.nth(2).getByRole('img', { name: 'QR' }).boundingBox())?.width).toBeGreaterThan(240);

  await opened.emulateMedia({ media: 'print', colorScheme: 'dark' });
  expect(await opened.getByRole('banner').isVisible()).toBe(false);
  expect(await opened.getByRole('heading', { name: 'My tickets' }).isVisible()).toBe(false);
  expect(await opened.getByRole('button').count()).toBe(0);
  await screenshot(opened, 'ticket-print');
  const pdf = (await opened.pdf({ format: 'A4', printBackground: true })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
  await opened.emulateMedia({ media: 'screen' });

  await opened.goto(`/orders/${orderId}`);
  await waitForContent(opened);
  expect(await mainText(opened)).not.toMatch(hexadecimal);
  await expectAccessible(opened, 'ticket-order');

  const received = await openPageAs(friend, '/tickets');
  await received.setViewportSize(phone);
  await received.getByRole('heading', { name: 'From others' }).waitFor();
  await received.locator('.ticket.branded').getByText('Fay Friend').waitFor();
  expect(await mainText(received)).toContain('Valid Ticket 3 Night trains');
  await expectAccessible(received, 'ticket-received');
});
