import { getChain } from '../../chain/chains.ts';
import { connect, findAgreedAnswer, readFromAllNodes } from '../../chain/connection.ts';
import { type InvalidReason, readPayment } from '../../chain/read-payment.ts';
import { encodeReference, type Order } from '../order.ts';
import { ChainPaymentTaken, claimChainPayment } from '../store.ts';
import { settle } from './settle-order.ts';

/** The result of looking for an order's payment on the chain. */
export type ChainOutcome =
  | 'settled'
  /** The transaction may pay the order, but its block is not final. */
  | 'unconfirmed'
  /** The transaction is known, but not in a block. */
  | 'unmined'
  /** No node knows the transaction. */
  | 'unknown'
  /** The nodes do not answer, or disagree. */
  | 'unclear'
  /** The transaction can't pay this order. */
  | InvalidReason
  | 'taken'
  | 'too-little';

/** Returns whether a node knows the transaction and it may still pay. */
export function mayStillPay(outcome: ChainOutcome): boolean {
  return outcome === 'unmined' || outcome === 'unconfirmed';
}

/** Reads a transaction from the chain, and completes the order when the transaction is a final payment of it. */
export async function settleCryptoPayment(order: Order, hash: string): Promise<ChainOutcome> {
  const observation = await readAgreedPayment(order, hash);
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
    const claim = claimChainPayment(chainTermsOf(order).chainId, hash, order.id);
    return (await settle(order, signal, [claim])) === 'under-review' ? 'too-little' : 'settled';
  } catch (error) {
    if (error instanceof ChainPaymentTaken) return 'taken';
    throw error;
  }
}

/**
 * Reads the payment from all nodes. Returns the answer that two nodes agree on, or that of the only configured node.
 * Without such an answer, or when it is `unknown`, one node that knows the transaction suffices for `unconfirmed` or
 * `unmined`: the caller waits, but does not complete the order.
 * @returns undefined when the nodes don't agree, and none knows a transaction that may still pay
 */
async function readAgreedPayment(order: Order, hash: string) {
  const { chainId, to, token } = chainTermsOf(order);
  const connection = await connect(chainId);
  if (!connection) return undefined;
  const expected = {
    to,
    token,
    reference: encodeReference(order.reference),
    notBefore: Date.parse(order.createdAt),
  };
  const observations = await readFromAllNodes(connection, (node) =>
    readPayment(node, connection.chain, hash, expected),
  );
  const agreement = findAgreedAnswer(connection, observations);
  if (agreement && agreement.kind !== 'unknown') return agreement;
  const kinds = new Set(observations.map(({ kind }) => kind));
  if (kinds.has('final') || kinds.has('unconfirmed')) return { kind: 'unconfirmed' as const };
  return kinds.has('unmined') ? { kind: 'unmined' as const } : agreement;
}

/** Returns how many seconds to wait before the next check of a transaction that is not final: at most 60. */
export function finalityDelaySeconds(order: Order): number {
  return Math.min(getChain(chainTermsOf(order).chainId).finalitySeconds, 60);
}

function chainTermsOf({ id, chainTerms }: Order) {
  if (!chainTerms) throw new Error(`Order ${id} is not paid on a chain`);
  return chainTerms;
}
