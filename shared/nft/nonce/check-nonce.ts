import type { Chain } from '../../chain/chains.ts';
import {
  ChainUnreachable,
  type Connection,
  connect,
  findAgreedAnswer,
  readFinalBlock,
  readFromAllNodes,
  readFromAnyNode,
} from '../../chain/connection.ts';
import { decodeMintCalldata } from '../../chain/contract-calls.ts';
import { type Outcome, readOutcome } from '../../chain/outcome.ts';
import type { Minter } from '../../chain/transactions.ts';
import {
  broadcast,
  decodeTransaction,
  type Fees,
  readMarketFees,
  readNonce,
} from '../../chain/transactions.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import type { Order } from '../../orders/order.ts';
import { findOrders } from '../../orders/store.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { bumpMilliseconds, rebroadcast } from './rebroadcast.ts';
import {
  advanceNonce,
  findMintTransactions,
  findNextNonce,
  firstAttempt,
  insertMintTransaction,
  lastAttempt,
  type MintTransaction,
  type NonceReference,
  NonceTaken,
  nonceName,
  raiseNonce,
  tenantOfNonce,
} from './store.ts';

/** A contract call that needs a nonce. */
export interface NonceCall {
  contract: string;
  /** Calldata, hex. */
  data: string;
  gasLimit: bigint;
  /** The orders that the call mints. */
  orderIds: string[];
  /** The id of the burn that the call is for; see `burnId`. */
  burnOf?: string;
  /** Whether the call locks tickets or announces metadata. */
  isNotice?: true;
  /** Binds the orders or the burn to the nonce. */
  bind(transaction: MintTransaction): Write[];
  /**
   * Returns the call without the order or the burn that another worker bound first; undefined when nothing remains.
   * @throws the given error when it has another cause
   */
  withoutAlreadyBound(error: unknown): NonceCall | undefined;
}

/**
 * Sends a contract call with the account's next nonce: claims the nonce, stores the signed transaction, broadcasts it
 * and schedules the first check. Broadcast errors are ignored: the check broadcasts again.
 * @returns undefined when other workers bound everything first
 * @throws ChainUnreachable when the fees or an account's first nonce can't be read, or an error of KMS; nothing is
 * claimed then
 */
export async function claimAndBroadcast(
  connection: Connection,
  minter: Minter,
  call: NonceCall,
): Promise<MintTransaction | undefined> {
  const { chain } = connection;
  const transaction = await claim(connection, minter, call);
  if (!transaction) return undefined;
  const { signer, nonce, orderIds, burnOf } = transaction;
  log.info('Nonce claimed', { chainId: chain.id, signer, nonce, orders: orderIds.length, burnOf });
  await broadcast(connection, lastAttempt(transaction).raw);
  await scheduleCheck(chain, transaction, 0);
  return transaction;
}

/**
 * Claims the account's next nonce. One DynamoDB transaction advances it, stores the
 * signed transaction and binds the orders or the burn permanently. After a crash the stored transaction is broadcast. A
 * signed transaction whose claim fails is discarded.
 */
async function claim(
  connection: Connection,
  minter: Minter,
  requestedCall: NonceCall,
): Promise<MintTransaction | undefined> {
  const { chain } = connection;
  const account = { chainId: chain.id, signer: minter.address };
  const fees = await readFromAnyNode(connection, (node) => readMarketFees(node, chain.feeCeiling));
  let call: NonceCall | undefined = requestedCall;
  let nextNonce = await findNextNonce(account);
  while (call) {
    const nonce =
      nextNonce ?? (await readFromAnyNode(connection, (node) => readNonce(node, minter.address, 'latest')));
    const transaction = await sign(minter, { ...account, nonce }, call, fees);
    try {
      await transact([
        advanceNonce(transaction, nextNonce === undefined),
        insertMintTransaction(transaction),
        ...call.bind(transaction),
      ]);
      return transaction;
    } catch (error) {
      if (error instanceof NonceTaken) nextNonce = error.nextNonce;
      else call = call.withoutAlreadyBound(error);
    }
  }
  return undefined;
}

async function sign(
  minter: Minter,
  reference: NonceReference,
  call: NonceCall,
  fees: Fees,
): Promise<MintTransaction> {
  const { chainId, nonce } = reference;
  const { contract, data, gasLimit, orderIds, burnOf, isNotice } = call;
  const raw = await minter.sign({ chainId, nonce, to: contract, data, gasLimit, ...fees });
  return {
    ...reference,
    contract,
    orderIds,
    ...(burnOf !== undefined && { burnOf }),
    ...(isNotice && { isNotice }),
    attempts: [{ raw, at: Date.now() }],
  };
}

/** A stored nonce with the orders that it mints. */
export interface StoredNonce {
  transaction: MintTransaction;
  orders: readonly Order[];
}

/** Applies a final outcome to the orders or the burn that are bound to the nonce. Must be idempotent. */
export type Finalize = (nonce: StoredNonce, outcome: Outcome) => Promise<void>;

/** Returns each stored nonce once, with its orders. */
export async function readNonces(references: readonly NonceReference[]): Promise<StoredNonce[]> {
  const uniqueReferences = [
    ...new Map(references.map((reference) => [nonceName(reference), reference])).values(),
  ];
  const transactions = (await findMintTransactions(uniqueReferences)).filter(
    (transaction) => transaction !== undefined,
  );
  const orders = await findOrders(transactions.flatMap(({ orderIds }) => orderIds));
  const ordersById = new Map(orders.map((order) => [order.id, order]));
  return transactions.map((transaction) => ({
    transaction,
    orders: transaction.orderIds.flatMap((id) => ordersById.get(id) ?? []),
  }));
}

/**
 * Reads a nonce's outcome from the chain. Passes a final outcome to `finalize`, and rebroadcasts a transaction that is
 * not mined. A chain that can't be reached is not an error.
 * @param options.reschedule enqueue the next check when the outcome is not final
 * @throws when the table or the queue fails
 */
export async function checkNonce(
  storedNonce: StoredNonce,
  finalize: Finalize,
  { reschedule }: { reschedule: boolean },
): Promise<void> {
  const { transaction, orders } = storedNonce;
  const { chainId, signer, nonce } = transaction;
  const connection = await connect(chainId);
  if (!connection) return log.warn('Chain is no longer configured', { chainId, signer, nonce });

  const isMinting = orders.some(({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
  if (await finalizeIfFinal(connection, storedNonce, finalize)) {
    if (isMinting) await scheduleReorgCheck(transaction);
    return;
  }
  const ageMilliseconds = Date.now() - firstAttempt(transaction).at;
  if (ageMilliseconds > 10 * selfCheckPeriodMilliseconds(connection.chain)) incrementCounter('MintsStuck');
  // Also while the sweep queues the order: a refund would end the sweep's messages, but not the transaction.
  if (reschedule) await scheduleCheck(connection.chain, transaction, ageMilliseconds);
}

/** Applies the outcome if it is final. @returns whether it was applied */
async function finalizeIfFinal(
  connection: Connection,
  storedNonce: StoredNonce,
  finalize: Finalize,
): Promise<boolean> {
  const { transaction, orders } = storedNonce;
  try {
    const outcomes = await readOutcomes(connection, storedNonce);
    const finalOutcomes = outcomes.filter(({ isFinal }) => isFinal);
    const outcome = findAgreedAnswer(connection, finalOutcomes);
    if (outcome && isPastGracePeriod(outcome, transaction)) {
      if (outcome.kind === 'nonce-replaced') await skipUsedNonces(connection, transaction);
      await finalize(storedNonce, outcome);
      return true;
    }
    if (outcomes.some(mayNeedRebroadcast)) await rebroadcast(connection, transaction, orders, outcomes);
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
  }
  return false;
}

function readOutcomes(connection: Connection, { transaction, orders }: StoredNonce): Promise<Outcome[]> {
  const { signer, nonce, contract, attempts } = transaction;
  const signedNonce = {
    signer,
    nonce,
    contract,
    hashes: attempts.map(({ raw }) => decodeTransaction(raw).hash),
    // The order keys that were signed: an order gets another key when its tickets are reissued.
    orderKeys: decodeMintCalldata(decodeTransaction(firstAttempt(transaction).raw).data).map(
      ({ orderKey }) => orderKey,
    ),
    since: Math.min(firstAttempt(transaction).at, ...orders.map(({ createdAt }) => Date.parse(createdAt))),
  };
  return readFromAllNodes(connection, (node) => readOutcome(node, connection.chain, signedNonce));
}

/**
 * Returns whether an outcome may be applied. `nonce-replaced` (another transaction used the nonce) may be applied only
 * after its grace period, unless every order is minted.
 */
function isPastGracePeriod({ kind, mints }: Outcome, transaction: MintTransaction): boolean {
  if (kind !== 'nonce-replaced' || (mints.length > 0 && mints.every(Boolean))) return true;
  return Date.now() - firstAttempt(transaction).at > replacedGraceMilliseconds();
}

/**
 * Returns whether the transaction may need to be sent again, according to one node's outcome. A node that lags behind
 * can report `nonce-replaced` wrongly.
 */
function mayNeedRebroadcast({ kind, mints }: Outcome): boolean {
  return kind === 'unmined' || (kind === 'nonce-replaced' && !mints.some(Boolean));
}

/**
 * Raises the account's next nonce above those used on the chain, so later claims need not try each of them. Other
 * software used them, or this service before its table was restored.
 */
async function skipUsedNonces(connection: Connection, { chainId, signer }: MintTransaction): Promise<void> {
  const nonce = await readFromAnyNode(connection, async (node) =>
    readNonce(node, signer, await readFinalBlock(node, connection.chain.finality)),
  );
  await raiseNonce({ chainId, signer, nonce });
}

/**
 * Enqueues the next check of a nonce.
 * @param ageMilliseconds the time since its first attempt was signed, in milliseconds
 * @throws when the queue does not accept the message
 */
export function scheduleCheck(
  chain: Chain,
  transaction: MintTransaction,
  ageMilliseconds: number,
): Promise<void> {
  return sendCheck(transaction, checkDelaySeconds(chain, ageMilliseconds));
}

/** The delay of the check that follows a final mint, in case of a deep reorganisation. */
const reorgCheckSeconds = 900;

function scheduleReorgCheck(transaction: MintTransaction): Promise<void> {
  return sendCheck(transaction, reorgCheckSeconds);
}

function sendCheck(transaction: MintTransaction, delaySeconds: number): Promise<void> {
  const { chainId, signer, nonce } = transaction;
  return sendMessage(
    'mint-tickets',
    { type: 'check-nonce', chainId, signer, nonce },
    { tenant: tenantOfNonce(transaction), delaySeconds },
  );
}

/** How long after the payment the sweep first queues an order, and the interval until it queues the order again. */
export const sweepMilliseconds = outboxDelayMilliseconds;

/**
 * Returns the period after a nonce's first attempt in which only the nonce's own checks run, each scheduled by the one
 * before. After the period, the sweep queues a minting order as well, in case that the series was lost.
 */
export function selfCheckPeriodMilliseconds({ finalitySeconds }: Chain): number {
  return Math.max(sweepMilliseconds, 2_000 * finalitySeconds);
}

/**
 * Returns the delay before the next check, in seconds (up to 900, the limit of SQS). For a new nonce, it is the chain's
 * time to finality, or MINT_CHECK_SECONDS. Then it is a quarter of that time or half of the nonce's age, whichever is
 * longer. After the period of self-checks, it is the sweep's interval.
 * @param ageMilliseconds the time since the nonce's first attempt was signed, in milliseconds
 */
export function checkDelaySeconds(chain: Chain, ageMilliseconds: number): number {
  if (ageMilliseconds > selfCheckPeriodMilliseconds(chain)) return sweepMilliseconds / 1000;
  const waitSeconds =
    ageMilliseconds === 0
      ? Number(optionalSetting('MINT_CHECK_SECONDS') ?? chain.finalitySeconds)
      : Math.max(chain.finalitySeconds / 4, ageMilliseconds / 2000);
  return Math.min(900, Math.ceil(waitSeconds));
}

/**
 * The grace period before a `nonce-replaced` outcome (another transaction used the nonce) without a mint is applied,
 * since a node that lags can report it by mistake. It is correct when other software used the nonce, or when this
 * service used it before its table was restored.
 */
export function replacedGraceMilliseconds(): number {
  return 10 * bumpMilliseconds();
}
