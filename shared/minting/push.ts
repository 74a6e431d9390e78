import { broadcast, readMarketFees } from '../chain/broadcast.ts';
import { type Connection, readFirst } from '../chain/connection.ts';
import type { Fate } from '../chain/fate.ts';
import { type Fees, isBelowMarket, replacementFees } from '../chain/fees.ts';
import { type Draft, findMinter, readSigned } from '../chain/minter.ts';
import { log } from '../log.ts';
import type { Order } from '../orders/order.ts';
import { closing, isClosing } from './closing.ts';
import { firstAttempt, isTransactionWanted, lastAttempt, type MintTransaction } from './mint-transaction.ts';
import { bumpMilliseconds } from './patience.ts';
import { appendAttempt } from './store.ts';
import { sweepLane } from './sweep-lane.ts';

/**
 * Sends an open transaction again: nodes forget, and a reorganisation may have thrown it out. After a while it
 * is replaced by one that pays more, of the same nonce and content, and stored before it is sent. What nobody
 * wants any more is replaced by one that only uses up the nonce, so that those behind it can pass.
 */
export async function push(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
  fates: readonly Fate[],
): Promise<void> {
  const openFrom = Math.min(transaction.nonce, ...fates.flatMap(({ openFrom }) => openFrom ?? []));
  const replacement = await replace(connection, transaction, orders, openFrom);
  await broadcast(connection, replacement ?? rawToSend(transaction, orders));

  if (openFrom < transaction.nonce && isOlder(firstAttempt(transaction).at)) {
    await sweepLane(connection, transaction, openFrom);
  }
}

/** The newest attempt, unless one was mined already: what the tickets name as their transaction stays true. */
function rawToSend({ attempts }: MintTransaction, orders: readonly Order[]): string {
  const mined = attempts.find(({ raw }) =>
    orders.some((order) => order.blockchainTxHash === readSigned(raw).hash),
  );
  return (mined ?? attempts.at(-1))?.raw ?? '';
}

/** @returns what was signed and stored in its place; undefined when it need not, or can't, be replaced now */
async function replace(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
  openFrom: number,
): Promise<string | undefined> {
  const last = readSigned(lastAttempt(transaction).raw);
  const isUnwanted = !isClosing(last) && !isTransactionWanted(transaction, orders);
  if (!isUnwanted && !isOlder(lastAttempt(transaction).at)) return undefined;
  const { feeCeiling } = connection.chain;
  const market = await readFirst(connection, (node) => readMarketFees(node, feeCeiling));
  if (isUnwanted) return sign(connection, transaction, closing(transaction, last), market);
  // One that waits for earlier nonces, or was mined once, needs no better offer unless it has become too low.
  const isWaiting = openFrom < transaction.nonce || orders.some(({ blockchainTxHash }) => blockchainTxHash);
  return isWaiting && !isBelowMarket(last, market) ? undefined : sign(connection, transaction, last, market);
}

async function sign(
  { chain }: Connection,
  transaction: MintTransaction,
  draft: Draft,
  market: Fees,
): Promise<string | undefined> {
  const { chainId, signer, nonce } = transaction;
  const minter = await findMinter(signer);
  const fees = replacementFees(draft, market, chain.feeCeiling);
  if (!minter || !fees) {
    log.warn('Transaction can not be replaced', { chainId, signer, nonce, hasKey: minter !== undefined });
    return undefined;
  }
  const raw = minter.sign({ ...draft, ...fees });
  if (!(await appendAttempt(transaction, { raw, at: Date.now() }))) return undefined;
  log.info('Transaction replaced', { chainId, signer, nonce, attempts: transaction.attempts.length + 1 });
  return raw;
}

function isOlder(time: number): boolean {
  return Date.now() - time > bumpMilliseconds();
}
