import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { beforeAll, expect, test } from 'vitest';
import {
  expectAccessible,
  openContext,
  openPageAs,
  openStep,
  orderButton,
  phone,
  signIn,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import {
  buyTickets,
  createCode,
  createEvent,
  freshEmail,
  offerSeat,
  openSale,
  type Person,
  placeOrder,
  registerUser,
} from '../support/fixtures.ts';

useBrowser();

let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  [organizer, buyer] = await Promise.all([registerUser({ role: 'ORGANIZER' }), registerUser()]);
});

/** Replaces all text nodes as browsers do that translate a page: by <font> elements. */
const translate = (page: Page) =>
  page.evaluate(`{
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement.closest('option, script, font')) continue;
      const font = document.createElement('font');
      font.append(document.createElement('font'));
      font.firstChild.textContent = text.data;
      text.replaceWith(font);
    }
  }`);

test('a translated page shows current prices and states', async () => {
  const { event } = await openSale({ organizer, currency: 'USD', title: 'Translated' });
  const code = await createCode({ organizer, event }, { code: 'HALF', kind: 'percent', value: 50 });
  const page = await openPageAs(buyer, `/events/${event.id}`);
  await translate(page);
  await page.getByRole('button', { name: 'More Standing' }).click();
  const lines = page.locator('.price-lines');
  await expect.poll(() => lines.innerText()).toMatch(/US\$102\.50$/);
  await expect.poll(() => orderButton(page).innerText()).toBe('Pay US$102.50');
  await translate(page);
  await page.getByLabel('Code').fill(code.code);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect
    .poll(() => lines.innerText())
    .toMatch(/^Tickets\s+US\$100\.00\s+Discount\s+-US\$50\.00\s+Fee\s+US\$1\.25\s+Total\s+US\$51\.25$/);
  await translate(page);
  await page.getByRole('button', { name: 'Fewer Standing' }).click();
  await expect.poll(() => lines.innerText()).toMatch(/US\$25\.63$/);

  await orderButton(page).click();
  await page.waitForURL('**/checkout/**');
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Waiting for your payment' }).waitFor();
  await translate(page);
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByRole('heading', { name: 'You cancelled this order' }).waitFor();
  expect(await page.getByRole('main').innerText()).not.toContain('Waiting');
});

test('every page survives a translation and a navigation', async () => {
  const { event } = await openSale({ organizer });
  const page = await openPageAs(organizer, '/organizer');
  for (const path of [
    '/organizer',
    '/',
    `/organizer/events/${event.id}`,
    `/organizer/edit/${event.id}`,
    '/account',
  ]) {
    await page.goto(path);
    await waitForContent(page);
    await translate(page);
    await page.getByRole('link', { name: 'Notifications' }).first().click();
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    expect(await page.getByRole('main').count()).toBe(1);
  }
});

test('a tier that is not on sale yet fits on a phone', async () => {
  const saleStart = new Date(Date.now() + 5 * 24 * 3_600_000).toISOString();
  const tiers = [
    { name: 'Early bird with a long name', price: 1_000_000, quantity: 5, saleStart },
    { name: 'Floor', price: 50, quantity: 0 },
  ];
  const event = await createEvent(organizer, { tiers, currency: 'NGN', title: 'Soon' });
  const page = await (await openContext(undefined, { viewport: phone })).newPage();
  await page.goto(`/events/${event.id}`);
  const tier = page.locator('.tier', { hasText: 'Early bird' });
  await tier.waitFor();
  expect((await tier.boundingBox())?.height).toBeLessThan(200);
  await page.getByText('The sale has not begun yet.').waitFor();
  await expectAccessible(page, 'event-not-on-sale');
});

test('a description in Markdown has links and lists, and can’t run a script', async () => {
  const description =
    '# Programme\n\nMozart, **live**.\n\n- [page](https://example.com/)\n- [run](javascript:document.title=1)\n\n<img src=x onerror=alert(1)><script>alert(1)</script>';
  const event = await createEvent(organizer, {
    description,
    tiers: [{ name: 'Floor', price: 0, quantity: 5 }],
  });
  const page = await (await openContext()).newPage();
  await page.goto(`/events/${event.id}`);
  const prose = page.locator('.prose');
  await prose.getByRole('heading', { name: 'Programme' }).waitFor();
  expect(await prose.getByRole('listitem').count()).toBe(2);
  expect(
    await prose.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
  ).toEqual(['https://example.com/']);
  expect(await prose.locator('img, script').count()).toBe(0);
  await prose.getByText('<script>alert(1)</script>').waitFor();
});

test('what a buyer chose is still chosen after signing in, and after leaving the checkout', async () => {
  const tiers = [
    { name: 'Floor', price: 50, quantity: 5 },
    { name: 'Balcony', price: 80, quantity: 5 },
  ];
  const event = await createEvent(organizer, { tiers, title: 'Chosen' });
  const person = await registerUser();
  const page = await (await openContext()).newPage();
  await page.goto(`/events/${event.id}`);
  await page.getByRole('button', { name: 'More Balcony' }).click();
  await page.getByRole('button', { name: 'More Balcony' }).click();
  await page.getByLabel('International card').check();
  await page.getByRole('button', { name: 'Sign in to buy' }).click();
  await signIn(page, person);
  await page.waitForURL(`/events/${event.id}?*`);
  const isChosen = async () => {
    expect(await page.getByLabel('Quantity of Balcony').inputValue()).toBe('2');
    expect(await page.getByLabel('International card').isChecked()).toBe(true);
  };
  await orderButton(page).waitFor();
  await isChosen();
  await orderButton(page).click();
  await page.waitForURL('**/checkout/**');
  await page.goBack();
  await page.getByText('You hold 2 tickets for Chosen').waitFor();
  await isChosen();
  await page.getByRole('main').getByRole('link', { name: 'Pay' }).click();
  await page.getByRole('heading', { name: 'Waiting for your payment' }).waitFor();
});

test('a reserved order is shown on the home page and in My tickets until it is paid or cancelled', async () => {
  const sale = await openSale({ organizer, title: 'Held' });
  const person = await registerUser();
  await placeOrder(sale, person);
  const page = await openPageAs(person, '/');
  await page.getByText(/^You hold 1 ticket for Held: \d+:\d\d left$/).waitFor();
  await page.getByRole('link', { name: 'My tickets' }).click();
  await page.getByText('You hold 1 ticket for Held').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Pay', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the order' }).click();
  await page.getByRole('heading', { name: 'You cancelled this order' }).waitFor();
  await page.goto('/tickets');
  await waitForContent(page);
  expect(await page.getByText('You hold').count()).toBe(0);
});

test('moving an event keeps its duration, and a sale that ends with the event; the form shows both', async () => {
  const event = await createEvent(organizer, {
    title: 'Moved',
    timezone: 'Europe/Berlin',
    startDate: '2031-06-01T18:00:00Z',
    endDate: '2031-06-01T21:00:00Z',
    tiers: [{ name: 'Floor', price: 50, quantity: 5 }],
  });
  const page = await openPageAs(organizer, `/organizer/edit/${event.id}`);
  await openStep(page, 'Place and time');
  expect(await page.getByLabel('Sale ends', { exact: true }).inputValue()).toBe('');
  await page.getByLabel('Begins', { exact: true }).fill('2031-06-15T19:00');
  await page.getByLabel('Begins', { exact: true }).blur();
  expect(await page.getByLabel('Ends', { exact: true }).inputValue()).toBe('2031-06-15T22:00');
  await page.getByText('Sale ends: 1 Jun 2031, 23:00 CEST → 15 Jun 2031, 22:00 CEST').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Your changes are saved.').waitFor();
  const { body } = await organizer.get(`/api/events/${event.id}`);
  expect(body.event).toMatchObject({
    eventDate: '2031-06-15T17:00:00.000Z',
    endDate: '2031-06-15T20:00:00.000Z',
    saleEnd: '2031-06-15T20:00:00.000Z',
  });
});

test('leaving a changed form asks first', async () => {
  const { event } = await openSale({ organizer, title: 'Saved' });
  const page = await openPageAs(organizer, `/organizer/edit/${event.id}`);
  await page.getByLabel('Title').fill('Unsaved');
  const answers: string[] = [];
  page.on('dialog', async (dialog) => {
    answers.push(dialog.message());
    await (answers.length === 1 ? dialog.dismiss() : dialog.accept());
  });
  await page.getByRole('link', { name: 'Sales' }).click();
  expect(await page.getByLabel('Title').inputValue()).toBe('Unsaved');
  await page.getByRole('link', { name: 'Sales' }).click();
  await page.getByRole('heading', { name: 'Saved' }).waitFor();
  expect(answers).toHaveLength(2);
});

test('the error of a field and of the form go with the correction', async () => {
  const page = await (await openContext()).newPage();
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  expect(await page.locator('[aria-invalid=true]').count()).toBe(2);
  await page.getByLabel('E-mail').fill('nobody@example.com');
  expect(await page.locator('[aria-invalid=true]').count()).toBe(1);
  await page.getByLabel('Password').fill('wrong password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password').fill('another password');
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('the focus moves to the content of a new page, and Back returns to where the visitor was', async () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) await openSale({ organizer, title: `Scroll ${number}` });
  const page = await (await openContext(undefined, { viewport: phone })).newPage();
  await page.goto('/?q=scroll');
  await waitForContent(page);
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  await page.getByRole('link', { name: 'Scroll 6' }).scrollIntoViewIfNeeded();
  const before = await page.evaluate<number>('scrollY');
  expect(before).toBeGreaterThan(500);
  await page.getByRole('link', { name: 'Scroll 6' }).click();
  await page.getByRole('heading', { name: 'Scroll 6' }).waitFor();
  expect(await page.evaluate('[scrollY, document.activeElement.id]')).toEqual([0, 'content']);
  await page.goBack();
  await expect.poll(() => page.evaluate<number>('scrollY')).toBeGreaterThan(before - 5);
});

test('a code for one hidden tier selects it', async () => {
  const tiers = [
    { name: 'Floor', price: 50, quantity: 5 },
    { name: 'Friends', price: 10, quantity: 5, hidden: true },
  ];
  const event = await createEvent(organizer, { tiers, title: 'Secret' });
  const tierId = event.tiers.find(({ hidden }: { hidden: boolean }) => hidden).id;
  await createCode({ organizer, event }, { code: 'FRIENDS', kind: 'access', tierIds: [tierId] });
  const page = await openPageAs(buyer, `/events/${event.id}?code=friends`);
  await expect.poll(() => page.getByLabel('Quantity of Friends').inputValue()).toBe('1');
});

test('the link to an offered ticket shows the event and the sender before signing in', async () => {
  const sale = await openSale({ organizer, title: 'Offered' });
  const { orderId } = await buyTickets(sale, buyer, 1);
  const email = freshEmail();
  const { transfer } = (await offerSeat(buyer, orderId, 1, email)).body;
  const page = await (await openContext()).newPage();
  await page.goto(`/transfers/${transfer.token}`);
  await page.getByText(`${buyer.user.name} offers you a ticket: Standing.`).waitFor();
  await expectAccessible(page, 'transfer-offered');
  await page.getByRole('link', { name: 'Register' }).click();
  expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
});

test('the door checks a visitor without a phone in by name', async () => {
  const sale = await openSale({ organizer, title: 'Empty phone' });
  const person = await registerUser({ name: 'Zoe Zero' });
  await buyTickets(sale, person, 2);
  const page = await openPageAs(organizer, `/organizer/check-in/${sale.event.id}`);
  await page.setViewportSize(phone);
  await page.getByText('Find a name').click();
  await page.getByLabel('Name or order').fill('zoe');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Check in ticket 2' }).click();
  const result = page.getByRole('log').getByRole('listitem').first();
  await expect
    .poll(() => result.innerText())
    .toMatch(/^Checked in\s+Zoe Zero\s+Standing, ticket 2 of 2\.\s+Undo$/);
  await expectAccessible(page, 'door-by-name');
});

test('an organizer duplicates an event, and puts the copy on sale', async () => {
  const { event } = await openSale({ organizer, title: 'Weekly' });
  const page = await openPageAs(organizer, `/organizer/events/${event.id}`);
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.getByRole('button', { name: 'Make a draft' }).click();
  await page.waitForURL('/organizer/edit/*');
  await page.getByRole('link', { name: 'Sales' }).click();
  await page.getByRole('button', { name: 'Put on sale' }).click();
  await page.getByText('Weekly is on sale.').waitFor();
  await page.getByRole('img', { name: 'QR code of the event’s page' }).waitFor();
  await expectAccessible(page, 'event-put-on-sale');
});

test('an organizer uploads a picture, which buyers see without a shift of the page', async () => {
  const { event } = await openSale({ organizer, title: 'Pictured' });
  const page = await openPageAs(organizer, `/organizer/edit/${event.id}`);
  const file = (mimeType: string, buffer: Buffer) => ({ name: 'picture', mimeType, buffer });
  const field = page.getByLabel('Picture to upload');
  await field.setInputFiles(file('image/svg+xml', Buffer.from('<svg onload="alert(1)"/>')));
  await page.getByText('This file is not a picture.').waitFor();
  const png = new PNG({ width: 2_000, height: 1_125 });
  png.data.fill(0x99);
  await field.setInputFiles(file('image/png', PNG.sync.write(png)));
  await page.getByRole('img', { name: 'The event, as buyers see it' }).waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Your changes are saved.').waitFor();

  const buyerPage = await (await openContext(undefined, { viewport: phone })).newPage();
  await buyerPage.addInitScript(`
    globalThis.shifts = [];
    new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
      .observe({ type: 'layout-shift', buffered: true });
  `);
  await buyerPage.goto(`/events/${event.id}`);
  const image = buyerPage.getByRole('img', { name: 'Pictured' });
  // Of the three widths, the phone loads the smallest that is sharp on its screen.
  const addressOf = () => image.evaluate((element) => 'currentSrc' in element && element.currentSrc);
  await expect.poll(addressOf).toMatch(/\/api\/pictures\/\w+\/\w+\/(400|800)$/);
  expect(
    await image.evaluate((element) => 'naturalWidth' in element && element.naturalWidth),
  ).toBeGreaterThan(0);
  expect(await buyerPage.evaluate('shifts.reduce((sum, shift) => sum + shift, 0)')).toBeLessThan(0.02);
});

test('an organizer learns that a picture was not accepted, of an event that is saved', async () => {
  const { event } = await openSale({ organizer, title: 'Not pictured' });
  const page = await openPageAs(organizer, `/organizer/edit/${event.id}`);
  await page.route('**/boxoffice-local-pictures', (route) => route.fulfill({ status: 403 }));
  const png = {
    name: 'picture',
    mimeType: 'image/png',
    buffer: PNG.sync.write(new PNG({ width: 8, height: 8 })),
  };
  await page.getByLabel('Picture to upload').setInputFiles(png);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The picture was not accepted. Choose another one.').waitFor();
  await page.unroute('**/boxoffice-local-pictures');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Your changes are saved.').waitFor();
});

test('the scripts of an event’s page have at most 60 KB', async () => {
  const { event } = await openSale({ organizer });
  const page = await (await openContext()).newPage();
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body());
  });
  await page.goto(`/events/${event.id}`);
  await waitForContent(page);
  const bodies = await Promise.all(scripts);
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeLessThan(60_000);
  expect(bytes).toBeGreaterThan(10_000);
});
