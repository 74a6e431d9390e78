import type { Item } from '../../shared/dynamo/client.ts';
import type { Order } from '../../shared/orders/order.ts';

type SaleEvent = { id: string; tiers: { id: string }[] };

/** What orders were made of that are paid, and that nobody has booked yet. */
export interface PaidOrders {
  organizerId: string;
  userId: string;
  events: SaleEvent[];
  orders: Order[];
}

/**
 * Loads what makes paid orders out of nothing: straight into the table, without stock or a gateway. Start the
 * backend first, since the code reads its configuration when it is imported.
 */
export async function loadPaidOrders() {
  const { createEvent } = await import('../../shared/events/editing/create-event.ts');
  const { eventCreation } = await import('../../shared/events/editing/event-input.ts');
  const { insertUser } = await import('../../shared/users/store.ts');
  const { transact } = await import('../../shared/dynamo/write.ts');
  const { insertOrder } = await import('../../shared/orders/store.ts');
  const { newReference, orderIdOf } = await import('../../shared/orders/reference.ts');
  const { queryAll } = await import('../../shared/dynamo/query.ts');
  const { keys } = await import('../../shared/dynamo/keys.ts');
  const { newId } = await import('../../shared/core/ids.ts');

  /** Of a new buyer, in turn for each of the events of a new organizer; of two tickets for 100 dollars each. */
  const paidOrders = async (
    count: number,
    { events: eventCount = 1, mints = false } = {},
  ): Promise<PaidOrders> => {
    const [organizerId, userId] = [newId(), newId()];
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const walletAddress = mints ? address : null;
    const person = { name: 'Buyer', role: 'USER', walletAddress, kycStatus: 'NONE' } as const;
    const user = { id: userId, email: `${userId}@example.com`, ...person };
    await transact([insertUser(user, new Date().toISOString())]);
    const creation = eventCreation.parse({
      title: 'A booked event',
      venue: 'A hall',
      startDate: new Date(Date.now() + 86_400_000).toISOString(),
      ...(mints && { contractAddress: address }),
    });
    const events: SaleEvent[] = [];
    for (let made = 0; made < eventCount; made++) events.push(await createEvent(creation, organizerId));
    const orders = Array.from({ length: count }, (_, at) =>
      paidOrder(events[at % eventCount] as SaleEvent, userId),
    );
    await transact(orders.map(insertOrder));
    return { organizerId, userId, events, orders };
  };

  const readEntries = async ({ organizerId }: PaidOrders): Promise<Item[]> => {
    const { pk: partition, sk: prefix } = keys.ledgerEntry(organizerId, '');
    const entries: Item[] = [];
    for await (const entry of queryAll({ partition, prefix })) entries.push(entry);
    return entries;
  };

  return { paidOrders, readEntries };

  function paidOrder(event: SaleEvent, userId: string): Order {
    const reference = newReference(event.id, Date.now());
    const at = new Date().toISOString();
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
      holdsSeat: true,
      shard: 0,
      fulfilmentStatus: 'queued',
      queuedAt: at,
      createdAt: at,
      updatedAt: at,
      expiresAt: at,
    };
  }
}
