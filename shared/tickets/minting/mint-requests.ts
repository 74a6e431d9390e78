import { orderKey } from '../../chain/contract-calls.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { toEvent } from '../../events/event.ts';
import { issueNumber, type Order, seatsMinted } from '../../orders/order.ts';
import { toUser } from '../../users/user.ts';

/** An order with the destination of its tickets. */
export interface MintRequest {
  order: Order;
  chainId: number;
  /** The event's ticket contract. */
  contract: string;
  /** The buyer's wallet, or the one that the tickets are reissued to. */
  to: string;
  /** How many tickets to mint. */
  quantity: number;
  /** Identifies the order in the contract. */
  orderKey: string;
  /** The organizer, who has to be authorized to mint on the contract. */
  organizerId: string;
  eventTitle: string;
}

// About 40 x 50,000 + 2,000 x 2,200 gas: well below EIP-7825's limit of 16.7 million a transaction.
const maximumOrders = 40;
const maximumTickets = 2_000;

/** Returns whether an order may be bound to a nonce. */
export function isReadyForNonce({ paymentStatus, holdsSeat, fulfilmentStatus, mint }: Order): boolean {
  return paymentStatus === 'COMPLETED' && holdsSeat && fulfilmentStatus === 'queued' && mint === undefined;
}

/** Groups orders of one contract into transactions, within the limits of orders and tickets. */
export function groupIntoBatches(requests: readonly MintRequest[]): MintRequest[][] {
  const allBatches: MintRequest[][] = [];
  const openBatches = new Map<string, { batch: MintRequest[]; tickets: number }>();
  for (const request of requests) {
    const { quantity, order } = request;
    if (order.mintsAlone) {
      allBatches.push([request]);
      continue;
    }
    const contractKey = `${request.chainId} ${request.contract}`;
    let openBatch = openBatches.get(contractKey);
    if (
      !openBatch ||
      openBatch.batch.length === maximumOrders ||
      openBatch.tickets + quantity > maximumTickets
    ) {
      openBatch = { batch: [], tickets: 0 };
      openBatches.set(contractKey, openBatch);
      allBatches.push(openBatch.batch);
    }
    openBatch.batch.push(request);
    openBatch.tickets += quantity;
  }
  return allBatches;
}

/**
 * Reads the contract and the wallet of each order.
 * @returns no request for an order whose event has no contract or whose buyer has no wallet. There is none either for
 * an order with a transferred seat in an event that admits by token: with the token, the seller could claim the seat
 * back
 */
export async function readRequests(
  orders: readonly Order[],
): Promise<{ order: Order; request: MintRequest | undefined }[]> {
  const items = await getItems(
    orders.flatMap(({ eventId, userId }) => [keys.event(eventId), keys.user(userId)]),
  );
  return orders.map((order, index) => {
    const [event, user] = [items[2 * index], items[2 * index + 1]];
    if (!event || !user) return { order, request: undefined };
    const { contractAddress: contract, chainId, organizerId, title: eventTitle, entry } = toEvent(event);
    const to = order.issue?.wallet ?? toUser(user).walletAddress;
    // A reissue contains only seats whose tokens were burned, and these were not transferred.
    const isTransferred = entry === 'token' && order.moved !== undefined && !order.issue;
    if (contract === null || to === null || isTransferred) return { order, request: undefined };
    return {
      order,
      request: {
        order,
        chainId,
        contract,
        to,
        quantity: seatsMinted(order).length,
        orderKey: orderKey(chainId, contract, order.id, issueNumber(order)),
        organizerId,
        eventTitle,
      },
    };
  });
}
