import type { Mint } from '../../chain/contract-logs.ts';
import { write } from '../../dynamo/write.ts';
import type { FulfilmentStatus, Order, OrderChange } from '../../orders/order.ts';
import { outboxMilliseconds } from '../../orders/settlement/settle.ts';
import { applyMove, type Due, moveOrder, OrderMoved } from '../../orders/store.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { correctTicket, insertTicket, TicketExists } from '../store.ts';
import { ticketId } from '../ticket.ts';

/** How many tickets are written side by side. */
const chunk = 25;

/** Ends an order's way to the chain with a reason for the organizer, who may have it queued again. */
export async function failFulfilment(order: Order, reason: string): Promise<void> {
  log.warn('Order can not be minted', { orderId: order.id, reason });
  count('MintsFailed');
  await move(order, 'never', { ...unbound, fulfilmentStatus: 'failed', fulfilmentReason: reason });
}

/** Nothing is to be minted: the contract or the wallet was taken away. */
export function skipFulfilment(order: Order): Promise<void> {
  return move(order, 'never', { fulfilmentStatus: 'not-needed' });
}

/** Frees an order from a nonce that was used up without minting it, so that it gets another. */
export function queueAgain(order: Order, alone: boolean): Promise<void> {
  return move(order, Date.now() + outboxMilliseconds, {
    ...unbound,
    fulfilmentStatus: 'queued',
    ...(alone && { mintsAlone: true }),
  });
}

/**
 * Writes down what is minted for good: the tickets first, so that an order that says `minted` has them all. One
 * that says so already is corrected where it names another transaction.
 */
export async function recordMint(
  order: Order,
  place: { chainId: number; contract: string },
  mint: Mint,
): Promise<void> {
  if (order.blockchainTxHash === mint.txHash) return;
  const { length } = mint.tokenIds;
  if (length !== order.quantity) {
    return failFulfilment(order, `The contract minted ${length} tickets instead of ${order.quantity}`);
  }
  const createdAt = new Date().toISOString();
  const tickets = mint.tokenIds.map((tokenId, at) => ({
    id: ticketId(order.id, at + 1),
    tokenId,
    contractAddress: place.contract,
    chainId: place.chainId,
    txHash: mint.txHash,
    eventId: order.eventId,
    orderId: order.id,
    owner: mint.to,
    userId: order.userId,
    createdAt,
  }));
  const save = order.fulfilmentStatus === 'minted' ? correctTicket : insertTicket;
  for (let start = 0; start < tickets.length; start += chunk) {
    await Promise.all(
      tickets.slice(start, start + chunk).map((ticket) => write(save(ticket)).catch(ignoreStored)),
    );
  }
  await move(order, 'never', {
    fulfilmentStatus: 'minted',
    fulfilmentReason: undefined,
    blockchainTxHash: mint.txHash,
    // Said by blockchainTxHash now.
    mintTransactionHash: undefined,
    mintedAt: order.mintedAt ?? createdAt,
  });
}

const unbound = { mint: undefined, mintingAt: undefined, mintTransactionHash: undefined };

/** Moves an order on from where it was read; when another worker did so first, theirs stands. */
async function move(
  order: Order,
  due: Due,
  change: OrderChange & { fulfilmentStatus: FulfilmentStatus },
): Promise<void> {
  const seen = {
    when: `#fulfilmentStatus = :seen AND ${order.mint ? '#mint = :mint' : 'attribute_not_exists(#mint)'}`,
    values: { seen: order.fulfilmentStatus, ...(order.mint && { mint: order.mint }) },
  };
  const changed = { ...change, updatedAt: new Date().toISOString() };
  try {
    await applyMove(moveOrder(order.id, ['COMPLETED'], changed, due, seen));
  } catch (error) {
    if (!(error instanceof OrderMoved)) throw error;
  }
}

function ignoreStored(error: unknown): void {
  if (!(error instanceof TicketExists)) throw error;
}
