import type { Chain } from '../../chain/chains.ts';
import { agreed, ChainUnreachable, type Connection, connect, readAll } from '../../chain/connection.ts';
import { orderKey } from '../../chain/contract-calls.ts';
import { readSigned } from '../../chain/minter.ts';
import { type Outcome, readOutcome } from '../../chain/outcome.ts';
import type { Order } from '../../orders/order.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { send } from '../../runtime/queue.ts';
import { concludeOrders } from '../minting/conclude.ts';
import { push } from './rebroadcast.ts';
import { checkSeconds, disbeliefMilliseconds, ownMilliseconds } from './timing.ts';
import { firstAttempt, type MintTransaction, type NonceReference } from './transaction.ts';

/**
 * Looks at what became of a nonce, and does what follows: writes down what is minted for good, frees orders it
 * can't mint any more, or sends its transaction again. Waiting is no failure: another check is called for.
 * @param goesOn whether to call for it; not when somebody else does
 * @throws when the table or the queue fails
 */
export async function checkTransaction(
  transaction: MintTransaction,
  orders: readonly Order[],
  goesOn: boolean,
): Promise<void> {
  const { chainId, signer, nonce } = transaction;
  const connection = await connect(chainId);
  if (!connection) return log.warn('Chain is not set up any more', { chainId, signer, nonce });

  // The sweep finds orders by their due mark, which they have no longer once they are minted.
  const isSwept = orders.some(({ fulfilmentStatus }) => fulfilmentStatus === 'minting');
  if (await isConcluded(connection, transaction, orders)) {
    if (isSwept) await scheduleLastLook(transaction);
    return;
  }
  const age = Date.now() - firstAttempt(transaction).at;
  const own = ownMilliseconds(connection.chain);
  if (age > 10 * own) count('MintsStuck');
  if (goesOn && (age < own || !isSwept)) await scheduleCheck(connection.chain, transaction, age);
}

/** @returns whether the nonce is done with */
async function isConcluded(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
): Promise<boolean> {
  try {
    const outcomes = await readOutcomes(connection, transaction, orders);
    const final = outcomes.filter(({ isFinal }) => isFinal);
    const outcome = agreed(connection, final);
    if (outcome && isBelievable(outcome, transaction)) {
      await concludeOrders(connection, transaction, orders, outcome);
      return true;
    }
    if (outcomes.some(isOpen)) await push(connection, transaction, orders, outcomes);
  } catch (error) {
    if (!(error instanceof ChainUnreachable)) throw error;
  }
  return false;
}

function readOutcomes(
  connection: Connection,
  transaction: MintTransaction,
  orders: readonly Order[],
): Promise<Outcome[]> {
  const { chainId, signer, nonce, contract, orderIds, attempts } = transaction;
  const sent = {
    signer,
    nonce,
    contract,
    hashes: attempts.map(({ raw }) => readSigned(raw).hash),
    orderKeys: orderIds.map((id) => orderKey(chainId, contract, id)),
    since: Math.min(firstAttempt(transaction).at, ...orders.map(({ createdAt }) => Date.parse(createdAt))),
  };
  return readAll(connection, (node) => readOutcome(node, connection.chain, sent));
}

/** That somebody else used our nonce is doubted for a while, unless the orders are minted anyway. */
function isBelievable({ kind, mints }: Outcome, transaction: MintTransaction): boolean {
  if (kind !== 'consumed' || (mints.length > 0 && mints.every(Boolean))) return true;
  return Date.now() - firstAttempt(transaction).at > disbeliefMilliseconds();
}

/** Whether, for all this node knows, the transaction may have to be sent again. */
function isOpen({ kind, mints }: Outcome): boolean {
  return kind === 'unmined' || (kind === 'consumed' && !mints.some(Boolean));
}

/** How long after its mint is final a transaction is looked at once more, in case the chain took it back. */
const lastLookSeconds = 900;

/** Calls for the next check of a nonce of this age (milliseconds). @throws when the queue does not take the message */
export function scheduleCheck(
  chain: Chain,
  { chainId, signer, nonce }: NonceReference,
  age: number,
): Promise<void> {
  return send('mint', { chainId, signer, nonce }, checkSeconds(chain, age));
}

export function scheduleLastLook({ chainId, signer, nonce }: NonceReference): Promise<void> {
  return send('mint', { chainId, signer, nonce }, lastLookSeconds);
}
