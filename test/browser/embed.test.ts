import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Frame, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectAccessible,
  openContext,
  phone,
  screenshot,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import {
  createCode,
  createEvent,
  expectStatus,
  type Person,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

/** Returns the blocks of code below the README's heading, for the local stack's shop. */
async function readInstructions(): Promise<{ html: string; policy: string }> {
  const readme = await readFile(
    path.resolve(import.meta.dirname, '../../infra/storefront/README.md'),
    'utf8',
  );
  const [, section = ''] = readme.split(/^## Embed.*$/m);
  const blocks = [...section.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, code = '']) =>
    code.trim().replaceAll('https://shop.example.com', new URL(sharedStack().apiUrl).origin),
  );
  const [html = '', header = ''] = blocks;
  return { html, policy: header.replace(/^content-security-policy: /, '') };
}

/** The site of an organizer, on another port: the README's lines, with the policy that the README states. */
let site: Server;
let siteUrl: string;
/** What the site shows. */
let body: string;

beforeAll(async () => {
  const { policy } = await readInstructions();
  expect(policy).toContain('frame-src');
  site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.setHeader('content-security-policy', policy);
    response.end(`<!doctype html><html lang="en"><title>The Old Station</title><body>${body}</body></html>`);
  });
  await new Promise<void>((resolve) => site.listen(0, 'localhost', resolve));
  siteUrl = `http://localhost:${(site.address() as AddressInfo).port}`;
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

const tiers = [
  { name: 'Floor', price: 50, quantity: 20 },
  { name: 'Balcony', price: 80, quantity: 20, minPerOrder: 2 },
  { name: 'Parking', price: 10, quantity: 5, kind: 'addon' },
];

let organizer: Person;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
});

async function findFrame(page: Page): Promise<Frame> {
  await page.frameLocator('iframe').getByRole('button', { name: 'More Floor' }).waitFor();
  const frame = page.frames().find((each) => each !== page.mainFrame());
  if (!frame) throw new Error('The page has no frame');
  return frame;
}

test('a buyer chooses tickets on an organizer’s site by keyboard, and arrives in the shop with the same choice', async () => {
  const event = await createEvent(organizer, {
    title: 'Night trains',
    currency: 'USD',
    tiers,
    buyers: 'anyone',
  });
  const fields = { slug: `embed-${event.id.slice(-8)}`, name: 'Old Station', accent: '#0b6e4f' };
  expectStatus(200, await organizer.put('/api/organizer/page', fields));
  body = (await readInstructions()).html.replace(/event="[^"]*"/, `event="${event.id}"`);
  expect(body).toContain(event.id);
  // The buyer has a session in the shop.
  const page = await (await openContext(await registerUser())).newPage();
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await page.goto(siteUrl);
  const frame = await findFrame(page);
  const frameText = await frame.locator('body').innerText();
  expect(frameText).toContain('Night trains');
  expect(frameText).not.toMatch(/Sign|Boxoffice/);

  await frame.getByRole('button', { name: 'More Floor' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await frame.getByRole('button', { name: 'More Parking' }).press('Enter');
  await frame.getByText('US$112.75').waitFor();
  await screenshot(page, 'embed-chosen');

  // The frame is as tall as its content.
  const heights = () =>
    Promise.all([
      page.evaluate<number>('document.querySelector("iframe").clientHeight'),
      frame.evaluate<number>('document.documentElement.offsetHeight'),
    ]);
  const isFitted = async () => {
    const [outside, inside] = await heights();
    return outside === inside && outside > 300;
  };
  await expect.poll(isFitted).toBe(true);
  await page.setViewportSize(phone);
  await expect.poll(isFitted).toBe(true);
  await screenshot(page, 'embed-phone');

  // Neither the site nor the frame has the session of the shop.
  expect(await page.evaluate('document.querySelector("iframe").contentDocument')).toBeNull();
  expect(await page.evaluate('document.cookie')).toBe('');
  expect(await frame.evaluate('document.cookie')).toBe('');
  const apiRequests = requests.filter((request) => request.url().includes('/api/'));
  expect(apiRequests.length).toBeGreaterThan(0);
  for (const request of apiRequests) {
    const { cookie, authorization } = await request.allHeaders();
    expect({ cookie, authorization }).toEqual({});
  }

  await frame.getByRole('button', { name: 'Continue to the checkout' }).press('Enter');
  await page.waitForURL(`${sharedStack().apiUrl}/events/${event.id}?tickets=*`);
  await waitForContent(page);
  expect(await page.getByLabel('Quantity of Floor').inputValue()).toBe('2');
  expect(await page.getByLabel('Quantity of Parking').inputValue()).toBe('1');
  await page.getByRole('button', { name: 'Pay US$112.75' }).waitFor();
});

test('messages of other windows do not change the height of the frame', async () => {
  const event = await createEvent(organizer, { title: 'Night trains', currency: 'USD', tiers });
  body = (await readInstructions()).html.replace(/event="[^"]*"/, `event="${event.id}"`);
  const page = await (await openContext()).newPage();
  await page.goto(siteUrl);
  await findFrame(page);
  const height = () => page.evaluate<string>('document.querySelector("iframe").style.height');
  await expect.poll(height).toMatch(/px$/);
  const before = await height();
  await page.evaluate(
    `new Promise((resolve) => {
      addEventListener('message', resolve, { once: true });
      postMessage({ type: 'boxoffice:height', height: 9999 }, '*');
    })`,
  );
  expect(await height()).toBe(before);
});

test('the embedded page is accessible, sold out too, and the shop’s other pages refuse to be framed', async () => {
  const event = await createEvent(organizer, { title: 'Night trains', currency: 'USD', tiers });
  const soldOut = await createEvent(organizer, {
    currency: 'USD',
    tiers: [{ name: 'Floor', price: 5, quantity: 0 }],
  });
  const context = await openContext();
  const page = await context.newPage();
  await page.goto(`/embed/${event.id}`);
  await waitForContent(page);
  await expectAccessible(page, 'embed');
  await page.getByLabel('Quantity of Balcony').fill('1');
  await page.getByRole('button', { name: 'Continue to the checkout' }).click();
  await page.getByText('Please take at least 2.').waitFor();
  await page.goto(`/embed/${soldOut.id}`);
  await page.getByText('This event is sold out.').waitFor();
  await expectAccessible(page, 'embed-sold-out');
  await page.goto('/embed/nothing');
  await page.getByRole('alert').waitFor();

  const shop = new URL(sharedStack().apiUrl).origin;
  for (const address of ['/', `/events/${event.id}`, '/login', '/embed.html', '/embed/a/b', '/docs']) {
    const { headers } = await fetch(shop + address, { headers: { accept: 'text/html' } });
    expect(headers.get('content-security-policy'), address).toContain("frame-ancestors 'none'");
  }
  body = `<iframe src="${shop}/events/${event.id}"></iframe>`;
  // The browser reports the refusal, which is what the test is for.
  const refused = page.waitForEvent('console', (line) => line.text().includes('frame-ancestors'));
  await page.goto(siteUrl);
  await refused;
});

test('a buyer uses codes on an organizer’s site, and finds the queue of an event', async () => {
  const [event, queued] = await Promise.all([
    createEvent(organizer, {
      title: 'Night trains',
      currency: 'USD',
      tiers: [...tiers, { name: 'Backstage', price: 200, quantity: 5, hidden: true }],
    }),
    createEvent(organizer, {
      title: 'Long queue',
      currency: 'USD',
      tiers,
      queue: { opensAt: inMinutes(-3), drawAt: inMinutes(30) },
    }),
  ]);
  const [, , , backstage] = (await organizer.get(`/api/events/${event.id}`)).body.event.tiers;
  const sale = { event, organizer } as Sale;
  await createCode(sale, { code: 'HALF', kind: 'percent', value: 50 });
  await createCode(sale, { code: 'CREW', kind: 'access', tierIds: [backstage.id] });
  const page = await (await openContext(undefined, { viewport: phone })).newPage();
  const [site] = (await readInstructions()).html.split('></boxoffice-tickets>');
  body = `${site?.replace(/event="[^"]*"/, `event="${event.id}"`)} code="CREW"></boxoffice-tickets>`;
  await page.goto(siteUrl);
  const frame = await findFrame(page);
  expect(await frame.getByLabel('Quantity of Backstage').inputValue()).toBe('1');
  await frame.getByLabel('Code', { exact: true }).fill('HALF');
  await frame.getByRole('button', { name: 'Apply' }).click();
  await frame.getByRole('button', { name: 'More Floor' }).click();
  await frame.getByText('Discount').waitFor();
  await screenshot(page, 'embed-code');
  await frame.getByRole('button', { name: 'Continue to the checkout' }).click();
  await page.waitForURL(/code=HALF&tickets=/);

  await page.goto(`/embed/${queued.id}`);
  await page.getByRole('link', { name: 'To the queue in the shop' }).click();
  await page.waitForURL(`${sharedStack().apiUrl}/events/${queued.id}`);
});

test('the script has at most 30 KB', async () => {
  const response = await fetch(`${sharedStack().apiUrl}/embed.js`);
  expect(response.headers.get('content-type')).toContain('text/javascript');
  const script = await response.text();
  expect(gzipSync(script).length).toBeLessThan(30_000);
  expect(script).toContain('boxoffice-tickets');
  // A classic script imports nothing.
  expect(script).not.toMatch(/\bimport\b/);
});
