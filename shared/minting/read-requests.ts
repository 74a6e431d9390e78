import { toUser } from '../auth/store.ts';
import { orderKey } from '../chain/order-key.ts';
import { getItems } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { toEvent } from '../events/store.ts';
import type { Order } from '../orders/order.ts';
import { toOrder } from '../orders/store.ts';
import type { MintRequest } from './mint-request.ts';

/** The orders there are, in one read. */
export async function findOrders(ids: readonly string[]): Promise<Order[]> {
  const items = await getItems(ids.map(keys.order));
  return items.flatMap((item) => (item ? [toOrder(item)] : []));
}

/** What each order needs to be minted, in one read; undefined where there is no contract or no wallet (any more). */
export async function readRequests(
  orders: readonly Order[],
): Promise<{ order: Order; request: MintRequest | undefined }[]> {
  const items = await getItems(
    orders.flatMap(({ eventId, userId }) => [keys.event(eventId), keys.user(userId)]),
  );
  return orders.map((order, at) => {
    const [event, user] = [items[2 * at], items[2 * at + 1]];
    if (!event || !user) return { order, request: undefined };
    const { contractAddress: contract, chainId } = toEvent(event);
    const { walletAddress: to } = toUser(user);
    if (contract === null || to === null) return { order, request: undefined };
    return {
      order,
      request: { order, chainId, contract, to, orderKey: orderKey(chainId, contract, order.id) },
    };
  });
}
