import { expect, test } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import {
  expectAccessible,
  openContext,
  openPageAs,
  openStep,
  phone,
  screenshot,
  useBrowser,
} from '../support/browser.ts';
import { createEvent, registerUser } from '../support/fixtures.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

useBrowser();

/** Does the work on a queue at once, as the sweep has it done every minute. */
const tendQueue = (eventId: string) =>
  sharedStack().invoke('workers-run-event-jobs', {
    Records: [{ messageId: '1', body: JSON.stringify({ type: 'tend-queue', eventId }), attributes: {} }],
  });

test('a visitor joins the queue, checks the draw in the browser, and orders when it is their turn', async () => {
  connectToTable();
  const [organizer, visitor] = await Promise.all([registerUser({ role: 'ORGANIZER' }), registerUser()]);
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const event = await createEvent(organizer, {
    saleStart: inMinutes(-5),
    tiers: [{ name: 'Floor', price: 0, quantity: 9, maxPerPerson: 4 }],
    queue: { opensAt: inMinutes(-3), drawAt: inMinutes(30) },
  });
  const page = await (await openContext(visitor, { viewport: phone })).newPage();
  const pollHeaders: Record<string, string>[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().endsWith('/queue')) pollHeaders.push(request.headers());
  });
  await page.goto(`/events/${event.id}`);
  await page.getByText('everybody has the same chance').waitFor();
  expect(await page.getByRole('button', { name: 'Get tickets' }).count()).toBe(0);
  await screenshot(page, 'queue-open');
  await expectAccessible(page, 'queue-open');
  await page.getByRole('button', { name: 'Join the queue' }).click();
  await page.getByText('You have a place.').waitFor();
  // The place is still there after a reload.
  await page.reload();
  await page.getByText('You have a place.').waitFor();
  await screenshot(page, 'queue-joined');
  // With a token, a CDN would not answer it for all who wait.
  expect(pollHeaders.length).toBeGreaterThan(1);
  for (const headers of pollHeaders) expect(headers).not.toHaveProperty('authorization');

  const { queue } = event;
  await write(update(keys.event(event.id), { set: { queue: { ...queue, drawAt: inMinutes(-2) } } }));
  await page.reload();
  await page.getByText('You have a place. The order is being drawn.').waitFor();
  await tendQueue(event.id);
  const wide = await openPageAs(visitor, `/events/${event.id}`);
  await wide.getByRole('button', { name: 'Join the queue' }).click();
  await wide.getByRole('heading', { name: 'It is your turn' }).waitFor();
  await expect.poll(() => wide.title()).toContain('Your turn!');
  await wide.getByRole('button', { name: 'Check the draw' }).click();
  await wide.getByText('The draw is correct').waitFor();
  await screenshot(wide, 'queue-turn-wide');
  await expectAccessible(wide, 'queue-turn');
  await wide.getByRole('button', { name: 'Get tickets' }).click();
  await wide.waitForURL(/\/orders\//);
});

test('an organizer sells through a queue, pauses it, and changes its rate', async () => {
  connectToTable();
  const organizer = await registerUser({ role: 'ORGANIZER' });
  const sale = {
    organizer,
    event: await createEvent(organizer, {
      startDate: '2031-06-01T20:00:00Z',
      tiers: [{ name: 'Floor', price: 0, quantity: 9, maxPerPerson: 4 }],
    }),
  };
  const { id } = sale.event;
  const page = await openPageAs(organizer, `/organizer/edit/${id}`);
  await openStep(page, 'Questions and rules');
  const summary = page.getByText('Queue for a sale with many buyers');
  await summary.click();
  const field = (name: string) => page.getByLabel(name, { exact: true });
  await field('The queue opens').fill('2030-05-01T11:00');
  await field('The order is drawn').fill('2030-05-01T10:00');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The order is drawn before the queue opens.').waitFor();
  await field('The order is drawn').fill('2030-05-01T12:00');
  await field('People admitted a minute').fill('500');
  await expectAccessible(page, 'queue-form');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your changes are saved.').waitFor();
  const { queue, saleEnd } = (await organizer.get(`/api/events/${id}`)).body.event;
  expect(queue).toEqual({
    opensAt: '2030-05-01T11:00:00.000Z',
    drawAt: '2030-05-01T12:00:00.000Z',
    until: saleEnd,
    perMinute: 500,
  });

  await page.getByRole('link', { name: 'Queue', exact: true }).click();
  await page.getByText('The queue has not opened yet.').waitFor();
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const passed = { ...queue, opensAt: minutesAgo(3), drawAt: minutesAgo(2) };
  await write(update(keys.event(id), { set: { queue: passed } }));
  await page.getByText('People join the queue.').waitFor();
  await expectAccessible(page, 'queue-managed-open');
  await tendQueue(id);
  await page.getByText('People are admitted in the order').waitFor();
  await page.getByRole('button', { name: 'Pause admission' }).click();
  await page.getByText('nobody is admitted. People who were admitted').waitFor();
  await field('People admitted a minute').fill('900');
  await page.getByRole('button', { name: 'Set the rate' }).click();
  await page.getByText('900', { exact: true }).waitFor();
  await expectAccessible(page, 'queue-managed-paused');
  await page.getByRole('button', { name: 'Resume admission' }).click();
  await page.getByText('People are admitted in the order').waitFor();
  expect((await organizer.get(`/api/events/${id}/queue`)).body).toMatchObject({
    state: 'admitting',
    perMinute: 900,
  });
  await field('People admitted a minute').fill('');
  await page.getByRole('button', { name: 'Set the rate' }).click();
  await page.getByText('900 (automatic)').waitFor();

  // Once it has opened, the form of the event only changes its end.
  await page.goto(`/organizer/edit/${id}`);
  await openStep(page, 'Questions and rules');
  await field('The queue opens').waitFor();
  for (const name of ['The queue opens', 'The order is drawn', 'People admitted a minute'])
    expect(await field(name).isDisabled()).toBe(true);
});
