import type { RawItem } from '../../infra/ops/table.ts';
import { insertUser } from '../../shared/accounts/users/store.ts';
import { changeEvent } from '../../shared/catalog/events/editing/change-event.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { reviseEvent } from '../../shared/catalog/events/editing/revise-event.ts';
import { newId } from '../../shared/core/ids.ts';
import type { Currency } from '../../shared/core/money.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { queryAll } from '../../shared/dynamo/read.ts';
import { transact } from '../../shared/dynamo/write.ts';
import type { OrderRequest } from '../../shared/orders/checkout/draft-order.ts';
import { initializeOrder } from '../../shared/orders/checkout/initialize-order.ts';
import { newReference, type Order, orderIdOf, sumItems } from '../../shared/orders/order.ts';
import { insertOrder } from '../../shared/orders/store.ts';

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
        { userId: buyerId, address: '127.0.0.1' },
        { eventId: event.id, tierId, quantity: 2, paymentMethod: 'FIAT', ...request },
        newReference(event.id, Date.now()),
      ),
    async cancelEvent() {
      await changeEvent(event.id, organizerId, (event) => reviseEvent(event, { status: 'CANCELLED' }));
    },
  };
}

/** Paid orders that are not posted to the ledger yet, with their buyer, events and organizer. */
export interface PaidOrders {
  organizerId: string;
  userId: string;
  events: EventWithTiers[];
  orders: Order[];
}

type EventWithTiers = { id: string; tiers: { id: string }[] };

/**
 * Writes paid orders directly into the table, without inventory or a gateway. All are placed by one new buyer, for the
 * events of one new organizer in turn. Each order has two tickets and costs 100 dollars without the fee.
 * @param options.isMintable give the buyer a wallet and the events a contract
 * @param options.hasSeller give the events a seller, so that the orders have invoices
 * @param options.organizerId by default that of a new one
 */
export async function insertPaidOrders(
  count: number,
  { events: eventCount = 1, isMintable = false, hasSeller = false, organizer = insertPerson() } = {},
): Promise<PaidOrders> {
  const organizerId = await organizer;
  const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const userId = await insertPerson(isMintable ? wallet : null);
  const creation = eventCreation.parse({
    title: 'A sold event',
    venue: 'A hall',
    startDate: new Date(Date.now() + 86_400_000).toISOString(),
    ...(isMintable && { contractAddress: wallet }),
    ...(hasSeller && { seller: { name: 'Club', address: '1 Road' } }),
  });
  const events: EventWithTiers[] = [];
  for (let index = 0; index < eventCount; index++) events.push(await createEvent(creation, organizerId));
  const orders = Array.from({ length: count }, (_, index) => {
    const event = events[index % eventCount] as EventWithTiers;
    return createOrder(event.id, event.tiers[0]?.id as string, userId, {
      quantity: 2,
      totalAmount: 10_250n,
      paymentStatus: 'COMPLETED',
      fulfilmentStatus: 'queued',
      queuedAt: new Date().toISOString(),
      ...(hasSeller && { sellerVersion: 0 }),
    });
  });
  // The maximum number of writes in a transaction.
  for (let start = 0; start < count; start += 100)
    await transact(orders.slice(start, start + 100).map(insertOrder));
  return { organizerId, userId, events, orders };
}

/** Reads the ledger entries of the orders' organizer. */
export async function readEntries({ organizerId }: PaidOrders): Promise<RawItem[]> {
  const { pk: partition, sk: prefix } = keys.ledgerEntry(organizerId, '');
  const entries: RawItem[] = [];
  for await (const entry of queryAll({ partition, prefix })) entries.push(entry);
  return entries;
}

/** Creates an unpaid order, by default of one ticket at 50 USD, for tests that write orders directly to the table. */
export function createUnpaidOrder(
  { eventId, tierId, userId }: { eventId: string; tierId: string; userId: string },
  { expiresAt, ...fields }: Omit<Partial<Order>, 'expiresAt'> & { expiresAt: number },
): Order {
  return createOrder(eventId, tierId, userId, { ...fields, expiresAt: new Date(expiresAt).toISOString() });
}

/** Creates an order, by default an unpaid one of one ticket at 50 USD. */
function createOrder(
  eventId: string,
  tierId: string,
  userId: string,
  { quantity = 1, ...fields }: Partial<Order>,
): Order {
  const reference = newReference(eventId, Date.now());
  const now = new Date().toISOString();
  const items = [{ tierId, quantity, unitPrice: 5_000n }];
  return {
    id: orderIdOf(reference) as string,
    userId,
    buyer: userId,
    language: 'en',
    eventId,
    items,
    ...sumItems(items),
    currency: 'USD',
    totalAmount: 5_125n,
    paymentMethod: 'FIAT',
    gateway: 'gateway-a',
    reference,
    paymentStatus: 'PENDING',
    customerEmail: 'buyer@example.com',
    customerName: 'Buyer',
    holdsInventory: true,
    shard: 0,
    fulfilmentStatus: 'none',
    createdAt: now,
    updatedAt: now,
    expiresAt: now,
    ...fields,
  };
}
