import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { Interface } from 'ethers/abi';
import { keccak256 } from 'ethers/crypto';
import { hexlify } from 'ethers/utils';
import { type RawItem, scanTable } from '../../../infra/ops/table.ts';
import { decodeMintCalldata, deriveOrderKey, firstTokenId } from '../../../shared/chain/contract-calls.ts';
import { ticketContractAbi } from '../../../shared/chain/ticket-contract.ts';
import { decodeTransaction } from '../../../shared/chain/transactions.ts';
import type { Order } from '../../../shared/orders/order.ts';
import type { Scenario } from './scenario.ts';

/** Totals of the chain, and every inconsistency between it and the table. */
export interface Audit {
  /** The number of tokens on the chain. */
  tokens: number;
  /** The number of the minters' transactions on the chain. */
  transactions: number;
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

/** Compares the paid orders, which all have to be minted, with the table and the chain. */
export async function audit(scenario: Scenario, orders: readonly Order[]): Promise<Audit> {
  const items = await scanTable();
  const transfers = await readTransfers(scenario);
  const tokens = findExistingTokens(transfers);
  const transactions = await readMinterTransactions(scenario);
  const problems: string[] = [];
  const storedOrders = new Map(items.filter(({ sk }) => sk === 'ORDER').map((item) => [item.id, item]));
  const records = items.filter(({ sk }) => sk.startsWith('TICKET#'));
  const notifications = items.filter(({ sk }) => sk.startsWith('NOTIFICATION#'));
  let [lost, paidTokens] = [0, 0];

  for (const order of orders) {
    const item = storedOrders.get(order.id);
    const notificationCount = notifications.filter(
      ({ orderId, type }) => orderId === order.id && type === 'SUCCESS',
    ).length;
    if (notificationCount !== 1) problems.push(`${order.id}: ${notificationCount} notifications`);
    if (item?.fulfilmentStatus !== 'minted')
      problems.push(`${order.id}: ${item?.fulfilmentStatus} ${item?.fulfilmentReason ?? ''}`);
    // The first minting is issue 1, and each reissue adds one.
    const issueCount = item?.issue?.number ?? 1;
    const idsByIssue = Array.from({ length: issueCount }, (_, index) =>
      tokenIdsOf(scenario, order, index + 1),
    );
    const currentIds = idsByIssue.at(-1) ?? [];
    problems.push(
      ...findDoubleSeats(idsByIssue, transfers).map((seat) => `${order.id}: seat ${seat} had two tokens`),
    );
    const existing = currentIds.filter((id) => tokens.has(id)).length;
    const orderRecords = records.filter(({ orderId }) => orderId === order.id);
    const recordedIds = new Set(orderRecords.map(({ tokenId }) => tokenId));
    paidTokens += existing;
    lost += order.quantity - existing + currentIds.filter((id) => !recordedIds.has(id)).length;
    const holders = new Set(orderRecords.map(({ owner }) => owner));
    if (item?.issue && (holders.size !== 1 || !holders.has(item.issue.wallet)))
      problems.push(`${order.id}: records of ${[...holders]}, reissued to ${item.issue.wallet}`);
    if (orderRecords.some(({ burnedAt }) => burnedAt)) problems.push(`${order.id}: a record is burned`);
    if (orderRecords.length !== order.quantity) problems.push(`${order.id}: ${orderRecords.length} records`);
    const hashes = new Set(orderRecords.map(({ txHash }) => txHash));
    if (hashes.size !== 1 || !hashes.has(item?.blockchainTxHash)) problems.push(`${order.id}: hashes differ`);
    if ([...hashes].some((hash) => tokens.get(currentIds[0] ?? '') !== hash))
      problems.push(`${order.id}: not minted by ${[...hashes]}`);
  }

  problems.push(...findNonceProblems(items, transactions), ...findReplays(transactions));
  const overMinted = tokens.size - paidTokens;
  if (overMinted !== 0) problems.push(`${overMinted} tokens beyond what was paid for`);
  if (lost !== 0) problems.push(`${lost} tokens or records lost`);
  return {
    tokens: tokens.size,
    transactions: transactions.length,
    problems: [...problems, ...(await readDeadLetters(scenario))],
  };
}

/** Finds gaps between nonces, orders bound to two nonces, and transactions on the chain that were never stored. */
function findNonceProblems(items: RawItem[], transactions: ChainTransaction[]): string[] {
  const problems: string[] = [];
  const nonceItems = items.filter(({ sk }) => sk.startsWith('NONCE#'));
  for (const account of items.filter(({ sk }) => sk === 'SIGNER')) {
    const nonces = nonceItems.filter(({ pk }) => pk === account.pk).map(({ nonce }) => nonce);
    const expected = Array.from({ length: account.nextNonce }, (_, nonce) => nonce);
    const missing = expected.filter((nonce) => !nonces.includes(nonce));
    if (missing.length > 0 || nonces.length !== expected.length)
      problems.push(`${account.pk}: no record of nonces ${missing}`);
  }
  const noncesByKey = new Map<string, number>();
  for (const { orderIds, nonce, attempts } of nonceItems) {
    for (const [index, id] of orderIds.entries()) {
      // Each issue of an order's tickets has a separate key and nonce.
      const key = decodeOrderKeys(attempts[0].raw)[index] ?? id;
      if (noncesByKey.has(key)) problems.push(`${id}: nonces ${noncesByKey.get(key)} and ${nonce}`);
      noncesByKey.set(key, nonce);
    }
  }
  const attempts = [
    ...nonceItems.flatMap(({ attempts }) => attempts),
    ...items.filter(({ sk }) => sk.startsWith('ATTEMPT#')),
  ];
  const stored = new Set(attempts.map(({ raw }) => keccak256(raw)));
  for (const { hash, nonce } of transactions) {
    if (!stored.has(hash)) problems.push(`Transaction ${hash} of nonce ${Number(nonce)} was never stored`);
  }
  return problems;
}

/**
 * Finds orders that were sent to the contract more than once. The contract skips repetitions, but minting must not rely
 * on this.
 */
function findReplays(transactions: ChainTransaction[]): string[] {
  const sendCounts = new Map<string, number>();
  for (const { input } of transactions) {
    for (const { orderKey: key } of decodeMintCalldata(input))
      sendCounts.set(key, (sendCounts.get(key) ?? 0) + 1);
  }
  return [...sendCounts]
    .filter(([, times]) => times > 1)
    .map(([key, times]) => `Order key ${key} was sent ${times} times`);
}

/** Returns the keys of the orders that a stored attempt mints, none for an empty attempt. */
function decodeOrderKeys(raw: Uint8Array): string[] {
  if (raw.length === 0) return [];
  return decodeMintCalldata(decodeTransaction(hexlify(raw)).data).map(({ orderKey: key }) => key);
}

/** Returns the token ids of an issue of an order's tickets. */
function tokenIdsOf({ node, contract }: Scenario, { id, quantity }: Order, issue: number): string[] {
  const first = firstTokenId(deriveOrderKey(node.chainId, contract, id, issue));
  return Array.from({ length: quantity }, (_, index) => String(first + BigInt(index)));
}

export interface Transfer {
  tokenId: string;
  kind: 'mint' | 'burn';
  txHash: string;
}

/** Reads all mints and burns of tokens in the order of the chain. */
export async function readTransfers({
  node,
  contract,
}: Pick<Scenario, 'node' | 'contract'>): Promise<Transfer[]> {
  const zeroTopic = `0x${'0'.repeat(64)}`;
  const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest', topics: [transferTopic] };
  const logs = await node.call<{ topics: string[]; transactionHash: string }[]>('eth_getLogs', filter);
  return logs.flatMap(({ topics: [, from, to, tokenId = '0x0'], transactionHash: txHash }) => {
    const kind = from === zeroTopic ? 'mint' : to === zeroTopic ? 'burn' : undefined;
    return kind ? [{ tokenId: String(BigInt(tokenId)), kind, txHash }] : [];
  });
}

/** Returns the hashes of the transactions that minted the existing tokens, by token id. */
function findExistingTokens(transfers: readonly Transfer[]): Map<string, string> {
  const tokens = new Map<string, string>();
  for (const { tokenId, kind, txHash } of transfers) {
    if (kind === 'mint') tokens.set(tokenId, txHash);
    else tokens.delete(tokenId);
  }
  return tokens;
}

/**
 * Returns the numbers of the seats that had tokens of two issues at the same time.
 * @param idsByIssue the ids of an order's tokens
 */
function findDoubleSeats(idsByIssue: readonly string[][], transfers: readonly Transfer[]): number[] {
  const seatOf = new Map(idsByIssue.flatMap((ids) => ids.map((id, index) => [id, index + 1] as const)));
  const tokenCounts = new Map<number, number>();
  const doubleSeats = new Set<number>();
  for (const { tokenId, kind } of transfers) {
    const seat = seatOf.get(tokenId);
    if (seat === undefined) continue;
    const count = (tokenCounts.get(seat) ?? 0) + (kind === 'mint' ? 1 : -1);
    tokenCounts.set(seat, count);
    if (count > 1) doubleSeats.add(seat);
  }
  return [...doubleSeats];
}

async function readMinterTransactions({ node, minters }: Scenario): Promise<ChainTransaction[]> {
  const senders = new Set(minters.map((address) => address.toLowerCase()));
  const transactions: ChainTransaction[] = [];
  const latest = Number(await node.call<string>('eth_blockNumber'));
  for (let number = 0; number <= latest; number++) {
    const block = await node.call<{ transactions: ChainTransaction[] }>(
      'eth_getBlockByNumber',
      `0x${number.toString(16)}`,
      true,
    );
    transactions.push(...block.transactions.filter(({ from }) => senders.has(from.toLowerCase())));
  }
  return transactions;
}

/** Reads the first ten messages of each dead-letter queue, which stay in the queue. */
async function readDeadLetters({ world }: Scenario): Promise<string[]> {
  const client = new SQSClient({});
  const answers = await Promise.all(
    ['fulfil-orders-dlq', 'mint-tickets-dlq'].map((queue) =>
      client.send(
        new ReceiveMessageCommand({
          QueueUrl: world.backend.queueUrls[queue],
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
