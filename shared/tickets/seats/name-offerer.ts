import { findUser } from '../../accounts/users/store.ts';
import type { Order } from '../../orders/order.ts';
import type { Offer } from '../ticket.ts';

/**
 * Returns the name of the person who offers a seat. A buyer has the name of the order: anybody may order as a guest with an
 * address, and must not learn the name in its other orders.
 */
export async function nameOfferer(order: Order, { fromUserId }: Offer): Promise<string> {
  const holder = fromUserId === order.userId ? undefined : await findUser(fromUserId);
  return holder?.name ?? order.customerName;
}
