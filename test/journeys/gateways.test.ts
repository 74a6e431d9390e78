import { Wallet } from 'ethers/wallet';
import { expect, it } from 'vitest';
import { gatewayNames } from '../../shared/core/names.ts';
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

it.concurrent.each(gatewayNames)('a buyer pays at %s, owns the tokens and is admitted', async (gateway) => {
  // given an event with a ticket contract, and a buyer with a wallet
  const { event, organizer } = await openSale({ hasContract: true });
  const { address } = Wallet.createRandom();
  const buyer = await registerUser({ walletAddress: address });

  // when the buyer orders two tickets at 50
  const items = { eventId: event.id, tierId: event.tiers[0].id, quantity: 2 };
  const body = { ...items, paymentMethod: 'FIAT', gateway };
  const answer = await call('POST', '/api/orders/initialize', { token: buyer.token, body });
  // then the order is pending, its total includes the fee, and its tickets are held
  expect(answer).toMatchObject({ status: 201, body: { ok: true, paymentStatus: 'PENDING' } });
  const { orderId, reference, checkoutUrl } = answer.body;
  expect(reference).toMatch(/^BOX-[A-Z0-9]{6}-\d{13}-[A-Z0-9]{8}$/);
  expect(await readOrder(buyer, orderId)).toMatchObject({ ...items, gateway, totalAmount: 102.5 });
  expect(await countAvailable(event)).toBe(98);

  // when the buyer pays on the gateway's page
  expect(await (await fetch(checkoutUrl)).text()).toContain('102.50');
  const redirect = await fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' });
  // then the gateway sends the buyer back, and its webhook completes the order
  expect(redirect.headers.get('location')).toContain(`/orders/${orderId}`);
  const order = await waitForMintedOrder(buyer, orderId);
  const gatewayReferences = { [gateway]: reference };
  expect(order).toMatchObject({ paymentStatus: 'COMPLETED', gatewayReferences });
  expect(order.paymentTxId).toMatch(/^\w+$/);
  const successNotification = { type: 'SUCCESS', title: 'Ticket Purchase Successful', orderId };
  expect(await readNotifications(buyer)).toMatchObject([successNotification]);
  expect(await readBalance(organizer)).toMatchObject({ available: 100 });
  expect(await countAvailable(event)).toBe(98);

  // and the buyer's wallet owns the token of each ticket
  const tickets = await listTickets(buyer, orderId);
  const { contractAddress, chainId } = event;
  const expectedTicket = { contractAddress, chainId, owner: address, txHash: order.blockchainTxHash };
  expect(tickets).toMatchObject([expectedTicket, expectedTicket]);
  expect(await readOwners(tickets)).toEqual([address, address]);

  // when the buyer shows both tickets at the door
  const codes = tickets.map(({ checkInCode }) => checkInCode);
  for (const code of codes) expect((await checkIn(code, organizer, event.id)).status).toBe(200);
  // then a second scan is refused
  expect((await checkIn(codes[0], organizer, event.id)).status).toBe(409);
  for (const { checkedInAt } of await listTickets(buyer, orderId)) expect(checkedInAt).not.toBeNull();
});
