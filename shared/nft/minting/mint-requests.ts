import { toUser } from '../../accounts/users/user.ts';
import { checkAuthorization } from '../../catalog/contracts/check-contract.ts';
import { toEvent } from '../../catalog/events/event.ts';
import { deriveOrderKey } from '../../chain/contract-calls.ts';
import { DomainError } from '../../core/errors.ts';
import { deriveId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems } from '../../dynamo/read.ts';
import { write } from '../../dynamo/write.ts';
import { insertNotification, type Notification } from '../../messaging/notifications/store.ts';
import {
  issueNumber,
  type Order,
  seatNumbersOfIssue,
  walletOf,
  wouldReturnSeat,
} from '../../orders/order.ts';
import { findBurns } from '../burning/store.ts';
import { failFulfilment } from './finalize-mint.ts';

/** An order with the destination of its tickets. */
export interface MintRequest {
  order: Order;
  chainId: number;
  /** The event's ticket contract. */
  contract: string;
  /** The buyer's wallet, or the wallet that the tickets are reissued to. */
  to: string;
  /** How many tickets to mint. */
  quantity: number;
  /** Identifies the order in the contract. */
  orderKey: string;
  /** The organizer, who has to be authorized to mint on the contract. */
  organizerId: string;
  eventTitle: string;
}

// An order costs about 50,000 gas and a ticket 2,200, so a full batch costs 6.4 million: well below EIP-7825's limit of
// 16.7 million a transaction.
const maximumOrdersPerBatch = 40;
const maximumTicketsPerBatch = 2_000;

/** Returns whether an order may be bound to a nonce. */
export function isReadyForNonce({ paymentStatus, holdsInventory, fulfilmentStatus, mint }: Order): boolean {
  return (
    paymentStatus === 'COMPLETED' && holdsInventory && fulfilmentStatus === 'queued' && mint === undefined
  );
}

/**
 * Returns the orders that can be minted now. An order that took over the seats of others waits until their tokens are
 * burned, finally on the chain, so that a seat never has two. When they can't be burned, it fails, and its organizer can
 * request it again.
 */
export async function filterUnblocked(orders: readonly Order[]): Promise<Order[]> {
  const unblocked = await Promise.all(
    orders.map(async (order) => {
      const burns = await findBurns(order.mintAfter ?? []);
      if (burns.every((burn) => burn?.status === 'done')) return [order];
      if (burns.every((burn) => burn?.status !== 'failed')) return [];
      const message = 'The tokens that the former holder returned could not be burned';
      await failFulfilment(order, { code: 'other', message });
      return [];
    }),
  );
  return unblocked.flat();
}

/** Groups requests into batches, one transaction each. A batch has one contract and stays within both limits. */
export function groupIntoBatches(requests: readonly MintRequest[]): MintRequest[][] {
  const allBatches: MintRequest[][] = [];
  const openBatches = new Map<string, { batch: MintRequest[]; tickets: number }>();
  for (const request of requests) {
    const { quantity, order } = request;
    if (order.unbatched) {
      allBatches.push([request]);
      continue;
    }
    const contractKey = `${request.chainId} ${request.contract}`;
    let openBatch = openBatches.get(contractKey);
    if (
      !openBatch ||
      openBatch.batch.length === maximumOrdersPerBatch ||
      openBatch.tickets + quantity > maximumTicketsPerBatch
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
 * Reads the event and the buyer of each order, and builds its mint request.
 * @returns each order with its request, or with `undefined` when its tickets can't be minted: the event has no
 * contract, or the buyer has no wallet, or a seat of an event that admits by token was transferred. In the last case
 * the buyer would receive the token, and could claim the seat back with it
 */
export async function readMintRequests(
  orders: readonly Order[],
): Promise<{ order: Order; request: MintRequest | undefined }[]> {
  const items = await getItems(
    orders.flatMap(({ eventId, userId }) => [keys.event(eventId), keys.user(userId)]),
  );
  return orders.map((order, index) => {
    const [event, user] = [items[2 * index], items[2 * index + 1]];
    if (!event || !user) return { order, request: undefined };
    const { contractAddress: contract, chainId, organizerId, title: eventTitle, entry } = toEvent(event);
    const to = walletOf(order, toUser(user));
    if (contract === null || to === null || wouldReturnSeat(order, { entry }))
      return { order, request: undefined };
    return {
      order,
      request: {
        order,
        chainId,
        contract,
        to,
        quantity: seatNumbersOfIssue(order).length,
        orderKey: deriveOrderKey(chainId, contract, order.id, issueNumber(order)),
        organizerId,
        eventTitle,
      },
    };
  });
}

/**
 * Returns the requests whose organizer may mint on the contract. The orders of other organizers fail, and their
 * organizer is notified; they can be minted later. While the chain does not show whether an organizer's wallet still
 * administers the contract, the organizer's orders stay queued.
 * @param requests mint requests for one contract
 */
export async function filterAuthorized(requests: readonly MintRequest[]): Promise<MintRequest[]> {
  const byOrganizer = [...Map.groupBy(requests, ({ organizerId }) => organizerId)];
  const authorizedGroups = await Promise.all(
    byOrganizer.map(async ([organizerId, requestsOfOrganizer]) => {
      const [{ chainId, contract: contractAddress }] = requestsOfOrganizer as [MintRequest];
      const status = await checkAuthorization({ chainId, contractAddress, organizerId });
      if (status === 'unauthorized') await Promise.all(requestsOfOrganizer.map(refuseUnauthorized));
      return status === 'authorized' ? requestsOfOrganizer : [];
    }),
  );
  return authorizedGroups.flat();
}

async function refuseUnauthorized(request: MintRequest): Promise<void> {
  const { order, contract, chainId } = request;
  const message = `You have not proved that you administer the contract ${contract} on chain ${chainId}`;
  await notifyOrganizer(request);
  await failFulfilment(order, { code: 'contract-not-authorized', message });
}

const dayMilliseconds = 24 * 60 * 60_000;

/** Notifies an organizer at most once a day for each event. */
async function notifyOrganizer({ order, organizerId, eventTitle, contract }: MintRequest): Promise<void> {
  const startOfDay = Math.floor(Date.now() / dayMilliseconds) * dayMilliseconds;
  const notification: Notification = {
    id: deriveId(`contract-not-authorized ${order.eventId} ${startOfDay}`, startOfDay),
    userId: organizerId,
    type: 'WARNING',
    title: 'Tickets can not be minted',
    message: `The tickets to ${eventTitle} are sold, but not minted: prove that you administer the contract ${contract}, or ask the platform to assign it to you. Then they are minted without further steps.`,
    topic: 'contract-not-authorized',
    values: { event: eventTitle, contract },
    read: false,
    createdAt: new Date().toISOString(),
  };
  try {
    await write(insertNotification(notification));
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'notification-exists') throw error;
  }
}
