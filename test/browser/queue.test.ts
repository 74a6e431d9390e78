import { expect, test } from 'vitest';
import { keys } from '../../shared/dynamo/keys.ts';
import { update, write } from '../../shared/dynamo/write.ts';
import {
  expectAccessible,
  openContext,
  openPageAs,
  phone,
  screenshot,
  useBrowser,
} from '../support/browser.ts';
import { createEvent, registerUser } from '../support/fixtures.ts';
import { connectToTable, sharedStack } from '../support/stack.ts';

useBrowser();

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

  const { queue } = event;
  await write(update(keys.event(event.id), { set: { queue: { ...queue, drawAt: inMinutes(-2) } } }));
  await sharedStack().invoke('workers-run-event-jobs', {
    Records: [
      { messageId: '1', body: JSON.stringify({ type: 'tend-queue', eventId: event.id }), attributes: {} },
    ],
  });
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
