import type { GatewayName } from '../../shared/core/names.ts';
import { newReference, type Order, orderIdOf } from '../../shared/orders/order.ts';

/** Creates an unpaid order of one ticket at 50 USD, for tests that write orders directly to the table. */
export function createUnpaidOrder(
  { eventId, tierId, userId }: { eventId: string; tierId: string; userId: string },
  { gateway, expiresAt }: { gateway: GatewayName; expiresAt: number },
): Order {
  const now = Date.now();
  const createdAt = new Date(now).toISOString();
  const reference = newReference(eventId, now);
  return {
    id: orderIdOf(reference) as string,
    userId,
    eventId,
    tierId,
    quantity: 1,
    currency: 'USD',
    subtotal: 5_000n,
    totalAmount: 5_125n,
    paymentMethod: 'FIAT',
    gateway,
    reference,
    paymentStatus: 'PENDING',
    customerEmail: 'buyer@example.com',
    customerName: 'Buyer',
    holdsInventory: true,
    shard: 0,
    fulfilmentStatus: 'none',
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}
