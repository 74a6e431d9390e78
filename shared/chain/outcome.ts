import type { Chain } from './chains.ts';
import type { Endpoint } from './connection.ts';
import { finalBlock } from './connection.ts';
import { mintedQuantity } from './contract-calls.ts';
import { burnedIn, findMint, type Log, type Mint, mintIn } from './contract-logs.ts';
import { readNonce } from './transactions.ts';

/** A nonce of ours and what was signed for it. */
export interface Sent {
  signer: string;
  nonce: number;
  contract: string;
  /** Of all its attempts. */
  hashes: readonly string[];
  /** Of the orders it is to mint. */
  orderKeys: readonly string[];
  /** A time before which none of the orders can have been minted, epoch milliseconds. */
  since: number;
}

/** What one node says became of a nonce. */
export interface Outcome {
  /**
   * `unmined`: still open. `mined` and `reverted`: one of our attempts used it. `consumed`: it is used, though by
   * none of our attempts; some nodes say so wrongly for a while.
   */
  kind: 'unmined' | 'mined' | 'reverted' | 'consumed';
  /** Whether all it says is deep enough in the chain to stay. */
  isFinal: boolean;
  /** What was minted for each order, by whichever transaction; null for nothing. Only looked up once final. */
  mints: (Mint | null)[];
  /** The ids of the tokens it burned. Only looked up once final, as the mints. */
  burned: string[];
  /** While unmined: the account's next nonce, from which on its transactions are open. */
  openFrom?: number;
}

interface Receipt {
  status: string;
  blockNumber: string;
  logs: Log[];
}

/** @throws when the endpoint does not answer */
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

/** An order may have been minted before: the contract skips it then, and the receipt says nothing of it. */
export async function mintElsewhere(
  endpoint: Endpoint,
  contract: string,
  orderKey: string,
  since: number,
): Promise<Mint | null> {
  if ((await mintedQuantity(endpoint, contract, orderKey)) === 0) return null;
  const mint = await findMint(endpoint, contract, orderKey, since);
  if (!mint) throw new Error('The endpoint knows of a mint, but not where it happened');
  return mint;
}
