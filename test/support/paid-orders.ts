import type { RawItem } from '../../infra/ops/table.ts';
import { insertUser } from '../../shared/accounts/users/store.ts';
import { createEvent } from '../../shared/catalog/events/editing/create-event.ts';
import { eventCreation } from '../../shared/catalog/events/editing/event-input.ts';
import { newId } from '../../shared/core/ids.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { queryAll } from '../../shared/dynamo/query.ts';
import { transact } from '../../shared/dynamo/write.ts';
import { newReference, type Order, orderIdOf } from '../../shared/orders/order.ts';
import { insertOrder } from '../../shared/orders/store.ts';

type EventWithTiers = { id: string; tiers: { id: string }[] };

/** Paid orders that are not posted to the ledger yet, with their buyer, events and organizer. */
export interface PaidOrders {
  organizerId: string;
  userId: string;
  events: EventWithTiers[];
  orders: Order[];
}

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/**
 * Writes paid orders directly into the table, without inventory or a gateway. All are placed by one new buyer, for the
 * events of one new organizer in turn. Each order has two tickets and costs 100 dollars without the fee.
 * @param options.isMintable give the buyer a wallet and the events a contract
 */
export async function insertPaidOrders(
  count: number,
  { events: eventCount = 1, isMintable = false } = {},
): Promise<PaidOrders> {
  const [organizerId, userId] = [newId(), newId()];
  const person = { name: 'Buyer', role: 'USER', kycStatus: 'NONE', emailVerified: false } as const;
  const user = {
    ...person,
    id: userId,
    email: `${userId}@example.com`,
    walletAddress: isMintable ? wallet : null,
  };
  await transact([insertUser(user, new Date().toISOString())]);
  const creation = eventCreation.parse({
    title: 'A sold event',
    venue: 'A hall',
    startDate: new Date(Date.now() + 86_400_000).toISOString(),
    ...(isMintable && { contractAddress: wallet }),
  });
  const events: EventWithTiers[] = [];
  for (let index = 0; index < eventCount; index++) events.push(await createEvent(creation, organizerId));
  const orders = Array.from({ length: count }, (_, index) =>
    createPaidOrder(events[index % eventCount] as EventWithTiers, userId),
  );
  await transact(orders.map(insertOrder));
  return { organizerId, userId, events, orders };
}

/** Reads the ledger entries of the orders' organizer. */
export async function readEntries({ organizerId }: PaidOrders): Promise<RawItem[]> {
  const { pk: partition, sk: prefix } = keys.ledgerEntry(organizerId, '');
  const entries: RawItem[] = [];
  for await (const entry of queryAll({ partition, prefix })) entries.push(entry);
  return entries;
}

function createPaidOrder(event: EventWithTiers, userId: string): Order {
  const reference = newReference(event.id, Date.now());
  const now = new Date().toISOString();
  return {
    id: orderIdOf(reference) as string,
    userId,
    eventId: event.id,
    tierId: event.tiers[0]?.id as string,
    quantity: 2,
    currency: 'USD',
    subtotal: 10_000n,
    totalAmount: 10_250n,
    paymentMethod: 'FIAT',
    gateway: 'gateway-a',
    reference,
    paymentStatus: 'COMPLETED',
    customerEmail: 'buyer@example.com',
    customerName: 'Buyer',
    holdsInventory: true,
    shard: 0,
    fulfilmentStatus: 'queued',
    queuedAt: now,
    createdAt: now,
    updatedAt: now,
    expiresAt: now,
  };
}
