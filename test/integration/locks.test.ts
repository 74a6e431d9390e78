import { beforeAll, expect, it } from 'vitest';
import { rpc } from '../../infra/local/services/chain.ts';
import { createWallet, readLocks, sendToken } from '../support/chain.ts';
import { eventually } from '../support/eventually.ts';
import {
  buyTickets,
  changeEvent,
  checkIn,
  listTickets,
  openSale,
  type Person,
  readOrder,
  registerUser,
  type Sale,
  type TicketView,
  waitForMintedOrder,
} from '../support/fixtures.ts';
import { call } from '../support/http.ts';

let sale: Sale;
beforeAll(async () => {
  sale = await openSale({ hasContract: true, lockAfterAdmission: true });
});

async function buyMintedTickets(atSale: Sale, quantity: number) {
  const wallet = createWallet();
  const buyer = await registerUser({ walletAddress: wallet.address });
  const { orderId } = await buyTickets(atSale, buyer, quantity);
  await waitForMintedOrder(buyer, orderId);
  const tickets = (await listTickets(buyer, orderId)).toSorted((a, b) => a.id.localeCompare(b.id));
  return { wallet, buyer, orderId, tickets };
}

async function admit(atSale: Sale, buyer: Person, orderId: string, number = 1) {
  const { admissions } = await readOrder(buyer, orderId);
  expect((await checkIn(admissions[number - 1].checkInCode, atSale.organizer)).status).toBe(200);
}

const awaitLock = (tickets: TicketView[]) =>
  eventually('the tokens are locked', async () => (await readLocks(tickets)).every(Boolean));

const readMetadata = async ({ chainId, contractAddress, tokenId }: TicketView) =>
  (await call('GET', `/api/tokens/${chainId}/${contractAddress}/${tokenId}`)).body;

it.concurrent('locks the token of an admitted ticket, and says why, if the organizer chose it', async () => {
  expect(sale.event.lockAfterAdmission).toBe(true);
  const { wallet, buyer, orderId, tickets } = await buyMintedTickets(sale, 2);
  const [used, unused] = tickets as [TicketView, TicketView];
  await admit(sale, buyer, orderId);
  await awaitLock([used]);
  expect(await readLocks([unused])).toEqual([false]);
  await expect(sendToken(wallet, createWallet().address, used)).rejects.toThrow();
  const { attributes, description } = await readMetadata(used);
  expect(attributes).toContainEqual({
    trait_type: 'Locked',
    value: 'Somebody was admitted with this ticket',
  });
  expect(description).toMatch(/^Admitted\./);
});

it.concurrent('locks a token once, though its ticket is admitted again', async () => {
  const { buyer, orderId, tickets } = await buyMintedTickets(sale, 2);
  const [first, second] = tickets as [TicketView, TicketView];
  const { chainRpcUrl } = sale.organizer.stack;
  const start = Number(await rpc<string>(chainRpcUrl, 'eth_blockNumber', []));
  await admit(sale, buyer, orderId);
  await awaitLock([first]);
  expect((await sale.organizer.delete(`/api/orders/${orderId}/seats/1/admission`)).status).toBe(200);
  await admit(sale, buyer, orderId);
  // It would be locked together with this one.
  await admit(sale, buyer, orderId, 2);
  await awaitLock([second]);
  const end = Number(await rpc<string>(chainRpcUrl, 'eth_blockNumber', []));
  const inputs: string[] = [];
  for (let block = start; block <= end; block++) {
    const { transactions } = await rpc<{ transactions: { input: string }[] }>(
      chainRpcUrl,
      'eth_getBlockByNumber',
      [`0x${block.toString(16)}`, true],
    );
    inputs.push(...transactions.map(({ input }) => input));
  }
  const tokenHex = BigInt(first.tokenId).toString(16);
  expect(inputs.filter((input) => input.includes(tokenHex))).toHaveLength(1);
});

it.concurrent('locks no token of an event that does not use it', async () => {
  const plainSale = await openSale({ hasContract: true });
  expect(plainSale.event.lockAfterAdmission).toBe(false);
  const [plain, locking] = await Promise.all([buyMintedTickets(plainSale, 1), buyMintedTickets(sale, 1)]);
  await admit(plainSale, plain.buyer, plain.orderId);
  await admit(sale, locking.buyer, locking.orderId);
  await awaitLock(locking.tickets);
  expect(await readLocks(plain.tickets)).toEqual([false]);
  await sendToken(plain.wallet, createWallet().address, plain.tickets[0] as TicketView);
});

it.concurrent('locks admissions from the change of the event on', async () => {
  const changedSale = await openSale({ hasContract: true });
  const { buyer, orderId, tickets } = await buyMintedTickets(changedSale, 2);
  await admit(changedSale, buyer, orderId);
  const { body } = await changeEvent(changedSale, { lockAfterAdmission: true });
  expect(body.event.lockAfterAdmission).toBe(true);
  await admit(changedSale, buyer, orderId, 2);
  await awaitLock(tickets.slice(1));
  expect(await readLocks(tickets)).toEqual([false, true]);
});

it.concurrent('locks a token that is minted after its seat was admitted', async () => {
  const buyer = await registerUser();
  const { orderId } = await buyTickets(sale, buyer, 2);
  await admit(sale, buyer, orderId);
  await buyer.patch('/api/auth/me', { walletAddress: createWallet().address });
  await sale.organizer.post(`/api/orders/${orderId}/fulfil`, {});
  await waitForMintedOrder(buyer, orderId);
  const tickets = (await listTickets(buyer, orderId)).toSorted((a, b) => a.id.localeCompare(b.id));
  await awaitLock(tickets.slice(0, 1));
  expect(await readLocks(tickets)).toEqual([true, false]);
});
