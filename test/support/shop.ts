import { insertUser } from '../../shared/accounts/users/store.ts';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { reviseEvent } from '../../shared/catalog/events/editing/revise-event.ts';
import { newId } from '../../shared/core/ids.ts';
import type { Currency } from '../../shared/core/money.ts';
import { transact } from '../../shared/dynamo/write.ts';
import type { OrderRequest } from '../../shared/orders/checkout/draft-order.ts';
import { initializeOrder } from '../../shared/orders/checkout/initialize-order.ts';
import { newReference, type Order } from '../../shared/orders/order.ts';

/** Writes a new user to the table, without a session. @returns the id */
export async function insertPerson(walletAddress: string | null = null): Promise<string> {
  const id = newId();
  const email = `${id}@example.com`;
  const user = {
    id,
    email,
    name: 'Ann',
    role: 'USER',
    walletAddress,
    kycStatus: 'NONE',
    emailVerified: false,
  } as const;
  await transact([insertUser(user, new Date().toISOString())]);
  return id;
}

/** An event on sale with its organizer and a buyer, for tests that call use cases directly. */
export interface Shop {
  organizerId: string;
  buyerId: string;
  eventId: string;
  tierId: string;
  order(request?: Partial<OrderRequest>): Promise<Order>;
  cancelEvent(): Promise<void>;
}

/** Creates an event with tickets at 50, its organizer and a buyer. */
export async function openShop({
  currency = 'USD' as Currency,
  quantity = 10,
  chainId = 137,
  contractAddress = undefined as string | undefined,
  walletAddress = null as string | null,
} = {}): Promise<Shop> {
  const [organizerId, buyerId] = await Promise.all([insertPerson(), insertPerson(walletAddress)]);
  const creation = eventCreation.parse({
    title: 'Jazz',
    venue: 'Club',
    startDate: new Date(Date.now() + 86_400_000).toISOString(),
    tiers: [{ name: 'Floor', price: 50, quantity, maxPerPerson: 100 }],
    chainId,
    contractAddress,
  });
  const event = await createEvent(creation, organizerId);
  if (currency !== 'USD')
    await changeEvent(event.id, organizerId, (event) => reviseEvent(event, { currency }));
  const tierId = event.tiers[0]?.id ?? '';
  return {
    organizerId,
    buyerId,
    eventId: event.id,
    tierId,
    order: (request = {}) =>
      initializeOrder(
        buyerId,
        { eventId: event.id, tierId, quantity: 2, paymentMethod: 'FIAT', ...request },
        newReference(event.id, Date.now()),
      ),
    async cancelEvent() {
      await changeEvent(event.id, organizerId, (event) => reviseEvent(event, { status: 'CANCELLED' }));
    },
  };
}
