import { ChainUnreachable, type Connection, connect } from '../../chain/connection.ts';
import {
  deriveOrderKey,
  encodeBurn,
  firstTokenId,
  isTicketContract,
  simulateCall,
} from '../../chain/contract-calls.ts';
import { expectedBurnGas } from '../../chain/gas.ts';
import type { Mint, Outcome } from '../../chain/outcome.ts';
import { findMinter, getMinterForOrder } from '../../chain/transactions.ts';
import { write } from '../../dynamo/write.ts';
import { maximumOrderTickets, type Order, seatNumbersOfIssue, tenantOf } from '../../orders/order.ts';
import { getOrder, OrderTransitionRefused } from '../../orders/store.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { mapInChunks } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { requestLock } from '../../tickets/request-lock.ts';
import { markBurned } from '../../tickets/store.ts';
import { ticketId } from '../../tickets/ticket.ts';
import { checkNonce, claimAndBroadcast, readNonces, type StoredNonce } from '../nonce/check-nonce.ts';
import { isCancelledBy } from '../nonce/rebroadcast.ts';
import type { MintTransaction } from '../nonce/store.ts';
import {
  endWithoutBurn,
  finalizeReissue,
  findReissueRefusal,
  isReissue,
} from '../reissuing/finalize-reissue.ts';
import {
  advanceBurn,
  type Burn,
  BurnTransitionRefused,
  bindBurn,
  burnId,
  endBurn,
  findBurn,
  insertBurn,
  unbindBurn,
} from './store.ts';

/**
 * Burns the tickets of a refunded or reissued order, from the account that minted them. For a burn that is bound to a
 * nonce it checks that nonce. While the chain can't be reached the burn stays due, and the sweep queues it again.
 * @param id see `burnId`
 * @throws when the table or the queue fails
 */
export async function burnTickets(id: string): Promise<void> {
  const burn = await findBurn(id);
  if (!burn) return;
  const { chainId, orderId, transaction } = burn;
  if (transaction) {
    // Without rescheduling: the nonce's checks have been scheduled since its claim.
    const [nonce] = await readNonces([{ chainId, ...transaction }]);
    return nonce && checkNonce(nonce, finalizeBurn, { reschedule: false });
  }
  if (burn.status !== 'open') return;
  const connection = await connect(chainId);
  try {
    await (connection ? sendBurn(connection, burn) : failBurn(burn, `Chain ${chainId} is not set up`));
  } catch (error) {
    // Another worker has ended the burn, or a refund took it over: the sweep queues it again.
    if (error instanceof BurnTransitionRefused || error instanceof OrderTransitionRefused) return;
    if (!(error instanceof ChainUnreachable)) throw error;
    log.warn('Chain not reached', { chainId, orderId, cause: error.message });
  }
}

/**
 * Sends the next transaction of a burn; large orders need several, one after the other. Ends a burn that the contract
 * refuses.
 * @throws BurnTransitionRefused or OrderTransitionRefused after a concurrent change of the burn or its order,
 * ChainUnreachable when no node answers or the nodes disagree
 */
async function sendBurn(connection: Connection, burn: Burn): Promise<void> {
  const { chainId, contract, holder, orderId } = burn;
  if (!(await isTicketContract(connection, contract))) {
    return failBurn(burn, `${contract} does not have the code of the ticket contract`);
  }
  const order = await getOrder(orderId);
  const key = deriveOrderKey(chainId, contract, orderId, burn.issue);
  const minter = (order.mint && (await findMinter(order.mint.signer))) ?? (await getMinterForOrder(key));
  if (isReissue(burn, order)) {
    const refusal = await findReissueRefusal(connection, burn, order, minter.address);
    if (refusal) return failBurn(burn, refusal);
  }
  const tokenIds = nextTokens(burn, firstTokenId(key));
  const data = encodeBurn(holder, tokenIds);
  const call = { from: minter.address, to: contract, data };
  const result = await simulateCall(
    connection,
    call,
    expectedBurnGas(tokenIds.length),
    'The contract refuses to burn',
  );
  if ('refusal' in result) return failBurn(burn, result.refusal.message);
  await claimAndBroadcast(connection, minter, {
    contract,
    data,
    gasLimit: result.gasLimit,
    orderIds: [],
    burnOf: burnId(burn),
    bind: ({ signer, nonce }) => [bindBurn(burn, { signer, nonce })],
    withoutAlreadyBound(error) {
      if (error instanceof BurnTransitionRefused) return undefined;
      throw error;
    },
  });
}

/** Returns the tokens of the next transaction. */
function nextTokens({ quantity, position = 0, positions }: Burn, firstId: bigint): bigint[] {
  const count = Math.min(quantity - position, maximumOrderTickets);
  return Array.from({ length: count }, (_, index) => {
    const next = position + index;
    return firstId + BigInt(positions?.[next] ?? next);
  });
}

/**
 * Ends a burn as failed. Requesting the refund again reopens a refund's burn. A failed burn of a reissue ends the
 * reissue.
 */
async function failBurn(burn: Burn, reason: string): Promise<void> {
  const order = await getOrder(burn.orderId);
  if (isReissue(burn, order)) return endWithoutBurn(burn, order, reason);
  log.warn('Tickets can not be burned', { orderId: burn.orderId, contract: burn.contract, reason });
  incrementCounter('BurnsFailed');
  await write(endBurn(burn, 'fail'));
}

/**
 * The maximum number of cancelled nonces of a burn; after one more it fails. A nonce is cancelled when no node accepts
 * its transaction.
 */
const maximumCancellations = 3;

/** Applies the final outcome of a nonce to the burn that is bound to it: continues the burn, ends it, or unbinds it. */
export async function finalizeBurn(
  { transaction }: Pick<StoredNonce, 'transaction'>,
  outcome: Outcome,
): Promise<void> {
  const { signer, nonce, burnOf: id = '' } = transaction;
  const burn = await findBurn(id);
  // If the burn has ended or is bound to another nonce, this nonce was finalized before.
  if (burn?.status !== 'open' || !isBoundTo(burn, transaction)) return;
  const cancellations = (burn.cancellations ?? 0) + 1;
  try {
    if (isCancelledBy(transaction, outcome)) {
      if (cancellations > maximumCancellations)
        return await failBurn(burn, 'No node accepts the transaction');
      await unbindAndQueueBurn(burn, transaction, cancellations);
    } else if (outcome.kind === 'mined') await recordBurn(burn, { signer, nonce }, outcome.burned);
    else if (outcome.kind === 'reverted') await failBurn(burn, 'The transaction was reverted');
    else await unbindAndQueueBurn(burn, transaction);
  } catch (error) {
    // A concurrent refund has taken over the burn of a reissue.
    if (error instanceof OrderTransitionRefused) return finalizeBurn({ transaction }, outcome);
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}

function isBoundTo(burn: Burn, { signer, nonce }: MintTransaction): boolean {
  return burn.transaction?.signer === signer && burn.transaction.nonce === nonce;
}

async function unbindAndQueueBurn(
  burn: Burn,
  { signer, nonce }: MintTransaction,
  cancellations?: number,
): Promise<void> {
  await write(unbindBurn(burn, { signer, nonce }, cancellations));
  await sendMessage('mint-tickets', { type: 'burn', burnOrderId: burnId(burn) }, { tenant: burn.tenant });
}

async function recordBurn(
  burn: Burn,
  nonce: { signer: string; nonce: number },
  burnedIds: readonly string[],
): Promise<void> {
  const { orderId, userId, quantity, position = 0 } = burn;
  const order = await getOrder(orderId);
  if (isReissue(burn, order)) return finalizeReissue(burn, order, nonce.signer, burnedIds);
  const timestamp = new Date().toISOString();
  const seats = seatNumbersOfIssue(order);
  await mapInChunks(burnedIds, async (tokenId) => {
    // The last 16 bits of a token's id count the tickets of its issue, from 0 on.
    const seat = seats[Number(BigInt(tokenId) & 0xffffn)];
    if (seat !== undefined) await markBurned(userId, ticketId(orderId, seat), tokenId, timestamp);
  });
  // The burn skipped tickets that were transferred before. They are no longer valid for entry.
  const { chainId, contract } = burn;
  const key = deriveOrderKey(chainId, contract, orderId, burn.issue);
  const tokenIds = nextTokens(burn, firstTokenId(key)).map(String);
  await requestLock(
    chainId,
    contract,
    tokenIds.filter((id) => !burnedIds.includes(id)),
  );
  const nextPosition = position + maximumOrderTickets;
  log.info('Tickets burned', { orderId, position, burned: burnedIds.length });
  if (nextPosition >= quantity) {
    await write(endBurn(burn, 'complete'));
    if (burn.mintNext === undefined) return;
    // The sweep queues the order when this message is lost.
    const next = { type: 'mint-order', orderId: burn.mintNext } as const;
    return sendMessage('mint-tickets', next, { tenant: tenantOf(order) });
  }
  await write(advanceBurn(burn, nonce, nextPosition));
  await sendMessage('mint-tickets', { type: 'burn', burnOrderId: burnId(burn) }, { tenant: burn.tenant });
}

/** Opens a burn for tickets that were minted although their order's refund is due. */
export async function burnUnwanted(
  order: Order,
  contract: { chainId: number; contract: string },
  mint: Mint,
): Promise<void> {
  const { id: orderId, userId, issue } = order;
  const { length: quantity } = seatNumbersOfIssue(order);
  const burn = { orderId, userId, tenant: tenantOf(order), quantity, ...contract, holder: mint.to };
  try {
    await write(insertBurn({ ...burn, ...(issue && { issue: issue.number }) }));
    log.warn('Tickets minted for an order whose refund is due', { orderId });
  } catch (error) {
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}
