import { type Connection, readFromAnyNode } from '../../chain/connection.ts';
import { findMinter } from '../../chain/minters.ts';
import type { Outcome } from '../../chain/outcome.ts';
import {
  broadcast,
  decodeTransaction,
  type Fees,
  findReplacementFees,
  isBelowMarket,
  readMarketFees,
  type TransactionDraft,
} from '../../chain/transactions.ts';
import { write } from '../../dynamo/write.ts';
import type { Order } from '../../orders/order.ts';
import { log } from '../../runtime/log.ts';
import { sendMessages } from '../../runtime/queue.ts';
import { isSelfTransfer, selfTransfer } from './self-transfer.ts';
import {
  AlreadyDoneByOther,
  appendAttempt,
  claimLaneSweep,
  insertMintTransaction,
  listNonces,
} from './store.ts';
import { bumpMilliseconds } from './timing.ts';
import {
  type Attempt,
  firstAttempt,
  isTransactionNeeded,
  lastAttempt,
  type MintTransaction,
  type NonceReference,
  withAttempt,
} from './transaction.ts';

/**
 * Broadcasts an open transaction again, since nodes drop transactions and reorganisations undo them. A transaction that
 * stays unmined is replaced by an attempt with the same nonce and calldata and higher fees, which is stored before it
 * is sent. A transaction that no order needs any more, or that every node refuses as invalid, is replaced by a
 * self-transfer, so that later nonces can be mined.
 * @throws ChainUnreachable when the market's fees are needed and can't be read
 */
export async function rebroadcast(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const firstOpenNonce = Math.min(
    transaction.nonce,
    ...outcomes.flatMap(({ accountNonce }) => accountNonce ?? []),
  );
  const replacement = await replace(connection, transaction, orders, firstOpenNonce);
  const { isInvalid } = await broadcast(connection, replacement?.raw ?? currentAttempt(transaction, orders));
  if (isInvalid)
    await cancelInvalid(connection, replacement ? withAttempt(transaction, replacement) : transaction);

  if (firstOpenNonce < transaction.nonce && isBumpDue(firstAttempt(transaction).at)) {
    await sweepLane(connection, transaction, firstOpenNonce);
  }
}

/**
 * Cancels a nonce whose transaction every node refuses, since it blocks all later nonces of the account. Its orders or
 * its burn get another nonce, or fail, once the self-transfer is final.
 */
async function cancelInvalid(connection: Connection, transaction: MintTransaction): Promise<void> {
  const { chainId, signer, nonce } = transaction;
  log.warn('Transaction refused as invalid', { chainId, signer, nonce });
  const market = await readFromAnyNode(connection, (node) =>
    readMarketFees(node, connection.chain.feeCeiling),
  );
  const last = decodeTransaction(lastAttempt(transaction).raw);
  const cancellation = selfTransfer(transaction, last, last);
  // No node holds a transaction that it refuses, so the market's fees replace even one at the ceiling.
  const stored = await storeReplacement(connection, transaction, cancellation, market, market);
  if (stored) await broadcast(connection, stored.raw);
}

/**
 * Returns the attempt to rebroadcast: the one that was mined before a reorganisation, so that the hash stored on its
 * tickets stays correct, otherwise the last.
 */
function currentAttempt(transaction: MintTransaction, orders: readonly Order[]): string {
  const mined = transaction.attempts.find(({ raw }) =>
    orders.some((order) => order.blockchainTxHash === decodeTransaction(raw).hash),
  );
  return (mined ?? lastAttempt(transaction)).raw;
}

/** @returns the stored replacement; undefined when none is needed or possible now */
async function replace(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
  firstOpenNonce: number,
): Promise<Attempt | undefined> {
  const last = decodeTransaction(lastAttempt(transaction).raw);
  const isUnwanted = !isSelfTransfer(last) && !isTransactionNeeded(transaction, orders);
  if (!isUnwanted && !isBumpDue(lastAttempt(transaction).at)) return undefined;
  const { feeCeiling } = connection.chain;
  const market = await readFromAnyNode(connection, (node) => readMarketFees(node, feeCeiling));
  if (isUnwanted) return storeReplacement(connection, transaction, selfTransfer(transaction, last), market);
  // Higher fees do not help one that waits for earlier nonces or was mined before, unless the market has risen.
  const isWaiting =
    firstOpenNonce < transaction.nonce || orders.some(({ blockchainTxHash }) => blockchainTxHash);
  if (isWaiting && !isBelowMarket(last, market)) return undefined;
  return storeReplacement(connection, transaction, last, market);
}

/** @param fallbackFees the fees when the ceiling leaves no room for higher ones */
async function storeReplacement(
  { chain }: Connection,
  transaction: MintTransaction,
  draft: TransactionDraft,
  market: Fees,
  fallbackFees?: Fees,
): Promise<Attempt | undefined> {
  const { chainId, signer, nonce } = transaction;
  const minter = await findMinter(signer);
  const fees = findReplacementFees(draft, market, chain.feeCeiling) ?? fallbackFees;
  if (!minter || !fees) {
    log.warn('Transaction can not be replaced', { chainId, signer, nonce, hasKey: minter !== undefined });
    return undefined;
  }
  const attempt = { raw: await minter.sign({ ...draft, ...fees }), at: Date.now() };
  if (!(await appendAttempt(transaction, attempt))) return undefined;
  log.info('Transaction replaced', { chainId, signer, nonce, attempts: transaction.attempts.length + 1 });
  return attempt;
}

function isBumpDue(since: number): boolean {
  return Date.now() - since > bumpMilliseconds();
}

/** How many nonces one sweep of a lane covers; the next sweep starts at the account's next nonce by then. */
const sweepSize = 100;

/**
 * Unblocks a lane in which a nonce waits for earlier ones: enqueues a check of each nonce from the first open one
 * on, in any state of its orders, since a reorganisation can undo nonces finished long ago. A nonce that
 * was never bound, because a node reported too high a count for a new account, is cancelled.
 * @param firstOpenNonce the account's next nonce, by the lowest count a node reported
 */
async function sweepLane(
  connection: Connection,
  { chainId, signer }: NonceReference,
  firstOpenNonce: number,
): Promise<void> {
  const next = await claimLaneSweep({ chainId, signer }, Date.now() - bumpMilliseconds());
  if (next === undefined) return;
  const to = Math.min(next - 1, firstOpenNonce + sweepSize - 1);
  const bound = new Set(await listNonces({ chainId, signer }, firstOpenNonce, to));
  log.info('Lane swept', { chainId, signer, from: firstOpenNonce, to, bound: bound.size });
  const references = Array.from({ length: to - firstOpenNonce + 1 }, (_, index) => ({
    chainId,
    signer,
    nonce: firstOpenNonce + index,
  }));
  const unbound = references.filter(({ nonce }) => !bound.has(nonce));
  await Promise.all(unbound.map((reference) => cancelUnbound(connection, reference)));
  await sendMessages(
    'mint',
    references.map((message) => ({ message })),
  );
}

/** Cancels a nonce that is bound to nothing: stores and broadcasts a self-transfer. */
async function cancelUnbound(connection: Connection, reference: NonceReference): Promise<void> {
  const minter = await findMinter(reference.signer);
  if (!minter) return;
  const fees = await readFromAnyNode(connection, (node) => readMarketFees(node, connection.chain.feeCeiling));
  const raw = await minter.sign(selfTransfer(reference, fees));
  try {
    const attempts = [{ raw, at: Date.now() }];
    await write(insertMintTransaction({ ...reference, contract: minter.address, orderIds: [], attempts }));
    await broadcast(connection, raw);
  } catch (error) {
    if (!(error instanceof AlreadyDoneByOther)) throw error;
  }
}
