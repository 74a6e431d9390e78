import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openContext, phone, signedIn, useBrowser, waitForContent } from '../support/browser.ts';
import { installWallet, WalletRefusal } from '../support/browser-wallet.ts';
import { call } from '../support/http.ts';
import { inspect } from '../support/inspect.ts';
import { type Person, registerUser } from '../support/people.ts';
import { openSale, readOrder, type Sale } from '../support/sales.ts';
import { sharedStack } from '../support/stack.ts';
import { deployTokenAt, newAccount, openWallet } from '../support/wallet.ts';
import { linkWallet } from '../support/wallets.ts';

useBrowser();

const polygonUsdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

let organizer: Person;
let inPol: Sale;
let payer: Awaited<ReturnType<typeof newAccount>>;
beforeAll(async () => {
  organizer = await registerUser({ role: 'ORGANIZER' });
  [inPol, payer] = await Promise.all([
    openSale({ organizer, currency: 'POL', price: 1.5 }),
    newAccount(sharedStack()),
  ]);
  await deployTokenAt(sharedStack(), polygonUsdc, payer.address, 1_000_000_000n);
});
afterAll(() => payer?.provider.destroy());

/** A crypto order of one ticket. */
async function order({ event }: Sale, buyer: Person) {
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 1, paymentMethod: 'CRYPTO' };
  const { status, body: answer } = await call('POST', '/api/orders/initialize', { token: buyer.token, body });
  expect(status).toBe(201);
  return answer;
}

interface Sent {
  to: string;
  value: string;
  data: string;
}

/**
 * Puts the payer's wallet into a visitor's pages. Before the answers that the local chain gives, it refuses a payment
 * by each of these codes.
 */
async function installPayer(visitor: BrowserContext, refusals: number[] = []) {
  const own = `0x${sharedStack().chainId.toString(16)}`;
  const state = { chainId: '0x1', sent: [] as Sent[] };
  await installWallet(visitor, async (method, [first]: unknown[]) => {
    if (method === 'eth_requestAccounts') return [payer.address];
    if (method === 'eth_chainId') return state.chainId;
    const refusal = refusals.shift();
    if (refusal) throw new WalletRefusal(refusal);
    if (method === 'wallet_switchEthereumChain') {
      state.chainId = (first as { chainId: string }).chainId;
      return null;
    }
    expect(method).toBe('eth_sendTransaction');
    expect(state.chainId).toBe(own);
    const { to, value, data } = first as Sent;
    state.sent.push({ to, value, data });
    return (await payer.wallet.sendTransaction({ to, value, data, gasLimit: 200_000 })).hash;
  });
  return state;
}

const main = (page: Page) => page.getByRole('main');
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
const payFromWallet = (page: Page) => page.getByRole('button', { name: 'Pay from my wallet' }).click();

test('a buyer orders in POL, sees what is due to the digit, and pays from the wallet in the browser', async () => {
  const buyer = await registerUser();
  const visitor = await openContext(buyer);
  const state = await installPayer(visitor, [4902, 4001]);
  await visitor.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await visitor.newPage();
  await page.goto(`/events/${inPol.event.id}`);
  await page.getByLabel('POL on Polygon').waitFor();
  expect(await page.getByRole('group', { name: 'Pay with' }).getByRole('radio').count()).toBe(1);
  expect(await main(page).innerText()).toContain('1.5375 POL');
  await page.getByRole('button', { name: 'Buy' }).click();
  await heading(page, 'Waiting for your payment');
  await waitForContent(page);
  const orderId = new URL(page.url()).pathname.split('/').at(-1) as string;
  const { payment, reference } = await readOrder(buyer, orderId);

  const text = await main(page).innerText();
  for (const shown of ['1.5375 POL', payment.to, payment.data, reference]) expect(text).toContain(shown);
  expect(text).toContain('POL on Polygon');
  await page.getByRole('button', { name: 'Copy the data' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(payment.data);
  await inspect(page, 'order-crypto');

  await payFromWallet(page);
  await page.getByText('Add it there, then try again').waitFor();
  await payFromWallet(page);
  await page.getByText('You declined in your wallet').waitFor();
  expect(state.sent).toEqual([]);
  await payFromWallet(page);
  await heading(page, 'Thank you, your order is paid');
  expect(payment.amount).toBe('1537500000000000000');
  const value = `0x${BigInt(payment.amount).toString(16)}`;
  expect(state.sent).toEqual([{ to: payment.to, value, data: payment.data }]);
  expect((await readOrder(buyer, orderId)).paymentTxId).toMatch(/^0x/);
  await page.getByRole('button', { name: 'Copy the payment’s transaction' }).waitFor();
});

test('a token is paid by a call of its contract', async () => {
  const [sale, buyer] = await Promise.all([
    openSale({ organizer, currency: 'USDC', price: 25 }),
    registerUser(),
  ]);
  const { orderId, payment } = await order(sale, buyer);
  const visitor = await openContext(buyer, { viewport: phone });
  const state = await installPayer(visitor);
  const page = await visitor.newPage();
  await page.goto(`/orders/${orderId}`);
  await page.getByText('25.625 USDC').first().waitFor();
  expect(await main(page).innerText()).toContain(polygonUsdc);
  await inspect(page, 'order-crypto-token');
  await payFromWallet(page);
  await heading(page, 'Thank you, your order is paid');
  expect(state.sent).toMatchObject([{ to: polygonUsdc, value: '0x0' }]);
  expect(state.sent[0]?.data).toMatch(
    new RegExp(`^0xa9059cbb0{24}${payment.to.slice(2)}.*${payment.data.slice(2)}$`, 'i'),
  );
});

test('a payment is followed where the browser stores nothing, and a vague error claims nothing about it', async () => {
  const buyer = await registerUser();
  const { orderId } = await order(inPol, buyer);
  const visitor = await openContext(buyer);
  const state = await installPayer(visitor, [-32603]);
  await visitor.addInitScript(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      if (key.startsWith('boxoffice.payment.')) throw new DOMException('No room', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
  });
  const page = await visitor.newPage();
  await page.goto(`/orders/${orderId}`);
  await payFromWallet(page);
  await page.getByText('Check there whether the payment was sent').waitFor();
  await payFromWallet(page);
  await heading(page, 'Thank you, your order is paid');
  expect(state.sent).toHaveLength(1);
});

test('from another account than the buyer’s own, the wallet pays after a second press', async () => {
  const buyer = await registerUser();
  const own = await newAccount(sharedStack());
  own.provider.destroy();
  await linkWallet(buyer, own.wallet);
  const { orderId } = await order(inPol, buyer);
  const visitor = await openContext(buyer);
  const state = await installPayer(visitor);
  const page = await visitor.newPage();
  await page.goto(`/orders/${orderId}`);
  await payFromWallet(page);
  await page.getByText(`Your wallet pays from ${payer.address}`).waitFor();
  expect(state.sent).toEqual([]);
  await page.getByRole('button', { name: 'Pay from the other wallet' }).click();
  await heading(page, 'Thank you, your order is paid');
});

test('without a wallet, a buyer enters the hash, and reads what is wrong with each until one pays', async () => {
  const buyer = await registerUser();
  const wallet = await openWallet(sharedStack());
  const { orderId, payment } = await order(inPol, buyer);
  const page = await signedIn(buyer, `/orders/${orderId}`);
  await page.getByText('There is no wallet in this browser').waitFor();
  const enter = async (hash: string) => {
    const field = page.getByLabel('Hash of the transaction');
    if (!(await field.isVisible())) await page.getByText(/^Paid (already|by another transaction)\?/).click();
    await field.fill(hash);
    await page.getByRole('button', { name: 'Look for the payment' }).click();
  };
  const refused = (sentence: string) => page.getByRole('alert').filter({ hasText: sentence }).waitFor();

  await enter('0x12');
  await page.locator('[aria-invalid=true]').waitFor();
  await enter(await wallet.pay(payment, { data: '0x' }));
  await refused('does not carry the order’s reference');
  await inspect(page, 'order-crypto-refused');
  // The wallet has no tokens, so their contract reverts.
  await enter(await wallet.pay(payment, { token: polygonUsdc }));
  await refused('failed on the chain');
  const unknown = `0x${'ab'.repeat(32)}`;
  await enter(unknown);
  await page.getByText('No node of the chain knows the transaction yet').waitFor();
  await page.getByText('please do not pay again').first().waitFor();
  await inspect(page, 'order-crypto-unknown');
  // A hash that was mistyped hides nothing for good.
  await page.getByText('Not paid yet?').click();
  await page.getByText(payment.data).waitFor();

  const { hash, send } = await wallet.prepare(payment);
  await enter(hash);
  await send();
  // A reload in between loses nothing.
  await page.reload();
  await heading(page, 'Thank you, your order is paid');
  wallet.close();
});

test('an order is not cancelled while this browser knows a payment that the service may not know', async () => {
  const buyer = await registerUser();
  const wallet = await openWallet(sharedStack());
  const { orderId, payment } = await order(inPol, buyer);
  const page = await signedIn(buyer, `/orders/${orderId}`);
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
  await heading(page, 'Thank you, your order is paid');
  expect(await reason.count()).toBe(0);
  wallet.close();
});

test('a payment of too little is checked, and the page says not to pay again', async () => {
  const buyer = await registerUser();
  const wallet = await openWallet(sharedStack());
  const { orderId, payment } = await order(inPol, buyer);
  const hash = await wallet.pay(payment, { amount: '1000' });
  await wallet.waitUntilMined(hash, 4);
  wallet.close();
  const page = await signedIn(buyer, `/orders/${orderId}`);
  await page.getByText('Paid already?').click();
  await page.getByLabel('Hash of the transaction').fill(hash);
  await page.getByRole('button', { name: 'Look for the payment' }).click();
  await heading(page, 'We are checking your payment');
  await page.getByText('The transaction pays less than is due').waitFor();
  expect(await page.getByRole('button', { name: 'Pay from my wallet' }).count()).toBe(0);
});
