import { text } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  desktop,
  openContext,
  openPageAs,
  phone,
  screenshot,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import { openSale, registerUser } from '../support/fixtures.ts';
import { call } from '../support/http.ts';

useBrowser();

const pictureSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="90"><rect width="40" height="90"/></svg>';

/** Publishes an event, opens the list of events, and returns the event's card in it. */
async function openListedEvent(fields: object) {
  const { token } = await registerUser({ role: 'ORGANIZER' });
  const title = `Listed ${crypto.randomUUID()}`;
  const body = { title, venue: 'Club', startDate: '2031-07-01T18:30:00Z', ...fields };
  const created = await call('POST', '/api/events', { token, body });
  expect(created.status).toBe(201);
  const page = await (await openContext()).newPage();
  await page.route('https://pictures.example/**', (route) =>
    route.request().url().endsWith('.svg')
      ? route.fulfill({ contentType: 'image/svg+xml', body: pictureSvg })
      : route.fulfill({ status: 404 }),
  );
  await page.goto(`/?q=${title}`);
  await waitForContent(page);
  return { card: page.getByRole('listitem'), page, event: created.body.event };
}

const mainText = async (page: Page) => (await page.getByRole('main').innerText()).replace(/\s+/g, ' ');

test('an event’s card shows the lowest and highest price and the tickets left, without hidden tiers', async () => {
  const tiers = [
    { name: 'Standing', price: 0, quantity: 10 },
    { name: 'Seated', price: 80, quantity: 10 },
    { name: 'Front', price: 45.5, quantity: 10 },
    { name: 'Friends', price: 999, quantity: 10, hidden: true },
  ];
  const { card } = await openListedEvent({ tiers });
  expect(await card.innerText()).toMatch(/Free – US\$80\s+30 tickets left/);
  expect(await card.innerText()).not.toContain('US$999');
});

test('an event’s time has its zone, and the visitor’s time where it differs', async () => {
  // The visitor is in Berlin.
  const newYork = await openListedEvent({ timezone: 'America/New_York' });
  expect(await mainText(newYork.page)).toMatch(
    /1 Jul 2031, 14:30 (GMT-4|EDT) \(Tue,? 20:30 CEST your time\)/,
  );
  await newYork.card.getByRole('link').click();
  await newYork.page.getByRole('heading', { name: 'Listed' }).waitFor();
  expect(await mainText(newYork.page)).toMatch(/Tuesday,? 1 July 2031 at 14:30 .*20:30 CEST your time/);

  const paris = await openListedEvent({ timezone: 'Europe/Paris' });
  expect(await mainText(paris.page)).toMatch(/1 Jul 2031, 20:30 (CEST|GMT\+2)/);
  expect(await mainText(paris.page)).not.toContain('your time');
});

test('an event’s card loads the picture lazily in the shape 16:9, and its page shows the picture', async () => {
  const { card, page, event } = await openListedEvent({ image: 'https://pictures.example/lights.svg' });
  const image = card.getByRole('img', { name: event.title });
  expect(await image.getAttribute('loading')).toBe('lazy');
  await expect
    .poll(() => image.evaluate((element) => 'naturalWidth' in element && element.naturalWidth))
    .toBe(40);
  const { width = 0, height = 0 } = (await image.boundingBox()) ?? {};
  expect(width / height).toBeCloseTo(16 / 9, 1);
  await screenshot(page, 'card-picture');
  await card.getByRole('link').click();
  await page.getByRole('main').getByRole('img', { name: event.title }).waitFor();
});

test('leaving an event’s page removes the canonical link to the event', async () => {
  const { page, event } = await openListedEvent({});
  await page.goto(`/events/${event.id}?code=secret`);
  const canonical = page.locator('link[rel=canonical]');
  await page.getByRole('heading', { name: event.title }).waitFor();
  expect(await canonical.getAttribute('href')).toBe(page.url().split('?')[0]);
  await expect.poll(() => page.title()).toBe(`${event.title} · Boxoffice`);
  await page.getByRole('link', { name: 'Events' }).click();
  await page.getByRole('heading', { name: 'Events' }).waitFor();
  await canonical.waitFor({ state: 'detached' });
  await expect.poll(() => page.title()).toBe('Events · Boxoffice');
});

test('on a phone, the menu opens by its button, and closes with Escape or when another page opens', async () => {
  const page = await openPageAs(await registerUser({ role: 'ORGANIZER' }), '/');
  await page.setViewportSize(phone);
  const button = page.getByRole('button', { name: 'Menu' });
  const entries = page.getByRole('navigation').getByRole('link');
  expect(await entries.count()).toBe(0);
  expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(80);

  await button.click();
  expect(await button.getAttribute('aria-expanded')).toBe('true');
  expect(await entries.count()).toBe(5);
  for (const entry of await entries.all())
    expect((await entry.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await screenshot(page, 'menu-phone');
  await page.keyboard.press('Escape');
  await expect.poll(() => entries.count()).toBe(0);
  expect(await page.evaluate('document.activeElement.textContent')).toContain('Menu');

  await button.click();
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('heading', { name: 'Account' }).waitFor();
  await expect.poll(() => entries.count()).toBe(0);
  await page.setViewportSize(desktop);
  expect(await button.isVisible()).toBe(false);
  expect(await entries.count()).toBe(5);
});

test('a visitor shares an event by the apps of the device, or copies its link', async () => {
  const { event } = await openSale({ title: 'Night trains' });
  const context = await openContext();
  const page = await context.newPage();
  await page.goto(`/events/${event.id}`);
  await page.getByRole('button', { name: 'Copy the link' }).waitFor();
  await context.addInitScript('navigator.share = async (shared) => { window.shared = shared; }');
  await page.reload();
  await page.getByRole('button', { name: 'Share' }).click();
  expect(await page.evaluate('window.shared')).toEqual({ title: 'Night trains', url: page.url() });
});

test('a visitor downloads an event as a calendar file', async () => {
  const { event } = await openSale({ title: 'Jazz' });
  const page = await (await openContext()).newPage();
  await page.goto(`/events/${event.id}`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Add to calendar' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('event.ics');
  const calendar = await text(await file.createReadStream());
  expect(calendar).toContain('SUMMARY:Jazz');
  expect(calendar).toContain(`/events/${event.id}`);
});
