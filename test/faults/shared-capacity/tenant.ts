import { getAddress } from 'ethers';
import { insertUser } from '../../../shared/accounts/users/store.ts';
import { putBinding } from '../../../shared/catalog/contracts/store.ts';
import { createEvent } from '../../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../../shared/catalog/events/editing/event-input.ts';
import { newId } from '../../../shared/core/ids.ts';
import { transact, write } from '../../../shared/dynamo/write.ts';
import type { OrderRequest } from '../../../shared/orders/checkout/draft-order.ts';
import { initializeOrder } from '../../../shared/orders/checkout/initialize-order.ts';
import { newReference, type Order } from '../../../shared/orders/order.ts';
import { settle } from '../../../shared/orders/settlement/settle-order.ts';
import { getOrder } from '../../../shared/orders/store.ts';
import { getNode } from './shared-resources.ts';

/** The operations of organizers and buyers that the honest and the hostile tenant share. */

/** An event on sale with one tier. */
export interface Sale {
  organizerId: string;
  eventId: string;
  tierId: string;
}

const day = 24 * 60 * 60_000;

export async function registerUser(walletAddress: string | null = null): Promise<string> {
  const id = newId();
  const person = { name: 'Ann', role: 'USER', kycStatus: 'NONE', emailVerified: false } as const;
  const user = { ...person, id, email: `${id}@example.com`, walletAddress };
  await transact([insertUser(user, new Date().toISOString())]);
  return id;
}

export async function openSale(
  organizerId: string,
  {
    price = 50,
    quantity = 100,
    currency = 'USD',
    contract = undefined as string | undefined,
    description = '',
  } = {},
): Promise<Sale> {
  const creation = eventCreation.parse({
    title: 'Jazz',
    description,
    venue: 'Club',
    startDate: new Date(Date.now() + day).toISOString(),
    tiers: [{ name: 'Floor', price, quantity, maxPerPerson: 10_000 }],
    currency,
    chainId: getNode().chainId,
    contractAddress: contract && getAddress(contract),
  });
  const event = await createEvent(creation, organizerId);
  return { organizerId, eventId: event.id, tierId: event.tiers[0]?.id ?? '' };
}

/** Binds a contract to an organizer, as an ADMIN does. */
export async function authorizeMinting(organizerId: string, contract: string): Promise<void> {
  const updatedAt = new Date().toISOString();
  const { chainId } = getNode();
  const address = getAddress(contract);
  await write(putBinding({ chainId, address, organizerId, boundBy: 'admin', updatedAt }));
}

export function placeOrder(
  { eventId, tierId }: Sale,
  buyerId: string,
  request: Partial<OrderRequest> = {},
): Promise<Order> {
  const orderRequest = { eventId, tierId, quantity: 1, paymentMethod: 'FIAT', ...request } as const;
  return initializeOrder(buyerId, orderRequest, newReference(eventId, Date.now()));
}

/** Settles an order as paid, as its gateway's webhook does. */
export async function payOrder({ id, reference }: Order): Promise<Order> {
  await settle(await getOrder(id), { kind: 'paid', reference, transactionId: `tx-${id}` });
  return getOrder(id);
}
