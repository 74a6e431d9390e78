import { orderKey } from '../../chain/contract-calls.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { toEvent } from '../../events/store.ts';
import type { Order } from '../../orders/order.ts';
import { toOrder } from '../../orders/store.ts';
import { toUser } from '../../users/store.ts';

/** An order that is ready to be minted. */
export interface MintRequest {
  order: Order;
  chainId: number;
  /** The event's ticket contract. */
  contract: string;
  /** The buyer's wallet. */
  to: string;
  /** By this the contract knows the order. */
  orderKey: string;
}

// About 40 x 50,000 and 2,000 x 2,200 gas: well within the 16.7 million that one transaction may take (EIP-7825).
const maximumOrders = 40;
const maximumTickets = 2_000;

/** Whether an order may be bound to a nonce now. */
export function isMintable({ paymentStatus, holdsSeat, fulfilmentStatus, mint }: Order): boolean {
  return paymentStatus === 'COMPLETED' && holdsSeat && fulfilmentStatus === 'queued' && mint === undefined;
}

/** Puts together what may go out in one transaction: orders of one contract, as long as there is room. */
export function batches(requests: readonly MintRequest[]): MintRequest[][] {
  const all: MintRequest[][] = [];
  const open = new Map<string, { batch: MintRequest[]; tickets: number }>();
  for (const request of requests) {
    const { quantity, mintsAlone } = request.order;
    if (mintsAlone) {
      all.push([request]);
      continue;
    }
    const place = `${request.chainId} ${request.contract}`;
    let last = open.get(place);
    if (!last || last.batch.length === maximumOrders || last.tickets + quantity > maximumTickets) {
      last = { batch: [], tickets: 0 };
      open.set(place, last);
      all.push(last.batch);
    }
    last.batch.push(request);
    last.tickets += quantity;
  }
  return all;
}

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
