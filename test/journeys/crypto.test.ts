import { expect, it } from 'vitest';
import { deployTokenAt, openWallet, readOwners } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  checkIn,
  countAvailable,
  listTickets,
  openSale,
  readBalance,
  readNotifications,
  readOrder,
  registerUser,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';
import { sharedStack } from '../support/stack.ts';

const usdc = '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359';

it.concurrent.each([
  { currency: 'POL', price: 0.5, token: null, dueAmount: '1025000000000000000' },
  { currency: 'USDC', price: 25, token: usdc, dueAmount: '51250000' },
])('a buyer pays in $currency on chain, owns the tokens and is admitted', async (sale) => {
  // given an event with a ticket contract, and a buyer who pays with the wallet that gets the tokens
  const { event, organizer } = await openSale({ ...sale, hasContract: true });
  const wallet = await openWallet(sharedStack());
  if (sale.token) await deployTokenAt(sharedStack(), sale.token, wallet.address, 1_000_000_000n);
  const buyer = await registerUser({ walletAddress: wallet.address });

  // when the buyer orders two tickets
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 2, paymentMethod: 'CRYPTO' };
  const answer = await call('POST', '/api/orders/initialize', { token: buyer.token, body });
  // then the answer contains the amount to pay, including the fee
  const { orderId, payment } = answer.body;
  expect(answer).toMatchObject({ status: 201, body: { ok: true, paymentStatus: 'PENDING' } });
  expect(payment).toMatchObject({ chainId: event.chainId, token: sale.token, amount: sale.dueAmount });
  expect(await readOrder(buyer, orderId)).toMatchObject({ paymentMethod: 'CRYPTO', payment });

  // when the wallet pays, and the buyer confirms the transaction until it is final
  const txHash = await wallet.pay(payment);
  const confirm = () =>
    call('POST', `/api/orders/${orderId}/confirm`, { token: buyer.token, body: { txHash } });
  await eventually('the payment is final', async () => (await confirm()).status === 200);
  // then the order is completed by that transaction
  const order = await waitForMintedOrder(buyer, orderId);
  expect(order).toMatchObject({ paymentStatus: 'COMPLETED', paymentTxId: txHash });
  const successNotification = { type: 'SUCCESS', title: 'Ticket Purchase Successful', orderId };
  expect(await readNotifications(buyer)).toMatchObject([successNotification]);
  expect(await readBalance(organizer, sale.currency)).toMatchObject({ available: 2 * sale.price });
  expect(await countAvailable(event)).toBe(98);

  // and the wallet owns the token of each ticket
  const tickets = await listTickets(buyer, orderId);
  const { contractAddress, chainId } = event;
  const expectedTicket = { contractAddress, chainId, owner: wallet.address, txHash: order.blockchainTxHash };
  expect(tickets).toMatchObject([expectedTicket, expectedTicket]);
  expect(await readOwners(tickets)).toEqual([wallet.address, wallet.address]);

  // when the buyer shows both tickets at the door
  const codes = tickets.map(({ checkInCode }) => checkInCode);
  for (const code of codes) expect((await checkIn(code, organizer, event.id)).status).toBe(200);
  // then a second scan is refused
  expect((await checkIn(codes[0], organizer, event.id)).status).toBe(409);
  wallet.close();
});
