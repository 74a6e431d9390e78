import { broadcast, readMarketFees } from '../chain/broadcast.ts';
import { ChainUnreachable, type Connection, connect, readFirst } from '../chain/connection.ts';
import { minterFor } from '../chain/minter.ts';
import { log } from '../log.ts';
import { count } from '../metrics.ts';
import { claim } from './claim.ts';
import { failFulfilment } from './fulfilment.ts';
import type { MintRequest } from './mint-request.ts';
import { lastAttempt } from './mint-transaction.ts';
import { ownMilliseconds } from './patience.ts';
import { reportBalance } from './report-balance.ts';
import { scheduleCheck } from './schedule.ts';
import { type Batch, screen } from './screen.ts';

/**
 * Sends orders of one contract on their way. While the chain can't be reached they stay queued, and the sweep
 * comes back to them: that is no failure.
 * @throws when the table or the queue fails
 */
export async function mintOrders(requests: readonly MintRequest[]): Promise<void> {
  const [first] = requests;
  if (!first) return;
  const connection = await connect(first.chainId);
  if (!connection) {
    const reason = `Chain ${first.chainId} is not set up for minting`;
    await Promise.all(requests.map(({ order }) => failFulfilment(order, reason)));
    return;
  }
  try {
    const minter = await minterFor(first.orderKey);
    for (const batch of await screen(connection, minter.address, requests)) {
      await mintBatch(connection, minter, batch);
    }
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
    log.warn('Chain not reached', { chainId: first.chainId, orders: requests.length, cause: error.message });
    if (requests.some(({ order }) => isOverdue(order.queuedAt, connection))) count('MintsStuck');
  }
}

async function mintBatch(
  connection: Connection,
  minter: Parameters<typeof claim>[1],
  batch: Batch,
): Promise<void> {
  const { chain } = connection;
  const fees = await readFirst(connection, (node) => readMarketFees(node, chain.feeCeiling));
  const transaction = await claim(connection, minter, batch, fees);
  if (!transaction) return;
  const { signer, nonce, orderIds } = transaction;
  log.info('Nonce claimed', { chainId: chain.id, signer, nonce, orders: orderIds.length });
  await broadcast(connection, lastAttempt(transaction).raw);
  await scheduleCheck(chain, transaction, 0);
  await reportBalance(connection, signer);
}

function isOverdue(queuedAt: string | undefined, { chain }: Connection): boolean {
  return queuedAt !== undefined && Date.now() > Date.parse(queuedAt) + 10 * ownMilliseconds(chain);
}
