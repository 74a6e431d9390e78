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
  buyTickets,
  openSale,
  type Person,
  readOrder,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { readQrCode } from '../support/images.ts';

useBrowser();

let sale: Sale;
let buyer: Person;
beforeAll(async () => {
  [sale, buyer] = await Promise.all([openSale(), registerUser({ name: 'Ben Buyer' })]);
});

/** Returns the text of a QR code on a page. */
async function readQr(page: Page, index = 0): Promise<string | undefined> {
  const image = page.getByRole('img', { name: 'QR code for the door' }).nth(index);
  // The picture is loaded when it scrolls into view.
  await image.scrollIntoViewIfNeeded();
  const width = () =>
    image.evaluate((element) => ('naturalWidth' in element ? Number(element.naturalWidth) : 0));
  await expect.poll(width, { timeout: 60_000 }).toBeGreaterThan(0);
  const svg = await page.request.get(`${await image.getAttribute('src')}`);
  return readQrCode(await svg.text());
}

/** Opens a page as the organizer, which waits for answers however slow this machine is, rather than offer to go offline. */
async function openDoor(path: string): Promise<Page> {
  const context = await openContext(sale.organizer);
  await context.addInitScript(`{
    const { timeout } = AbortSignal;
    AbortSignal.timeout = (milliseconds) => timeout.call(AbortSignal, 30 * milliseconds);
  }`);
  const page = await context.newPage();
  await page.goto(path);
  await waitForContent(page);
  return page;
}

/** Enters a code on the check-in page. @returns its result, which the page shows above the earlier ones */
async function enterCode(page: Page, code: string): Promise<string> {
  const results = page.getByRole('log').getByRole('listitem');
  const earlierResults = await results.count();
  const field = page.getByLabel('Code of the ticket');
  if (!(await field.isVisible())) await page.getByText('Enter a code', { exact: true }).click();
  await field.fill(code);
  await page.keyboard.press('Enter');
  await results.nth(earlierResults).waitFor();
  return results.first().innerText();
}

/** Formats a time as the pages show it in Berlin. */
function formatTime(time: string): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'Europe/Berlin' });
  const zone = format({ timeZoneName: 'short' })
    .formatToParts(new Date(time))
    .find(({ type }) => type === 'timeZoneName');
  return `${format({ dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time))} ${zone?.value}`;
}

test('the organizer checks a buyer’s ticket in once, and a second scan shows the time of the first', async () => {
  const page = await openPageAs(buyer, `/events/${sale.event.id}`);
  await page.getByLabel('Quantity').fill('2');
  await orderButton(page).click();
  await page.waitForURL('**/checkout/**');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('heading', { name: 'At the door' }).waitFor();
  const orderId = new URL(page.url()).pathname.split('/').at(-1) as string;
  await page.getByText('You need no wallet').waitFor();
  const code = await readQr(page);
  expect(await page.getByRole('main').textContent()).toContain(code);
  await page.getByRole('main').getByRole('link', { name: 'My tickets' }).click();
  await waitForContent(page);
  expect(await readQr(page)).toBe(code);
  expect(await readQr(page, 1)).not.toBe(code);

  const checkInPage = await openDoor(`/organizer/events/${sale.event.id}`);
  await checkInPage.getByRole('link', { name: 'Check tickets in' }).click();
  await waitForContent(checkInPage);
  expect(await enterCode(checkInPage, `${code}`)).toMatch(
    /^Checked in\s+Ben Buyer\s+Standing, ticket 1 of 2\.\s+Undo$/,
  );
  expect(await checkInPage.evaluate('document.activeElement.name')).toBe('code');
  const { admissions } = await readOrder(buyer, orderId);
  const firstScan = formatTime(admissions[0].checkedInAt);
  expect(await enterCode(checkInPage, `${code}`)).toMatch(
    new RegExp(
      `^Already in\\s+Ben Buyer, Standing: checked in already at ${firstScan} by ${sale.organizer.user.name}\\.$`,
    ),
  );
  await screenshot(checkInPage, 'check-in');

  await page.reload();
  await waitForContent(page);
  await page.getByText(firstScan).waitFor();
  expect(await page.getByText('Checked in', { exact: true }).count()).toBe(1);
  await screenshot(page, 'tickets-checked-in');
});

test('a scan beyond the twenty that the page shows adds one result and removes the oldest', async () => {
  const page = await openDoor(`/organizer/check-in/${sale.event.id}`);
  const results = page.getByRole('log').getByRole('listitem');
  for (let count = 0; count < 20; count++) await enterCode(page, `code-${count}`);
  // A screen reader reads changed elements, so those of earlier results stay as they are.
  await results.first().evaluate((element) => element.setAttribute('data-scan', '20'));
  await page.getByLabel('Code of the ticket').fill('code-20');
  await page.keyboard.press('Enter');
  await expect.poll(() => results.nth(1).getAttribute('data-scan')).toBe('20');
  expect(await results.first().getAttribute('data-scan')).toBeNull();
  expect(await results.count()).toBe(20);
});

test('the check-in page also checks the codes that are entered while it checks another code', async () => {
  const page = await openDoor(`/organizer/check-in/${sale.event.id}`);
  let resumeFirstCheck = () => {};
  const allCodesEntered = new Promise<void>((resolve) => {
    resumeFirstCheck = resolve;
  });
  await page.route(
    '**/api/tickets/check-in',
    async (route) => {
      await allCodesEntered;
      await route.continue();
    },
    { times: 1 },
  );
  await page.getByText('Enter a code', { exact: true }).click();
  const field = page.getByLabel('Code of the ticket');
  for (const code of ['first', 'second', 'third']) {
    await field.fill(code);
    await page.keyboard.press('Enter');
  }
  resumeFirstCheck();
  const results = page.getByRole('log').getByRole('listitem');
  await results.nth(2).waitFor();
  expect(await results.allInnerTexts()).toEqual(Array(3).fill(expect.stringContaining('Not a ticket')));
});

test('the check-in page shows why a ticket is refused', async () => {
  const { orderId } = await buyTickets(sale, buyer, 1);
  const [{ checkInCode }] = (await readOrder(buyer, orderId)).admissions;
  const otherSale = await openSale({ organizer: sale.organizer });
  const pastSale = await openSale({ organizer: sale.organizer });
  const pastOrder = await buyTickets(pastSale, buyer, 1);
  const [{ checkInCode: pastCode }] = (await readOrder(buyer, pastOrder.orderId)).admissions;
  const eventDate = new Date(Date.now() - 2 * 24 * 3600 * 1000).toISOString();
  await sale.organizer.put(`/api/events/${pastSale.event.id}`, {
    eventDate,
    saleStart: eventDate,
    saleEnd: eventDate,
  });

  const checkInPage = await openDoor(`/organizer/check-in/${otherSale.event.id}`);
  expect(await enterCode(checkInPage, checkInCode)).toMatch(
    /^Another event\s+The ticket is for another event\.$/,
  );
  expect(await enterCode(checkInPage, 'somebody')).toMatch(/^Not a ticket\s+This is not a check-in code\.$/);
  await screenshot(checkInPage, 'check-in-refused');

  // The page loads the count again after each scan.
  await checkInPage.route('**/api/events/*/admissions', (route) => route.abort());
  await enterCode(checkInPage, 'somebody');
  await checkInPage.getByText('0 of 0 in (not up to date)').waitFor();

  const pastCheckInPage = await openDoor(`/organizer/check-in/${pastSale.event.id}`);
  expect(await enterCode(pastCheckInPage, pastCode)).toMatch(
    /^Too late\s+The event ended more than a day ago/,
  );
});
