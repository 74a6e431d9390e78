import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  expectAccessible,
  fillEvent,
  openContext,
  openPageAs,
  openStep,
  screenshot,
  useBrowser,
  waitForContent,
} from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  addStaff,
  buyTickets,
  cancelOrder,
  checkIn,
  controlSandbox,
  initializeOrder,
  openSale,
  type Person,
  readBalance,
  readOrder,
  registerUser,
  type Sale,
  waitForMintedOrder,
} from '../support/fixtures.ts';

useBrowser();

let organizer: Person;
let buyer: Person;
beforeAll(async () => {
  [organizer, buyer] = await Promise.all([
    registerUser({ role: 'ORGANIZER', name: 'Olga Organizer' }),
    registerUser({ name: 'Bea Buyer', walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' }),
  ]);
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const dialog = (page: Page) => page.getByRole('dialog');
const readEvent = async ({ event }: Sale) => (await organizer.get(`/api/events/${event.id}`)).body.event;
const updateEvent = ({ event }: Sale, body: object) => organizer.put(`/api/events/${event.id}`, body);

/** Returns the hint and the error below a field. */
const descriptionOf = (page: Page, label: string) =>
  field(page, label).evaluate((input) => {
    const ids = input.getAttribute('aria-describedby')?.split(' ') ?? [];
    return ids.map((id: string) => input.ownerDocument.getElementById(id)?.textContent).join(' ');
  });

test('the event form shows the errors of a step at their fields, and sends no request', async () => {
  const page = await openPageAs(organizer, '/organizer/events/new');
  const sentRequests: string[] = [];
  page.on('request', (request) =>
    sentRequests.push(`${request.method()} ${new URL(request.url()).pathname}`),
  );
  const next = () => button(page, 'Next').click();
  await field(page, 'Or the address of a picture').fill('http://example.com/picture.png');
  await next();
  await expect.poll(() => descriptionOf(page, 'Or the address of a picture')).toContain('https://');
  expect(await field(page, 'Title').getAttribute('aria-invalid')).toBe('true');
  await field(page, 'Title').fill('Yesterday');
  await field(page, 'Or the address of a picture').fill('');
  await openStep(page, 'Place and time');
  await field(page, 'Time zone').selectOption('Europe/Berlin');
  await field(page, 'Begins').fill('2020-03-01T20:00');
  await field(page, 'Ends').fill('2031-03-30T02:30');
  await next();
  await expect.poll(() => descriptionOf(page, 'Begins')).toContain('in the past');
  expect(await descriptionOf(page, 'Ends')).toContain('clocks are put forward in Europe/Berlin');
  expect(await field(page, 'Venue').getAttribute('aria-invalid')).toBe('true');
  await field(page, 'Venue').fill('Club');
  await field(page, 'Begins').fill('2031-03-29T20:00');
  await field(page, 'Ends').fill('2031-03-30T03:30');
  await openStep(page, 'Tickets');
  await field(page, 'Currency').selectOption('JPY');
  await field(page, 'Price in JPY').fill('10.5');
  await page.getByText('More about this tier').click();
  await field(page, 'Its sale begins').fill('2031-01-02T00:00');
  await field(page, 'Its sale ends').fill('2031-01-01T00:00');
  await page.getByText('More about this tier').click();
  await next();
  await expect.poll(() => descriptionOf(page, 'Its sale ends')).toContain('ends before it begins');
  for (const label of ['Name', 'Price in JPY', 'Tickets']) {
    expect(await field(page, label).getAttribute('aria-invalid')).toBe('true');
  }
  await screenshot(page, 'new-event-refused');
  expect(sentRequests).not.toContain('POST /api/events');
});

test('an organizer adds an add-on and questions, then changes and removes questions', async () => {
  const page = await openPageAs(organizer, '/organizer/events/new');
  await fillEvent(page, 'Asking');
  await openStep(page, 'Tickets');
  await button(page, 'Add a tier').click();
  const addOn = page.getByRole('group', { name: 'Tier 2', exact: true });
  await addOn.getByLabel('Name').fill('Parking');
  await addOn.getByLabel('Price').fill('3');
  await addOn.getByLabel('Tickets').fill('2');
  await addOn.getByText('More about this tier').click();
  await addOn.getByLabel('An add-on').check();
  await openStep(page, 'Questions and rules');
  await button(page, 'Add a question').click();
  await page.getByRole('group', { name: 'Question 1' }).getByLabel('What you ask').fill('How old are you?');
  await button(page, 'Add a question').click();
  const choice = page.getByRole('group', { name: 'Question 2' });
  await choice.getByLabel('What you ask').fill('What do you eat?');
  await choice.getByLabel('Kind of answer').selectOption('One of several answers');
  await choice.getByLabel('Asked for').selectOption('Each ticket');
  await choice.getByLabel('Has to be answered').check();
  await choice.getByLabel('Possible answers').fill('Everything');
  await button(page, 'Next').click();
  await choice.getByText('at least two different answers').waitFor();
  await choice.getByLabel('Possible answers').fill('Everything\nNo meat');
  await expectAccessible(page, 'new-event-questions');
  await openStep(page, 'Preview');
  await button(page, 'Put on sale').click();
  await page.getByText('Nobody has ordered yet').waitFor();
  const id = page.url().split('/').at(-1) ?? '';
  const readQuestions = async () => (await organizer.get(`/api/events/${id}`)).body.event.questions;
  const meal = {
    label: 'What do you eat?',
    kind: 'choice',
    required: true,
    options: ['Everything', 'No meat'],
    tierIds: [],
    per: 'ticket',
  };
  const [age, stored] = await readQuestions();
  expect([age.label, stored]).toEqual(['How old are you?', { ...meal, id: stored.id }]);

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByText('This is an add-on.').waitFor({ state: 'attached' });
  await openStep(page, 'Questions and rules');
  await page.getByRole('group', { name: 'How old are you?' }).getByRole('button', { name: 'Remove' }).click();
  const storedChoice = page.getByRole('group', { name: 'What do you eat?' });
  expect(await storedChoice.getByLabel('Kind of answer').isDisabled()).toBe(true);
  await storedChoice.getByLabel('What you ask').fill('Your meal?');
  await storedChoice.getByRole('group', { name: 'Only for these tiers' }).getByLabel('Parking').check();
  await openStep(page, 'Tickets');
  const parking = page.getByRole('group', { name: 'Parking', exact: true });
  await parking.getByText('More about this tier').click();
  await parking.getByLabel('Tax in percent').fill('19');
  await page.getByLabel('You pay the fee of 2.5 %').check();
  await openStep(page, 'Questions and rules');
  await page.getByText('The seller on invoices').click();
  await page.getByLabel('Seller’s name').fill('Hall GmbH');
  await page.getByLabel('Seller’s address').fill('Weg 1\nBerlin');
  await expectAccessible(page, 'edit-event-seller');
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: 'Asking' }).waitFor();
  const { event } = (await organizer.get(`/api/events/${id}`)).body;
  const addOnId = event.tiers[1].id;
  expect(event).toMatchObject({
    questions: [{ ...stored, label: 'Your meal?', tierIds: [addOnId] }],
    feePaidBy: 'organizer',
    seller: { name: 'Hall GmbH', address: 'Weg 1\nBerlin', taxId: null },
  });
  expect(event.tiers.map(({ taxPercent }: { taxPercent: number | null }) => taxPercent)).toEqual([null, 19]);
});

test('an organizer edits a draft, puts it on sale, takes it off sale, and deletes it', async () => {
  const page = await openPageAs(organizer, '/organizer/events/new');
  await fillEvent(page, 'Rough Draft');
  // The answer is lost. Pressing the button again creates no second event.
  await page.route('**/api/events', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(page, 'Save as a draft').click();
  await page.getByRole('alert').filter({ hasText: 'can’t be reached' }).waitFor();
  await page.unroute('**/api/events');
  await button(page, 'Save as a draft').click();
  await page.getByText('Draft', { exact: true }).waitFor();
  const id = page.url().split('/').at(-1) ?? '';
  expect((await page.request.get(`/api/events/${id}`)).status()).toBe(404);
  await page.getByRole('link', { name: 'My events' }).click();
  const card = page.getByRole('listitem').filter({ hasText: 'Rough Draft' });
  await card.getByText('Draft', { exact: true }).waitFor();
  expect(await card.count()).toBe(1);
  await screenshot(page, 'organizer-draft');

  await card.getByRole('link').click();
  await page.getByRole('link', { name: 'Edit' }).click();
  await field(page, 'Title').fill('Fine Draft');
  await openStep(page, 'Tickets');
  await button(page, 'Add a tier').click();
  const addedTier = page.getByRole('group', { name: 'Tier 2', exact: true });
  await addedTier.getByLabel('Name').fill('Crew');
  await addedTier.getByLabel('Price').fill('0');
  await addedTier.getByLabel('Tickets').fill('3');
  await addedTier.getByText('More about this tier').click();
  await addedTier.getByLabel('Hidden').check();
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: 'Fine Draft' }).waitFor();
  await page.getByRole('row', { name: /^Crew/ }).waitFor();

  await button(page, 'Put on sale').click();
  await page.getByText('On sale', { exact: true }).waitFor();
  const publicEvent = (await (await page.request.get(`/api/events/${id}`)).json()).event;
  expect(publicEvent.tiers.map(({ name }: { name: string }) => name)).toEqual(['Floor']);

  await button(page, 'Take off sale').click();
  await dialog(page).getByText('Tickets that are sold stay valid').waitFor();
  await dialog(page).getByRole('button', { name: 'Take off sale' }).click();
  await page.getByText('Draft', { exact: true }).waitFor();
  await button(page, 'Delete').click();
  await dialog(page).getByRole('button', { name: 'Delete the event' }).click();
  await page.waitForURL('/organizer');
  await waitForContent(page);
  expect(await page.getByText('Fine Draft').count()).toBe(0);
});

test('the event form warns when the values were changed after a lost answer', async () => {
  const page = await openPageAs(organizer, '/organizer/events/new');
  await fillEvent(page, 'Changed Mind');
  await page.route('**/api/events', async (route) => {
    await route.fetch();
    await route.fulfill({ status: 503, json: { message: 'Service Unavailable' } });
  });
  await button(page, 'Save as a draft').click();
  await page.getByRole('alert').filter({ hasText: 'Please try again' }).waitFor();
  await page.unroute('**/api/events');
  await openStep(page, 'Tickets');
  await page.getByLabel(/^Price in/).fill('12');
  await openStep(page, 'Preview');
  await button(page, 'Save as a draft').click();
  await page.getByRole('alert').filter({ hasText: 'Your first attempt, with other details' }).waitFor();
  await page.getByRole('link', { name: 'My events' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Changed Mind' }).waitFor();
  expect(await page.getByRole('listitem').filter({ hasText: 'Changed Mind' }).count()).toBe(1);
});

test('an organizer edits an event on sale, and the form refuses fewer tickets than are sold', async () => {
  const sale = await openSale({ organizer, currency: 'USD', title: 'On Sale' });
  await buyTickets(sale, buyer, 3);
  const page = await openPageAs(organizer, `/organizer/edit/${sale.event.id}`);
  expect(await field(page, 'Currency').isDisabled()).toBe(true);
  expect(await field(page, 'Ticket contract').isDisabled()).toBe(true);
  await openStep(page, 'Tickets');
  await field(page, 'Tickets').fill('2');
  await field(page, 'Price in USD').fill('60');
  await openStep(page, 'Place and time');
  await field(page, 'Venue').fill('A larger club');
  await button(page, 'Save').click();
  await expect.poll(() => descriptionOf(page, 'Tickets')).toContain('3 tickets are sold or held');
  await screenshot(page, 'edit-event-refused');
  await field(page, 'Tickets').fill('4');
  await button(page, 'Save').click();
  await page.getByRole('row', { name: /^Standing\s+3\s+0\s+1\s/ }).waitFor();
  const event = await readEvent(sale);
  expect(event).toMatchObject({ venue: 'A larger club', saleStart: sale.event.saleStart });
  expect(event.tiers).toMatchObject([{ quantity: 4, price: 60, available: 1 }]);
});

test('saving an event that another tab changed is refused until the page is reloaded', async () => {
  const sale = await openSale({ organizer, title: 'Two Tabs' });
  const page = await openPageAs(organizer, `/organizer/edit/${sale.event.id}`);
  await openStep(page, 'Place and time');
  await field(page, 'City').fill('Lagos');
  await updateEvent(sale, { venue: 'Their Venue' });
  await button(page, 'Save').click();
  await page.getByRole('alert').filter({ hasText: 'changed by someone else' }).waitFor();
  expect(await readEvent(sale)).toMatchObject({ city: '', venue: 'Their Venue' });
  await page.reload();
  await openStep(page, 'Place and time');
  await field(page, 'City').fill('Lagos');
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: 'Two Tabs' }).waitFor();
  expect(await readEvent(sale)).toMatchObject({ city: 'Lagos', venue: 'Their Venue' });
});

test('saving again after a failed request sends the remaining changes', async () => {
  const sale = await openSale({ organizer, title: 'Half Saved' });
  const page = await openPageAs(organizer, `/organizer/edit/${sale.event.id}`);
  await field(page, 'Category').selectOption({ label: 'Sports' });
  await openStep(page, 'Tickets');
  await field(page, 'Maximum per person').fill('7');
  await page.route('**/tiers/*', (route) =>
    route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }),
  );
  await button(page, 'Save').click();
  await page.getByText('Some of your changes are saved. Save again to save the others.').waitFor();
  await screenshot(page, 'edit-event-half-saved');
  await page.unroute('**/tiers/*');
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: 'Half Saved' }).waitFor();
  const event = await readEvent(sale);
  expect(event.category).toBe('SPORTS');
  expect(event.tiers[0].maxPerPerson).toBe(7);
});

test('saving again after a lost answer adds a tier once', async () => {
  const sale = await openSale({ organizer, title: 'Lost Answer' });
  const page = await openPageAs(organizer, `/organizer/edit/${sale.event.id}`);
  await openStep(page, 'Tickets');
  await button(page, 'Add a tier').click();
  const addedTier = page.getByRole('group', { name: 'Tier 2', exact: true });
  await addedTier.getByLabel('Name').fill('Balcony');
  await addedTier.getByLabel('Price').fill('80');
  await addedTier.getByLabel('Tickets').fill('20');
  await page.route('**/tiers', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await button(page, 'Save').click();
  await page.getByRole('alert').filter({ hasText: 'can’t be reached' }).waitFor();
  await page.unroute('**/tiers');
  await button(page, 'Save').click();
  await page.getByRole('row', { name: /^Balcony/ }).waitFor();
  expect((await readEvent(sale)).tiers).toHaveLength(2);
});

test('cancelling an event states the consequences, and removes the actions of its orders', async () => {
  const sale = await openSale({ organizer, title: 'Doomed' });
  const { orderId } = await buyTickets(sale, buyer, 1);
  const page = await openPageAs(organizer, `/organizer/events/${sale.event.id}`);
  await button(page, 'Cancel the event').click();
  await dialog(page).getByText('All buyers get their whole payment back').waitFor();
  await screenshot(page, 'cancel-event');
  // The focus is on Back, and Escape closes the dialog too.
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Back');
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  expect((await readEvent(sale)).status).toBe('PUBLISHED');

  await button(page, 'Cancel the event').click();
  await dialog(page).getByRole('button', { name: 'Cancel the event' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  expect(await button(page, 'Cancel the event').count()).toBe(0);
  await page.goto(`/organizer/orders/${orderId}`);
  await waitForContent(page);
  expect(await page.getByRole('main').innerText()).toContain('You cancelled the event.');
  for (const name of ['Refund', 'Send the tickets again', 'Mint again']) {
    expect(await button(page, name).count()).toBe(0);
  }
});

test('an organizer sees an order’s buyer, amounts and check-ins, and refunds the order once', async () => {
  const sale = await openSale({ organizer, currency: 'USD', title: 'One Order' });
  const [unusedOrder, usedOrder] = [await buyTickets(sale, buyer, 2), await buyTickets(sale, buyer, 1)];
  const page = await openPageAs(organizer, `/organizer/events/${sale.event.id}`);
  await page.getByRole('link', { name: unusedOrder.reference }).click();
  await page.getByRole('heading', { name: 'Order of Bea Buyer' }).waitFor();
  const text = await page.getByRole('main').innerText();
  expect(text).toContain(buyer.user.email);
  expect(text).toMatch(
    /Price of the tickets\s+US\$100\.00\s+Fee, paid by the buyer\s+US\$2\.50\s+Total\s+US\$102\.50/,
  );
  expect(text).toContain('Tickets: 0 of 2 checked in');
  await button(page, 'Send the tickets again').click();
  await page.getByText(`The tickets are on their way to ${buyer.user.email}`).waitFor();

  await button(page, 'Refund').click();
  await dialog(page).getByText('The buyer gets US$102.50 back').waitFor();
  await screenshot(page, 'refund');
  await dialog(page).getByRole('button', { name: 'Refund the order' }).click();
  await page.getByText('Its tickets are no longer valid', { exact: false }).waitFor();
  expect(await button(page, 'Refund').count()).toBe(0);
  expect((await readBalance(organizer, 'USD')).available).toBeGreaterThanOrEqual(50);

  // A ticket is checked in between reading the order and refunding it.
  await page.goto(`/organizer/orders/${usedOrder.orderId}`);
  await button(page, 'Refund').click();
  const { admissions } = await readOrder(buyer, usedOrder.orderId);
  await checkIn(admissions[0].checkInCode, organizer);
  await dialog(page).getByRole('button', { name: 'Refund the order' }).click();
  await dialog(page).getByRole('alert').filter({ hasText: 'Somebody was admitted' }).waitFor();
  await dialog(page).getByRole('button', { name: 'Back' }).click();
  await page.reload();
  await page.getByText('Tickets: 1 of 1 checked in').waitFor();
  await screenshot(page, 'organizer-order-used');
});

test('the refund of an overpaid order includes the excess', async () => {
  const sale = await openSale({ organizer, currency: 'USD', title: 'Too Much' });
  const { orderId, reference } = await initializeOrder(sale, buyer, 1);
  await controlSandbox(`payments/${reference}/pay`, { amount: 6_000 });
  await eventually('the order is paid', async () => {
    const { fulfilment } = await readOrder(buyer, orderId);
    return !['none', 'queued'].includes(fulfilment.status);
  });
  const page = await openPageAs(organizer, `/organizer/orders/${orderId}`);
  await button(page, 'Refund').click();
  await dialog(page).getByText('The buyer gets US$60.00 back').waitFor();
  await dialog(page).getByText('US$8.75 that were paid too much').waitFor();
  await screenshot(page, 'refund-excess');
  await dialog(page).getByRole('button', { name: 'Refund the order' }).click();
  await page.getByText(/US\$60\.00 (are on their way|were sent) back/).waitFor();
});

test('an organizer moves tickets to another wallet, and an invalid address is refused at its field', async () => {
  const sale = await openSale({ organizer, hasContract: true, title: 'Lost Wallet' });
  const { orderId } = await buyTickets(sale, buyer, 1);
  await waitForMintedOrder(buyer, orderId);
  const page = await openPageAs(organizer, `/organizer/orders/${orderId}`);
  await button(page, 'Move to another wallet').click();
  await field(page, 'New wallet address').fill('0x12');
  await dialog(page).getByRole('button', { name: 'Move the tickets' }).click();
  await expect.poll(() => field(page, 'New wallet address').getAttribute('aria-invalid')).toBe('true');
  const wallet = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
  await field(page, 'New wallet address').fill(wallet);
  await dialog(page).getByRole('button', { name: 'Move the tickets' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await eventually('the tickets are moved', async () => (await readOrder(buyer, orderId)).reissue);
  await page.reload();
  await page.getByText(wallet).waitFor();
});

test('attendees are listed, counted, and found by name, mail address and order', async () => {
  const sale = await openSale({ organizer, title: 'Full House' });
  const otherBuyer = await registerUser({ name: 'Carl Customer' });
  const { orderId } = await buyTickets(sale, buyer, 2);
  const { reference } = await buyTickets(sale, otherBuyer, 1);
  const { admissions } = await readOrder(buyer, orderId);
  await checkIn(admissions[0].checkInCode, organizer);
  const page = await openPageAs(organizer, `/organizer/events/${sale.event.id}`);
  await page.getByRole('link', { name: 'Attendees' }).click();
  await page.getByText('1 of 3 checked in').waitFor();
  const rows = page.getByRole('table').getByRole('row');
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole('row', { name: /Bea Buyer.*2 × Standing\s+1 of 2/ }).waitFor();
  await screenshot(page, 'attendees');
  for (const text of ['carl', otherBuyer.user.email, reference]) {
    await field(page, 'Buyer’s name, mail address or order').fill(text);
    await button(page, 'Search').click();
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.last().innerText()).toContain('Carl Customer');
  }
  await field(page, 'Buyer’s name, mail address or order').fill('nobody');
  await button(page, 'Search').click();
  await page.getByText('No paid order was found').waitFor();
  await field(page, 'Buyer’s name, mail address or order').fill(' a ');
  await button(page, 'Search').click();
  await page.getByText('Enter at least two characters').waitFor();
});

test('an organizer sees the balance, and requests a payout', async () => {
  const earner = await registerUser({ role: 'ORGANIZER' });
  const page = await openPageAs(earner, '/organizer/payouts');
  await page.getByText('You have earned nothing yet').waitFor();
  await page.getByText('You have not requested a payout yet').waitFor();
  const sale = await openSale({ organizer: earner });
  await buyTickets(sale, buyer, 2);
  await page.reload();
  await page.getByRole('row', { name: /NGN\s+NGN\s100\.00\s+NGN\s0\.00/ }).waitFor();
  // The checkout shows the same names to buyers.
  expect(await field(page, 'Sent by').getByRole('option').allInnerTexts()).toEqual(['Card', 'Bank transfer']);

  await field(page, 'Amount in NGN').fill('100.01');
  await field(page, 'Bank').selectOption('058');
  await field(page, 'Account number').fill('12');
  await field(page, 'Account holder').fill('Olu Adeyemi');
  await button(page, 'Request the payout').click();
  await button(page, 'Send it').click();
  await expect.poll(() => field(page, 'Account number').getAttribute('aria-invalid')).toBe('true');
  await field(page, 'Account number').fill('0123 4567 89');
  await button(page, 'Request the payout').click();
  await dialog(page).getByText('0123456789').waitFor();
  await expectAccessible(page, 'payout-summary');
  await dialog(page).getByRole('button', { name: 'Back' }).click();
  await button(page, 'Request the payout').click();
  await button(page, 'Send it').click();
  await page.getByRole('alert').filter({ hasText: 'exceeds your available balance' }).waitFor();
  await field(page, 'Amount in NGN').fill('40');
  // The request succeeds, but API Gateway times out. Pressing the button again requests no second payout.
  await page.route('**/api/payouts', async (route) => {
    if (route.request().method() === 'POST') await route.fetch();
    await route.fulfill({ status: 504, json: { message: 'Endpoint request timed out' } });
  });
  await button(page, 'Request the payout').click();
  await button(page, 'Send it').click();
  await page.getByRole('alert').filter({ hasText: 'Please try again' }).waitFor();
  await page.unroute('**/api/payouts');
  await button(page, 'Request the payout').click();
  await button(page, 'Send it').click();
  const payoutRow = page.getByRole('row', { name: /Olu Adeyemi/ });
  await payoutRow.waitFor();
  expect(await payoutRow.innerText()).toMatch(/NGN\s40\.00/);
  await page.getByText('NGN 60.00 are available').waitFor();
  expect(await payoutRow.count()).toBe(1);
  await eventually('the payout is paid', async () => {
    await page.reload();
    await waitForContent(page);
    return (await payoutRow.innerText()).includes('Paid out');
  });
  // The account is chosen for the next payout, and the summary shows what is known of it.
  await field(page, 'Amount in NGN').fill('20');
  expect(await field(page, 'To').innerText()).toContain('Olu Adeyemi, ****6789');
  expect(await field(page, 'Account number').count()).toBe(0);
  await button(page, 'Request the payout').click();
  await dialog(page).getByText('****6789').waitFor();
  await button(page, 'Send it').click();
  await page.getByText('NGN 40.00 are available').waitFor();
  await expect.poll(() => payoutRow.count()).toBe(2);
  await field(page, 'To').selectOption('Another account');
  await field(page, 'Account number').waitFor();
  await screenshot(page, 'payouts');
});

test('an organizer who has earned euros is asked for an IBAN, and for the code of the bank', async () => {
  const earner = await registerUser({ role: 'ORGANIZER' });
  await buyTickets(await openSale({ organizer: earner, currency: 'EUR' }), buyer, 1, 'gateway-b');
  const page = await openPageAs(earner, '/organizer/payouts');
  await field(page, 'Amount in EUR').fill('5');
  await field(page, 'Bank code').fill('DEUTDEFF');
  await field(page, 'IBAN').fill('DE89 3704 0044 0532 0130 00');
  await field(page, 'Account holder').fill('Olu Adeyemi');
  await button(page, 'Request the payout').click();
  await dialog(page).getByText('DE89370400440532013000').waitFor();
  await button(page, 'Send it').click();
  await page.getByRole('row', { name: /Olu Adeyemi/ }).waitFor();
});

test('an event whose only order was cancelled can be cancelled, but not deleted', async () => {
  const sale = await openSale({ organizer, title: 'Called off' });
  const { orderId } = await initializeOrder(sale, buyer, 1);
  expect((await cancelOrder(orderId, buyer)).status).toBe(200);
  const page = await openPageAs(organizer, `/organizer/events/${sale.event.id}`);
  await button(page, 'Cancel the event').click();
  await dialog(page).getByText('No tickets are sold.').waitFor();
  expect(await button(page, 'Delete').count()).toBe(0);
});

test('managers and staff at the door see only the actions of their roles', async () => {
  const sale = await openSale({ organizer, title: 'Roles' });
  const { orderId } = await buyTickets(sale, buyer, 1);
  const [manager, doorStaff] = await Promise.all([registerUser(), registerUser()]);
  await addStaff(organizer, sale.event.id, manager, 'manager');
  await addStaff(organizer, sale.event.id, doorStaff, 'door');

  const page = await openPageAs(manager, `/organizer/events/${sale.event.id}`);
  await page.getByRole('link', { name: 'Edit' }).waitFor();
  await button(page, 'Cancel the event').waitFor();
  expect(await page.getByRole('link', { name: 'Staff' }).count()).toBe(0);
  expect(await button(page, 'Delete').count()).toBe(0);
  await page.goto(`/organizer/orders/${orderId}`);
  await button(page, 'Refund').waitFor();
  // The buyer of an order sees no actions of organizers.
  const buyerPage = await openPageAs(buyer, `/organizer/orders/${orderId}`);
  await buyerPage.getByRole('link', { name: 'See its tickets' }).waitFor();
  expect(await button(buyerPage, 'Refund').count()).toBe(0);
  // A manager who is the buyer sees both.
  const own = await buyTickets(sale, manager, 1);
  await page.goto(`/organizer/orders/${own.orderId}`);
  await page.getByRole('link', { name: 'See its tickets' }).waitFor();
  await screenshot(page, 'organizer-order-own');
  await button(page, 'Send the tickets again').waitFor();
  await button(page, 'Refund').click();
  await dialog(page).getByRole('button', { name: 'Refund the order' }).click();
  await page.getByText('Its tickets are no longer valid', { exact: false }).waitFor();

  const doorPage = await (await openContext(doorStaff)).newPage();
  await doorPage.goto(`/organizer/events/${sale.event.id}`);
  await doorPage.getByRole('alert').filter({ hasText: 'Only the organizer and managers' }).waitFor();
  expect(await doorPage.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  await doorPage.goto(`/organizer/edit/${sale.event.id}`);
  await doorPage.getByRole('alert').filter({ hasText: 'Only the organizer and managers' }).waitFor();
  expect(await button(doorPage, 'Save').count()).toBe(0);
  await doorPage.goto(`/organizer/attendees/${sale.event.id}`);
  await doorPage.getByRole('row', { name: /Bea Buyer/ }).waitFor();
  expect(await doorPage.getByRole('main').innerText()).not.toContain('@');
  expect(await doorPage.getByRole('link', { name: 'Bea Buyer' }).count()).toBe(0);
});
