import { Wallet } from 'ethers/wallet';
import { expect, it } from 'vitest';
import { readOwners } from '../support/chain.ts';
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

it.concurrent.each([
  { method: { paymentMethod: 'FIAT' }, description: 'with FIAT' },
  {
    method: { paymentMethod: 'FIAT', gateway: 'gateway-b' },
    description: 'with a gateway that does not support the currency',
  },
  { method: { paymentMethod: 'CRYPTO' }, description: 'with CRYPTO in a currency that no chain supports' },
])('a buyer orders free tickets $description, owns the tokens and is admitted', async ({ method }) => {
  // given a free event with a ticket contract, and a buyer with a wallet
  const { event, organizer } = await openSale({ price: 0, currency: 'JPY', hasContract: true });
  const { address } = Wallet.createRandom();
  const buyer = await registerUser({ walletAddress: address });

  // when the buyer orders two tickets, and sends the request again
  const body = { eventId: event.id, tierId: event.tiers[0].id, quantity: 2, ...method };
  const headers = { 'idempotency-key': `free ${event.id}` };
  const request = { token: buyer.token, body, headers };
  const answer = await call('POST', '/api/orders/initialize', request);
  const repetition = await call('POST', '/api/orders/initialize', request);
  // then one order is completed immediately, with nothing to pay
  expect(answer).toMatchObject({ status: 201, body: { totalAmount: 0, paymentStatus: 'COMPLETED' } });
  expect(answer.body).not.toHaveProperty('checkoutUrl');
  expect(answer.body).not.toHaveProperty('payment');
  expect(repetition.body).toEqual(answer.body);
  const { orderId } = answer.body;
  const completedOrder = { paymentStatus: 'COMPLETED', paymentTxId: 'free' };
  expect(await readOrder(buyer, orderId)).toMatchObject(completedOrder);
  expect(await countAvailable(event)).toBe(98);

  // and the buyer's wallet owns the token of each ticket
  const { blockchainTxHash: txHash } = await waitForMintedOrder(buyer, orderId);
  const tickets = await listTickets(buyer, orderId);
  const { contractAddress, chainId } = event;
  expect(tickets).toHaveLength(2);
  for (const ticket of tickets)
    expect(ticket).toMatchObject({ contractAddress, chainId, owner: address, txHash });
  expect(await readOwners(tickets)).toEqual([address, address]);
  const successNotification = { type: 'SUCCESS', title: 'Ticket Purchase Successful', orderId };
  expect(await readNotifications(buyer)).toMatchObject([successNotification]);
  expect(await readBalance(organizer, 'JPY')).toMatchObject({ available: 0, pending: 0, paidOut: 0 });

  // when the buyer shows both tickets at the door
  const codes = tickets.map(({ checkInCode }) => checkInCode);
  for (const code of codes) expect((await checkIn(code, organizer, event.id)).status).toBe(200);
  // then a second scan is refused
  expect((await checkIn(codes[0], organizer, event.id)).status).toBe(409);
});
