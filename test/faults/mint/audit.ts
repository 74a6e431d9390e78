import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Interface } from 'ethers/abi';
import { keccak256 } from 'ethers/crypto';
import type { RawItem } from '../../../infra/operator/scan.ts';
import { firstTokenId, orderKey } from '../../../shared/chain/contract-calls.ts';
import { ticketContractAbi } from '../../../shared/chain/ticket-contract.ts';
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
  /** Tokens beyond what was paid for. */
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
  const tokens = await mintedTokens(world);
  const transactions = await minterTransactions(world);
  const problems: string[] = [];
  const kept = new Map(items.filter(({ sk }) => sk === 'ORDER').map((item) => [item.id, item]));
  const records = items.filter(({ sk }) => sk.startsWith('TICKET#'));
  const notifications = items.filter(({ sk }) => sk.startsWith('NOTIFICATION#'));
  const failed: string[] = [];
  let [tickets, lost, paidTokens] = [0, 0, 0];

  for (const order of orders) {
    const item = kept.get(order.id);
    const sent = notifications.filter(({ orderId }) => orderId === order.id).length;
    if (sent !== 1) problems.push(`${order.id}: ${sent} notifications`);
    if (item?.fulfilmentStatus === 'failed') failed.push(item.fulfilmentReason);
    const expected = expectFailed.includes(order.id) ? 'failed' : 'minted';
    if (item?.fulfilmentStatus !== expected)
      problems.push(`${order.id}: ${item?.fulfilmentStatus} ${item?.fulfilmentReason ?? ''}`);
    if (expected === 'failed') continue;
    tickets += order.quantity;
    const first = firstTokenId(orderKey(world.node.chainId, world.contract, order.id));
    const ids = Array.from({ length: order.quantity }, (_, index) => String(first + BigInt(index)));
    const owned = ids.filter((id) => tokens.has(id)).length;
    const recorded = records.filter(({ orderId }) => orderId === order.id);
    const recordedIds = new Set(recorded.map(({ tokenId }) => tokenId));
    paidTokens += owned;
    lost += order.quantity - owned + ids.filter((id) => !recordedIds.has(id)).length;
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
  for (const { orderIds, nonce } of bound) {
    for (const id of orderIds) {
      if (seen.has(id)) problems.push(`${id}: nonces ${seen.get(id)} and ${nonce}`);
      seen.set(id, nonce);
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

/** Orders that were sent to the contract more than once; it skips repetitions, but minting must not rely on that. */
function replays(transactions: ChainTransaction[]): string[] {
  const asked = new Map<string, number>();
  for (const { input } of transactions) {
    if (input === '0x') continue;
    const call = contractInterface.parseTransaction({ data: input });
    const keys =
      call?.name === 'mintOrder' ? [call.args[0]] : (call?.args[0].map((order: unknown[]) => order[0]) ?? []);
    for (const key of keys) asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  return [...asked]
    .filter(([, times]) => times > 1)
    .map(([key, times]) => `Order key ${key} was sent ${times} times`);
}

/** Transaction hashes of all minted tokens, by token id. */
async function mintedTokens({ node, contract }: World): Promise<Map<string, string>> {
  const zeroTopic = `0x${'0'.repeat(64)}`;
  const filter = {
    address: contract,
    fromBlock: '0x0',
    toBlock: 'latest',
    topics: [transferTopic, zeroTopic],
  };
  const logs = await node.call<{ topics: string[]; transactionHash: string }[]>('eth_getLogs', filter);
  return new Map(
    logs.map(({ topics, transactionHash }) => [String(BigInt(topics[3] ?? 0)), transactionHash]),
  );
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
