import { type Connection, finalBlock, readFirst } from '../../chain/connection.ts';
import type { Outcome } from '../../chain/outcome.ts';
import { readNonce } from '../../chain/transactions.ts';
import type { Order } from '../../orders/order.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { send } from '../../runtime/queue.ts';
import { burnUnwanted, concludeBurn } from '../burning/conclude-burn.ts';
import { raiseLane } from '../nonce/store.ts';
import { isWanted, type MintTransaction } from '../nonce/transaction.ts';
import { failFulfilment, queueAgain, recordMint } from './record-mint.ts';

/**
 * Settles each order of a nonce that is used up for good. What was minted for it counts, whichever transaction
 * did it. Otherwise the nonce can't mint it any more, and it gets another or fails.
 */
export async function concludeOrders(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
  outcome: Outcome,
): Promise<void> {
  if (outcome.kind === 'consumed') await passUsedNonces(connection, transaction);
  await Promise.all(orders.map((order) => concludeOrder(transaction, order, outcome)));
  if (transaction.burnOf !== undefined) await concludeBurn(transaction.burnOf, transaction, outcome);
}

async function concludeOrder(transaction: MintTransaction, order: Order, outcome: Outcome): Promise<void> {
  const { chainId, contract, orderIds, nonce } = transaction;
  const mint = outcome.mints[orderIds.indexOf(order.id)];
  if (!isWanted(order, transaction)) {
    if (mint && order.fulfilmentStatus === 'refund-due') {
      log.warn('Tickets were minted that are not wanted any more', { orderId: order.id, nonce });
      await burnUnwanted(order, { chainId, contract }, mint);
    }
    return;
  }
  if (mint) return recordMint(order, { chainId, contract }, mint);
  if (order.fulfilmentStatus === 'minted') {
    const gone = new Error('The tickets that were minted are gone from the chain');
    log.error('Mint lost', gone, { orderId: order.id, nonce });
    return count('MintsFailed');
  }
  const isAlone = orderIds.length === 1;
  if (outcome.kind === 'consumed' || (outcome.kind === 'reverted' && !isAlone)) {
    log.warn('Order needs another nonce', { orderId: order.id, nonce, outcome: outcome.kind });
    // One bad order may have spoiled the others: each shows what it is worth by itself.
    await queueAgain(order, outcome.kind === 'reverted');
    return send('mint', { orderId: order.id });
  }
  await failFulfilment(order, `The contract ${contract} did not mint the tickets`);
}

/** Somebody else uses the account, or the table was restored: the lane need not try each nonce that is gone. */
async function passUsedNonces(connection: Connection, { chainId, signer }: MintTransaction): Promise<void> {
  const nonce = await readFirst(connection, async (node) =>
    readNonce(node, signer, await finalBlock(node, connection.chain)),
  );
  await raiseLane({ chainId, signer, nonce });
}
