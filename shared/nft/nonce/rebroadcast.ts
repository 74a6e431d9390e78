import { type Connection, readFromAnyNode } from '../../chain/connection.ts';
import type { Outcome } from '../../chain/outcome.ts';
import {
  broadcast,
  decodeTransaction,
  type Fees,
  findMinter,
  findReplacementFees,
  isBelowMarket,
  readMarketFees,
  type TransactionDraft,
} from '../../chain/transactions.ts';
import { write } from '../../dynamo/write.ts';
import type { Order } from '../../orders/order.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { sendMessages } from '../../runtime/queue.ts';
import { log } from '../../runtime/telemetry.ts';
import {
  AlreadyDoneByOther,
  type Attempt,
  appendAttempt,
  claimNonceSweep,
  firstAttempt,
  insertMintTransaction,
  isTransactionNeeded,
  lastAttempt,
  listNonces,
  type MintTransaction,
  type NonceReference,
  withAttempt,
} from './store.ts';

/**
 * Broadcasts a transaction again: nodes drop transactions and reorganisations undo them. A transaction that stays
 * unmined is replaced by an attempt with the same nonce and calldata and higher fees. A transaction that is no longer
 * needed, or that every node refuses as invalid, is replaced by a cancelling transaction, so later nonces can be
 * mined. Each replacement is stored before it is broadcast.
 * @throws ChainUnreachable when the market fees are needed and can't be read
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
  const replacement = await replaceIfNeeded(connection, transaction, orders, firstOpenNonce);
  const { isInvalid } = await broadcast(connection, replacement?.raw ?? rawToBroadcast(transaction, orders));
  if (isInvalid)
    await cancelInvalid(connection, replacement ? withAttempt(transaction, replacement) : transaction);

  if (firstOpenNonce < transaction.nonce && isBumpDue(firstAttempt(transaction).at)) {
    await sweepNonces(connection, transaction, firstOpenNonce);
  }
}

/**
 * Cancels a nonce whose transaction every node refuses: it blocks all later nonces of the account. Its orders or
 * its burn get another nonce, or fail, once the cancelling transaction is final.
 */
async function cancelInvalid(connection: Connection, transaction: MintTransaction): Promise<void> {
  const { chainId, signer, nonce } = transaction;
  log.warn('Transaction refused as invalid', { chainId, signer, nonce });
  const marketFees = await readFromAnyNode(connection, (node) =>
    readMarketFees(node, connection.chain.feeCeiling),
  );
  const refusedTransaction = decodeTransaction(lastAttempt(transaction).raw);
  const cancellation = cancellingTransaction(transaction, refusedTransaction, refusedTransaction);
  // If the ceiling allows no higher fees, market fees suffice: no node holds the refused transaction.
  const attempt = await storeReplacement(connection, transaction, cancellation, marketFees, marketFees);
  if (attempt) await broadcast(connection, attempt.raw);
}

/**
 * Returns the raw transaction to rebroadcast: the one that was mined before a reorganisation, so the stored hash
 * of its tickets stays correct, otherwise the last attempt.
 */
function rawToBroadcast(transaction: MintTransaction, orders: readonly Order[]): string {
  const minedAttempt = transaction.attempts.find(({ raw }) =>
    orders.some((order) => order.blockchainTxHash === decodeTransaction(raw).hash),
  );
  return (minedAttempt ?? lastAttempt(transaction)).raw;
}

/**
 * Replaces the last attempt if necessary.
 * @returns the stored replacement; undefined when none is needed or possible now
 */
async function replaceIfNeeded(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
  firstOpenNonce: number,
): Promise<Attempt | undefined> {
  const lastTransaction = decodeTransaction(lastAttempt(transaction).raw);
  const isNoLongerNeeded = !isCancelling(lastTransaction) && !isTransactionNeeded(transaction, orders);
  if (!isNoLongerNeeded && !isBumpDue(lastAttempt(transaction).at)) return undefined;
  const { feeCeiling } = connection.chain;
  const marketFees = await readFromAnyNode(connection, (node) => readMarketFees(node, feeCeiling));
  if (isNoLongerNeeded)
    return storeReplacement(
      connection,
      transaction,
      cancellingTransaction(transaction, lastTransaction),
      marketFees,
    );
  // Higher fees do not help a transaction that waits for earlier nonces, or that was mined before a reorganisation,
  // unless market fees have risen.
  const isWaiting =
    firstOpenNonce < transaction.nonce || orders.some(({ blockchainTxHash }) => blockchainTxHash);
  if (isWaiting && !isBelowMarket(lastTransaction, marketFees)) return undefined;
  return storeReplacement(connection, transaction, lastTransaction, marketFees);
}

/**
 * Signs and stores a replacement of the last attempt.
 * @param fallbackFees the fees to use when the ceiling allows no higher ones
 */
async function storeReplacement(
  { chain }: Connection,
  transaction: MintTransaction,
  draft: TransactionDraft,
  marketFees: Fees,
  fallbackFees?: Fees,
): Promise<Attempt | undefined> {
  const { chainId, signer, nonce } = transaction;
  const minter = await findMinter(signer);
  const fees = findReplacementFees(draft, marketFees, chain.feeCeiling) ?? fallbackFees;
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

/**
 * The maximum number of nonces in one sweep of an account; the next sweep starts at the first open nonce at that time.
 */
const sweepSize = 100;

/**
 * Unblocks an account when a nonce waits for earlier ones: queues a check of each nonce from the first open one on,
 * even if its orders are minted, because a reorganisation can undo their mint. A nonce without a stored transaction is
 * cancelled. Such nonces exist when a node reported too high a transaction count for a new account.
 * @param firstOpenNonce the account's next nonce according to the lowest count that a node reported
 */
async function sweepNonces(
  connection: Connection,
  { chainId, signer }: NonceReference,
  firstOpenNonce: number,
): Promise<void> {
  const nextNonce = await claimNonceSweep({ chainId, signer }, Date.now() - bumpMilliseconds());
  if (nextNonce === undefined) return;
  const to = Math.min(nextNonce - 1, firstOpenNonce + sweepSize - 1);
  const boundNonces = new Set(await listNonces({ chainId, signer }, firstOpenNonce, to));
  log.info('Nonces swept', { chainId, signer, from: firstOpenNonce, to, bound: boundNonces.size });
  const references = Array.from({ length: to - firstOpenNonce + 1 }, (_, index) => ({
    chainId,
    signer,
    nonce: firstOpenNonce + index,
  }));
  const unboundReferences = references.filter(({ nonce }) => !boundNonces.has(nonce));
  await Promise.all(unboundReferences.map((reference) => cancelUnbound(connection, reference)));
  await sendMessages(
    'mint-tickets',
    references.map((reference) => ({ message: { type: 'check-nonce', ...reference } })),
  );
}

/** Cancels a nonce without a stored transaction: stores and broadcasts the transaction that cancels it. */
async function cancelUnbound(connection: Connection, reference: NonceReference): Promise<void> {
  const minter = await findMinter(reference.signer);
  if (!minter) return;
  const fees = await readFromAnyNode(connection, (node) => readMarketFees(node, connection.chain.feeCeiling));
  const raw = await minter.sign(cancellingTransaction(reference, fees));
  try {
    const attempts = [{ raw, at: Date.now() }];
    await write(insertMintTransaction({ ...reference, contract: minter.address, orderIds: [], attempts }));
    await broadcast(connection, raw);
  } catch (error) {
    if (!(error instanceof AlreadyDoneByOther)) throw error;
  }
}

/** Enough gas for an empty transfer, also on rollups, where 21,000 is too little. */
const cancellingGas = 200_000n;

/**
 * Builds the transaction that cancels a nonce: the signer sends an empty transfer to itself, which uses the nonce.
 * @param refusedDraft the attempt that the nodes refused. If it is a cancelling transaction too, its gas limit was too
 * low, and is doubled
 */
export function cancellingTransaction(
  { chainId, signer, nonce }: NonceReference,
  fees: Fees,
  refusedDraft?: TransactionDraft,
): TransactionDraft {
  const gasLimit = refusedDraft && isCancelling(refusedDraft) ? 2n * refusedDraft.gasLimit : cancellingGas;
  const { maxFeePerGas, maxPriorityFeePerGas } = fees;
  return { maxFeePerGas, maxPriorityFeePerGas, chainId, nonce, to: signer, data: '0x', gasLimit };
}

export function isCancelling({ data }: TransactionDraft): boolean {
  return data === '0x';
}

/** Returns whether a cancelling transaction used the nonce. Then its mint or burn did not happen. */
export function isCancelledBy({ attempts }: MintTransaction, { hash }: Outcome): boolean {
  return attempts.some(({ raw }) => {
    const signedTransaction = decodeTransaction(raw);
    return signedTransaction.hash === hash && isCancelling(signedTransaction);
  });
}

/** How long an attempt may stay unmined before an attempt with higher fees replaces it. */
export function bumpMilliseconds(): number {
  return Number(optionalSetting('MINT_BUMP_SECONDS') ?? 60) * 1000;
}
