import type { Chain } from './chains.ts';
import { type RpcNode, readFinalBlock } from './connection.ts';
import { readMintedQuantity } from './contract-calls.ts';
import { findBurnsInLogs, findMint, findMintInLogs, type Log, type Mint } from './contract-logs.ts';
import { readNonce } from './transactions.ts';

/** A nonce, and the transactions that were signed with it. */
export interface SignedNonce {
  signer: string;
  nonce: number;
  contract: string;
  /** The transaction hashes of all attempts. */
  hashes: readonly string[];
  /** The keys of the orders that the transactions mint. */
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
  /** Whether the use of the nonce and all `mints` are in final blocks. */
  isFinal: boolean;
  /** Each order's mint, in any transaction. Empty until the use of the nonce is final. */
  mints: FoundMint[];
  /** The ids of the burned tokens. Empty until the use of the nonce is final. */
  burned: string[];
  /** Only while unmined: the account's next nonce. */
  accountNonce?: number;
}

interface Receipt {
  status: string;
  blockNumber: string;
  logs: Log[];
}

/**
 * Reads a nonce's outcome from one node.
 * @throws RpcError when the node returns an error; another Error when it does not answer in time, or does not have the
 * logs of a mint yet
 */
export async function readOutcome(node: RpcNode, chain: Chain, signedNonce: SignedNonce): Promise<Outcome> {
  const [finalBlock, ...receipts] = await Promise.all([
    readFinalBlock(node, chain.finality),
    ...signedNonce.hashes.map((hash) => node.call<Receipt | null>('eth_getTransactionReceipt', [hash])),
  ]);
  const index = receipts.findIndex((receipt) => receipt !== null);
  const receipt = receipts[index];
  if (receipt) {
    const kind = Number(receipt.status) === 1 ? 'mined' : 'reverted';
    const isFinal = Number(receipt.blockNumber) <= finalBlock;
    const nonceUse = { kind, hash: signedNonce.hashes[index] } as const;
    return isFinal
      ? readMints(node, signedNonce, nonceUse, finalBlock, receipt.logs)
      : { ...nonceUse, isFinal, mints: [], burned: [] };
  }
  const accountNonce = await readNonce(node, signedNonce.signer, 'latest');
  if (accountNonce <= signedNonce.nonce)
    return { kind: 'unmined', isFinal: false, mints: [], burned: [], accountNonce };
  const isFinal = (await readNonce(node, signedNonce.signer, finalBlock)) > signedNonce.nonce;
  return isFinal
    ? readMints(node, signedNonce, { kind: 'consumed' }, finalBlock, [])
    : { kind: 'consumed', isFinal, mints: [], burned: [] };
}

async function readMints(
  node: RpcNode,
  signedNonce: SignedNonce,
  nonceUse: Pick<Outcome, 'kind' | 'hash'>,
  finalBlock: number,
  logs: Log[],
): Promise<Outcome> {
  const mints = await Promise.all(
    signedNonce.orderKeys.map(
      async (key) =>
        findMintInLogs(logs, signedNonce.contract, key) ??
        (await findMintByOtherTransaction(node, signedNonce.contract, key, signedNonce.since, finalBlock)),
    ),
  );
  const isFinal = mints.every(
    (mint) => mint === null || mint === 'unlogged' || mint.blockNumber <= finalBlock,
  );
  return { ...nonceUse, isFinal, mints, burned: findBurnsInLogs(logs, signedNonce.contract) };
}

/**
 * Finds the mint of an order by another transaction. The contract skips an order that is already minted, so our own
 * transaction has no logs of that mint.
 * @param finalBlock the newest final block
 * @throws RpcError when the node returns an error; another Error when it does not answer in time, or does not have the
 * logs yet
 */
export async function findMintByOtherTransaction(
  node: RpcNode,
  contract: string,
  orderKey: string,
  since: number,
  finalBlock: number,
): Promise<FoundMint> {
  if ((await readMintedQuantity(node, contract, orderKey)) === 0) return null;
  const mint = await findMint(node, contract, orderKey, since);
  if (mint) return mint;
  if ((await readMintedQuantity(node, contract, orderKey, finalBlock)) > 0) return 'unlogged';
  throw new Error('The node reports a mint but has no logs of it');
}
