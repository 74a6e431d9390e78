import type { Chain } from './chains.ts';
import type { Endpoint } from './connection.ts';
import { finalBlock } from './connection.ts';
import { mintedQuantity } from './contract-calls.ts';
import { burnedIn, findMint, type Log, type Mint, mintIn } from './contract-logs.ts';
import { readNonce } from './transactions.ts';

/** A nonce and the transactions signed for it. */
export interface Sent {
  signer: string;
  nonce: number;
  contract: string;
  /** The transaction hashes of all attempts. */
  hashes: readonly string[];
  /** The keys of the orders it mints. */
  orderKeys: readonly string[];
  /** A time before any mint of the orders, epoch milliseconds. */
  since: number;
}

/** A nonce's outcome according to one node. */
export interface Outcome {
  /**
   * `unmined`: the nonce is open. `mined`, `reverted`: one of our attempts used it. `consumed`: it is used, but by
   * none of our attempts. Nodes that lag behind report `consumed` by mistake.
   */
  kind: 'unmined' | 'mined' | 'reverted' | 'consumed';
  /** Whether everything in this outcome is in final blocks. */
  isFinal: boolean;
  /** Each order's mint, in any transaction; null for none. Empty until the outcome is final. */
  mints: (Mint | null)[];
  /** The ids of the tokens it burned. Empty until the outcome is final. */
  burned: string[];
  /** While unmined: the account's next nonce. Transactions from it on are open. */
  openFrom?: number;
}

interface Receipt {
  status: string;
  blockNumber: string;
  logs: Log[];
}

/** Reads a nonce's outcome from one node. @throws when the node does not answer */
export async function readOutcome(endpoint: Endpoint, chain: Chain, sent: Sent): Promise<Outcome> {
  const [final, ...receipts] = await Promise.all([
    finalBlock(endpoint, chain),
    ...sent.hashes.map((hash) => endpoint.call<Receipt | null>('eth_getTransactionReceipt', [hash])),
  ]);
  const receipt = receipts.find((found) => found !== null);
  if (receipt) {
    const kind = Number(receipt.status) === 1 ? 'mined' : 'reverted';
    const isFinal = Number(receipt.blockNumber) <= final;
    return isFinal
      ? withMints(endpoint, sent, kind, final, receipt.logs)
      : { kind, isFinal, mints: [], burned: [] };
  }
  const openFrom = await readNonce(endpoint, sent.signer, 'latest');
  if (openFrom <= sent.nonce) return { kind: 'unmined', isFinal: false, mints: [], burned: [], openFrom };
  const isFinal = (await readNonce(endpoint, sent.signer, final)) > sent.nonce;
  return isFinal
    ? withMints(endpoint, sent, 'consumed', final, [])
    : { kind: 'consumed', isFinal, mints: [], burned: [] };
}

async function withMints(
  endpoint: Endpoint,
  sent: Sent,
  kind: Outcome['kind'],
  final: number,
  logs: Log[],
): Promise<Outcome> {
  const mints = await Promise.all(
    sent.orderKeys.map(
      async (key) =>
        mintIn(logs, sent.contract, key) ?? (await mintElsewhere(endpoint, sent.contract, key, sent.since)),
    ),
  );
  const isFinal = mints.every((mint) => mint === null || mint.blockNumber <= final);
  return { kind, isFinal, mints, burned: burnedIn(logs, sent.contract) };
}

/**
 * Finds the mint of an order that another transaction minted: the contract then skips the order, and the receipt
 * has no logs of it.
 * @returns null when the contract has not minted it
 * @throws when the node does not answer, or contradicts itself
 */
export async function mintElsewhere(
  endpoint: Endpoint,
  contract: string,
  orderKey: string,
  since: number,
): Promise<Mint | null> {
  if ((await mintedQuantity(endpoint, contract, orderKey)) === 0) return null;
  const mint = await findMint(endpoint, contract, orderKey, since);
  if (!mint) throw new Error('The node reports a mint but has no logs of it');
  return mint;
}
