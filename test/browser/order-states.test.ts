import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { OrderWithAdmissions } from '../../infra/client/api.ts';
import { expectAccessible, openPageAs, useBrowser, waitForContent } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  cancelOrder,
  controlSandbox,
  initializeOrder,
  openSale,
  type Person,
  readOrder,
  registerUser,
  type Sale,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';

/** The buyer's pages in each state of an order. States that need a fault or a long wait replace the API's answer. */

useBrowser();

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

let organizer: Person;
let sale: Sale;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
  sale = await openSale({ organizer, currency: 'USD' });
});

const callAsOrganizer = (method: string, path: string, body?: object) =>
  call(method, path, { token: organizer.token, body });
const cancelEvent = ({ event }: Sale) =>
  callAsOrganizer('PUT', `/api/events/${event.id}`, { status: 'CANCELLED' });

/** Opens the buyer's page of an order, and waits for its heading. */
async function openOrder(buyer: Person, orderId: string, heading: string): Promise<Page> {
  const page = await openPageAs(buyer, `/orders/${orderId}`);
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  return page;
}
const mainText = (page: Page) => page.getByRole('main').innerText();

test('the order and the tickets of a cancelled event show the cancellation and the refund', async () => {
  const cancelled = await openSale({ organizer, currency: 'USD', title: 'Cancelled night' });
  const [buyer, unpaidBuyer] = await Promise.all([registerUser(), registerUser()]);
  const [{ orderId }, unpaidOrder] = await Promise.all([
    buyTickets(cancelled, buyer, 2),
    initializeOrder(cancelled, unpaidBuyer, 1),
  ]);
  expect((await cancelEvent(cancelled)).status).toBe(200);

  const page = await openOrder(buyer, orderId, 'The event was cancelled');
  await eventually('the refund is sent', async () => {
    await sharedStack().sweep();
    return (await readOrder(buyer, orderId)).refund?.status === 'done';
  });
  await page.getByText('US$102.50 were sent back the way you paid').waitFor();
  expect(await mainText(page)).not.toMatch(/Thank you|At the door|Add to calendar|COMPLETED/);
  await expectAccessible(page, 'order-event-cancelled');
  await page.goto('/tickets');
  await waitForContent(page);
  await page.getByText('The event was cancelled, and this ticket is no longer valid.').first().waitFor();
  expect(await mainText(page)).toContain('Refunded');
  await expectAccessible(page, 'tickets-event-cancelled');

  const unpaidPage = await openOrder(unpaidBuyer, unpaidOrder.orderId, 'The event was cancelled');
  await unpaidPage.getByText('there is nothing to refund').waitFor();
  expect(await unpaidPage.getByRole('link', { name: /Go to payment|Order again/ }).count()).toBe(0);
});

test('a refunded order shows the refund, and its tickets are no longer valid', async () => {
  const buyer = await registerUser();
  const { orderId } = await buyTickets(sale, buyer, 1);
  expect((await callAsOrganizer('POST', `/api/orders/${orderId}/refund`)).status).toBe(200);
  const page = await openOrder(buyer, orderId, 'Your order was refunded');
  expect(await mainText(page)).toMatch(/Refund\s+US\$51\.25/);
  await expectAccessible(page, 'order-refunded');
  await page.goto('/tickets');
  await page.getByText('This ticket is no longer valid: it was refunded.').waitFor();
});

test('an order that is paid after its tickets were sold shows that the payment came too late', async () => {
  const lastTicketSale = await openSale({ organizer, currency: 'USD', quantity: 1 });
  const [slow, fast] = await Promise.all([registerUser(), registerUser()]);
  const { orderId, reference } = await initializeOrder(lastTicketSale, slow, 1);
  expect((await cancelOrder(orderId, slow)).status).toBe(200);
  await buyTickets(lastTicketSale, fast, 1);
  await controlSandbox(`payments/${reference}/pay`);
  const page = await openOrder(slow, orderId, 'Your payment came too late');
  await page.getByText('When it arrived, the tickets were sold out.').waitFor();
});

test('an order with a payment of the wrong amount shows that the payment is being checked', async () => {
  const buyer = await registerUser();
  const { orderId, reference } = await initializeOrder(sale, buyer, 1);
  await controlSandbox(`payments/${reference}/pay`, { amount: 100 });
  const page = await openOrder(buyer, orderId, 'We are checking your payment');
  expect(await page.getByRole('link', { name: 'Go to payment' }).count()).toBe(0);
});

test('an unminted order says that the organizer must verify the contract, or that the buyer needs a wallet', async () => {
  const [walletOwner, walletless] = await Promise.all([
    registerUser({ walletAddress: wallet }),
    registerUser(),
  ]);
  const mintingSale = await openSale({ organizer, hasContract: true });
  const unverifiedSale = await openSale({ organizer });
  const contractAddress = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
  await callAsOrganizer('PUT', `/api/events/${unverifiedSale.event.id}`, { contractAddress, chainId: 137 });
  const [unverifiedOrder, walletlessOrder] = await Promise.all([
    buyTickets(unverifiedSale, walletOwner, 1),
    buyTickets(mintingSale, walletless, 1),
  ]);
  await eventually('the mint is refused', async () => {
    const { fulfilment } = await readOrder(walletOwner, unverifiedOrder.orderId);
    return fulfilment.reason === 'contract-not-authorized';
  });
  const page = await openOrder(walletOwner, unverifiedOrder.orderId, 'Thank you, your order is paid');
  await page.getByText('The organizer has to prove that the event’s ticket contract is theirs').waitFor();
  await expectAccessible(page, 'order-not-minted');
  const walletlessPage = await openOrder(
    walletless,
    walletlessOrder.orderId,
    'Thank you, your order is paid',
  );
  await walletlessPage.getByText('enter its address in your account').waitFor();
});

test('free tickets are ordered without choosing a way to pay', async () => {
  const free = await openSale({ organizer, price: 0 });
  const buyer = await registerUser();
  const page = await openPageAs(buyer, `/events/${free.event.id}`);
  expect(await page.getByText('Pay with').count()).toBe(0);
  await page.getByRole('button', { name: 'Buy' }).click();
  await page.getByRole('heading', { name: 'Thank you, the tickets are yours' }).waitFor();
  await page.getByText('Show the codes below at the door').waitFor();
});

test('an event’s page offers no way to pay an amount that no gateway supports', async () => {
  const dinarSale = await openSale({ organizer, currency: 'KWD', price: 5 });
  const page = await openPageAs(await registerUser(), `/events/${dinarSale.event.id}`);
  // The only gateway for KWD needs whole hundredths, and the total is 5.125 KWD.
  await page.getByText('There is no way to pay for these tickets at present').waitFor();
  expect(await page.getByRole('button', { name: 'Buy' }).isDisabled()).toBe(true);
  await page.getByLabel('Quantity').fill('4');
  await page.getByLabel('International card').waitFor();
  expect(await page.getByText('Pay with').locator('..').getByRole('radio').count()).toBe(1);
  await expectAccessible(page, 'event-way-to-pay');
});

type Fulfilment = OrderWithAdmissions['fulfilment'];
type Changes = Partial<Omit<OrderWithAdmissions, 'fulfilment'>> & { fulfilment?: Partial<Fulfilment> };

const now = new Date().toISOString();
const withRefund = (status: NonNullable<OrderWithAdmissions['refund']>['status']) => ({
  refund: { status, amount: 51.25, at: now },
  fulfilment: { status: 'refund-due', reason: 'refunded' } as const,
  admissions: [],
});
const withFailure = (failureReason: NonNullable<OrderWithAdmissions['failureReason']>) => ({
  paymentStatus: 'FAILED' as const,
  failureReason,
  admissions: [],
});
const withFulfilment = (status: Fulfilment['status'], reason: Fulfilment['reason'] = null) => ({
  fulfilment: { status, reason, transactionHash: `0x${'4a'.repeat(32)}` },
});

/** States that need a fault or a long wait, as changes of the API's answer. */
const states: [name: string, changes: Changes, heading: string, sentence: string][] = [
  ['expired', withFailure('expired'), 'The time to pay is over', 'you can order again'],
  ['cancelled', withFailure('cancelled'), 'You cancelled this order', 'do not pay'],
  ['declined', withFailure('payment-failed'), 'Your payment was declined', 'Nothing was charged'],
  [
    'gateway-failed',
    withFailure('gateway-failed'),
    'The payment could not be started',
    'Nothing was charged',
  ],
  [
    'refund-due',
    { ...withRefund('pending'), refund: null },
    'Your money goes back to you',
    'You get US$51.25 back',
  ],
  ['refund-pending', withRefund('pending'), 'Your money goes back to you', 'on their way back'],
  ['refund-failed', withRefund('failed'), 'Your money goes back to you', 'has not worked yet'],
  ['refund-manual', withRefund('manual'), 'Your money goes back to you', 'by hand'],
  ['disputed', { paymentReview: 'Disputed' }, 'We are checking your payment', 'Your tickets stay valid'],
  ['queued', withFulfilment('queued'), 'Thank you, your order is paid', 'also minted to your wallet'],
  ['minting', withFulfilment('minting'), 'Thank you, your order is paid', 'also being minted to your wallet'],
  ['minted', withFulfilment('minted'), 'Thank you, your order is paid', 'in your wallet'],
  [
    'reissuing',
    withFulfilment('reissuing'),
    'Thank you, your order is paid',
    'minted again to another wallet',
  ],
  ['not-reissued', withFulfilment('minted', 'not-reissued'), 'Thank you', 'stay in the current one'],
  ['not-minted', withFulfilment('failed', 'contract-refused'), 'Thank you', 'could not be minted yet'],
  ['wrong-mint', withFulfilment('failed', 'wrong-mint'), 'Thank you', 'The organizer has to correct this'],
];

test('an order’s page describes each state in words, without the API’s names of states', async () => {
  const buyer = await registerUser();
  const { orderId } = await buyTickets(sale, buyer, 1);
  const storedOrder: OrderWithAdmissions = await readOrder(buyer, orderId);
  const page = await openPageAs(buyer);
  let answeredOrder = storedOrder;
  await page.route(`**/api/orders/${orderId}`, (route) => route.fulfill({ json: { order: answeredOrder } }));
  for (const [name, { fulfilment, ...changes }, heading, sentence] of states) {
    answeredOrder = { ...storedOrder, ...changes, fulfilment: { ...storedOrder.fulfilment, ...fulfilment } };
    await page.goto(`/orders/${orderId}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.getByText(sentence).first().waitFor();
    expect(await mainText(page), name).not.toMatch(/PENDING|COMPLETED|FAILED|refund-due|not-needed|gateway-/);
    // A failed order asks for no payment.
    if (changes.paymentStatus === 'FAILED') expect(await mainText(page), name).not.toContain('Pay with');
    if (['expired', 'minted', 'refund-failed'].includes(name)) await expectAccessible(page, `order-${name}`);
  }
});

test('a hold counts down by the service’s clock, announces its last minutes, and ends without a link to the payment', async () => {
  const buyer = await registerUser();
  const { orderId } = await initializeOrder(sale, buyer, 1);
  const page = await openPageAs(buyer);
  const { expiresAt } = await readOrder(buyer, orderId);
  await page.route(`**/api/orders/${orderId}`, async (route) => {
    const response = await route.fetch();
    const date = new Date(Date.parse(expiresAt) - 120_000).toUTCString();
    await route.fulfill({ response, headers: { ...response.headers(), date } });
  });
  // The visitor's clock is a day ahead.
  await page.clock.install({ time: Date.now() + 86_400_000 });
  await page.goto(`/orders/${orderId}`);
  const timer = page.getByRole('timer');
  await timer.waitFor();
  const readSeconds = async () => {
    const [, minutes, seconds] = /^(\d+):(\d\d) left$/.exec(await timer.innerText()) ?? [];
    return Number(minutes) * 60 + Number(seconds);
  };
  // Real time passes too. The service's time has no fractions of a second.
  const initialSeconds = await readSeconds();
  expect(initialSeconds).toBeGreaterThan(60);
  expect(initialSeconds).toBeLessThanOrEqual(121);
  await page.clock.runFor(5_000);
  expect(await readSeconds()).toBeLessThanOrEqual(initialSeconds - 5);
  const announcement = page.getByRole('status').filter({ hasText: 'left to pay' });
  expect(await announcement.innerText()).toBe('Less than five minutes are left to pay.');
  await page.clock.runFor(60_000);
  await page.getByText('Less than one minute is left to pay.').waitFor();
  expect(await page.getByRole('link', { name: 'Go to payment' }).count()).toBe(1);
  await page.clock.runFor(60_000);
  await page.getByRole('heading', { name: 'The time to pay is over' }).waitFor();
  expect(await timer.count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Go to payment' }).count()).toBe(0);
});
