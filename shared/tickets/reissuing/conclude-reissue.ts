import { ChainUnreachable, connect } from '../../chain/connection.ts';
import { deriveOrderKey, firstTokenId } from '../../chain/contract-calls.ts';
import { readFinalOwner } from '../../chain/token-owner.ts';
import { mapInChunks } from '../../core/in-chunks.ts';
import { expectUnchanged, type Transition, transition } from '../../core/state-machine.ts';
import { transact } from '../../dynamo/write.ts';
import { fulfilment } from '../../orders/lifecycle.ts';
import { issueNumber, type Order, seatNumbersOfIssue, tenantOf } from '../../orders/order.ts';
import { outboxDelayMilliseconds } from '../../orders/settlement/settle-order.ts';
import { transitionOrder } from '../../orders/store.ts';
import { log } from '../../runtime/log.ts';
import { sendMessage } from '../../runtime/queue.ts';
import type { Burn } from '../burning/burn.ts';
import { endBurn } from '../burning/store.ts';
import { markBurned } from '../store.ts';
import { ticketId } from '../ticket.ts';

export type Reissue = Burn & Required<Pick<Burn, 'reissue'>>;

/**
 * Returns whether a burn belongs to a reissue that is still in progress. A refund that begins during the reissue takes
 * the burn over.
 */
export function isReissue(burn: Burn, order: Order | undefined): burn is Reissue {
  return burn.reissue !== undefined && order?.fulfilmentStatus === 'reissuing';
}

/**
 * Queues burned tickets to be minted again to their new wallet. Tokens that were transferred before the burn stay with
 * their owners. When all were transferred, the reissue ends.
 * @param signer the account that burned them
 * @param burned the ids, decimal, that the final transaction burned
 * @throws BurnTransitionRefused, OrderTransitionRefused from the transaction; ChainUnreachable when the nodes don't
 * agree
 */
export async function concludeReissue(
  burn: Reissue,
  order: Order,
  signer: string,
  burned: readonly string[],
): Promise<void> {
  const tokenIds = tokenIdsOf(burn);
  const isBurned = await findBurned(burn, tokenIds, burned);
  if (!isBurned.includes(true))
    return endWithoutBurn(burn, order, 'The tickets were transferred before they could be reissued', {
      allowsAnother: false,
    });
  const now = Date.now();
  const at = new Date(now).toISOString();
  const burnedSeats = seatNumbersOfIssue(order).flatMap((seat, index) =>
    isBurned[index] ? [{ seat, tokenId: String(tokenIds[index]) }] : [],
  );
  await mapInChunks(burnedSeats, ({ seat, tokenId }) =>
    markBurned(order.userId, ticketId(order.id, seat), tokenId, at),
  );
  const seats = burnedSeats.map(({ seat }) => seat);
  const issue = {
    number: issueNumber(order) + 1,
    wallet: burn.reissue.wallet,
    signer,
    at,
    ...(seats.length < order.quantity && { seats }),
  };
  // Minted in a separate transaction, since this account has to send it.
  const next = transition(fulfilment, 'remint', { issue, mintsAlone: true, queuedAt: at });
  await endReissue(burn, 'complete', order, next, now + outboxDelayMilliseconds);
  log.info('Tickets to be minted again', { orderId: order.id, issue: issue.number, tickets: seats.length });
  await sendMessage('mint', { orderId: order.id }, { tenant: tenantOf(order) });
}

/**
 * Ends a reissue without having burned anything.
 * @param message why, as a sentence
 * @param options.allowsAnother whether the buyer may request another reissue. False when the buyer transferred the
 * tickets meanwhile, since the attempt cost a transaction
 * @throws as `concludeReissue`
 */
export function endWithoutBurn(
  burn: Reissue,
  order: Order,
  message: string,
  { allowsAnother = true } = {},
): Promise<void> {
  const next = transition(fulfilment, 'keep', {
    fulfilmentReason: 'not-reissued',
    fulfilmentMessage: message,
    ...(burn.reissue.by === 'buyer' && allowsAnother && { buyerReissuedAt: undefined }),
  });
  log.warn('Tickets not reissued', { orderId: order.id, reason: message });
  return endReissue(burn, 'fail', order, next, 'never');
}

function endReissue(
  burn: Reissue,
  event: 'complete' | 'fail',
  order: Order,
  next: Transition<Order>,
  nextDueAt: number | 'never',
): Promise<void> {
  const options = { nextDueAt, unchanged: expectUnchanged(order, 'fulfilmentStatus', 'issue') };
  const at = new Date().toISOString();
  return transact([endBurn(burn, event), transitionOrder(order.id, [next], at, options)]);
}

/** Returns the ids of the tokens that a reissue burns, in ascending order. */
function tokenIdsOf({ chainId, contract, orderId, issue, quantity }: Burn): bigint[] {
  const first = firstTokenId(deriveOrderKey(chainId, contract, orderId, issue));
  return Array.from({ length: quantity }, (_, index) => first + BigInt(index));
}

/**
 * Returns the tokens whose burn is final. A token that the transaction did not burn was transferred, or was burned by
 * an earlier transaction; the nodes have to agree on which.
 */
async function findBurned(
  { chainId, contract }: Burn,
  tokenIds: readonly bigint[],
  burned: readonly string[],
): Promise<boolean[]> {
  const burnedIds = new Set(burned);
  const open = tokenIds.filter((tokenId) => !burnedIds.has(String(tokenId)));
  if (open.length === 0) return tokenIds.map(() => true);
  const connection = await connect(chainId);
  if (!connection) throw new ChainUnreachable(`Chain ${chainId} is not set up`);
  await mapInChunks(open, async (tokenId) => {
    const token = { chainId, contractAddress: contract, tokenId: String(tokenId) };
    if ((await readFinalOwner(connection, token)) === undefined) burnedIds.add(token.tokenId);
  });
  return tokenIds.map((tokenId) => burnedIds.has(String(tokenId)));
}
