import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openContext, openStep, screenshot, useBrowser, waitForContent } from '../support/browser.ts';
import { buyTickets, freshEmail, registerUser } from '../support/fixtures.ts';

useBrowser();

test('an organizer registers, creates an event, and sees its sales', async () => {
  const page = await (await openContext()).newPage();
  await page.goto('/register?next=/organizer');
  await page.getByLabel('Name').fill('Olga Organizer');
  await page.getByLabel('E-mail').fill(freshEmail());
  await page.getByLabel('Password').fill('correct horse');
  await page.getByLabel('organize events').check();
  await page.getByRole('button', { name: 'Register' }).click();
  await page.getByText('You have no events yet').waitFor();

  await page.getByRole('link', { name: 'Create an event' }).click();
  await page.getByLabel('Title').fill('Quiet Lights');
  await openStep(page, 'Place and time');
  await page.getByLabel('Venue').fill('The Old Foundry');
  await page.getByLabel('City').fill('Lagos');
  // Times are in the event's zone, not in the organizer's, which is Berlin.
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin');
  await page.getByLabel('Time zone').selectOption('Africa/Lagos');
  await page.getByLabel('Begins', { exact: true }).fill('2031-06-01T20:30');
  await openStep(page, 'Tickets');
  await page.getByRole('button', { name: 'Add a tier' }).click();
  for (const [number, name, price, tickets] of [
    [1, 'Floor', '19.99', '100'],
    [2, 'Balcony', '80', '20'],
  ] as const) {
    const tier = page.getByRole('group', { name: `Tier ${number}`, exact: true });
    await tier.getByLabel('Name').fill(name);
    await tier.getByLabel('Price').fill(price);
    await tier.getByLabel('Tickets').fill(tickets);
  }
  await openStep(page, 'Preview');
  await screenshot(page, 'new-event-filled');
  await page.getByRole('button', { name: 'Put on sale' }).click();
  await page.getByText('Nobody has ordered yet').waitFor();
  expect(await page.locator('main').innerText()).toContain('1 June 2031 at 20:30');

  const id = page.url().split('/').at(-1) as string;
  const { event } = await (await page.request.get(`/api/events/${id}`)).json();
  expect(event).toMatchObject({
    timezone: 'Africa/Lagos',
    eventDate: '2031-06-01T19:30:00.000Z',
    endDate: '2031-06-01T21:30:00.000Z',
    status: 'PUBLISHED',
  });
  const buyer = await registerUser({ name: 'Bea Buyer' });
  const { reference } = await buyTickets({ event }, buyer, 3);

  await page.reload();
  await waitForContent(page);
  const summary = await page.getByRole('row', { name: /^Floor/ }).innerText();
  expect(summary).toMatch(/Floor\s+3\s+0\s+97\s+US\$61\.47\s+US\$1\.50\s+US\$59\.97/);
  const order = page.getByRole('row', { name: /Bea Buyer/ });
  expect(await order.innerText()).toMatch(/3 × Floor\s+US\$61\.47\s+Paid/);
  await screenshot(page, 'sales');

  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    return (await text(await file.createReadStream())).trim().split('\r\n');
  };
  const orders = await download();
  expect(orders.filter((row) => row.includes(reference))).toHaveLength(1);
  await page.goto(`/organizer/attendees/${event.id}`);
  const tickets = await download();
  expect(tickets.filter((row) => row.includes(reference) && row.includes('Floor'))).toHaveLength(3);
});

test('the registration form shows each invalid field’s error below the field, and keeps the input', async () => {
  const page = await (await openContext()).newPage();
  await page.goto('/register');
  await page.getByLabel('Name').fill('Olga');
  await page.getByLabel('E-mail').fill('olga');
  await page.getByLabel('Password').fill('ä'.repeat(50));
  await page.getByRole('button', { name: 'Register' }).click();

  /** Returns the hint and the error below a field. */
  const descriptionOf = (label: string) =>
    page.getByLabel(label).evaluate((field) => {
      const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
      return ids.map((id: string) => field.ownerDocument.getElementById(id)?.textContent).join(' ');
    });
  // The browser checks the fields first, then the API.
  await expect.poll(() => descriptionOf('E-mail')).toContain("'@'");
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('email');
  await page.getByLabel('E-mail').fill(freshEmail());
  await page.getByRole('button', { name: 'Register' }).click();
  await expect.poll(() => descriptionOf('Password')).toMatch(/^At least 8 characters\. Password must .+\.$/);
  expect(await page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await page.getByLabel('Name').inputValue()).toBe('Olga');
  await screenshot(page, 'register-refused');
});
