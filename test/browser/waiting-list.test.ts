import { expect, test } from 'vitest';
import {
  expectAccessible,
  openContext,
  openPageAs,
  phone,
  screenshot,
  useBrowser,
} from '../support/browser.ts';
import {
  createEvent,
  expectStatus,
  registerUser,
  requestOrder,
  requestRefund,
  serveWaitingLists,
} from '../support/fixtures.ts';

useBrowser();

test('a visitor joins the list of a sold-out tier, and takes the tickets that come free', async () => {
  const [organizer, holder, visitor] = await Promise.all([
    registerUser({ role: 'ORGANIZER' }),
    registerUser(),
    registerUser({ name: 'Wim Waiter' }),
  ]);
  const tiers = [{ name: 'Floor', price: 0, quantity: 1, maxPerPerson: 4 }];
  const questions = [{ label: 'Diet', kind: 'text', required: true }];
  const event = await createEvent(organizer, { waitingList: true, tiers, questions });
  const { orderId } = expectStatus(
    201,
    await requestOrder({ event }, holder, {
      answers: [{ questionId: event.questions[0].id, value: 'None' }],
    }),
  );
  const page = await (await openContext(visitor, { viewport: phone })).newPage();
  await page.goto(`/events/${event.id}`);
  await page.getByText('Floor: sold out.').waitFor();
  await screenshot(page, 'sold-out');
  await expectAccessible(page, 'sold-out');
  await page.getByRole('button', { name: 'Join the waiting list for Floor' }).click();
  await page.getByText('at place 1').waitFor();

  const wide = await openPageAs(await registerUser(), `/events/${event.id}`);
  await wide.getByText('1 person is waiting.').waitFor();
  await screenshot(wide, 'sold-out-wide');

  expectStatus(200, await requestRefund(orderId, organizer));
  await serveWaitingLists({ organizer, event }, visitor);
  const list = await openPageAs(organizer, `/organizer/waiting-list/${event.id}`);
  await list.getByText('Offered until').waitFor();
  await screenshot(list, 'managed-waiting-list');
  await expectAccessible(list, 'managed-waiting-list');

  await page.goto('/notifications');
  await page.getByRole('link', { name: 'Take or decline' }).click();
  await page.getByText('Held for you until').waitFor();
  await screenshot(page, 'waiting-list');
  await expectAccessible(page, 'waiting-list');
  await page.getByLabel('Diet').fill('Vegan');
  await page.getByRole('button', { name: 'Take the tickets' }).click();
  await page.waitForURL(/\/orders\//);
  const { entries } = (await visitor.get('/api/waiting-list')).body;
  expect(entries[0].status).toBe('ordered');
});
