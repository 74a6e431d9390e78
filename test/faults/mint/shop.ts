import { getAddress } from 'ethers';
import { developmentWallet } from '../../../infra/local/services/contract.ts';
import { putBinding } from '../../../shared/catalog/contracts/store.ts';
import { eventCreation } from '../../../shared/catalog/events/editing/event-input.ts';
import { newEvent } from '../../../shared/catalog/events/editing/new-event.ts';
import { insertEvent } from '../../../shared/catalog/events/store.ts';
import { newId, newOwnedId } from '../../../shared/core/ids.ts';
import { keys } from '../../../shared/dynamo/keys.ts';
import { put, transact, write } from '../../../shared/dynamo/write.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { settle } from '../../../shared/orders/settlement/settle-order.ts';
import { insertOrder } from '../../../shared/orders/store.ts';

const buyerCount = 8;

const maximumDeliveries = 10;

export interface Shop {
  eventId: string;
}

/** Puts an event on sale and registers its buyers. */
export async function openShop({ chainId, contract }: { chainId: number; contract: string }): Promise<Shop> {
  const creation = eventCreation.parse({
    title: 'Drill',
    venue: 'A hall',
    startDate: '2030-06-01T20:00:00.000Z',
    chainId,
    contractAddress: contract,
  });
  const event = newEvent(creation, 'organizer', newOwnedId('organizer'), new Date());
  await transact(insertEvent(event));
  await authorizeContract(chainId, contract);
  for (let index = 0; index < buyerCount; index++) {
    const user = { id: buyerId(index), email: `${index}@example.org`, name: 'Buyer', role: 'USER' };
    // No minter uses the development wallets from 50 on.
    const walletAddress = developmentWallet(50 + index).address;
    await write(put({ ...keys.user(user.id), ...user, walletAddress, kycStatus: 'NONE' }));
  }
  return { eventId: event.id };
}

/** Binds a contract to the shop's organizer, as an ADMIN does. */
export async function authorizeContract(chainId: number, contract: string): Promise<void> {
  const updatedAt = new Date().toISOString();
  const address = getAddress(contract);
  await write(putBinding({ chainId, address, organizerId: 'organizer', boundBy: 'admin', updatedAt }));
}

const buyerId = (index: number) => `buyer${index}`;

/** Creates a PENDING order. @param index the order's index; the buyers take turns */
export async function placeOrder({ eventId }: Shop, index: number, quantity: number): Promise<Order> {
  const now = new Date().toISOString();
  const id = newId();
  const order: Order = {
    id,
    userId: buyerId(index % buyerCount),
    eventId,
    items: [{ tierId: 'tier', quantity, unitPrice: 2_000n / BigInt(quantity) }],
    quantity,
    description: `${quantity} × Tier`,
    currency: 'USD',
    subtotal: 2_000n,
    discount: 0n,
    totalAmount: 2_050n,
    paymentMethod: 'FIAT',
    gateway: 'gateway-a',
    reference: `BOX-${id}`,
    checkoutUrl: `https://checkout.gateway-a.example/pay/${id}`,
    paymentStatus: 'PENDING',
    customerEmail: `${index % buyerCount}@example.org`,
    customerName: 'Buyer',
    holdsInventory: true,
    shard: 0,
    fulfilmentStatus: 'none',
    createdAt: now,
    updatedAt: now,
    // So late that the sweeper does not expire the order, although its clock runs fast.
    expiresAt: new Date(Date.now() + 10 ** 11).toISOString(),
  };
  await write(insertOrder(order));
  return order;
}

/** Settles the order as a gateway's webhook does. The webhook is redelivered while it fails. */
export async function pay(order: Order): Promise<void> {
  const signal = { kind: 'paid', reference: order.reference, transactionId: `tx-${order.id}` } as const;
  for (let delivery = 1; ; delivery++) {
    try {
      await settle(order, signal);
      return;
    } catch (error) {
      if (delivery === maximumDeliveries) throw error;
    }
  }
}

/** Places and pays orders, 20 at a time. @param quantityOf returns the number of tickets of an order, by its index */
export async function sell(
  shop: Shop,
  count: number,
  quantityOf: (index: number) => number,
): Promise<Order[]> {
  const orders: Order[] = [];
  for (let start = 0; start < count; start += 20) {
    const indexes = Array.from({ length: Math.min(20, count - start) }, (_, offset) => start + offset);
    const placed = await Promise.all(indexes.map((index) => placeOrder(shop, index, quantityOf(index))));
    await Promise.all(placed.map(pay));
    orders.push(...placed);
  }
  return orders;
}
