import { ChainUnreachable, type Connection, connect, readFirst, readGood } from '../../chain/connection.ts';
import {
  burnCalldata,
  estimateGas,
  firstTokenId,
  isTicketContract,
  orderKey,
} from '../../chain/contract-calls.ts';
import type { Mint } from '../../chain/contract-logs.ts';
import { burnGas, gasCeiling, gasLimit, readGasCap } from '../../chain/gas.ts';
import { minterFor } from '../../chain/minters.ts';
import type { Outcome } from '../../chain/outcome.ts';
import { write } from '../../dynamo/write.ts';
import { maximumOrderTickets, type Order } from '../../orders/order.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { send } from '../../runtime/queue.ts';
import { isCancelledBy } from '../nonce/cancel.ts';
import { checkNonce, readNonces, type StoredNonce } from '../nonce/check.ts';
import { claimAndBroadcast } from '../nonce/claim.ts';
import type { MintTransaction } from '../nonce/transaction.ts';
import { markBurned } from '../store.ts';
import { ticketId } from '../ticket.ts';
import {
  advanceBurn,
  type Burn,
  BurnTransitionRefused,
  bindBurn,
  endBurn,
  findBurn,
  insertBurn,
  unbindBurn,
} from './store.ts';

/**
 * Burns the tickets of a refunded order, in the lane that minted them; checks the nonce of a burn that has one.
 * While the chain can't be reached the burn stays due, and the sweep finds it again.
 * @throws when the table or the queue fails
 */
export async function burnTickets(orderId: string): Promise<void> {
  const burn = await findBurn(orderId);
  if (!burn) return;
  const { chainId, transaction } = burn;
  if (transaction) {
    // The nonce schedules its own checks.
    const [nonce] = await readNonces([{ chainId, ...transaction }]);
    return nonce && checkNonce(nonce, concludeBurn, { reschedule: false });
  }
  if (burn.status !== 'open') return;
  const connection = await connect(chainId);
  try {
    await (connection ? sendBurn(connection, burn) : failBurn(burn, `Chain ${chainId} is not set up`));
  } catch (error) {
    // Another worker has ended it.
    if (error instanceof BurnTransitionRefused) return;
    if (!(error instanceof ChainUnreachable)) throw error;
    log.warn('Chain not reached', { chainId, orderId, cause: error.message });
  }
}

/**
 * Sends the burn, in as many transactions as it takes, one after the other; ends it when it can't be done.
 * @throws BurnTransitionRefused, ChainUnreachable
 */
async function sendBurn(connection: Connection, burn: Burn): Promise<void> {
  const { chainId, contract, holder, orderId } = burn;
  if (!(await isTicketContract(connection, contract))) {
    return failBurn(burn, `${contract} is not a ticket contract of a known release`);
  }
  const key = orderKey(chainId, contract, orderId);
  const minter = await minterFor(key);
  const tokenIds = nextTokens(burn, firstTokenId(key));
  const data = burnCalldata(holder, tokenIds);
  const cap = await readFirst(connection, readGasCap);
  const expected = burnGas(tokenIds.length);
  const call = { from: minter.address, to: contract, data };
  const estimate = await readGood(
    connection,
    (node) =>
      estimateGas(
        node,
        call,
        gasCeiling(expected, cap, connection.chain),
        () => 'The contract refuses to burn',
      ),
    (tried) => 'gas' in tried,
  );
  if ('refusal' in estimate) return failBurn(burn, estimate.refusal.message);
  await claimAndBroadcast(connection, minter, {
    contract,
    data,
    gasLimit: gasLimit(estimate.gas, expected, cap),
    orderIds: [],
    burnOf: orderId,
    bind: ({ signer, nonce }) => [bindBurn(burn, { signer, nonce })],
    withoutTaken(error) {
      if (error instanceof BurnTransitionRefused) return undefined;
      throw error;
    },
  });
}

/** The tokens of the next transaction. */
function nextTokens({ quantity, position = 0 }: Burn, first: bigint): bigint[] {
  const count = Math.min(quantity - position, maximumOrderTickets);
  return Array.from({ length: count }, (_, at) => first + BigInt(position + at));
}

/** Ends a burn until an operator asks for the refund again. */
async function failBurn(burn: Burn, reason: string): Promise<void> {
  log.warn('Tickets can not be burned', { orderId: burn.orderId, contract: burn.contract, reason });
  count('BurnsFailed');
  await write(endBurn(burn, 'fail'));
}

/** How many times a burn gets another nonce after no node accepted its transaction. */
const maximumCancellations = 3;

/** Applies the final outcome of a nonce that burns tickets of an order: goes on, ends the burn, or unbinds it. */
export async function concludeBurn({ transaction }: StoredNonce, outcome: Outcome): Promise<void> {
  const { signer, nonce, burnOf: orderId = '' } = transaction;
  const burn = await findBurn(orderId);
  // The burn has moved on to another nonce: this one is checked again in case of a reorganisation.
  if (burn?.status !== 'open' || !isBoundTo(burn, transaction)) return;
  const cancellations = (burn.cancellations ?? 0) + 1;
  try {
    if (isCancelledBy(transaction, outcome)) {
      if (cancellations > maximumCancellations)
        return await failBurn(burn, 'No node accepts the transaction');
      await unbindBurnAndSend(burn, transaction, cancellations);
    } else if (outcome.kind === 'mined') await recordBurn(burn, { signer, nonce }, outcome.burned);
    else if (outcome.kind === 'reverted') await failBurn(burn, 'The transaction was reverted');
    else await unbindBurnAndSend(burn, transaction);
  } catch (error) {
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}

function isBoundTo(burn: Burn, { signer, nonce }: MintTransaction): boolean {
  return burn.transaction?.signer === signer && burn.transaction.nonce === nonce;
}

async function unbindBurnAndSend(
  burn: Burn,
  { signer, nonce }: MintTransaction,
  cancellations?: number,
): Promise<void> {
  await write(unbindBurn(burn, { signer, nonce }, cancellations));
  await send('mint', { burnOrderId: burn.orderId }, { tenant: burn.contract });
}

async function recordBurn(
  burn: Burn,
  nonce: { signer: string; nonce: number },
  burned: readonly string[],
): Promise<void> {
  const { orderId, userId, quantity, position = 0 } = burn;
  const at = new Date().toISOString();
  for (const tokenId of burned) {
    // The last 16 bits of a token's id count the tickets of its order, from 0 on.
    const number = Number(BigInt(tokenId) & 0xffffn) + 1;
    await markBurned(userId, ticketId(orderId, number), at);
  }
  const next = position + maximumOrderTickets;
  log.info('Tickets burned', { orderId, position, burned: burned.length });
  if (next >= quantity) return void (await write(endBurn(burn, 'complete')));
  await write(advanceBurn(burn, nonce, next));
  await send('mint', { burnOrderId: orderId }, { tenant: burn.contract });
}

/** Opens a burn for tickets that were minted although their order's refund is due. */
export async function burnUnwanted(
  order: Order,
  contract: { chainId: number; contract: string },
  mint: Mint,
): Promise<void> {
  const { id: orderId, userId, quantity } = order;
  try {
    await write(insertBurn({ orderId, userId, quantity, ...contract, holder: mint.to }));
  } catch (error) {
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}
