import { log } from '../log.ts';
import type { Connection } from './connection.ts';
import type { Endpoint } from './endpoint.ts';
import { type Fees, marketFees } from './fees.ts';

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
