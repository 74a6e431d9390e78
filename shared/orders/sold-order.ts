import type { SoldOrder } from '../ledger/entry.ts';
import type { Order } from './order.ts';

/** What an order is to the books: always the same, since what it sells and for how much never changes. */
export function toSoldOrder({ id: orderId, tierId, quantity, subtotal: net, totalAmount }: Order): SoldOrder {
  return { orderId, tierId, quantity, net, fee: totalAmount - net };
}
