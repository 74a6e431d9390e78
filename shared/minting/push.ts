import { broadcast, readMarketFees } from '../chain/broadcast.ts';
import { type Connection, readFirst } from '../chain/connection.ts';
import type { Fate } from '../chain/fate.ts';
import { replacementFees } from '../chain/fees.ts';
import { type Draft, findMinter, readSigned } from '../chain/minter.ts';
import { log } from '../log.ts';
import type { Order } from '../orders/order.ts';
import { closing, isClosing } from './closing.ts';
import { firstAttempt, isWanted, lastAttempt, type MintTransaction } from './mint-transaction.ts';
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
  const isStuck = Date.now() - lastAttempt(transaction).at > bumpMilliseconds();
  const openFrom = Math.min(transaction.nonce, ...fates.flatMap(({ openFrom }) => openFrom ?? []));
  const isNext = fates.some((fate) => (fate.openFrom ?? transaction.nonce) === transaction.nonce);
  const last = readSigned(lastAttempt(transaction).raw);
  const isWantedStill = orders.some((order) => isWanted(order, transaction));

  const wanted = isWantedStill || isClosing(last) ? last : closing(transaction, last);
  const raw =
    wanted !== last || (isStuck && isNext) ? await replace(connection, transaction, wanted) : undefined;
  await broadcast(connection, raw ?? lastAttempt(transaction).raw);

  const isOld = Date.now() - firstAttempt(transaction).at > bumpMilliseconds();
  if (isOld && openFrom < transaction.nonce) await sweepLane(connection, transaction, openFrom);
}

/** @returns undefined when it can't be replaced now */
async function replace(
  connection: Connection,
  transaction: MintTransaction,
  draft: Draft,
): Promise<string | undefined> {
  const { chainId, signer, nonce } = transaction;
  const { feeCeiling } = connection.chain;
  const minter = await findMinter(signer);
  const market = await readFirst(connection, (node) => readMarketFees(node, feeCeiling));
  const fees = replacementFees(draft, market, feeCeiling);
  if (!minter || !fees) {
    log.warn('Transaction can not be replaced', { chainId, signer, nonce, hasKey: minter !== undefined });
    return undefined;
  }
  const raw = minter.sign({ ...draft, ...fees });
  if (!(await appendAttempt(transaction, { raw, at: Date.now() }))) return undefined;
  log.info('Transaction replaced', { chainId, signer, nonce, attempts: transaction.attempts.length + 1 });
  return raw;
}
