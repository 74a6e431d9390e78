import { Wallet } from 'ethers/wallet';
import { expect, it } from 'vitest';
import { gatewayNames } from '../../shared/core/schemas.ts';
import { deployTokenAt, openWallet, readOwners } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  checkIn,
  countAvailable,
  listTickets,
  openSale,
  type Person,
  placeOrder,
  readBalance,
  readNotifications,
  registerUser,
  requestOrder,
  type Sale,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { sharedStack } from '../support/stack.ts';

/** Purchases of two tickets, from the order to the door. */

const usdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

/** Expects what follows a payment: tokens in the buyer's wallet, a notification, and one admission per ticket. */
async function expectTicketsAndAdmission({ event, organizer }: Sale, buyer: Person, orderId: string) {
  const order = await waitForMintedOrder(buyer, orderId);
  const successNotification = { type: 'SUCCESS', title: 'Ticket Purchase Successful', orderId };
  expect(await readNotifications(buyer)).toMatchObject([successNotification]);
  expect(await countAvailable(event)).toBe(98);

  const tickets = await listTickets(buyer, orderId);
  const { contractAddress, chainId } = event;
  const owner = buyer.user.walletAddress;
  const expectedTicket = { contractAddress, chainId, owner, txHash: order.blockchainTxHash };
  expect(tickets).toMatchObject([expectedTicket, expectedTicket]);
  expect(await readOwners(tickets)).toEqual([owner, owner]);

  const codes = tickets.map(({ checkInCode }) => checkInCode);
  for (const code of codes) expect((await checkIn(code, organizer, event.id)).status).toBe(200);
  expect((await checkIn(codes[0], organizer, event.id)).status).toBe(409);
  for (const { checkedInAt } of await listTickets(buyer, orderId)) expect(checkedInAt).not.toBeNull();
  return order;
}

it.concurrent.each(gatewayNames)('a buyer pays at %s, owns the tokens and is admitted', async (gateway) => {
  const sale = await openSale({ hasContract: true });
  const buyer = await registerUser({ walletAddress: Wallet.createRandom().address });

  // The order is pending, its total includes the fee, and its tickets are held.
  const order = await placeOrder(sale, buyer, { quantity: 2, gateway });
  const { orderId, reference, checkoutUrl } = order;
  expect(order).toMatchObject({ ok: true, paymentStatus: 'PENDING' });
  expect(reference).toMatch(/^BOX-[A-Z0-9]{6}-\d{13}-[A-Z0-9]{8}$/);
  expect(await order.read()).toMatchObject({ quantity: 2, gateway, totalAmount: 102.5 });
  expect(await countAvailable(sale.event)).toBe(98);

  // The buyer pays on the gateway's page, which sends the buyer back. The gateway's webhook completes the order.
  expect(await (await fetch(checkoutUrl)).text()).toContain('102.50');
  const redirect = await fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' });
  expect(redirect.headers.get('location')).toContain(`/orders/${orderId}`);
  expect(await expectTicketsAndAdmission(sale, buyer, orderId)).toMatchObject({
    paymentStatus: 'COMPLETED',
    gatewayReferences: { [gateway]: reference },
    paymentTxId: expect.stringMatching(/^\w+$/),
  });
  expect(await readBalance(sale.organizer)).toMatchObject({ available: 100 });
});

it.concurrent.each([
  { currency: 'POL', price: 0.5, token: null, dueAmount: '1025000000000000000' },
  { currency: 'USDC', price: 25, token: usdc, dueAmount: '51250000' },
])('a buyer pays in $currency on chain, owns the tokens and is admitted', async (price) => {
  const { currency, token, dueAmount } = price;
  const sale = await openSale({ ...price, hasContract: true });
  const wallet = await openWallet(sharedStack());
  if (token) await deployTokenAt(sharedStack(), token, wallet.address, 1_000_000_000n);
  const buyer = await registerUser({ walletAddress: wallet.address });

  // The answer contains the amount to pay, including the fee.
  const order = await placeOrder(sale, buyer, { quantity: 2, paymentMethod: 'CRYPTO' });
  const { orderId, payment } = order;
  expect(order).toMatchObject({ ok: true, paymentStatus: 'PENDING' });
  expect(payment).toMatchObject({ chainId: sale.event.chainId, token, amount: dueAmount });
  expect(await order.read()).toMatchObject({ paymentMethod: 'CRYPTO', payment });

  // The wallet pays, and the buyer confirms the transaction until it is final.
  const txHash = await wallet.pay(payment);
  const confirm = () => buyer.post(`/api/orders/${orderId}/confirm`, { txHash });
  await eventually('the payment is final', async () => (await confirm()).status === 200);
  expect(await expectTicketsAndAdmission(sale, buyer, orderId)).toMatchObject({
    paymentStatus: 'COMPLETED',
    paymentTxId: txHash,
  });
  expect(await readBalance(sale.organizer, currency)).toMatchObject({ available: 2 * price.price });
  wallet.close();
});

it.concurrent.each([
  ['with FIAT', {}],
  ['with a gateway that does not support the currency', { gateway: 'gateway-b' }],
  ['with CRYPTO in a currency that no chain supports', { paymentMethod: 'CRYPTO' }],
])('a buyer orders free tickets %s, owns the tokens and is admitted', async (_, method) => {
  const sale = await openSale({ price: 0, currency: 'JPY', hasContract: true });
  const buyer = await registerUser({ walletAddress: Wallet.createRandom().address });

  // The order is completed immediately, with nothing to pay. A repetition of the request creates no second order.
  const headers = { 'idempotency-key': `free ${sale.event.id}` };
  const request = () => requestOrder(sale, buyer, { quantity: 2, ...method }, headers);
  const [answer, repetition] = [await request(), await request()];
  expect(answer).toMatchObject({ status: 201, body: { totalAmount: 0, paymentStatus: 'COMPLETED' } });
  expect(answer.body).not.toHaveProperty('checkoutUrl');
  expect(answer.body).not.toHaveProperty('payment');
  expect(repetition.body).toEqual(answer.body);
  const order = await expectTicketsAndAdmission(sale, buyer, answer.body.orderId);
  expect(order).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: 'free' });
  expect(await readBalance(sale.organizer, 'JPY')).toMatchObject({ available: 0, pending: 0, paidOut: 0 });
});
