import { putWallet } from '../../../shared/accounts/wallets/store.ts';
import { createEvent } from '../../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../../shared/catalog/events/editing/event-input.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { transact, update, write } from '../../../shared/dynamo/write.ts';
import { recordMint } from '../../../shared/nft/minting/finalize-mint.ts';
import { initializeOrder } from '../../../shared/orders/checkout/initialize-order.ts';
import { fulfilOrders } from '../../../shared/orders/fulfilment/fulfil-orders.ts';
import { newReference, type Order } from '../../../shared/orders/order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { signCode } from '../../../shared/tickets/check-in/admissions.ts';
import { putTokenRanges } from '../../../shared/tickets/store.ts';
import { insertPerson } from '../../support/shop.ts';

/** An event with free tickets, so orders are paid immediately and refunds need no gateway. */
export interface FreeEvent {
  organizerId: string;
  eventId: string;
  tierId: string;
  chainId: number;
  contract: string | undefined;
}

export async function openFreeEvent({
  chainId = 31337,
  contract = undefined as string | undefined,
} = {}): Promise<FreeEvent> {
  const organizerId = await insertPerson();
  const creation = eventCreation.parse({
    title: 'Jazz',
    venue: 'Club',
    startDate: new Date(Date.now() + 86_400_000).toISOString(),
    tiers: [{ name: 'Floor', price: 0, quantity: 5_000, maxPerPerson: 5_000 }],
    chainId,
    contractAddress: contract,
  });
  const event = await createEvent(creation, organizerId);
  return { organizerId, eventId: event.id, tierId: event.tiers[0]?.id ?? '', chainId, contract };
}

/** Creates a person with a wallet, to which tickets are minted. */
export async function newPersonWithWallet(walletAddress: string): Promise<string> {
  const id = await insertPerson();
  await write(update(keys.user(id), { set: { walletAddress } }));
  return id;
}

/** Links a wallet to a person, as a signed challenge does. @param chainId the chain of a contract wallet */
export async function linkWallet(userId: string, address: string, chainId?: number): Promise<void> {
  await transact([
    putWallet({ address, userId, ...(chainId !== undefined && { chainId }) }),
    update(keys.user(userId), { set: { linkedWallet: address } }),
  ]);
}

/** Creates an order, which is paid immediately, and fulfils it. */
export async function buyTickets(event: FreeEvent, buyerId: string, quantity = 1): Promise<Order> {
  const { eventId, tierId } = event;
  const request = { eventId, tierId, quantity, paymentMethod: 'FIAT' } as const;
  const { id } = await initializeOrder(buyerId, request, newReference(eventId, Date.now()));
  await fulfilOrders([{ orderId: id, eventId, userId: buyerId }]);
  return getOrder(id);
}

/** Stores the tickets of an order, as the mint worker does when its mint is final. */
export async function storeTickets(
  event: FreeEvent,
  order: Order,
  to: string,
  firstTokenId: bigint,
): Promise<void> {
  const { chainId, contract = '', eventId } = event;
  const { id: orderId, userId, quantity } = order;
  await putTokenRanges([{ chainId, contract, orderId, eventId, userId, quantity, firstTokenId }]);
  const tokenIds = Array.from({ length: quantity }, (_, index) => String(firstTokenId + BigInt(index)));
  const txHash = `0x${'ab'.repeat(32)}`;
  await recordMint(
    order,
    { chainId, contract, to },
    { txHash, blockNumber: 1, blockHash: txHash, to, tokenIds },
  );
}

/** Signs the check-in code of a seat that was never transferred. */
export const signFirstCode = ({ id: orderId }: Order, number = 1) =>
  signCode({ orderId, number, transfers: 0 });
