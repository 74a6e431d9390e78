import { expect, test } from 'vitest';
import { expectAccessible, openContext, useBrowser, waitForContent } from '../support/browser.ts';
import { buyTickets, createEvent, registerUser } from '../support/fixtures.ts';

useBrowser();

const tiers = [
  { name: 'Floor', price: 50, quantity: 500 },
  { name: 'Balcony', price: 80, quantity: 500 },
];

/** Opens the sales page of an event with a sold ticket. @param days replaces the days of the summary */
async function openSales(days?: (tierIds: string[]) => object[]) {
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const event = await createEvent(organizer, { title: 'Night trains', currency: 'USD', tiers });
  if (!days) await buyTickets({ event }, await registerUser(), 2);
  const page = await (await openContext(organizer)).newPage();
  if (days) {
    await page.route('**/summary', async (route) => {
      const { summary } = await (await route.fetch()).json();
      const tierIds = event.tiers.map(({ id }: { id: string }) => id);
      await route.fulfill({ json: { summary: { ...summary, days: days(tierIds) } } });
    });
  }
  await page.goto(`/organizer/events/${event.id}`);
  await waitForContent(page);
  return page;
}

/** Returns the text of each row of the chart's table. */
async function readRows(page: Awaited<ReturnType<typeof openSales>>) {
  const summary = page.getByText('Show the days as a table');
  await summary.press('Enter');
  const rows = await page.getByRole('region', { name: 'Sold by day' }).getByRole('row').allInnerTexts();
  await summary.press('Enter');
  return rows.map((row) => row.replace(/\s+/g, ' ').trim());
}

test('an organizer sees how many tickets were sold on each day', async () => {
  const page = await openSales();
  await page.getByRole('heading', { name: 'Sold by day' }).waitFor();
  await page.getByText('1 of 1 order was paid or free (100 %).').waitFor();
  const [header, ...rows] = await readRows(page);
  expect(header).toBe('Day Floor Refunded');
  expect(rows).toEqual([expect.stringMatching(/20\d\d 2 0$/)]);
  expect(
    await page
      .getByRole('img', { name: /Tickets sold by day/ })
      .locator('rect')
      .count(),
  ).toBe(1);
});

test('the chart of sales has a bar for each day by tier, and for each week of a long sale', async () => {
  const day = (date: string, ...counts: object[]) => ({ date, tiers: counts });
  const days = ([floor, balcony]: string[]) => [
    day('2031-05-01', { tierId: floor, sold: 120, refunded: 0 }, { tierId: balcony, sold: 40, refunded: 0 }),
    day('2031-05-02', { tierId: floor, sold: 35, refunded: 2 }),
    day('2031-05-05', { tierId: balcony, sold: 60, refunded: 0 }),
    day('2031-05-06', { tierId: floor, sold: 0, refunded: 4 }),
    day('2031-05-20', { tierId: floor, sold: 80, refunded: 0 }, { tierId: balcony, sold: 70, refunded: 1 }),
  ];
  const page = await openSales(days);
  await page.getByText('At most 160 in a day').waitFor();
  expect(await readRows(page)).toEqual([
    'Day Floor Balcony Refunded',
    '1 May 2031 120 40 0',
    '2 May 2031 35 0 2',
    '5 May 2031 0 60 0',
    '6 May 2031 0 0 4',
    '20 May 2031 80 70 1',
  ]);
  await page.getByText('Show the days as a table').click();
  await expectAccessible(page, 'sales-chart');

  const long = await openSales(([floor]: string[]) => [
    day('2031-01-01', { tierId: floor, sold: 10, refunded: 0 }),
    day('2031-01-07', { tierId: floor, sold: 5, refunded: 0 }),
    day('2031-06-01', { tierId: floor, sold: 30, refunded: 0 }),
  ]);
  await long.getByText('At most 30 in a week').waitFor();
  await expectAccessible(long, 'sales-chart-weeks');
});

test('without sales there is no chart', async () => {
  const page = await openSales(() => []);
  expect(await page.getByRole('heading', { name: 'Sold', exact: true }).count()).toBe(1);
  expect(await page.getByRole('heading', { name: /Sold by/ }).count()).toBe(0);
});
