import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import {
  openPageAs,
  openPhoneWithCamera,
  phone,
  screenshot,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import {
  addStaff,
  buyTickets,
  changeEvent,
  createEvent,
  expectStatus,
  type Person,
  readCheckInCodes,
  readOrder,
  registerUser,
  requestRefund,
  type Sale,
} from '../support/fixtures.ts';
import { executablePath, flags } from '../support/global-setup.ts';
import { createFilm } from '../support/images.ts';

useBrowser();

/** The number of valid codes that the camera sees. The issue asks for 200: `npm run nightly -- door-camera`. */
const codeCount = Number(process.env.DOOR_CODES ?? 8);

let buyer: Person;
let doorStaff: Person;
beforeAll(async () => {
  [buyer, doorStaff] = await Promise.all([
    registerUser({ name: 'Ben Buyer' }),
    registerUser({ name: 'Dora Door' }),
  ]);
});

async function openSale(fields: object = {}): Promise<Sale> {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const startDate = new Date(Date.now() + 3600 * 1000).toISOString();
  const tiers = [{ name: 'Standing', price: 5, quantity: 1000, maxPerPerson: 500 }];
  const event = await createEvent(organizer, {
    startDate,
    currency: 'NGN',
    tiers,
    maxPerWallet: 500,
    ...fields,
  });
  await addStaff(organizer, event.id, doorStaff, 'door');
  return { organizer, event };
}

async function buyCodes(sale: Sale, quantity: number) {
  const { orderId } = await buyTickets(sale, buyer, quantity);
  return { orderId, codes: await readCheckInCodes(buyer, orderId) };
}

/** A Chromium of its own, which can be killed, with a folder that outlives it. */
async function startChromium(folder: string, args: readonly string[]) {
  const child: ChildProcess = spawn(
    executablePath,
    [
      ...flags,
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      ...args,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const address = await new Promise<string>((resolve) => {
    createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
      const [, found] = /DevTools listening on (ws:\S+)/.exec(line) ?? [];
      if (found) resolve(found);
    });
  });
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts() as [BrowserContext];
  context.setDefaultTimeout(120_000);
  await context.grantPermissions(['camera']);
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  onTestFinished(kill);
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize(phone);
  return { context, page, kill };
}

async function signInAs(context: BrowserContext, { cookie, stack }: Person): Promise<void> {
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([
    { name, value, url: `${stack.apiUrl}/api/auth/`, httpOnly: true, sameSite: 'Strict' },
  ]);
  const page = await context.newPage();
  await page.goto(`${stack.apiUrl}/favicon.svg`);
  await page.evaluate(`localStorage.setItem('boxoffice.signed-in', 'yes')`);
  await page.close();
}

const startCamera = (page: Page) => page.getByRole('button', { name: 'Scan with the camera' }).click();
const waitForList = (page: Page) => page.getByText(/^List of /).waitFor();

/** Waits until a page shows that at least so many scans wait for the network. */
async function waitForScans(page: Page, count: number): Promise<void> {
  const note = page.getByText(/\d+ scans? waits?/);
  const countWaiting = async () => Number(/(\d+) scan/.exec(await note.first().innerText())?.[1]);
  await expect.poll(countWaiting, { timeout: 30_000 + 5_000 * count }).toBeGreaterThanOrEqual(count);
}

test('scans without network survive a killed browser and an offline start, and all go up once with their times', async () => {
  const sale = await openSale({ offlineMode: 'automatic' });
  const { orderId, codes } = await buyCodes(sale, codeCount);
  const refunded = await buyCodes(sale, 1);
  expect((await requestRefund(refunded.orderId, sale.organizer)).status).toBe(200);
  const invented = codes[0]?.replace(/\.[^.]+$/, `.${'A'.repeat(22)}`) ?? '';
  const film = createFilm([...codes, ...refunded.codes, invented].map((text) => ({ text, seconds: 0.6 })));
  const folder = mkdtempSync(path.join(tmpdir(), 'boxoffice-chromium-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const camera = ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`];
  const address = `${buyer.stack.apiUrl}/organizer/check-in/${sale.event.id}`;

  const first = await startChromium(folder, camera);
  await signInAs(first.context, doorStaff);
  await first.page.goto(address);
  await waitForList(first.page);
  await first.page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  await first.context.setOffline(true);
  const cutAt = new Date().toISOString();
  await startCamera(first.page);
  await waitForScans(first.page, Math.ceil(codeCount / 2));
  await screenshot(first.page, 'door-offline-in', { fullPage: false });
  await first.kill();

  // Nothing that it requests gets through, the service worker's requests included.
  const second = await startChromium(folder, [
    ...camera,
    '--proxy-server=127.0.0.1:9',
    '--proxy-bypass-list=<-loopback>',
  ]);
  await second.page.goto(address);
  await waitForList(second.page);
  await startCamera(second.page);
  await waitForScans(second.page, codeCount);
  await second.page.getByText('Refunded', { exact: true }).first().waitFor();
  await second.page.getByText('Not a ticket', { exact: true }).first().waitFor();
  await screenshot(second.page, 'door-offline-started', { fullPage: false });
  await second.kill();
  const { admissions: before } = await readOrder(buyer, orderId);
  expect(before.filter(({ checkedInAt }: { checkedInAt: string | null }) => checkedInAt)).toEqual([]);
  const reconnectedAt = new Date().toISOString();

  const third = await startChromium(folder, []);
  await signInAs(third.context, doorStaff);
  await third.page.goto(address);
  await third.page.getByText(`${codeCount} of ${codeCount} in`).waitFor();
  const { admissions } = await readOrder(buyer, orderId);
  for (const { checkedInAt } of admissions) {
    expect(checkedInAt > cutAt && checkedInAt < reconnectedAt).toBe(true);
  }
  const { body } = await sale.organizer.get(`/api/events/${sale.event.id}/admissions`);
  expect(body).toMatchObject({ admitted: codeCount, conflicts: [] });
  expect(await third.page.getByText(/scans? waits?/).count()).toBe(0);
}, 600_000);

test('two devices that admit the same seat offline are one admission and one conflict', async () => {
  const sale = await openSale();
  const { codes } = await buyCodes(sale, 1);
  const film = createFilm([{ text: codes[0] ?? '', seconds: 1 }]);
  const pages: Page[] = [];
  for (const _ of [1, 2]) {
    const page = await openPhoneWithCamera(doorStaff, `/organizer/check-in/${sale.event.id}`, film);
    await waitForList(page);
    pages.push(page);
  }
  for (const page of pages) await page.context().setOffline(true);
  for (const page of pages) {
    await startCamera(page);
    // The event’s staff decide whether to go on without network.
    await page.getByRole('alertdialog').waitFor();
    await screenshot(page, 'door-offline-question', { fullPage: false });
    await page.getByRole('button', { name: 'Continue offline' }).click();
    await page.getByRole('heading', { name: 'In, offline' }).waitFor();
    await waitForScans(page, 1);
  }
  for (const page of pages) {
    await page.context().setOffline(false);
    await page.getByText('1 of 1 in').waitFor();
    await expect.poll(() => page.getByText('1 scan waits').count()).toBe(0);
  }
  const { body } = await sale.organizer.get(`/api/events/${sale.event.id}/admissions`);
  expect(body.admitted).toBe(1);
  expect(body.conflicts).toHaveLength(1);
  const [{ deviceId, first, result }] = body.conflicts;
  expect(result).toBe('already-admitted');
  expect(first.deviceId).not.toBe(deviceId);
});

test('the organizer sets up gates, each of which admits its tiers only, and sees a conflict', async () => {
  // On a slow machine, a door that may go offline asks before the answer is there.
  const sale = await openSale({ offlineMode: 'never' });
  const backstage = { name: 'Backstage', price: 9, quantity: 5, maxPerPerson: 5 };
  expectStatus(201, await sale.organizer.post(`/api/events/${sale.event.id}/tiers`, backstage));
  const { orderId, codes } = await buyCodes(sale, 1);
  const organizerPage = await openPageAs(sale.organizer, `/organizer/events/${sale.event.id}`);
  await organizerPage.getByRole('link', { name: 'Door' }).click();
  await organizerPage.getByText('No device has let somebody in').waitFor();
  for (const [index, [name, tierName]] of [
    ['Main gate', 'Standing'],
    ['Stage door', 'Backstage'],
  ].entries()) {
    await organizerPage.getByRole('button', { name: 'Add a list' }).click();
    const list = organizerPage.getByRole('group', { name: `List ${index + 1}` });
    await list.getByLabel('Name').fill(name ?? '');
    await list.getByLabel(tierName ?? '').check();
    if (index === 0) await list.getByLabel('People can go out').check();
  }
  await organizerPage.getByRole('button', { name: 'Save' }).click();
  await organizerPage.getByText('Saved.').waitFor();

  const page = await openPhoneWithCamera(
    doorStaff,
    `/organizer/check-in/${sale.event.id}`,
    createFilm([{ text: codes[0] ?? '', seconds: 1 }]),
  );
  await page.getByRole('link', { name: 'Stage door' }).click();
  await waitForContent(page);
  await startCamera(page);
  await page.getByRole('heading', { name: 'Wrong door' }).waitFor();
  await screenshot(page, 'door-wrong-list', { fullPage: false });
  await page.getByRole('link', { name: 'Main gate' }).click();
  await startCamera(page);
  await page.getByRole('heading', { name: 'Checked in' }).waitFor();
  await page.getByLabel('going out').check();
  await page.getByRole('heading', { name: 'Out' }).waitFor();
  await screenshot(page, 'door-lists', { fullPage: false });

  const event = (await sale.organizer.get(`/api/events/${sale.event.id}`)).body.event;
  const scan = { scanId: 'forged', seat: `${orderId}.1`, hash: 'A'.repeat(22), at: new Date().toISOString() };
  const upload = { deviceId: 'gate-2', listId: event.checkInLists[0].id, scans: [scan] };
  expect((await doorStaff.post(`/api/events/${event.id}/door/scans`, upload)).status).toBe(200);
  await organizerPage.reload();
  await organizerPage.getByText('Not a valid ticket').waitFor();
  await screenshot(organizerPage, 'managed-door');

  // Signing out removes the list from the device.
  expectStatus(200, await changeEvent(sale, { offlineMode: 'ask' }));
  await organizerPage.getByRole('link', { name: 'Check tickets in' }).click();
  await organizerPage.getByRole('link', { name: 'Main gate' }).click();
  await waitForList(organizerPage);
  expect(await countStored(organizerPage, 'seats')).toBe(1);
  await organizerPage.getByRole('button', { name: 'Sign out' }).click();
  await organizerPage.getByRole('link', { name: 'Sign in' }).first().waitFor();
  expect(await countStored(organizerPage, 'seats')).toBe(0);
});

/** Counts what a page has stored for the door. */
const countStored = (page: Page, store: string) =>
  page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('boxoffice-door');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction('${store}').objectStore('${store}').count();
      counting.onsuccess = () => { opening.result.close(); resolve(counting.result); };
    };
  })`);
