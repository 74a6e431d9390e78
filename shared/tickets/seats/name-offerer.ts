import { findUser } from '../../accounts/users/store.ts';
import type { Order } from '../../orders/order.ts';
import type { Offer } from '../ticket.ts';

/**
 * Returns the name of whoever offers a seat; of the buyer as the order has it, since anybody may order as a guest with an address
 * and would learn the name that it has elsewhere.
 */
export async function nameOfferer(order: Order, { fromUserId }: Offer): Promise<string> {
  const holder = fromUserId === order.userId ? undefined : await findUser(fromUserId);
  return holder?.name ?? order.customerName;
}
