import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Interface } from 'ethers/abi';
import { keccak256 } from 'ethers/crypto';
import { hexlify } from 'ethers/utils';
import type { RawItem } from '../../../infra/operator/scan-table.ts';
import { decodeMintCalldata, deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { ticketContractAbi } from '../../../shared/chain/ticket-contract.ts';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { readTable } from './table-backup.ts';
import type { World } from './world.ts';

/** Totals of the table and the chain, and every inconsistency between them. */
export interface Audit {
  orders: number;
  /** Orders with fulfilment status minted. */
  minted: number;
  /** Reasons of orders that ended without tickets. */
  failed: string[];
  tickets: number;
  tokens: number;
  records: number;
  notifications: number;
  /** Tokens beyond what was paid for; those of a reissue replace those before. */
  overMinted: number;
  /** Tokens or records that are missing. */
  lost: number;
  /** The minters' transactions on the chain. */
  transactions: number;
  /** Bodies of messages in dead-letter queues. */
  deadLetters: string[];
  problems: string[];
}

const contractInterface = new Interface(ticketContractAbi);
const transferTopic = contractInterface.getEvent('Transfer')?.topicHash;

interface ChainTransaction {
  from: string;
  hash: string;
  nonce: string;
  input: string;
}

/**
 * Compares the paid orders with the table and the chain.
 * @param expectFailed orders that can't be minted
 */
export async function audit(
  world: World,
  orders: readonly Order[],
  expectFailed: readonly string[] = [],
): Promise<Audit> {
  const items = await readTable();
  const transfers = await readTransfers(world);
  const tokens = liveTokens(transfers);
  const transactions = await minterTransactions(world);
  const problems: string[] = [];
  const kept = new Map(items.filter(({ sk }) => sk === 'ORDER').map((item) => [item.id, item]));
  const records = items.filter(({ sk }) => sk.startsWith('TICKET#'));
  const notifications = items.filter(({ sk }) => sk.startsWith('NOTIFICATION#'));
  const failed: string[] = [];
  let [tickets, lost, paidTokens] = [0, 0, 0];

  for (const order of orders) {
    const item = kept.get(order.id);
    const sent = notifications.filter(
      ({ orderId, type }) => orderId === order.id && type === 'SUCCESS',
    ).length;
    if (sent !== 1) problems.push(`${order.id}: ${sent} notifications`);
    if (item?.fulfilmentStatus === 'failed') failed.push(item.fulfilmentReason);
    const expected = expectFailed.includes(order.id) ? 'failed' : 'minted';
    if (item?.fulfilmentStatus !== expected)
      problems.push(`${order.id}: ${item?.fulfilmentStatus} ${item?.fulfilmentReason ?? ''}`);
    if (expected === 'failed') continue;
    tickets += order.quantity;
    const issue = item?.issue?.number ?? 1;
    const issues = Array.from({ length: issue }, (_, index) => tokensOf(world, order, index + 1));
    const ids = issues.at(-1) ?? [];
    problems.push(
      ...validTogether(issues, transfers).map((seat) => `${order.id}: seat ${seat} had two tokens`),
    );
    const owned = ids.filter((id) => tokens.has(id)).length;
    const recorded = records.filter(({ orderId }) => orderId === order.id);
    const recordedIds = new Set(recorded.map(({ tokenId }) => tokenId));
    paidTokens += owned;
    lost += order.quantity - owned + ids.filter((id) => !recordedIds.has(id)).length;
    const holders = new Set(recorded.map(({ owner }) => owner));
    if (item?.issue && (holders.size !== 1 || !holders.has(item.issue.wallet)))
      problems.push(`${order.id}: records of ${[...holders]}, reissued to ${item.issue.wallet}`);
    if (recorded.some(({ burnedAt }) => burnedAt)) problems.push(`${order.id}: a record is burned`);
    if (recorded.length !== order.quantity) problems.push(`${order.id}: ${recorded.length} records`);
    const hashes = new Set(recorded.map(({ txHash }) => txHash));
    if (hashes.size !== 1 || !hashes.has(item?.blockchainTxHash)) problems.push(`${order.id}: hashes differ`);
    if ([...hashes].some((hash) => tokens.get(ids[0] ?? '') !== hash))
      problems.push(`${order.id}: not minted by ${[...hashes]}`);
  }

  problems.push(...nonceProblems(items, transactions), ...replays(transactions));
  const overMinted = tokens.size - paidTokens;
  if (overMinted !== 0) problems.push(`${overMinted} tokens beyond what was paid for`);
  if (lost !== 0) problems.push(`${lost} tokens or records lost`);
  return {
    orders: orders.length,
    minted: [...kept.values()].filter(({ fulfilmentStatus }) => fulfilmentStatus === 'minted').length,
    failed,
    tickets,
    tokens: tokens.size,
    records: records.length,
    notifications: notifications.length,
    overMinted,
    lost,
    transactions: transactions.length,
    deadLetters: await deadLetters(world),
    problems,
  };
}

/** Gaps between nonces, orders bound to two nonces, and transactions on the chain that were never stored. */
function nonceProblems(items: RawItem[], transactions: ChainTransaction[]): string[] {
  const problems: string[] = [];
  const bound = items.filter(({ sk }) => sk.startsWith('NONCE#'));
  for (const lane of items.filter(({ sk }) => sk === 'LANE')) {
    const nonces = bound.filter(({ pk }) => pk === lane.pk).map(({ nonce }) => nonce);
    const expected = Array.from({ length: lane.nextNonce }, (_, nonce) => nonce);
    const missing = expected.filter((nonce) => !nonces.includes(nonce));
    if (missing.length > 0 || nonces.length !== expected.length)
      problems.push(`${lane.pk}: no record of nonces ${missing}`);
  }
  const seen = new Map<string, number>();
  for (const { orderIds, nonce, attempts } of bound) {
    for (const [index, id] of orderIds.entries()) {
      // Each issue of an order's tickets has a nonce.
      const name = keysMinted(attempts[0].raw)[index] ?? id;
      if (seen.has(name)) problems.push(`${id}: nonces ${seen.get(name)} and ${nonce}`);
      seen.set(name, nonce);
    }
  }
  const attempts = [
    ...bound.flatMap(({ attempts }) => attempts),
    ...items.filter(({ sk }) => sk.startsWith('ATTEMPT#')),
  ];
  const stored = new Set(attempts.map(({ raw }) => keccak256(raw)));
  for (const { hash, nonce } of transactions) {
    if (!stored.has(hash)) problems.push(`Transaction ${hash} of nonce ${Number(nonce)} was never stored`);
  }
  return problems;
}

/**
 * Orders that were sent to the contract more than once. The contract skips repetitions, but minting must not rely on
 * that.
 */
function replays(transactions: ChainTransaction[]): string[] {
  const asked = new Map<string, number>();
  for (const { input } of transactions) {
    for (const { orderKey: key } of decodeMintCalldata(input)) asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  return [...asked]
    .filter(([, times]) => times > 1)
    .map(([key, times]) => `Order key ${key} was sent ${times} times`);
}

/** The keys of the orders that a stored attempt mints; none for one that is no transaction. */
function keysMinted(raw: Uint8Array): string[] {
  if (raw.length === 0) return [];
  return decodeMintCalldata(decodeTransaction(hexlify(raw)).data).map(({ orderKey: key }) => key);
}

/** The ids of an issue of an order's tickets. */
function tokensOf({ node, contract }: World, { id, quantity }: Order, issue: number): string[] {
  const first = firstTokenId(deriveOrderKey(node.chainId, contract, id, issue));
  return Array.from({ length: quantity }, (_, index) => String(first + BigInt(index)));
}

interface Transfer {
  tokenId: string;
  kind: 'mint' | 'burn';
  txHash: string;
}

/** All tokens minted and burned on the chain, in the order of the chain. */
async function readTransfers({ node, contract }: World): Promise<Transfer[]> {
  const zeroTopic = `0x${'0'.repeat(64)}`;
  const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest', topics: [transferTopic] };
  const logs = await node.call<{ topics: string[]; transactionHash: string }[]>('eth_getLogs', filter);
  return logs.flatMap(({ topics: [, from, to, tokenId = '0x0'], transactionHash: txHash }) => {
    const kind = from === zeroTopic ? 'mint' : to === zeroTopic ? 'burn' : undefined;
    return kind ? [{ tokenId: String(BigInt(tokenId)), kind, txHash }] : [];
  });
}

/** The transactions that minted the tokens that still exist, by token id. */
function liveTokens(transfers: readonly Transfer[]): Map<string, string> {
  const live = new Map<string, string>();
  for (const { tokenId, kind, txHash } of transfers) {
    if (kind === 'mint') live.set(tokenId, txHash);
    else live.delete(tokenId);
  }
  return live;
}

/**
 * The seats that had tokens of two issues at the same time.
 * @param issues the ids of an order's tokens, by issue
 */
function validTogether(issues: readonly string[][], transfers: readonly Transfer[]): number[] {
  const seatOf = new Map(issues.flatMap((ids) => ids.map((id, index) => [id, index + 1] as const)));
  const live = new Map<number, number>();
  const twice = new Set<number>();
  for (const { tokenId, kind } of transfers) {
    const seat = seatOf.get(tokenId);
    if (seat === undefined) continue;
    const count = (live.get(seat) ?? 0) + (kind === 'mint' ? 1 : -1);
    live.set(seat, count);
    if (count > 1) twice.add(seat);
  }
  return [...twice];
}

async function minterTransactions({ node, minters }: World): Promise<ChainTransaction[]> {
  const ours = new Set(minters.map((address) => address.toLowerCase()));
  const found: ChainTransaction[] = [];
  const latest = Number(await node.call<string>('eth_blockNumber'));
  for (let number = 0; number <= latest; number++) {
    const block = await node.call<{ transactions: ChainTransaction[] }>(
      'eth_getBlockByNumber',
      `0x${number.toString(16)}`,
      true,
    );
    found.push(...block.transactions.filter(({ from }) => ours.has(from.toLowerCase())));
  }
  return found;
}

/** The first ten messages of each dead-letter queue; they stay in the queue. */
async function deadLetters({ queueUrls }: World): Promise<string[]> {
  const client = new SQSClient({});
  const answers = await Promise.all(
    ['fulfil-dlq', 'mint-dlq'].map((queue) =>
      client.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrls[queue],
          MaxNumberOfMessages: 10,
          VisibilityTimeout: 0,
        }),
      ),
    ),
  );
  // The local SQS returns a message several times in one answer while it stays visible.
  const messages = answers.flatMap(({ Messages = [] }) => Messages);
  return [...new Map(messages.map(({ MessageId, Body = '' }) => [MessageId, Body])).values()];
}
