import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  expectAccessible,
  openContext,
  openPageAs,
  openStep,
  phone,
  screenshot,
  useBrowser,
} from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  changeEvent,
  openSale,
  type Person,
  readOrder,
  registerUser,
} from '../support/fixtures.ts';

useBrowser();

let buyer: Person;
beforeAll(async () => {
  buyer = await registerUser({ name: 'Bea Buyer' });
});

const dialog = (page: Page) => page.getByRole('dialog');

test('a buyer returns a ticket on a phone, and sees first what goes back', async () => {
  const sale = await openSale();
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await changeEvent(sale, { returns: { until, feePercent: 10 } });
  const { orderId } = await buyTickets(sale, buyer, 2);
  const page = await (await openContext(buyer, { viewport: phone })).newPage();
  await page.goto(`/events/${sale.event.id}`);
  await page.getByText('less 10 %').waitFor();
  await screenshot(page, 'return-terms');
  await page.goto(`/orders/${orderId}`);
  await page.getByRole('button', { name: 'Return this ticket' }).last().click();
  await dialog(page)
    .getByText(/46\.13/)
    .waitFor();
  await dialog(page).getByText(/5\.12/).waitFor();
  await screenshot(page, 'return-ticket');
  await expectAccessible(page, 'return-ticket');
  await dialog(page).getByRole('button', { name: 'Return the ticket' }).click();
  await page.getByText('for ticket 2').waitFor();
  await eventually('one ticket is left', async () => {
    return (await page.getByRole('button', { name: 'Return this ticket' }).count()) === 1;
  });
});

test('an organizer refunds a ticket of an order, and gives goodwill', async () => {
  const sale = await openSale();
  const { orderId } = await buyTickets(sale, buyer, 2);
  const page = await openPageAs(sale.organizer, `/organizer/orders/${orderId}`);
  const refundPart = async (label: string, text: string) => {
    await page.getByRole('button', { name: 'Refund a part' }).click();
    await dialog(page).getByLabel(label).fill(text);
    await screenshot(page, 'refund-part');
    await expectAccessible(page, 'refund-part');
    await dialog(page).getByRole('button', { name: 'Refund the part' }).click();
    await dialog(page).waitFor({ state: 'detached' });
  };
  await refundPart('Numbers of the tickets', '2');
  await page.getByText('Refund of ticket 2').waitFor();
  await refundPart('Amount in', '10');
  await page.getByText('Goodwill').waitFor();
  const order = await eventually('the refunds are done', async () => {
    const current = await readOrder(buyer, orderId);
    return current.refunds.every(({ status }: { status: string }) => status === 'done') && current;
  });
  expect(order).toMatchObject({ refundedAmount: 61.25, refund: null });
});

test('a buyer lists a ticket for the waiting list, and keeps it after all', async () => {
  const sale = await openSale();
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await changeEvent(sale, { waitingList: true, returns: { until, feePercent: 10, mode: 'when-resold' } });
  const { orderId } = await buyTickets(sale, buyer, 1);
  const page = await (await openContext(buyer, { viewport: phone })).newPage();
  await page.goto(`/orders/${orderId}`);
  await page.getByRole('button', { name: 'Return this ticket' }).click();
  await dialog(page).getByText('when somebody takes it').waitFor();
  await dialog(page).getByRole('button', { name: 'Offer it to the waiting list' }).click();
  await page.getByText('Your ticket is valid until it is taken.').waitFor();
  await screenshot(page, 'listed-ticket');
  await expectAccessible(page, 'listed-ticket');
  expect(await readOrder(buyer, orderId)).toMatchObject({ openReturns: [{ seats: [1], status: 'listed' }] });
  await page.getByRole('button', { name: 'Keep this ticket' }).click();
  await dialog(page).getByRole('button', { name: 'Keep it' }).click();
  await page.getByRole('button', { name: 'Return this ticket' }).waitFor();
  expect((await readOrder(buyer, orderId)).openReturns).toEqual([]);
});

test('an organizer chooses that returned tickets are refunded when somebody takes them', async () => {
  const sale = await openSale();
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await changeEvent(sale, { returns: { until, feePercent: 10 } });
  const page = await openPageAs(sale.organizer, `/organizer/edit/${sale.event.id}`);
  await openStep(page, 'Questions and rules');
  const whenResold = page.getByLabel(
    'A returned ticket is refunded when somebody on the waiting list takes it',
  );
  await whenResold.check();
  await page.getByLabel('People can wait for tickets of sold-out tiers').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your changes are saved.').waitFor();
  const { event } = (await sale.organizer.get(`/api/events/${sale.event.id}`)).body;
  expect(event).toMatchObject({ waitingList: true, returns: { feePercent: 10, mode: 'when-resold' } });
});
