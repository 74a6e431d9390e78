import { checkAuthorization } from '../../catalog/contracts/check-contract.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { countTickets } from '../../catalog/inventory/inventory.ts';
import {
  ChainUnreachable,
  type Connection,
  connect,
  readFromAnyNode,
  readPositiveFromAnyNode,
} from '../../chain/connection.ts';
import { deriveOrderKey, firstTokenId, simulateMint } from '../../chain/contract-calls.ts';
import { expectedMintGas, gasCeiling, readGasCap } from '../../chain/gas.ts';
import { readFinalOwner } from '../../chain/token-owner.ts';
import { expectUnchanged, type Transition, transition } from '../../core/state-machine.ts';
import { transact } from '../../dynamo/write.ts';
import { fulfilment } from '../../orders/lifecycle.ts';
import { issueNumber, type Order, seatNumbersOfIssue, tenantOf } from '../../orders/order.ts';
import { transitionOrder } from '../../orders/store.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { mapInChunks, outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { log } from '../../runtime/telemetry.ts';
import { markBurned } from '../../tickets/store.ts';
import { ticketId } from '../../tickets/ticket.ts';
import { type Burn, endBurn } from '../burning/store.ts';

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
 * their owners. When all tokens were transferred, the reissue ends.
 * @param signer the account that burned the tickets
 * @param burnedIds the token ids, decimal, that the final transaction burned
 * @throws BurnTransitionRefused, OrderTransitionRefused from the transaction; ChainUnreachable when the nodes don't
 * agree
 */
export async function finalizeReissue(
  burn: Reissue,
  order: Order,
  signer: string,
  burnedIds: readonly string[],
): Promise<void> {
  const tokenIds = tokenIdsOf(burn);
  const burnedFlags = await readBurnedFlags(burn, tokenIds, burnedIds);
  if (!burnedFlags.includes(true))
    return endWithoutBurn(burn, order, 'The tickets were transferred before they could be reissued', {
      allowsAnother: false,
    });
  const now = Date.now();
  const timestamp = new Date(now).toISOString();
  const burnedSeats = seatNumbersOfIssue(order).flatMap((seat, index) =>
    burnedFlags[index] ? [{ seat, tokenId: String(tokenIds[index]) }] : [],
  );
  await mapInChunks(burnedSeats, ({ seat, tokenId }) =>
    markBurned(order.userId, ticketId(order.id, seat), tokenId, timestamp),
  );
  const seats = burnedSeats.map(({ seat }) => seat);
  const issue = {
    number: issueNumber(order) + 1,
    wallet: burn.reissue.wallet,
    signer,
    at: timestamp,
    ...(seats.length < countTickets(order.items) && { seats }),
  };
  // `unbatched`, because other orders of a batch may be minted by another account.
  const remintTransition = transition(fulfilment, 'remint', { issue, unbatched: true, queuedAt: timestamp });
  await endReissue(burn, 'complete', order, remintTransition, now + outboxDelayMilliseconds);
  log.info('Tickets to be minted again', { orderId: order.id, issue: issue.number, tickets: seats.length });
  await sendMessage('mint-tickets', { type: 'mint-order', orderId: order.id }, { tenant: tenantOf(order) });
}

/**
 * Ends a reissue whose burn burned nothing.
 * @param message the reason, as a sentence
 * @param options.allowsAnother whether the buyer may request another reissue. False when the buyer has transferred the
 * tickets meanwhile: the attempt cost a transaction
 * @throws BurnTransitionRefused, OrderTransitionRefused from the transaction
 */
export function endWithoutBurn(
  burn: Reissue,
  order: Order,
  message: string,
  { allowsAnother = true } = {},
): Promise<void> {
  const keepTransition = transition(fulfilment, 'keep', {
    fulfilmentReason: 'not-reissued',
    fulfilmentMessage: message,
    ...(burn.reissue.by === 'buyer' && allowsAnother && { buyerReissuedAt: undefined }),
  });
  log.warn('Tickets not reissued', { orderId: order.id, reason: message });
  return endReissue(burn, 'fail', order, keepTransition, 'never');
}

function endReissue(
  burn: Reissue,
  event: 'complete' | 'fail',
  order: Order,
  orderTransition: Transition<Order>,
  nextDueAt: number | 'never',
): Promise<void> {
  const options = { nextDueAt, unchanged: expectUnchanged(order, 'fulfilmentStatus', 'issue') };
  const timestamp = new Date().toISOString();
  return transact([endBurn(burn, event), transitionOrder(order.id, [orderTransition], timestamp, options)]);
}

/** Returns the ids of the tokens that a reissue burns, in ascending order. */
function tokenIdsOf({ chainId, contract, orderId, issue, quantity }: Burn): bigint[] {
  const firstId = firstTokenId(deriveOrderKey(chainId, contract, orderId, issue));
  return Array.from({ length: quantity }, (_, index) => firstId + BigInt(index));
}

/**
 * Returns for each token whether its burn is final. A token that the last transaction did not burn was transferred, or
 * an earlier transaction burned it: the nodes have to agree which of the two happened.
 */
async function readBurnedFlags(
  { chainId, contract }: Burn,
  tokenIds: readonly bigint[],
  knownBurnedIds: readonly string[],
): Promise<boolean[]> {
  const burnedIds = new Set(knownBurnedIds);
  const unburnedIds = tokenIds.filter((tokenId) => !burnedIds.has(String(tokenId)));
  if (unburnedIds.length === 0) return tokenIds.map(() => true);
  const connection = await connect(chainId);
  if (!connection) throw new ChainUnreachable(`Chain ${chainId} is not set up`);
  await mapInChunks(unburnedIds, async (tokenId) => {
    const token = { chainId, contractAddress: contract, tokenId: String(tokenId) };
    if ((await readFinalOwner(connection, token)) === undefined) burnedIds.add(token.tokenId);
  });
  return tokenIds.map((tokenId) => burnedIds.has(String(tokenId)));
}

/**
 * Checks that tickets can be minted again, before they are burned. Returns the reason, as a sentence, why they can't;
 * undefined when they can.
 * @param minter the account that burns and mints the tickets
 * @throws ChainUnreachable when the nodes do not answer or disagree
 */
export async function findReissueRefusal(
  connection: Connection,
  { chainId, contract, quantity, reissue }: Reissue,
  order: Order,
  minter: string,
): Promise<string | undefined> {
  const { organizerId } = await getEvent(order.eventId);
  const status = await checkAuthorization({ chainId, contractAddress: contract, organizerId });
  if (status === 'unchecked')
    throw new ChainUnreachable('The contract’s administrator could not be read from the chain');
  if (status !== 'authorized') return `The organizer no longer administers the contract ${contract}`;
  const key = deriveOrderKey(chainId, contract, order.id, issueNumber(order) + 1);
  const mint = { orderKey: key, to: reissue.wallet, quantity };
  const gasCap = await readFromAnyNode(connection, readGasCap);
  const ceiling = gasCeiling(expectedMintGas(1, quantity), gasCap, connection.chain);
  const result = await readPositiveFromAnyNode(
    connection,
    (node) => simulateMint(node, minter, contract, [mint], ceiling),
    (result) => 'gas' in result,
  );
  return 'refusal' in result ? result.refusal.message : undefined;
}
