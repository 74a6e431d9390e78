import type { Chain } from './chains.ts';
import type { Endpoint } from './connection.ts';
import { finalBlock } from './connection.ts';
import { mintedQuantity } from './contract-calls.ts';
import { burnedIn, findMint, type Log, type Mint, mintIn } from './contract-logs.ts';
import { readNonce } from './transactions.ts';

/** A nonce, and the transactions that were signed with it. */
export interface Sent {
  signer: string;
  nonce: number;
  contract: string;
  /** The transaction hashes of all attempts. */
  hashes: readonly string[];
  /** The keys of the orders it mints. */
  orderKeys: readonly string[];
  /** A time before the first possible mint of the orders, epoch milliseconds. */
  since: number;
}

/**
 * An order's mint; null without a mint. `unlogged`: the contract reports a mint, but there are no logs of it, so the
 * tokens do not exist.
 */
export type FoundMint = Mint | 'unlogged' | null;

/** A nonce's outcome according to one node. */
export interface Outcome {
  /**
   * `unmined`: the nonce is not used yet. `mined`, `reverted`: one of our attempts used it. `consumed`: another
   * transaction used it. A node that lags behind can report `consumed` wrongly.
   */
  kind: 'unmined' | 'mined' | 'reverted' | 'consumed';
  /** The hash of the attempt that used the nonce. */
  hash?: string;
  /** Whether all of this outcome is in final blocks. */
  isFinal: boolean;
  /** Each order's mint, in any transaction. Empty until the outcome is final. */
  mints: FoundMint[];
  /** The ids of the tokens it burned. Empty until the outcome is final. */
  burned: string[];
  /** Only while unmined: the account's next nonce. */
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
    finalBlock(endpoint, chain.finality),
    ...sent.hashes.map((hash) => endpoint.call<Receipt | null>('eth_getTransactionReceipt', [hash])),
  ]);
  const index = receipts.findIndex((found) => found !== null);
  const receipt = receipts[index];
  if (receipt) {
    const kind = Number(receipt.status) === 1 ? 'mined' : 'reverted';
    const isFinal = Number(receipt.blockNumber) <= final;
    const used = { kind, hash: sent.hashes[index] } as const;
    return isFinal
      ? withMints(endpoint, sent, used, final, receipt.logs)
      : { ...used, isFinal, mints: [], burned: [] };
  }
  const openFrom = await readNonce(endpoint, sent.signer, 'latest');
  if (openFrom <= sent.nonce) return { kind: 'unmined', isFinal: false, mints: [], burned: [], openFrom };
  const isFinal = (await readNonce(endpoint, sent.signer, final)) > sent.nonce;
  return isFinal
    ? withMints(endpoint, sent, { kind: 'consumed' }, final, [])
    : { kind: 'consumed', isFinal, mints: [], burned: [] };
}

async function withMints(
  endpoint: Endpoint,
  sent: Sent,
  used: Pick<Outcome, 'kind' | 'hash'>,
  final: number,
  logs: Log[],
): Promise<Outcome> {
  const mints = await Promise.all(
    sent.orderKeys.map(
      async (key) =>
        mintIn(logs, sent.contract, key) ??
        (await findMintElsewhere(endpoint, sent.contract, key, sent.since, final)),
    ),
  );
  const isFinal = mints.every((mint) => mint === null || mint === 'unlogged' || mint.blockNumber <= final);
  return { ...used, isFinal, mints, burned: burnedIn(logs, sent.contract) };
}

/**
 * Finds the mint of an order by another transaction. The contract skips an order that is already minted, so this
 * receipt has no logs of it.
 * @param final the newest final block
 * @throws when the node does not answer, or has not caught up with its own logs
 */
export async function findMintElsewhere(
  endpoint: Endpoint,
  contract: string,
  orderKey: string,
  since: number,
  final: number,
): Promise<FoundMint> {
  if ((await mintedQuantity(endpoint, contract, orderKey)) === 0) return null;
  const mint = await findMint(endpoint, contract, orderKey, since);
  if (mint) return mint;
  if ((await mintedQuantity(endpoint, contract, orderKey, final)) > 0) return 'unlogged';
  throw new Error('The node reports a mint but has no logs of it');
}
