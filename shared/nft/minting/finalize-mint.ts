import { getEvent } from '../../catalog/events/store.ts';
import { decodeMintCalldata, deriveOrderKey } from '../../chain/contract-calls.ts';
import type { FoundMint, Mint, Outcome } from '../../chain/outcome.ts';
import { decodeTransaction } from '../../chain/transactions.ts';
import { expectUnchanged, type Transition, transition } from '../../core/state-machine.ts';
import { transact, type Write, write } from '../../dynamo/write.ts';
import { type Occurrences, prepareOccurrences } from '../../messaging/webhooks/store.ts';
import { fulfilment } from '../../orders/lifecycle.ts';
import {
  type FulfilmentReason,
  issueNumber,
  type Order,
  seatNumbersOfIssue,
  tenantOf,
} from '../../orders/order.ts';
import { type NextDue, OrderTransitionRefused, transitionOrder, writeOrder } from '../../orders/store.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { mapInChunks, outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { lockAdmittedBefore } from '../../tickets/request-lock.ts';
import { correctTicket, insertTicket, replaceTicket, TicketExists } from '../../tickets/store.ts';
import { type Ticket, ticketId } from '../../tickets/ticket.ts';
import { burnUnwanted } from '../burning/burn-tickets.ts';
import { burnId, burnOfCurrentIssue, findBurn, insertBurn, mintedPart } from '../burning/store.ts';
import type { StoredNonce } from '../nonce/check-nonce.ts';
import { isCancelledBy } from '../nonce/rebroadcast.ts';
import { firstAttempt, isMintedByNonce, type MintTransaction } from '../nonce/store.ts';

/**
 * Applies a nonce's final outcome to each of its orders. An order whose tickets exist on the chain becomes `minted`,
 * even if another transaction minted them. Any other order gets another nonce or fails: this nonce can no longer
 * mint it.
 */
export async function finalizeMint({ transaction, orders }: StoredNonce, outcome: Outcome): Promise<void> {
  await Promise.all(orders.map((order) => finalizeOrder(transaction, order, outcome)));
}

async function finalizeOrder(transaction: MintTransaction, order: Order, outcome: Outcome): Promise<void> {
  const { chainId, contract, orderIds, nonce } = transaction;
  const index = orderIds.indexOf(order.id);
  const mint = outcome.mints[index];
  const signedMint = decodeMintCalldata(decodeTransaction(firstAttempt(transaction).raw).data)[index];
  if (!isMintedByNonce(order, transaction)) {
    const isCurrentIssue =
      signedMint?.orderKey === deriveOrderKey(chainId, contract, order.id, issueNumber(order));
    if (mint && mint !== 'without-events' && order.fulfilmentStatus === 'refund-due' && isCurrentIssue) {
      await burnUnwanted(order, { chainId, contract }, mint);
    }
    return;
  }
  // Nodes prune old logs. Stored tickets were minted, even if their logs are missing.
  if (mint === 'without-events' && order.fulfilmentStatus === 'minted') return;
  if (mint) {
    try {
      return await recordMint(order, { chainId, contract, to: signedMint?.to ?? '' }, mint);
    } catch (error) {
      if (!(error instanceof OrderTransitionRefused)) throw error;
      // A refund has begun meanwhile: it did not know of the tokens, and left their burn to the mint.
      return finalizeOrder(transaction, error.current, outcome);
    }
  }
  if (order.fulfilmentStatus === 'minted') {
    const error = new Error('The minted tickets are no longer on the chain');
    log.error('Mint lost', error, { orderId: order.id, nonce });
    return incrementCounter('MintsFailed');
  }
  const isCancelled = isCancelledBy(transaction, outcome);
  const isOnlyOrder = orderIds.length === 1;
  if (outcome.kind === 'nonce-replaced' || (!isOnlyOrder && (outcome.kind === 'reverted' || isCancelled))) {
    log.warn('Order needs another nonce', { orderId: order.id, nonce, outcome: outcome.kind, isCancelled });
    // One order may have made the whole transaction fail, so each order is minted in a transaction of its own.
    await unbindOrder(order, outcome.kind !== 'nonce-replaced');
    return sendMessage(
      'mint-tickets',
      { type: 'mint-order', orderId: order.id },
      { tenant: tenantOf(order) },
    );
  }
  await failFulfilment(
    order,
    isCancelled
      ? { code: 'transaction-invalid', message: 'No node accepts the transaction that mints the tickets' }
      : { code: 'not-minted', message: `The contract ${contract} did not mint the tickets` },
  );
}

/**
 * Ends an order's fulfilment with a reason for the organizer, who can request it again.
 * @param reason a code with a sentence that explains it
 */
export async function failFulfilment(
  order: Order,
  { code, message }: { code: FulfilmentReason; message: string },
): Promise<void> {
  log.warn('Order can not be minted', { orderId: order.id, code, explanation: message });
  incrementCounter('MintsFailed');
  const failTransition = transition(fulfilment, 'fail', {
    fulfilmentReason: code,
    fulfilmentMessage: message,
  });
  await applyTransition(order, failTransition, 'never');
}

/** Ends an order's fulfilment without tickets on the chain: the event has no contract, or the buyer no wallet. */
export function skipFulfilment(order: Order): Promise<void> {
  return applyTransition(order, transition(fulfilment, 'skip'), 'never');
}

/** Unbinds an order from a nonce that was used without minting the order, so the order gets another nonce. */
function unbindOrder(order: Order, unbatched: boolean): Promise<void> {
  const unbindTransition = transition(fulfilment, 'unbind', unbatched ? { unbatched: true } : {});
  return applyTransition(order, unbindTransition, Date.now() + outboxDelayMilliseconds);
}

/** The destination of an order's tickets. */
interface MintDestination {
  chainId: number;
  contract: string;
  /** The buyer's wallet, checksummed. */
  to: string;
}

/**
 * Stores a final mint. The tickets are stored first, so a `minted` order has all of them. After a reorganisation,
 * the transaction hash of a `minted` order and its tickets is corrected. A mint for another wallet, or of another
 * quantity, fails the order: other accounts may have the contract's minter role too. So does a mint without events,
 * which has no tokens.
 * @throws OrderTransitionRefused when the order has changed since it was read
 */
export async function recordMint(
  order: Order,
  destination: MintDestination,
  mint: NonNullable<FoundMint>,
): Promise<void> {
  if (mint === 'without-events') {
    const message = `The contract ${destination.contract} reports tickets for this order that do not exist`;
    return failFulfilment(order, { code: 'wrong-mint', message });
  }
  if (order.blockchainTxHash === mint.txHash) return;
  const message = mismatchOf(mint, order, destination);
  if (message !== undefined) return failFulfilment(order, { code: 'wrong-mint', message });
  const createdAt = new Date().toISOString();
  const tickets = seatNumbersOfIssue(order).map((seat, index) => ({
    id: ticketId(order.id, seat),
    tokenId: mint.tokenIds[index] as string,
    contractAddress: destination.contract,
    chainId: destination.chainId,
    txHash: mint.txHash,
    eventId: order.eventId,
    orderId: order.id,
    owner: mint.to,
    userId: order.userId,
    createdAt,
  }));
  const insert = order.issue ? replaceTicket : insertTicket;
  const storeTicket = order.fulfilmentStatus === 'minted' ? correctTicket : insert;
  await mapInChunks(tickets, (ticket) => write(storeTicket(ticket)).catch(ignoreTicketExists));
  const mintTransition = transition(fulfilment, 'mint', {
    blockchainTxHash: mint.txHash,
    mintedAt: order.mintedAt ?? createdAt,
  });
  const isFirst = order.fulfilmentStatus !== 'minted';
  const occurrences =
    order.hasWebhooks && isFirst ? await prepareMinted(order, tickets, createdAt) : undefined;
  await writeTransition(order, mintTransition, 'never', [
    ...(await burnOfReturned(order)),
    ...(occurrences?.writes ?? []),
  ]);
  await occurrences?.queue();
  if (order.admitted) await lockAdmittedBefore(tickets);
}

/** Opens the burn of the tokens whose seats were refunded before the mint, unless there is one. */
async function burnOfReturned(order: Order): Promise<Write[]> {
  if (!order.returned || order.mintedAt) return [];
  const burn = await burnOfCurrentIssue(order, { part: mintedPart, seats: order.returned });
  return burn.quantity === 0 || (await findBurn(burnId(burn))) ? [] : [insertBurn(burn)];
}

/** Prepares the webhooks about the minted tickets of an order. */
async function prepareMinted(
  order: Order,
  tickets: readonly Ticket[],
  timestamp: string,
): Promise<Occurrences> {
  const { id: orderId, eventId } = order;
  const { organizerId, hasWebhooks } = await getEvent(eventId);
  const [ticket] = tickets;
  const { chainId, contractAddress, txHash } = ticket ?? {};
  const data = {
    orderId,
    eventId,
    chainId,
    contractAddress,
    txHash,
    tokenIds: tickets.map(({ tokenId }) => tokenId),
  };
  return prepareOccurrences(organizerId, hasWebhooks, [{ type: 'ticket.minted', eventId, timestamp, data }]);
}

/** Returns why a mint does not match its order, as a sentence; undefined when it does. */
function mismatchOf(mint: Mint, order: Order, destination: MintDestination): string | undefined {
  const { length: quantity } = seatNumbersOfIssue(order);
  const { length } = mint.tokenIds;
  if (length !== quantity) return `The contract minted ${length} tickets instead of ${quantity}`;
  if (mint.to !== destination.to) return `The tickets were minted to ${mint.to} instead of ${destination.to}`;
  return undefined;
}

/** Makes a transition of an order. Does nothing when the order has changed since it was read. */
async function applyTransition(
  order: Order,
  orderTransition: Transition<Order>,
  nextDueAt: NextDue,
): Promise<void> {
  try {
    await writeTransition(order, orderTransition, nextDueAt, []);
  } catch (error) {
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/** @throws OrderTransitionRefused when the order has changed since it was read */
async function writeTransition(
  order: Order,
  orderTransition: Transition<Order>,
  nextDueAt: NextDue,
  otherWrites: readonly Write[],
): Promise<void> {
  const options = { nextDueAt, unchanged: expectUnchanged(order, 'fulfilmentStatus', 'mint', 'returned') };
  const change = transitionOrder(order.id, [orderTransition], new Date().toISOString(), options);
  await (otherWrites.length > 0 ? transact([change, ...otherWrites]) : writeOrder(change));
}

function ignoreTicketExists(error: unknown): void {
  if (!(error instanceof TicketExists)) throw error;
}
