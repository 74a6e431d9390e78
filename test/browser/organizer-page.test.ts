import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, openContext, openPageAs, useBrowser, waitForContent } from '../support/browser.ts';
import { expectStatus, openSale } from '../support/fixtures.ts';

useBrowser();

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 60"><rect width="200" height="60" rx="30" fill="#0b6e4f"/></svg>';

const showLogo = (page: Page) =>
  page.route('https://old-station.example/logo.svg', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: logo }),
  );

test('an organizer makes a page in their color, which leads buyers to the events and back', async () => {
  const { organizer, event } = await openSale({ title: 'Night trains', currency: 'USD', price: 20 });
  const form = await openPageAs(organizer, '/organizer');
  await form.getByRole('link', { name: 'Your page' }).click();
  await form.getByLabel('Name').fill('Old Station');
  await form.getByLabel('Address', { exact: true }).fill('Admin');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('is a reserved word').waitFor();
  const slug = `old-station-${event.id.slice(-8)}`;
  await form.getByLabel('Address', { exact: true }).fill(slug);
  await form.getByLabel('About you').fill('Concerts in a **waiting room**, since 1890.');
  await form.getByLabel('Contact').fill('hello@old-station.example');
  expect(await form.getByLabel('Color', { exact: true }).count()).toBe(0);
  await form.getByLabel('Use your own color').check();
  await form.getByLabel('Color', { exact: true }).fill('#0b6e4f');
  await form.getByLabel('Logo').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await form.locator('header').screenshot(),
  });
  await form.getByRole('img', { name: 'Logo' }).waitFor();
  await form.getByLabel('Letters').selectOption('With serifs');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved.').waitFor();
  expect(await form.getByLabel('Or the address of a picture').inputValue()).toMatch(
    /\/api\/pictures\/.*\/1600$/,
  );
  await expectAccessible(form, 'organizer-page-form');
  await form.getByRole('link', { name: 'Show the page' }).click();
  await form.waitForURL(`**/o/${slug}`);

  const page = await (await openContext()).newPage();
  await page.goto(`/o/${slug}`);
  await page.getByRole('heading', { name: 'Old Station' }).waitFor();
  const logoUrl = await page.locator('main.branded.font-serif img.logo').getAttribute('src');
  expect(logoUrl).toMatch(/\/api\/pictures\/.*\/400$/);
  await expectAccessible(page, 'organizer-page-logo');
  await page.getByText('Night trains').click();
  await page.waitForURL(`**/events/${event.id}`);
  await page.getByRole('link', { name: 'Old Station' }).click();
  await page.waitForURL(`**/o/${slug}`);

  await page.goto('/o/nobody-has-this');
  await page.getByRole('alert').waitFor();
});

test.each(['#0b6e4f', '#ffd400', '#fafafa'])(
  'the whole shop has the logo, the letters and the color %s of its configuration',
  async (accent) => {
    const { event } = await openSale({ currency: 'USD', price: 20 });
    const page = await (await openContext()).newPage();
    await showLogo(page);
    await page.route('**/config.json', async (route) => {
      const config = await (await route.fetch()).json();
      const look = { logo: 'https://old-station.example/logo.svg', font: 'rounded', accent };
      await route.fulfill({ json: { ...config, name: 'Station tickets', ...look } });
    });
    for (const [name, path] of Object.entries({ home: '/', event: `/events/${event.id}`, login: '/login' })) {
      await page.goto(path);
      await waitForContent(page);
      await page.getByRole('link', { name: 'Station tickets' }).waitFor();
      expect(await page.locator('body.branded.font-rounded').count()).toBe(1);
      await expectAccessible(page, `shop-look-${name}-${accent.slice(1)}`);
    }
  },
);

test('an organizer deletes their page after confirming it, by keyboard', async () => {
  const { organizer, event } = await openSale({ title: 'Night trains', currency: 'USD', price: 20 });
  const slug = `gone-${event.id.slice(-8)}`;
  const fields = { slug, name: 'Old Station', accent: '#0b6e4f' };
  expectStatus(200, await organizer.put('/api/organizer/page', fields));
  const page = await openPageAs(organizer, '/organizer/page');
  const opener = page.getByRole('button', { name: 'Delete the page' });
  await opener.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete your page?' });
  await dialog.getByText(`/o/${slug}`).waitFor();
  await expectAccessible(page, 'organizer-page-delete');
  // The focus is on the button that does nothing.
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await opener.press('Enter');
  await dialog.getByRole('button', { name: 'Delete the page' }).press('Enter');
  await page.getByText('Your page is deleted.').waitFor();
  expect(await page.getByLabel('Name').inputValue()).toBe('');
  expect(await opener.count()).toBe(0);
  await expectAccessible(page, 'organizer-page-deleted');

  await page.goto(`/events/${event.id}`);
  await waitForContent(page);
  expect(await page.locator('main.branded').count()).toBe(0);
  expect(await page.getByText('Old Station').count()).toBe(0);
  await page.goto(`/o/${slug}`);
  await page.getByRole('alert').waitFor();
});

test.each(['#0b6e4f', '#ffd400', '#00ff00', '#0000ff', '#050505', '#fafafa'])(
  'pages in the color %s are readable',
  async (accent) => {
    const { organizer, event } = await openSale({ currency: 'USD', price: 20 });
    const slug = `color-${event.id.slice(-8)}`;
    const fields = { slug, name: 'Old Station', about: '[Directions](https://example.com)', accent };
    expectStatus(200, await organizer.put('/api/organizer/page', fields));
    const page = await (await openContext()).newPage();
    for (const [name, path] of [
      ['organizer', `/o/${slug}`],
      ['event', `/events/${event.id}`],
    ]) {
      await page.goto(path ?? '');
      await waitForContent(page);
      expect(await page.locator('main.branded').count()).toBe(1);
      await expectAccessible(page, `brand-${name}-${accent.slice(1)}`);
    }
  },
);
