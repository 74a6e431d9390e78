import type { Mint } from '../../chain/contract-logs.ts';
import type { Outcome } from '../../chain/outcome.ts';
import { write } from '../../dynamo/write.ts';
import type { Order } from '../../orders/order.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import { send } from '../../runtime/queue.ts';
import type { MintTransaction } from '../nonce/transaction.ts';
import { markBurned } from '../store.ts';
import { ticketId } from '../ticket.ts';
import type { Burn } from './store.ts';
import { BurnMoved, endBurn, findBurn, insertBurn, unbindBurn } from './store.ts';

/** Writes down what became of a nonce that was to burn the tickets of an order. */
export async function concludeBurn(
  orderId: string,
  transaction: MintTransaction,
  outcome: Outcome,
): Promise<void> {
  const burn = await findBurn(orderId);
  if (burn?.status !== 'open') return;
  const { signer, nonce } = transaction;
  try {
    if (outcome.kind === 'mined') await recordBurn(burn, outcome.burned);
    else if (outcome.kind === 'reverted') {
      log.warn('Tickets were not burned', { orderId, signer, nonce });
      count('BurnsFailed');
      await write(endBurn(burn, 'failed'));
    } else {
      await write(unbindBurn(burn, { signer, nonce }));
      await send('mint', { burnOrderId: orderId });
    }
  } catch (error) {
    if (!(error instanceof BurnMoved)) throw error;
  }
}

/** Tickets were minted although their order had been refunded: they are to be burned, too. */
export async function burnUnwanted(
  order: Order,
  contract: { chainId: number; contract: string },
  mint: Mint,
): Promise<void> {
  const burn = {
    orderId: order.id,
    userId: order.userId,
    quantity: order.quantity,
    ...contract,
    holder: mint.to,
  };
  try {
    await write(insertBurn({ ...burn, status: 'open' }));
  } catch (error) {
    if (!(error instanceof BurnMoved)) throw error;
  }
}

async function recordBurn(burn: Burn, burned: readonly string[]): Promise<void> {
  const at = new Date().toISOString();
  for (const tokenId of burned) {
    // The last 16 bits of a token's id count the tickets of its order, from 0 on.
    const number = Number(BigInt(tokenId) & 0xffffn) + 1;
    await markBurned(burn.userId, ticketId(burn.orderId, number), at);
  }
  await write(endBurn(burn, 'done'));
  log.info('Tickets burned', {
    orderId: burn.orderId,
    burned: burned.length,
    left: burn.quantity - burned.length,
  });
}
