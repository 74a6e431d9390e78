import { chainOf } from '../../chain/chains.ts';
import { agreed, connect, readAll } from '../../chain/connection.ts';
import { type InvalidReason, readPayment } from '../../chain/read-payment.ts';
import type { Order } from '../order.ts';
import { referenceData } from '../order.ts';
import { ChainPaymentTaken, claimChainPayment } from '../store.ts';
import { settle } from './settle.ts';

/** The result of looking for an order's payment on the chain. */
export type ChainOutcome =
  | 'settled'
  /** It pays, but its block is not final. */
  | 'unconfirmed'
  /** No node has it in a block. */
  | 'unmined'
  /** The nodes do not answer, or disagree. */
  | 'unclear'
  /** It can't pay this order. */
  | InvalidReason
  | 'taken'
  | 'too-little';

/** Looks a transaction up and completes the order with it when it is a final payment. */
export async function settleCryptoPayment(order: Order, hash: string): Promise<ChainOutcome> {
  const observation = await look(order, hash);
  if (observation === undefined) return 'unclear';
  if (observation.kind === 'invalid') return observation.reason;
  if (observation.kind !== 'final') return observation.kind;
  const signal = {
    kind: 'paid' as const,
    reference: order.reference,
    transactionId: hash,
    amount: BigInt(observation.amount),
    currency: order.currency,
  };
  try {
    const claim = claimChainPayment(termsOf(order).chainId, hash, order.id);
    return (await settle(order, signal, [claim])) === 'under-review' ? 'too-little' : 'settled';
  } catch (error) {
    if (error instanceof ChainPaymentTaken) return 'taken';
    throw error;
  }
}

/** Returns what the nodes agree on; undefined when they disagree or none answers. */
async function look(order: Order, hash: string) {
  const { chainId, to, token } = termsOf(order);
  const connection = await connect(chainId);
  if (!connection) return undefined;
  const expected = { to, token, data: referenceData(order.reference), since: Date.parse(order.createdAt) };
  const observations = await readAll(connection, (node) =>
    readPayment(node, connection.chain, hash, expected),
  );
  return agreed(connection, observations);
}

/** How many seconds to wait before checking a transaction that is not final again: at most 60. */
export function finalityDelay(order: Order): number {
  return Math.min(chainOf(termsOf(order).chainId).finalSeconds, 60);
}

function termsOf({ id, chainTerms }: Order) {
  if (!chainTerms) throw new Error(`Order ${id} is not paid on a chain`);
  return chainTerms;
}
