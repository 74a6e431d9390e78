import type { Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { openPageAs, openPhoneWithCamera, phone, screenshot, useBrowser } from '../support/browser.ts';
import {
  addStaff,
  buyTickets,
  changeEvent,
  confirmAddress,
  expectStatus,
  openSale,
  type Person,
  readOrder,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { createFilm } from '../support/images.ts';

useBrowser();

let sale: Sale;
let buyer: Person;
let doorStaff: Person;
beforeAll(async () => {
  [sale, buyer, doorStaff] = await Promise.all([
    openSale({ title: 'Jazz in the Park' }),
    registerUser({ name: 'Adaeze Okonkwo-Whitfield' }),
    registerUser({ name: 'Dora Door' }),
  ]);
  await addStaff(sale.organizer, sale.event.id, doorStaff, 'door');
  // By default the page asks after two seconds without an answer whether to go on offline, and a slow machine takes longer.
  await setOfflineMode('never');
});

const setOfflineMode = async (offlineMode: string) =>
  expectStatus(200, await changeEvent(sale, { offlineMode }));

const checkInPath = () => `/organizer/check-in/${sale.event.id}`;

/** Buys tickets. @returns the order's id and the tickets' check-in codes */
async function buyCodes(quantity: number): Promise<{ orderId: string; codes: string[] }> {
  const { orderId } = await buyTickets(sale, buyer, quantity);
  const { admissions } = await readOrder(buyer, orderId);
  return { orderId, codes: admissions.map(({ checkInCode }: { checkInCode: string }) => checkInCode) };
}

/** Starts the camera. @returns the results that the page shows, newest first, and the id of each request's scan */
async function startScanning(page: Page) {
  const sentScanIds: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/api/tickets/check-in')) sentScanIds.push(request.postDataJSON().scanId);
  });
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  return { results: page.getByRole('log').getByRole('listitem'), sentScanIds };
}

/** Waits until the camera has shown its film for this many seconds. */
async function waitForFilm(page: Page, seconds: number): Promise<void> {
  const time = () =>
    page
      .getByLabel('What the camera sees')
      .evaluate((video) => (video as { currentTime?: number }).currentTime);
  await expect.poll(time, { timeout: 60_000 }).toBeGreaterThan(seconds);
}

const newestClass = (page: Page) => page.getByRole('log').getByRole('listitem').first().getAttribute('class');

test('a phone’s camera checks a ticket in once, and shows the result in large type', async () => {
  const { orderId, codes } = await buyCodes(2);
  const page = await openPhoneWithCamera(
    doorStaff,
    checkInPath(),
    createFilm([{ text: codes[0] ?? '', seconds: 2 }]),
  );
  await page.getByText('0 of 2 in').waitFor();
  const { results, sentScanIds } = await startScanning(page);
  await results.first().waitFor();
  expect(await results.first().innerText()).toMatch(
    /^Checked in\s+Adaeze Okonkwo-Whitfield\s+Standing, ticket 1 of 2\.\s+Undo$/,
  );
  expect(await newestClass(page)).toContain('admitted');
  await page.getByText('1 of 2 in').waitFor();
  const { admissions } = await readOrder(buyer, orderId);
  expect(admissions[0].checkedInAt).not.toBeNull();
  expect(admissions[1].checkedInAt).toBeNull();

  // The code stays in view, and the page reads it many more times.
  await waitForFilm(page, 6);
  // A scan whose answer takes more than five seconds is sent again.
  expect(new Set(sentScanIds).size).toBe(1);
  expect(await results.count()).toBe(1);

  // The result is readable at arm's length: at least 32 pixels high, in view, and no wider than the phone.
  for (const part of ['h2', 'b']) {
    const size = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('.scan-result ${part}')).fontSize`,
    );
    expect(Number.parseFloat(size)).toBeGreaterThanOrEqual(32);
  }
  const box = await results.first().boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(phone.height);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(phone.width);
  await screenshot(page, 'door-in', { fullPage: false });
});

test('the screen stays on after the page was hidden and shown again', async () => {
  const page = await openPhoneWithCamera(doorStaff, checkInPath(), createFilm([{ text: '', seconds: 1 }]));
  // The test can't hide the page, so it sets what the page reads, and counts the locks that the page holds.
  await page.evaluate(`
    heldLocks = 0;
    const request = async () => (heldLocks++, { release: async () => { heldLocks--; } });
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
    setVisibility = (visibilityState) => {
      Object.defineProperty(document, 'visibilityState', { value: visibilityState, configurable: true });
      if (visibilityState === 'hidden') heldLocks = 0;
      document.dispatchEvent(new Event('visibilitychange'));
    };`);
  const countLocks = () => page.evaluate('heldLocks');
  await startScanning(page);
  await expect.poll(countLocks).toBe(1);
  await page.evaluate(`setVisibility('hidden')`);
  expect(await countLocks()).toBe(0);
  await page.evaluate(`setVisibility('visible')`);
  await expect.poll(countLocks).toBe(1);
});

test('a scan whose answer is lost is sent again, and checks the ticket in once', async () => {
  const { codes } = await buyCodes(1);
  const page = await openPhoneWithCamera(
    doorStaff,
    checkInPath(),
    createFilm([{ text: codes[0] ?? '', seconds: 2 }]),
  );
  let requestCount = 0;
  await page.route('**/api/tickets/check-in', async (route) => {
    if (requestCount++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  const { results, sentScanIds } = await startScanning(page);
  await results.first().waitFor();
  expect(await results.first().getByRole('heading').innerText()).toBe('Checked in');
  expect(sentScanIds.length).toBeGreaterThan(1);
  expect(new Set(sentScanIds).size).toBe(1);
});

test('a door that does not go on offline shows that there is no answer, and checks the ticket in when it is online again', async () => {
  const { codes } = await buyCodes(1);
  await setOfflineMode('ask');
  onTestFinished(() => setOfflineMode('never'));
  const film = createFilm([
    { text: codes[0] ?? '', seconds: 4 },
    { text: '', seconds: 4 },
  ]);
  const page = await openPhoneWithCamera(doorStaff, checkInPath(), film);
  await page.route('**/api/tickets/check-in', (route) => route.abort());
  const { results } = await startScanning(page);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No answer yet, trying again…').waitFor();
  await results.getByRole('heading', { name: 'No answer' }).first().waitFor();
  await screenshot(page, 'door-offline', { fullPage: false });
  await page.unroute('**/api/tickets/check-in');
  await results.getByRole('heading', { name: 'Checked in' }).waitFor();
});

test('the check-in page uses the browser’s BarcodeDetector where there is one', async () => {
  const { codes } = await buyCodes(1);
  const page = await openPhoneWithCamera(doorStaff, checkInPath(), createFilm([{ text: '', seconds: 2 }]));
  await page.evaluate(`window.BarcodeDetector = class {
    static getSupportedFormats = async () => ['qr_code'];
    detect = async () => [{ rawValue: ${JSON.stringify(codes[0])} }];
  }`);
  const { results } = await startScanning(page);
  await results.getByRole('heading', { name: 'Checked in' }).waitFor();
});

test('the camera is turned off when it fails to start, and when the page is left while it starts', async () => {
  const page = await openPhoneWithCamera(doorStaff, checkInPath(), createFilm([{ text: '', seconds: 2 }]));
  // Collects the camera's streams, and fails to read codes.
  await page.evaluate(`(() => {
    window.streams = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (constraints) => {
      const stream = await open(constraints);
      streams.push(stream);
      await window.permission;
      return stream;
    };
    window.BarcodeDetector = class {
      static getSupportedFormats = async () => {
        throw new Error('Not available');
      };
    };
  })()`);
  const readStates = () =>
    page.evaluate('streams.flatMap((stream) => stream.getTracks()).map(({ readyState }) => readyState)');
  const scan = page.getByRole('button', { name: 'Scan with the camera' });
  await scan.click();
  await page.getByRole('alert').waitFor();
  await expect.poll(readStates).toEqual(['ended']);

  await page.evaluate(`(() => {
    delete window.BarcodeDetector;
    window.permission = new Promise((resolve) => {
      window.allow = resolve;
    });
  })()`);
  await scan.click();
  await expect.poll(readStates).toEqual(['ended', 'live']);
  await page.getByRole('link', { name: 'Events you work at' }).click();
  await scan.waitFor({ state: 'detached' });
  await page.evaluate('allow()');
  await expect.poll(readStates).toEqual(['ended', 'ended']);
});

test('a browser without a camera asks for codes to be entered', async () => {
  const page = await openPageAs(doorStaff, checkInPath());
  await page.getByRole('button', { name: 'Scan with the camera' }).click();
  expect(await page.getByRole('alert').innerText()).toMatch(/[Ee]nter codes below\.$/);
});

test('staff at the door find a buyer by name, without the mail address', async () => {
  await buyCodes(1);
  const page = await openPageAs(doorStaff, checkInPath());
  await page.getByText('Find a name', { exact: true }).click();
  await page.getByLabel('Name or order').fill('okonkwo');
  await page.getByRole('button', { name: 'Search' }).click();
  const found = page.getByRole('list', { name: 'Found' });
  await found.getByText('Adaeze Okonkwo-Whitfield').first().waitFor();
  expect(await found.innerText()).not.toContain('@');
});

test('the organizer adds a member of staff, who opens the check-in page, and removes them again', async () => {
  const helper = await registerUser({ name: 'Hana Helper' });
  await confirmAddress(helper);
  const page = await openPageAs(sale.organizer, `/organizer/events/${sale.event.id}`);
  await page.getByRole('link', { name: 'Staff' }).click();
  await page.getByLabel('E-mail').fill(helper.user.email);
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('heading', { name: 'Hana Helper' }).waitFor();
  await screenshot(page, 'staff');

  const helperPage = await openPageAs(helper, '/');
  await helperPage.getByRole('link', { name: 'Work' }).click();
  await helperPage.getByRole('heading', { name: 'Events you work at' }).waitFor();
  await helperPage.getByRole('link', { name: 'Jazz in the Park' }).click();
  await helperPage.getByRole('button', { name: 'Scan with the camera' }).waitFor();

  await page.getByRole('button', { name: 'Remove Hana Helper' }).click();
  await page.getByRole('heading', { name: 'Hana Helper' }).waitFor({ state: 'detached' });
  // The page loads the count again after each scan, and shows when it is refused.
  await helperPage.getByText('Enter a code', { exact: true }).click();
  await helperPage.getByLabel('Code of the ticket').fill('somebody');
  await helperPage.keyboard.press('Enter');
  await helperPage.getByText('You do not work at this event').waitFor();
});
