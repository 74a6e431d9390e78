import { ChainUnreachable, type Connection, connect, readFirst } from '../../chain/connection.ts';
import { burnCalldata, estimateGas, firstTokenId, orderKey } from '../../chain/contract-calls.ts';
import type { Mint } from '../../chain/contract-logs.ts';
import type { Outcome } from '../../chain/outcome.ts';
import { minterFor } from '../../chain/transactions.ts';
import { write } from '../../dynamo/write.ts';
import type { Order } from '../../orders/order.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { send } from '../../runtime/queue.ts';
import { checkNonce, readNonces, type StoredNonce } from '../nonce/check.ts';
import { claimAndBroadcast } from '../nonce/claim.ts';
import { markBurned } from '../store.ts';
import { ticketId } from '../ticket.ts';
import {
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
  if (!connection) return log.warn('Chain is no longer configured', { chainId, orderId });
  try {
    await sendBurn(connection, burn);
  } catch (error) {
    // Another worker has ended it.
    if (error instanceof BurnTransitionRefused) return;
    if (!(error instanceof ChainUnreachable)) throw error;
    log.warn('Chain not reached', { chainId, orderId, cause: error.message });
  }
}

/** Sends the burn, or ends it when the contract refuses. @throws BurnTransitionRefused, ChainUnreachable */
async function sendBurn(connection: Connection, burn: Burn): Promise<void> {
  const { chainId, contract, holder, orderId, quantity } = burn;
  const key = orderKey(chainId, contract, orderId);
  const minter = await minterFor(key);
  const first = firstTokenId(key);
  const tokenIds = Array.from({ length: quantity }, (_, at) => first + BigInt(at));
  const data = burnCalldata(holder, tokenIds);
  const gas = await readFirst(connection, (node) =>
    estimateGas(node, { from: minter.address, to: contract, data }),
  );
  if (gas === undefined) {
    log.warn('The contract refuses to burn', { orderId, contract });
    count('BurnsFailed');
    return void (await write(endBurn(burn, 'fail')));
  }
  await claimAndBroadcast(connection, minter, {
    contract,
    data,
    gasLimit: BigInt(Math.ceil(gas * 1.2)),
    orderIds: [],
    burnOf: orderId,
    bind: ({ signer, nonce }) => [bindBurn(burn, { signer, nonce })],
    withoutTaken(error) {
      if (error instanceof BurnTransitionRefused) return undefined;
      throw error;
    },
  });
}

/** Applies the final outcome of a nonce that burns an order's tickets: ends the burn, or lets it get another. */
export async function concludeBurn({ transaction }: StoredNonce, outcome: Outcome): Promise<void> {
  const { signer, nonce, burnOf: orderId = '' } = transaction;
  const burn = await findBurn(orderId);
  if (burn?.status !== 'open') return;
  try {
    if (outcome.kind === 'mined') await recordBurn(burn, outcome.burned);
    else if (outcome.kind === 'reverted') {
      log.warn('Tickets were not burned', { orderId, signer, nonce });
      count('BurnsFailed');
      await write(endBurn(burn, 'fail'));
    } else {
      await write(unbindBurn(burn, { signer, nonce }));
      await send('mint', { burnOrderId: orderId });
    }
  } catch (error) {
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}

async function recordBurn(burn: Burn, burned: readonly string[]): Promise<void> {
  const at = new Date().toISOString();
  for (const tokenId of burned) {
    // The last 16 bits of a token's id count the tickets of its order, from 0 on.
    const number = Number(BigInt(tokenId) & 0xffffn) + 1;
    await markBurned(burn.userId, ticketId(burn.orderId, number), at);
  }
  await write(endBurn(burn, 'complete'));
  log.info('Tickets burned', {
    orderId: burn.orderId,
    burned: burned.length,
    left: burn.quantity - burned.length,
  });
}

/** Opens a burn for tickets that were minted although their order's refund is due. */
export async function burnUnwanted(
  order: Order,
  contract: { chainId: number; contract: string },
  mint: Mint,
): Promise<void> {
  const { id: orderId, userId, quantity } = order;
  try {
    await write(insertBurn({ orderId, userId, quantity, ...contract, holder: mint.to, status: 'open' }));
  } catch (error) {
    if (!(error instanceof BurnTransitionRefused)) throw error;
  }
}
