import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  expectAccessible,
  installWallet,
  openContext,
  openPageAs,
  orderButton,
  useBrowser,
  WalletRefusal,
  waitForContent,
  walletErrors,
} from '../support/browser.ts';
import { createFundedAccount, deployTokenAt, linkWallet, openWallet } from '../support/chain.ts';
import { openSale, type Person, readOrder, registerUser, type Sale } from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

const polygonUsdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

let organizer: Person;
let polSale: Sale;
let payer: Awaited<ReturnType<typeof createFundedAccount>>;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
  [polSale, payer] = await Promise.all([
    openSale({ organizer, currency: 'POL', price: 1.5 }),
    createFundedAccount(sharedStack()),
  ]);
  await deployTokenAt(sharedStack(), polygonUsdc, payer.address, 1_000_000_000n);
});
afterAll(() => payer?.provider.destroy());

/** Creates an order of one ticket, to be paid on the chain. */
async function orderTicket({ event }: Sale, buyer: Person) {
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'CRYPTO' };
  const { status, body: answer } = await buyer.post('/api/orders/initialize', body);
  expect(status).toBe(201);
  return answer;
}

interface SentTransaction {
  to: string;
  value: string;
  data: string;
}

/**
 * Installs the payer's wallet in a visitor's pages. The wallet refuses the first requests with the error codes in
 * `refusals`, one each. It sends later payments to the local chain.
 */
async function installPayer(context: BrowserContext, refusals: number[] = []) {
  const localChainId = `0x${sharedStack().chainId.toString(16)}`;
  const state = { chainId: '0x1', sent: [] as SentTransaction[] };
  await installWallet(context, async (method, [first]: unknown[]) => {
    if (method === 'eth_requestAccounts') return [payer.address];
    if (method === 'eth_chainId') return state.chainId;
    const refusal = refusals.shift();
    if (refusal) throw new WalletRefusal(refusal);
    if (method === 'wallet_switchEthereumChain') {
      state.chainId = (first as { chainId: string }).chainId;
      return null;
    }
    expect(method).toBe('eth_sendTransaction');
    expect(state.chainId).toBe(localChainId);
    const { to, value, data } = first as SentTransaction;
    state.sent.push({ to, value, data });
    return (await payer.wallet.sendTransaction({ to, value, data, gasLimit: 200_000 })).hash;
  });
  return state;
}

const main = (page: Page) => page.getByRole('main');
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
/** Presses the button that copies, and waits for its message, which is shown for two seconds. */
const copyData = (page: Page, message: string) =>
  Promise.all([
    page.getByText(message).waitFor(),
    page.getByRole('button', { name: 'Copy the data' }).click(),
  ]);
const payFromWallet = (page: Page) => page.getByRole('button', { name: 'Pay from my wallet' }).click();

test('a buyer orders in POL, sees the exact amount, and pays from the wallet in the browser', async () => {
  const buyer = await registerUser();
  const context = await openContext(buyer);
  const state = await installPayer(context, [walletErrors.unknownChain, walletErrors.declined]);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  await page.goto(`/events/${polSale.event.id}`);
  await page.getByLabel('POL on Polygon').waitFor();
  expect(await page.getByRole('group', { name: 'Pay with' }).getByRole('radio').count()).toBe(1);
  expect(await main(page).innerText()).toContain('1.5375 POL');
  await orderButton(page).click();
  await waitForHeading(page, 'Waiting for your payment');
  await waitForContent(page);
  const orderId = new URL(page.url()).pathname.split('/').at(-1) as string;
  const { payment, reference } = await readOrder(buyer, orderId);

  await main(page).getByText('Details', { exact: true }).click();
  const text = await main(page).innerText();
  for (const part of ['1.5375 POL', payment.to, payment.data, reference]) expect(text).toContain(part);
  expect(text).toContain('POL on Polygon');
  await copyData(page, 'Copied');
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(payment.data);
  await expectAccessible(page, 'order-crypto');

  await payFromWallet(page);
  await page.getByText('Add it there, then try again').waitFor();
  await payFromWallet(page);
  await page.getByText('You declined in your wallet').waitFor();
  expect(state.sent).toEqual([]);
  await payFromWallet(page);
  await waitForHeading(page, 'Thank you, your order is paid');
  expect(payment.amount).toBe('1537500000000000000');
  const value = `0x${BigInt(payment.amount).toString(16)}`;
  expect(state.sent).toEqual([{ to: payment.to, value, data: payment.data }]);
  expect((await readOrder(buyer, orderId)).paymentTxId).toMatch(/^0x/);
  await page.getByRole('button', { name: 'Copy the payment’s transaction' }).waitFor();
});

test('a payment is tracked when the browser’s storage is full and the wallet first reports an unknown error', async () => {
  const buyer = await registerUser();
  const { orderId } = await orderTicket(polSale, buyer);
  const context = await openContext(buyer);
  const state = await installPayer(context, [walletErrors.internal]);
  await context.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      if (key.startsWith('boxoffice.payment.')) throw new DOMException('No room', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
  });
  const page = await context.newPage();
  await page.goto(`/orders/${orderId}`);
  await payFromWallet(page);
  await page.getByText('Check in your wallet whether the payment was sent').waitFor();
  await payFromWallet(page);
  await waitForHeading(page, 'Thank you, your order is paid');
  expect(state.sent).toHaveLength(1);
});

test('the wallet pays from an account that is not linked to the buyer only after a confirmation', async () => {
  const buyer = await registerUser();
  const linkedAccount = await createFundedAccount(sharedStack());
  linkedAccount.provider.destroy();
  await linkWallet(buyer, linkedAccount.wallet);
  const { orderId } = await orderTicket(polSale, buyer);
  const context = await openContext(buyer);
  const state = await installPayer(context);
  const page = await context.newPage();
  await page.goto(`/orders/${orderId}`);
  await payFromWallet(page);
  await page.getByText(`Your wallet pays from ${payer.address}`).waitFor();
  expect(state.sent).toEqual([]);
  await page.getByRole('button', { name: 'Pay from the other wallet' }).click();
  await waitForHeading(page, 'Thank you, your order is paid');
});

test('a buyer without a wallet in the browser enters transaction hashes, and sees why each is refused until one pays', async () => {
  const buyer = await registerUser();
  const wallet = await openWallet(sharedStack());
  const { orderId, payment } = await orderTicket(polSale, buyer);
  const page = await openPageAs(buyer, `/orders/${orderId}`);
  await page.getByText('There is no wallet in this browser').waitFor();
  const enterHash = async (hash: string) => {
    const field = page.getByLabel('Hash of the transaction');
    if (!(await field.isVisible())) await page.getByText(/^Paid (already|by another transaction)\?/).click();
    await field.fill(hash);
    await page.getByRole('button', { name: 'Look for the payment' }).click();
  };
  const waitForRefusal = (sentence: string) =>
    page.getByRole('alert').filter({ hasText: sentence }).waitFor();

  await enterHash('0x12');
  await page.locator('[aria-invalid=true]').waitFor();
  // The page waits while the transaction is not sent yet. Once it is sent, the API refuses it.
  const waitingMessage = page.getByText('as soon as your transaction is final');
  const wrongTransaction = await wallet.prepare(payment, { data: '0x' });
  await enterHash(wrongTransaction.hash);
  await waitingMessage.waitFor();
  await wrongTransaction.send();
  await waitForRefusal('does not carry the order’s reference');
  await waitingMessage.waitFor({ state: 'detached' });
  await page.getByText(payment.data).waitFor();
  await expectAccessible(page, 'order-crypto-refused');
  await enterHash(await wallet.pay(payment, { token: polygonUsdc }));
  await waitForRefusal('does not send the right coin or token');
  const unknownHash = `0x${'ab'.repeat(32)}`;
  await enterHash(unknownHash);
  await page.getByText('No node of the chain knows the transaction yet').waitFor();
  await page.getByText('please do not pay again').first().waitFor();
  await expectAccessible(page, 'order-crypto-unknown');
  // After another transaction is refused, the unknown one is still being checked.
  await enterHash(wrongTransaction.hash);
  await waitForRefusal('Your other transaction is still being checked');
  await page.getByText('No node of the chain knows the transaction yet').waitFor();
  // The instructions are still available after a mistyped hash.
  await page.getByText('Not paid yet?').click();
  await page.getByText(payment.data).waitFor();

  const { hash, send } = await wallet.prepare(payment);
  await enterHash(hash);
  await send();
  // A reload does not lose the hash.
  await page.reload();
  await waitForHeading(page, 'Thank you, your order is paid');
  wallet.close();
});

test('an order can’t be cancelled while this browser knows a payment that the API may not know', async () => {
  const buyer = await registerUser();
  const wallet = await openWallet(sharedStack());
  const { orderId, payment } = await orderTicket(polSale, buyer);
  const page = await openPageAs(buyer, `/orders/${orderId}`);
  const cancel = page.getByRole('button', { name: 'Cancel the order' });
  await cancel.waitFor();
  await page.route('**/api/orders/*/confirm', (route) => route.abort());
  await page.getByText('Paid already?').click();
  const { hash, send } = await wallet.prepare(payment);
  await page.getByLabel('Hash of the transaction').fill(hash);
  await page.getByRole('button', { name: 'Look for the payment' }).click();
  const reason = page.getByText('This order can’t be cancelled while a payment');
  await reason.waitFor();
  expect(await cancel.count()).toBe(0);
  await page.reload();
  await reason.waitFor();
  expect(await cancel.count()).toBe(0);

  await page.unroute('**/api/orders/*/confirm');
  await send();
  await waitForHeading(page, 'Thank you, your order is paid');
  expect(await reason.count()).toBe(0);
  wallet.close();
});

test('the page offers no other payment while a payment of too little is under review', async () => {
  const buyer = await registerUser();
  const wallet = await openWallet(sharedStack());
  const { orderId, payment } = await orderTicket(polSale, buyer);
  const hash = await wallet.pay(payment, { amount: '1000' });
  // At this depth the block is final.
  await wallet.waitUntilMined(hash, 4);
  wallet.close();
  const page = await openPageAs(buyer, `/orders/${orderId}`);
  await page.getByText('Paid already?').click();
  await page.getByLabel('Hash of the transaction').fill(hash);
  await page.getByRole('button', { name: 'Look for the payment' }).click();
  await waitForHeading(page, 'We are checking your payment');
  await page.getByText('The transaction pays less than is due').waitFor();
  expect(await page.getByRole('button', { name: 'Pay from my wallet' }).count()).toBe(0);
});
