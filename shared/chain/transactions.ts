import { log } from '../runtime/log.ts';
import type { Connection, Endpoint } from './connection.ts';

/** What a transaction offers per unit of gas, in wei (EIP-1559). */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** What gets a transaction mined now, and for about six full blocks, in which the base fee can double. */
export function marketFees(baseFee: bigint, tip: bigint, ceiling: bigint): Fees {
  return capped({ maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip }, ceiling);
}

/**
 * What replaces a transaction of the same nonce: a fifth more of both, since nodes refuse less than a tenth
 * more of either, or the market's fees where those are higher.
 * @returns undefined when the ceiling leaves no room for a replacement
 */
export function replacementFees(previous: Fees, market: Fees, ceiling: bigint): Fees | undefined {
  const maxFeePerGas = larger(raised(previous.maxFeePerGas), market.maxFeePerGas);
  const maxPriorityFeePerGas = larger(raised(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas);
  const fees = capped({ maxFeePerGas, maxPriorityFeePerGas }, ceiling);
  const replaces =
    fees.maxFeePerGas >= leastReplacing(previous.maxFeePerGas) &&
    fees.maxPriorityFeePerGas >= leastReplacing(previous.maxPriorityFeePerGas);
  return replaces ? fees : undefined;
}

/** Whether an offer is less than what a block takes now: the market's is twice its base fee. */
export function isBelowMarket(offer: Fees, market: Fees): boolean {
  return offer.maxFeePerGas * 2n < market.maxFeePerGas;
}

function capped({ maxFeePerGas, maxPriorityFeePerGas }: Fees, ceiling: bigint): Fees {
  const fee = smaller(maxFeePerGas, ceiling);
  return { maxFeePerGas: fee, maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, fee) };
}

/** A fifth more, rounded up, and at least one wei. */
const raised = (fee: bigint) => larger((fee * 6n + 4n) / 5n, fee + 1n);
/** A tenth more, rounded up, and at least one wei. */
const leastReplacing = (fee: bigint) => larger((fee * 11n + 9n) / 10n, fee + 1n);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

/**
 * Hands a signed transaction to every node. Never fails: whatever a node answers, or doesn't, the transaction
 * may have been sent, and only a receipt tells.
 */
export async function broadcast({ chain, endpoints }: Connection, raw: string): Promise<void> {
  const answers = await Promise.allSettled(
    endpoints.map((endpoint) => endpoint.call('eth_sendRawTransaction', [raw])),
  );
  for (const answer of answers) {
    if (answer.status === 'rejected') {
      log.info('Broadcast not confirmed', { chainId: chain.id, cause: String(answer.reason) });
    }
  }
}

/** @throws when the endpoint does not answer */
export async function readMarketFees(endpoint: Endpoint, ceiling: bigint): Promise<Fees> {
  const [block, tip] = await Promise.all([
    endpoint.call<{ baseFeePerGas?: string }>('eth_getBlockByNumber', ['latest', false]),
    endpoint.call<string>('eth_maxPriorityFeePerGas', []),
  ]);
  return marketFees(BigInt(block.baseFeePerGas ?? 0), BigInt(tip), ceiling);
}

/** How many transactions of the account the block and all before it hold, which is its next nonce. */
export async function readNonce(
  endpoint: Endpoint,
  account: string,
  block: 'latest' | number,
): Promise<number> {
  const tag = block === 'latest' ? block : `0x${block.toString(16)}`;
  return Number(await endpoint.call<string>('eth_getTransactionCount', [account, tag]));
}
