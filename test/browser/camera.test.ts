import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { phone, phoneWithCamera, screenshot, signedIn, useBrowser } from '../support/browser.ts';
import { createFilm } from '../support/camera.ts';
import { call } from '../support/http.ts';
import { addStaff, type Person, registerUser } from '../support/people.ts';
import { buyTickets, openSale, readOrder, type Sale } from '../support/sales.ts';

useBrowser();

let sale: Sale;
let buyer: Person;
let door: Person;
beforeAll(async () => {
  [sale, buyer, door] = await Promise.all([
    openSale({ title: 'Jazz in the Park' }),
    registerUser({ name: 'Adaeze Okonkwo-Whitfield' }),
    registerUser({ name: 'Dora Door' }),
  ]);
  await addStaff(sale.organizer, sale.event.id, door, 'door');
});

const doorPage = () => `/organizer/check-in/${sale.event.id}`;

async function freshCodes(quantity: number): Promise<{ orderId: string; codes: string[] }> {
  const { orderId } = await buyTickets(sale, buyer, quantity);
  const { admissions } = await readOrder(buyer, orderId);
  return { orderId, codes: admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode) };
}

/** Starts the camera. @returns the results that the page shows, newest first, and the number of scans sent */
async function scanning(page: Page) {
  let sent = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/tickets/check-in')) sent++;
  });
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  return { verdicts: page.getByRole('log').getByRole('listitem'), sent: () => sent };
}

/** Until the camera has shown its film for some seconds. */
async function watched(page: Page, seconds: number): Promise<void> {
  const time = () =>
    page
      .getByLabel('What the camera sees')
      .evaluate((video) => (video as { currentTime?: number }).currentTime);
  await expect.poll(time, { timeout: 60_000 }).toBeGreaterThan(seconds);
}

const kindOf = (page: Page) => page.getByRole('log').getByRole('listitem').first().getAttribute('class');

test('a phone’s camera checks a ticket in once, and shows the result large', async () => {
  const { orderId, codes } = await freshCodes(2);
  const page = await phoneWithCamera(door, doorPage(), createFilm([{ text: codes[0] ?? '', seconds: 2 }]));
  await page.getByText('0 of 2 in').waitFor();
  const { verdicts, sent } = await scanning(page);
  await verdicts.first().waitFor();
  expect(await verdicts.first().innerText()).toMatch(
    /^Checked in\s+Adaeze Okonkwo-Whitfield\s+Standing, ticket 1 of 2\.$/,
  );
  expect(await kindOf(page)).toContain('admitted');
  await page.getByText('1 of 2 in').waitFor();
  const { admissions } = await readOrder(buyer, orderId);
  expect(admissions[0].checkedInAt).not.toBeNull();
  expect(admissions[1].checkedInAt).toBeNull();

  // The code stays in view for many more looks.
  await watched(page, 6);
  expect(sent()).toBe(1);
  expect(await verdicts.count()).toBe(1);

  // At arm's length: 32 pixels and more, all of it in view, nothing wider than the phone.
  for (const part of ['h2', 'b']) {
    const size = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.scan-result ${part}')).fontSize`,
    );
    expect(Number.parseFloat(size)).toBeGreaterThanOrEqual(32);
  }
  const box = await verdicts.first().boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
  await screenshot(page, 'door-in', { fullPage: false });
});

test('two phones that scan one code at the same time admit it once', async () => {
  const { codes } = await freshCodes(1);
  const seen = createFilm([{ text: codes[0] ?? '', seconds: 2 }]);
  const pages = await Promise.all([
    phoneWithCamera(door, doorPage(), seen),
    phoneWithCamera(sale.organizer, doorPage(), seen),
  ]);
  const results = await Promise.all(
    pages.map(async (page) => {
      const { verdicts } = await scanning(page);
      await verdicts.first().waitFor();
      return verdicts.first().getByRole('heading').innerText();
    }),
  );
  expect(results.sort()).toEqual(['Already in', 'Checked in']);
});

test('the camera page shows why a code is refused, and scans the next one', async () => {
  const refunded = await freshCodes(1);
  await call('POST', `/api/orders/${refunded.orderId}/refund`, { token: sale.organizer.token });
  const { codes } = await freshCodes(1);
  const page = await phoneWithCamera(
    door,
    doorPage(),
    createFilm([
      { text: refunded.codes[0] ?? '', seconds: 3 },
      { text: 'https://example.com/menu', seconds: 3 },
      { text: '', seconds: 1 },
      { text: codes[0] ?? '', seconds: 3 },
    ]),
  );
  const { verdicts } = await scanning(page);
  for (const title of ['Refunded', 'Not a ticket', 'Checked in', 'Already in']) {
    await verdicts.getByRole('heading', { name: title, exact: true }).first().waitFor();
  }
  await screenshot(page, 'door-refused', { fullPage: false });
});

test('a scan whose answer is lost is repeated, and admits once', async () => {
  const { codes } = await freshCodes(1);
  const page = await phoneWithCamera(door, doorPage(), createFilm([{ text: codes[0] ?? '', seconds: 2 }]));
  let lost = 0;
  await page.route('**/api/tickets/check-in', async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  const { verdicts, sent } = await scanning(page);
  await verdicts.first().waitFor();
  expect(await verdicts.first().getByRole('heading').innerText()).toBe('Checked in');
  expect(sent()).toBe(2);
});

test('a phone without a connection says so, and checks in once it is back', async () => {
  const { codes } = await freshCodes(1);
  const seen = createFilm([
    { text: codes[0] ?? '', seconds: 4 },
    { text: '', seconds: 4 },
  ]);
  const page = await phoneWithCamera(door, doorPage(), seen);
  await page.route('**/api/tickets/check-in', (route) => route.abort());
  const { verdicts } = await scanning(page);
  await page.getByText('No answer yet, trying again…').waitFor();
  await verdicts.getByRole('heading', { name: 'No answer' }).first().waitFor();
  await screenshot(page, 'door-offline', { fullPage: false });
  await page.unroute('**/api/tickets/check-in');
  await verdicts.getByRole('heading', { name: 'Checked in' }).waitFor();
});

test('the browser’s own reader of codes is used where there is one', async () => {
  const { codes } = await freshCodes(1);
  const page = await phoneWithCamera(door, doorPage(), createFilm([{ text: '', seconds: 2 }]));
  await page.evaluate(`window.BarcodeDetector = class {
    static getSupportedFormats = async () => ['qr_code'];
    detect = async () => [{ rawValue: ${JSON.stringify(codes[0])} }];
  }`);
  const { verdicts } = await scanning(page);
  await verdicts.getByRole('heading', { name: 'Checked in' }).waitFor();
});

test('a phone without a camera, or without its permission, says what to do', async () => {
  const page = await signedIn(door, doorPage());
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  expect(await page.getByRole('alert').innerText()).toMatch(/[Ee]nter codes below\.$/);
});

test('a name is found at the door, without an address', async () => {
  await freshCodes(1);
  const page = await signedIn(door, doorPage());
  await page.getByText('Find a name', { exact: true }).click();
  await page.getByLabel('Name or order').fill('okonkwo');
  await page.getByRole('button', { name: 'Search' }).click();
  const found = page.getByRole('list', { name: 'Found' });
  await found.getByText('Adaeze Okonkwo-Whitfield').first().waitFor();
  expect(await found.innerText()).not.toContain('@');
});

test('the organizer adds a member of staff, who finds the door page, and removes them again', async () => {
  const helper = await registerUser({ name: 'Hana Helper' });
  const page = await signedIn(sale.organizer, `/organizer/events/${sale.event.id}`);
  await page.getByRole('link', { name: 'Staff' }).click();
  await page.getByLabel('E-mail').fill(helper.user.email);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Hana Helper' }).waitFor();
  await screenshot(page, 'staff');

  const theirs = await signedIn(helper, '/');
  await theirs.getByRole('link', { name: 'Work' }).click();
  await theirs.getByRole('link', { name: 'Jazz in the Park' }).click();
  await theirs.getByRole('button', { name: 'Scan with the camera' }).waitFor();

  await page.getByRole('button', { name: 'Remove Hana Helper' }).click();
  await page.getByRole('heading', { name: 'Hana Helper' }).waitFor({ state: 'detached' });
  await theirs.reload();
  await theirs.getByText('You do not work at this event').waitFor();
});
