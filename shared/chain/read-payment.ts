import type { Chain } from './chains.ts';
import { type RpcNode, readFinalBlock } from './connection.ts';

/** The conditions a transaction must meet to pay an order. */
export interface PaymentExpectation {
  /** The wallet to pay. */
  to: string;
  /** The contract of the token to pay in; null for the chain's native coin. */
  token: string | null;
  /** The payment reference, which the calldata must contain, hex. */
  reference: string;
  /** The earliest block time, epoch milliseconds. */
  notBefore: number;
}

/** A payment transaction according to one node. */
export type PaymentObservation =
  /** The node does not know the transaction. */
  | { kind: 'unknown' }
  /** The transaction is not in a block yet. */
  | { kind: 'unmined' }
  /** The transaction is in a block that is not final. */
  | { kind: 'unconfirmed' }
  /** The transaction does not meet the conditions, and never will. */
  | { kind: 'invalid'; reason: InvalidReason }
  /**
   * The transaction has paid in a final block. The amount is in base units of the coin or token, decimal. `minedAt` is the
   * time of the block, epoch milliseconds.
   */
  | { kind: 'final'; amount: string; minedAt: number };

export type InvalidReason =
  | 'reverted'
  | 'recipient'
  /** Sent to another address, but with the reference: it may pay in another coin, or through a contract wallet. */
  | 'indirect'
  | 'reference'
  | 'too-early';

/** keccak256 of `Transfer(address,address,uint256)`. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** The tolerance for differences between clocks, and for block times in whole seconds. */
const clockToleranceMilliseconds = 60_000;

interface Transaction {
  to: string | null;
  value: string;
  input: string;
}

interface Receipt {
  status: string;
  blockNumber: string;
  logs: { address: string; topics: string[]; data: string }[];
}

/** Reads a payment from one node. @throws Error when the node does not answer, or serves another chain */
export async function readPayment(
  node: RpcNode,
  chain: Chain,
  hash: string,
  expected: PaymentExpectation,
): Promise<PaymentObservation> {
  const [chainId, transaction, receipt, finalBlock] = await Promise.all([
    node.call<string>('eth_chainId', []),
    node.call<Transaction | null>('eth_getTransactionByHash', [hash]),
    node.call<Receipt | null>('eth_getTransactionReceipt', [hash]),
    readFinalBlock(node, chain.paymentFinality),
  ]);
  if (Number(chainId) !== chain.id) throw new Error(`The node of ${chain.name} serves chain ${chainId}`);
  if (!transaction && !receipt) return { kind: 'unknown' };
  // Otherwise anybody's pending transaction would keep an order waiting.
  if (transaction && !receipt && !hasReference(transaction, expected))
    return { kind: 'invalid', reason: 'reference' };
  if (!transaction || !receipt) return { kind: 'unmined' };
  const reason = findInvalidReason(transaction, receipt, expected);
  if (reason) return { kind: 'invalid', reason };
  // A reorganisation may put the transaction into another block, where a failed payment succeeds.
  if (Number(receipt.blockNumber) > finalBlock) return { kind: 'unconfirmed' };
  const block = await node.call<Block | null>('eth_getBlockByNumber', [receipt.blockNumber, false]);
  if (!block) return { kind: 'unmined' };
  return judgeResult(receipt, block, computeAmountPaid(transaction, receipt, expected), expected);
}

interface Block {
  timestamp: string;
}

/**
 * Returns why the transaction can't pay the order, whichever block contains it; undefined when it can. It has to be
 * sent directly to the wallet or the token's contract. Otherwise somebody could bundle another buyer's payment with
 * their own reference in a multicall, and claim it.
 */
function findInvalidReason(
  transaction: Transaction,
  { status }: Receipt,
  expected: PaymentExpectation,
): InvalidReason | undefined {
  const isReferring = hasReference(transaction, expected);
  if (!isSameAddress(transaction.to, expected.token ?? expected.to))
    return isReferring && Number(status) === 1 ? 'indirect' : 'recipient';
  return isReferring ? undefined : 'reference';
}

const hasReference = ({ input }: Transaction, { reference }: PaymentExpectation) =>
  input.toLowerCase().includes(reference.slice(2).toLowerCase());

/** Judges a transaction in a final block. */
function judgeResult(
  { status }: Receipt,
  { timestamp }: Block,
  amount: bigint,
  { notBefore }: PaymentExpectation,
): PaymentObservation {
  if (Number(status) !== 1) return { kind: 'invalid', reason: 'reverted' };
  if (amount === 0n) return { kind: 'invalid', reason: 'recipient' };
  const minedAt = Number(timestamp) * 1000;
  const isTooEarly = minedAt + clockToleranceMilliseconds < notBefore;
  return isTooEarly
    ? { kind: 'invalid', reason: 'too-early' }
    : { kind: 'final', amount: String(amount), minedAt };
}

/** Returns the amount that the wallet received. */
function computeAmountPaid(
  { value }: Transaction,
  { logs }: Receipt,
  { token, to: wallet }: PaymentExpectation,
): bigint {
  if (token === null) return BigInt(value);
  const transfers = logs.filter(
    ({ address, topics }) =>
      isSameAddress(address, token) &&
      topics[0] === transferTopic &&
      isSameAddress(`0x${topics[2]?.slice(-40)}`, wallet),
  );
  return transfers.reduce((sum, { data }) => sum + BigInt(data), 0n);
}

const isSameAddress = (a: string | null, b: string) => a?.toLowerCase() === b.toLowerCase();
