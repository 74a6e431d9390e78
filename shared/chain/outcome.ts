import { Interface } from 'ethers/abi';
import { getAddress } from 'ethers/address';
import type { Chain } from './chains.ts';
import { RpcError, type RpcNode, readFinalBlock } from './connection.ts';
import { firstTokenId, readMintedQuantity } from './contract-calls.ts';
import { ticketContractAbi } from './ticket-contract.ts';
import { readNonce } from './transactions.ts';

/** A log as nodes return it; numbers are hex. */
export interface Log {
  address: string;
  topics: string[];
  transactionHash: string;
  blockNumber: string;
  blockHash: string;
}

/** The tokens minted for one order. */
export interface Mint {
  txHash: string;
  blockNumber: number;
  blockHash: string;
  /** The wallet, checksummed. */
  to: string;
  /** Decimal, in the order of the tickets. */
  tokenIds: string[];
}

/** A margin for differences between the clocks of chains and this service. */
const clockToleranceMilliseconds = 3_600_000;
/** Every provider accepts queries over this many blocks. */
const minimumBlockRange = 100;

const transferTopic = new Interface(ticketContractAbi).getEvent('Transfer')?.topicHash ?? '';
const zeroTopic = `0x${'0'.repeat(64)}`;
const toHex = (number: bigint | number) => `0x${number.toString(16)}`;

/**
 * Finds an order's mint in logs. The ids of its tokens are consecutive, from `firstTokenId` on.
 * @param orderKey see `deriveOrderKey`
 */
export function findMintInLogs(logs: readonly Log[], contract: string, orderKey: string): Mint | undefined {
  const firstId = firstTokenId(orderKey);
  const logsByTokenId = new Map<bigint, Log>();
  for (const log of logs) {
    const [eventTopic, from, , tokenId] = log.topics;
    if (eventTopic !== transferTopic || from !== zeroTopic || !tokenId) continue;
    if (log.address.toLowerCase() === contract.toLowerCase()) logsByTokenId.set(BigInt(tokenId), log);
  }
  const tokenIds: string[] = [];
  for (let id = firstId; logsByTokenId.has(id); id++) tokenIds.push(String(id));
  const log = logsByTokenId.get(firstId);
  if (!log) return undefined;
  return {
    txHash: log.transactionHash,
    blockNumber: Number(log.blockNumber),
    blockHash: log.blockHash,
    to: getAddress(`0x${log.topics[2]?.slice(-40)}`),
    tokenIds,
  };
}

/**
 * Finds an order's mint on chain, in any transaction.
 * @param orderKey see `deriveOrderKey`
 * @param since a time before the mint (epoch milliseconds)
 * @throws RpcError when the node returns an error; another Error when it does not answer in time
 */
export async function findMint(
  node: RpcNode,
  contract: string,
  orderKey: string,
  since: number,
): Promise<Mint | undefined> {
  const latest = Number(await node.call<string>('eth_blockNumber', []));
  const from = await findBlockAt(node, since - clockToleranceMilliseconds, latest);
  const tokenId = `0x${firstTokenId(orderKey).toString(16).padStart(64, '0')}`;
  const filter = { address: contract, topics: [transferTopic, zeroTopic, null, tokenId] };
  const [firstLog] = await readLogs(node, filter, from, latest);
  if (!firstLog) return undefined;
  const mintFilter = { address: contract, topics: [transferTopic, zeroTopic], blockHash: firstLog.blockHash };
  return findMintInLogs(await node.call<Log[]>('eth_getLogs', [mintFilter]), contract, orderKey);
}

/** Finds the newest block at or before a time; the first block if all are later. */
export async function findBlockAt(node: RpcNode, milliseconds: number, latest: number): Promise<number> {
  let [low, high] = [0, latest];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const block = await node.call<{ timestamp: string }>('eth_getBlockByNumber', [toHex(middle), false]);
    if (Number(block.timestamp) * 1000 <= milliseconds) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Reads the logs of a block range. Splits the range in halves when the provider refuses it. */
async function readLogs(node: RpcNode, filter: object, from: number, to: number): Promise<Log[]> {
  try {
    return await node.call<Log[]>('eth_getLogs', [{ ...filter, fromBlock: toHex(from), toBlock: toHex(to) }]);
  } catch (error) {
    if (!(error instanceof RpcError) || to - from < minimumBlockRange) throw error;
    const middle = Math.floor((from + to) / 2);
    return [
      ...(await readLogs(node, filter, from, middle)),
      ...(await readLogs(node, filter, middle + 1, to)),
    ];
  }
}

/** Returns the ids of a contract's tokens that the logs show as burned, decimal. */
export function findBurnsInLogs(logs: readonly Log[], address: string): string[] {
  return logs.flatMap(({ address: emitter, topics: [eventTopic, , to, tokenId] }) => {
    const isBurn =
      eventTopic === transferTopic && to === zeroTopic && emitter.toLowerCase() === address.toLowerCase();
    return isBurn && tokenId ? [String(BigInt(tokenId))] : [];
  });
}

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
 * An order's mint; null without a mint. `without-events`: the contract reports a mint, but there are no logs of it, so
 * the tokens do not exist.
 */
export type FoundMint = Mint | 'without-events' | null;

/** A nonce's outcome according to one node. */
export interface Outcome {
  /**
   * `unmined`: the nonce is not used yet. `mined`, `reverted`: one of our attempts used it. `nonce-replaced`: another
   * transaction used it. A node that lags behind can report `nonce-replaced` wrongly.
   */
  kind: 'unmined' | 'mined' | 'reverted' | 'nonce-replaced';
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
    ? readMints(node, signedNonce, { kind: 'nonce-replaced' }, finalBlock, [])
    : { kind: 'nonce-replaced', isFinal, mints: [], burned: [] };
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
    (mint) => mint === null || mint === 'without-events' || mint.blockNumber <= finalBlock,
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
  if ((await readMintedQuantity(node, contract, orderKey, finalBlock)) > 0) return 'without-events';
  throw new Error('The node reports a mint but has no logs of it');
}
