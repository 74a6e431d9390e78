import { ChainUnreachable, type Connection, connect, readAll, readFirst } from '../../chain/connection.ts';
import { minterFor } from '../../chain/minter.ts';
import { broadcast, readMarketFees } from '../../chain/transactions.ts';
import { log } from '../../runtime/log.ts';
import { count, minterBalance } from '../../runtime/metrics.ts';
import { scheduleCheck } from '../nonce/check.ts';
import { claim } from '../nonce/claim.ts';
import { ownMilliseconds } from '../nonce/timing.ts';
import { lastAttempt } from '../nonce/transaction.ts';
import { type Batch, screen } from './preflight.ts';
import { failFulfilment } from './record-mint.ts';
import type { MintRequest } from './requests.ts';

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

const periodMilliseconds = 5 * 60_000;
const weiPerCoin = 1e18;

/** When each account's balance was reported last, by this warm function. */
const reported = new Map<string, number>();

/** Tells once in a while what a minter has left for gas. Never fails: the next mint tries again. */
export async function reportBalance(connection: Connection, signer: string): Promise<void> {
  const { id } = connection.chain;
  const name = `${id} ${signer}`;
  if (Date.now() - (reported.get(name) ?? 0) < periodMilliseconds) return;
  const balances = await readAll(connection, (node) =>
    node.call<string>('eth_getBalance', [signer, 'latest']),
  );
  const [balance] = balances;
  if (balance === undefined) return;
  reported.set(name, Date.now());
  minterBalance(id, signer, Number(balance) / weiPerCoin);
}
