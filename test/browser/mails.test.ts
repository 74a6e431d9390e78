import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { openContext, openPageAs, phone, screenshot, useBrowser } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  acceptTransfer,
  buyTickets,
  controlSandbox,
  openSale,
  type Person,
  readOrder,
  registerUser,
  requestRefund,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { awaitMail, mailsTo, type ReceivedMail } from '../support/mailbox.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

let organizer: Person;
let buyer: Person;
const mails = new Map<string, ReceivedMail>();

/** Causes one mail of each kind that is tested. */
beforeAll(async () => {
  [organizer, buyer] = await Promise.all([registerUser({ role: 'ORGANIZER' }), registerUser()]);
  const { email } = buyer.user;
  const sale = await openSale({ organizer, title: 'A Night of <Small> & Quiet Stages', currency: 'USD' });
  const updateEvent = (body: object) => organizer.put(`/api/events/${sale.event.id}`, body);
  await updateEvent({ city: 'Lagos', country: 'Nigeria', timezone: 'Africa/Lagos' });
  await buyTickets(sale, buyer, 2);
  const refundedOrder = await buyTickets(sale, buyer, 1);
  await updateEvent({ venue: 'The Old Foundry', eventDate: '2035-06-01T18:00:00.000Z' });
  await requestRefund(refundedOrder.orderId, organizer);
  await collectMail('order-paid', email, 'Your tickets to');
  await collectMail('order-refunded', email, 'Refund:');
  await collectMail('event-rescheduled', email, 'New date or venue:');
  await updateEvent({ status: 'CANCELLED' });
  await collectMail('event-cancelled', email, 'Cancelled:');
  await collectMail('address-confirmation', email, 'Confirm your');
  await call('POST', '/api/auth/forgot-password', { body: { email } });
  await collectMail('password-reset', email, 'Reset your password');

  const soldOutSale = await openSale({ organizer, title: 'Full House', currency: 'USD', quantity: 1 });
  const body = {
    eventId: soldOutSale.event.id,
    tierId: soldOutSale.event.tiers[0].id,
    quantity: 1,
    paymentMethod: 'FIAT',
  };
  const { token } = buyer;
  const unpaidOrder = (await call('POST', '/api/orders/initialize', { token, body })).body;
  await call('POST', `/api/orders/${unpaidOrder.orderId}/cancel`, { token });
  await buyTickets(soldOutSale, await registerUser(), 1);
  await controlSandbox(`payments/${unpaidOrder.reference}/pay`);
  await collectMail('payment-too-late', email, 'Your payment came too late');

  const friend = await registerUser();
  const offeredOrder = await buyTickets(await openSale({ organizer, title: 'For a Friend' }), buyer, 1);
  const offerRequest = { token, body: { email: friend.user.email } };
  const offerPath = `/api/orders/${offeredOrder.orderId}/seats/1/transfer`;
  const { transfer } = (await call('POST', offerPath, offerRequest)).body;
  await collectMail('ticket-offered', friend.user.email, 'A ticket to For a Friend');
  await acceptTransfer(friend, transfer.token);
  await collectMail('ticket-received', friend.user.email, 'Your ticket to For a Friend');

  const refusedAccount = '0000000077';
  await requestPayout('0123456789');
  await collectMail('payout-sent', organizer.user.email, 'Payout sent');
  await controlSandbox('faults', { failTransfers: 5, account: refusedAccount });
  await requestPayout(refusedAccount);
  await collectMail('payout-failed', organizer.user.email, 'Payout failed');
  // These are ten mails one after another: 20 seconds on a machine with a CPU to itself.
}, 180_000);

function requestPayout(accountNumber: string) {
  const destination = { accountNumber, bankCode: '044', accountName: 'Olu Adeyemi' };
  const body = { amount: 10, currency: 'NGN', gateway: 'gateway-a', destination };
  return organizer.post('/api/payouts', body);
}

/** Waits for a mail, and stores it by its kind. */
async function collectMail(kind: string, address: string, subject: string): Promise<void> {
  const mail = await eventually(`a mail "${subject}"`, async () => {
    const found = (await mailsTo(address)).find((mail) => mail.subject.startsWith(subject));
    if (!found) await sharedStack().sweep();
    return found;
  });
  mails.set(kind, mail);
}

/** Returns the HTML of a mail. The test mailbox embeds attached pictures as data: URLs. */
function htmlOf({ body }: ReceivedMail, { pictures = true } = {}): string {
  return pictures ? body.html : body.html.replace(/src="data:[^"]*"/g, 'src="about:blank"');
}

async function open(mail: ReceivedMail, options: { dark?: boolean; pictures?: boolean } = {}): Promise<Page> {
  const page = await (await openContext(undefined, { viewport: phone })).newPage();
  await page.emulateMedia({ colorScheme: options.dark ? 'dark' : 'light' });
  await page.setContent(htmlOf(mail, options));
  return page;
}

/** Returns the accessibility violations that axe finds, such as low contrast. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

const kinds = [
  'order-paid',
  'order-refunded',
  'event-rescheduled',
  'event-cancelled',
  'payment-too-late',
  'address-confirmation',
  'password-reset',
  'ticket-offered',
  'ticket-received',
  'payout-sent',
  'payout-failed',
];

describe.each(kinds)('the mail %s', (kind) => {
  const mail = () => mails.get(kind) as ReceivedMail;

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['without-pictures', { pictures: false }],
  ])('is accessible and fits a phone’s screen in the variant %s', async (variant, options) => {
    const page = await open(mail(), options);
    await screenshot(page, `mail-${kind}-${variant}`);
    expect(await violationsOf(page)).toEqual([]);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(phone.width);
    const background = await page.evaluate(
      "getComputedStyle(document.querySelector('.card')).backgroundColor",
    );
    expect(background).toBe(variant === 'dark' ? 'rgb(31, 41, 55)' : 'rgb(255, 255, 255)');
  });

  it('has the same content as text and as HTML', async () => {
    const page = await open(mail());
    const normalizeSpaces = (text: string) => text.replace(/\s+/g, ' ');
    const text = normalizeSpaces(mail().body.text);
    for (const part of await page.locator('p:not(.quiet), td, th').allInnerTexts()) {
      if (part.includes('\n\n') || part.trim() === '') continue;
      for (const line of part.split('\n')) expect(text).toContain(normalizeSpaces(line).trim());
    }
  });
});

test.each(['payout-sent', 'payout-failed'])(
  'the button of the mail %s opens the page with the balance',
  async (kind) => {
    const { html } = (mails.get(kind) as ReceivedMail).body;
    const [, path = ''] = /href="[a-z]+:\/\/[^/"]+(\/organizer[^"]*)"/.exec(html) ?? [];
    const page = await openPageAs(organizer, path);
    await page.getByRole('heading', { name: 'Balance and payouts' }).waitFor();
  },
);

test('the pictures of a mail have the check-in codes as alternative text', async () => {
  const mail = mails.get('order-paid') as ReceivedMail;
  expect(mail.body.html.match(/src="data:image\/png;base64,/g)).toHaveLength(2);
  const page = await open(mail, { pictures: false });
  const alternatives = await page.evaluate<string[]>(
    '[...document.images].map((image) => image.naturalWidth === 0 && image.alt)',
  );
  expect(alternatives).toHaveLength(2);
  for (const alternative of alternatives) {
    expect(alternative).toMatch(
      /^QR code of Ticket \d of 2\. Its check-in code is c\w{24}\.\d\.v2-0\.[\w-]+$/,
    );
  }
});

test('the order’s page sends the mail with the tickets again', async () => {
  const { event } = await openSale({ organizer, title: 'Again' });
  const { orderId } = await buyTickets({ event }, buyer, 1);
  await awaitMail(buyer.user.email, 'Your ticket to Again');
  await eventually('the mail is sent', async () => (await readOrder(buyer, orderId)).mail?.status === 'sent');
  const page = await openPageAs(buyer, `/orders/${orderId}`);
  await page.getByText(`Your tickets were mailed to ${buyer.user.email}.`).waitFor();
  await page.getByRole('button', { name: 'Send the tickets again' }).click();
  await page.getByText(`Your tickets are on their way to ${buyer.user.email}.`).waitFor();
  await eventually('the second mail', async () => {
    const ticketMails = (await mailsTo(buyer.user.email)).filter(({ subject }) => subject.endsWith('Again'));
    return ticketMails.length === 2;
  });
});
