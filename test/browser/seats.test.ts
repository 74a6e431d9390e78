import { beforeAll, expect, test } from 'vitest';
import {
  installWallet,
  openContext,
  openPageAs,
  phone,
  screenshot,
  useBrowser,
  WalletRefusal,
  waitForContent,
  walletErrors,
} from '../support/browser.ts';
import { createWallet, sendToken } from '../support/chain.ts';
import {
  acceptTransfer,
  buyTickets,
  checkIn,
  findSeat,
  offerSeat,
  openSale,
  type Person,
  registerUser,
  type Sale,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

useBrowser();

/** Returns the request handler of a wallet whose owner accepts each request. */
function createWalletHandler(owner: ReturnType<typeof createWallet>) {
  return (method: string, [message]: string[]) => {
    if (method === 'eth_requestAccounts') return [owner.address];
    if (method === 'eth_chainId') return `0x${sharedStack().chainId.toString(16)}`;
    return owner.signMessage(Buffer.from(`${message}`.slice(2), 'hex'));
  };
}

/** The depth in blocks at which a transaction on the stack's chain is final. */
const finalDepth = 4;

let sale: Sale;
let buyer: Person;
let friend: Person;
beforeAll(async () => {
  [sale, buyer, friend] = await Promise.all([
    openSale(),
    registerUser({ name: 'Ben Buyer' }),
    registerUser({ name: 'Fay Friend' }),
  ]);
});

test('a buyer names an attendee and transfers the ticket to a friend, who is admitted', async () => {
  const { orderId } = await buyTickets(sale, buyer, 1);
  const page = await openPageAs(buyer, '/tickets');
  await page.setViewportSize(phone);
  await page.getByText('Who is this ticket for?').click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Attendee');
  await page.getByRole('button', { name: 'Save the name' }).click();
  await page.locator('.ticket').getByText('Ada Attendee').waitFor();

  await page.getByText('Transfer this ticket').click();
  await page.getByLabel('Their e-mail').fill(friend.user.email);
  await page.getByRole('button', { name: 'Offer the ticket' }).click();
  const link = page.getByRole('link', { name: 'the page of the offer' });
  await link.waitFor();
  await screenshot(page, 'seat-offered');
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width);
  await page.getByRole('button', { name: 'Withdraw the offer' }).click();
  await link.waitFor({ state: 'detached' });
  await page.getByLabel('Their e-mail').fill(friend.user.email);
  await page.getByRole('button', { name: 'Offer the ticket' }).click();
  const transferPath = `${await link.getAttribute('href')}`;

  const strangerPage = await openPageAs(await registerUser(), transferPath);
  await strangerPage.getByRole('button', { name: 'Accept the ticket' }).click();
  await strangerPage.getByRole('alert').waitFor();

  const friendPage = await openPageAs(friend, transferPath);
  await friendPage.setViewportSize(phone);
  await friendPage.getByRole('button', { name: 'Accept the ticket' }).click();
  await friendPage.getByText('The ticket to Jazz is yours.').waitFor();
  await friendPage.getByRole('main').getByRole('link', { name: 'See your tickets' }).click();
  await waitForContent(friendPage);
  await friendPage.getByRole('heading', { name: 'From others' }).waitFor();
  expect(await friendPage.getByRole('img', { name: 'QR code for the door' }).count()).toBe(1);
  await screenshot(friendPage, 'seat-received');
  const { code } = await findSeat(friend, orderId, 1);
  await friendPage.getByText('Details').click();
  expect(await friendPage.getByRole('main').innerText()).toContain(code);

  await page.reload();
  await waitForContent(page);
  await page.getByText('You transferred this ticket to somebody else.').waitFor();
  expect(await page.getByRole('img', { name: 'QR code for the door' }).count()).toBe(0);
  expect((await checkIn(code, sale.organizer)).body.checkIn.attendeeName).toBe('Fay Friend');
});

test('a user who received more tickets than fit on a page loads the others', async () => {
  const holder = await registerUser();
  const { orderId } = await buyTickets(sale, buyer, 2);
  for (const number of [1, 2]) {
    const { transfer } = (await offerSeat(buyer, orderId, number, holder.user.email)).body;
    expect((await acceptTransfer(holder, transfer.token)).status).toBe(200);
  }
  const page = await (await openContext(holder)).newPage();
  await page.route('**/api/seats?*received=true*', (route, request) =>
    route.continue({ url: request.url().replace('limit=100', 'limit=1') }),
  );
  await page.goto('/tickets');
  const codes = page.getByRole('img', { name: 'QR code for the door' });
  await codes.waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await codes.nth(1).waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
});

test('the owner of a token connects a wallet and claims the ticket', async () => {
  const tokenSale = await openSale({ hasContract: true });
  const [seller, owner] = [createWallet(), createWallet()];
  const firstOwner = await registerUser({ walletAddress: seller.address });
  const { orderId } = await buyTickets(tokenSale, firstOwner, 1);
  await waitForMintedOrder(firstOwner, orderId);
  const { token } = await findSeat(firstOwner, orderId, 1);
  await sendToken(seller, owner.address, token, finalDepth);

  const context = await openContext(friend);
  const { chainId } = sharedStack();
  let remainingDeclines = 1;
  await installWallet(context, (method, params) => {
    if (method === 'personal_sign' && remainingDeclines-- > 0) throw new WalletRefusal(walletErrors.declined);
    return createWalletHandler(owner)(method, params);
  });
  const page = await context.newPage();
  await page.goto('/tickets');
  await waitForContent(page);
  await page.getByRole('button', { name: 'Connect a wallet' }).click();
  await page.getByText('You declined in your wallet.').waitFor();
  await page.getByRole('button', { name: 'Connect a wallet' }).click();
  await page.getByLabel('Chain id').fill(String(chainId));
  await page.getByLabel('Contract').fill(token.contractAddress);
  await page.getByLabel('Token id').fill('1');
  await page.getByRole('button', { name: 'Claim the ticket' }).click();
  await page.getByText('Ticket not found').waitFor();
  await page.getByLabel('Token id').fill(token.tokenId);
  await page.getByRole('button', { name: 'Claim the ticket' }).click();
  await page.getByText('The ticket to Jazz is yours.').waitFor();
  await screenshot(page, 'seat-claimed');
  const { code } = await findSeat(friend, orderId, 1);
  expect((await checkIn(code, tokenSale.organizer)).body.checkIn).toMatchObject({ chainChecked: true });

  // Another browser with the wallet needs no password.
  const walletContext = await openContext();
  await installWallet(walletContext, createWalletHandler(owner));
  const walletPage = await walletContext.newPage();
  await walletPage.goto('/login?next=/account');
  await walletPage.getByRole('button', { name: 'Sign in with a wallet' }).click();
  await walletPage.getByText(owner.address).waitFor();

  await page.goto('/account');
  await waitForContent(page);
  await page.getByText(owner.address).waitFor();
  await page.getByRole('button', { name: 'Disconnect the wallet' }).click();
  await page.getByRole('button', { name: 'Connect a wallet' }).waitFor();
});

test('the account page confirms a saved address, and keeps an unsaved name while a wallet is connected', async () => {
  const owner = createWallet();
  const context = await openContext(await registerUser());
  await installWallet(context, createWalletHandler(owner));
  const page = await context.newPage();
  await page.goto('/account');
  await waitForContent(page);
  const address = page.getByLabel('Wallet address');
  await address.fill('0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
  await page.getByRole('button', { name: 'Save the wallet' }).click();
  await page.getByText('Saved.').waitFor();

  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Nora New-Name');
  await page.getByRole('button', { name: 'Connect a wallet' }).click();
  await page.getByRole('button', { name: 'Disconnect the wallet' }).waitFor();
  expect(await address.inputValue()).toBe(owner.address);
  expect(await name.inputValue()).toBe('Nora New-Name');
});
