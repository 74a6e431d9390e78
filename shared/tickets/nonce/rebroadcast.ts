import { type Connection, readFirst } from '../../chain/connection.ts';
import { type Draft, findMinter, readSigned } from '../../chain/minter.ts';
import type { Outcome } from '../../chain/outcome.ts';
import {
  broadcast,
  type Fees,
  isBelowMarket,
  readMarketFees,
  replacementFees,
} from '../../chain/transactions.ts';
import { write } from '../../dynamo/write.ts';
import type { Order } from '../../orders/order.ts';
import { log } from '../../runtime/log.ts';
import { sendAll } from '../../runtime/queue.ts';
import { AlreadyDone, appendAttempt, insertMintTransaction, listNonces, takeSweep } from './store.ts';
import { bumpMilliseconds } from './timing.ts';
import {
  firstAttempt,
  isTransactionWanted,
  lastAttempt,
  type MintTransaction,
  type NonceReference,
} from './transaction.ts';

/**
 * Sends an open transaction again: nodes forget, and a reorganisation may have thrown it out. After a while it
 * is replaced by one that pays more, of the same nonce and content, and stored before it is sent. What nobody
 * wants any more is replaced by one that only uses up the nonce, so that those behind it can pass.
 */
export async function push(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
  outcomes: readonly Outcome[],
): Promise<void> {
  const openFrom = Math.min(transaction.nonce, ...outcomes.flatMap(({ openFrom }) => openFrom ?? []));
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

/** How many nonces are looked after at a time; the next sweep goes on from where these got the chain. */
const most = 100;

/**
 * Frees a lane in which a nonce waits for earlier ones: each from the first open one on is checked, which sends
 * it again, whatever became of its orders: a reorganisation also throws out what was done long ago. A nonce that
 * was never bound, because a node once named one too high, is used up.
 * @param openFrom the first nonce the chain has not seen, by the lowest count a node gave
 */
export async function sweepLane(
  connection: Connection,
  { chainId, signer }: NonceReference,
  openFrom: number,
): Promise<void> {
  const next = await takeSweep({ chainId, signer }, Date.now() - bumpMilliseconds());
  if (next === undefined) return;
  const to = Math.min(next - 1, openFrom + most - 1);
  const bound = new Set(await listNonces({ chainId, signer }, openFrom, to));
  log.info('Lane swept', { chainId, signer, from: openFrom, to, bound: bound.size });
  const references = Array.from({ length: to - openFrom + 1 }, (_, at) => ({
    chainId,
    signer,
    nonce: openFrom + at,
  }));
  await Promise.all(
    references.filter(({ nonce }) => !bound.has(nonce)).map((reference) => fillGap(connection, reference)),
  );
  await sendAll('mint', references);
}

async function fillGap(connection: Connection, reference: NonceReference): Promise<void> {
  const minter = await findMinter(reference.signer);
  if (!minter) return;
  const fees = await readFirst(connection, (node) => readMarketFees(node, connection.chain.feeCeiling));
  const raw = minter.sign(closing(reference, fees));
  try {
    const attempts = [{ raw, at: Date.now() }];
    await write(insertMintTransaction({ ...reference, contract: minter.address, orderIds: [], attempts }));
    await broadcast(connection, raw);
  } catch (error) {
    if (!(error instanceof AlreadyDone)) throw error;
  }
}

/** Plenty for a transfer of nothing, also on rollups, where 21,000 is not enough. */
const gasLimit = 200_000n;

/** A transaction that does nothing but use up a nonce: its signer sends itself nothing. */
export function closing({ chainId, signer, nonce }: NonceReference, fees: Fees): Draft {
  return { ...fees, chainId, nonce, to: signer, data: '0x', gasLimit };
}

export function isClosing({ data }: Draft): boolean {
  return data === '0x';
}
