import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { N } from 'ethers/constants';
import { Signature, SigningKey } from 'ethers/crypto';
import { computeAddress, recoverAddress, Transaction } from 'ethers/transaction';
import { toBeHex, toBigInt } from 'ethers/utils';
import { splitList } from '../core/schemas.ts';
import { optionalSetting } from '../runtime/config.ts';
import { readKeyList, readSecret } from '../runtime/secrets.ts';
import { log } from '../runtime/telemetry.ts';
import { type Connection, RpcError, type RpcNode, toBlockTag } from './connection.ts';

/** An account that mints. Its key is in AWS KMS or in the secret MINTER_PRIVATE_KEY. */
export interface Minter {
  address: string;
  /** @returns the signed transaction, hex @throws Error when KMS does not sign it */
  sign(draft: TransactionDraft): Promise<string>;
}

const cachedMinters = new Map<string, Promise<Minter>>();

/**
 * Returns all minters: those of MINTER_KMS_KEYS, then those of MINTER_PRIVATE_KEY, each in the order of its list.
 * @throws Error when none is configured, or KMS does not answer
 */
export async function getMinters(): Promise<Minter[]> {
  const kmsKeys = splitList(optionalSetting('MINTER_KMS_KEYS') ?? '');
  // Without KMS keys the secret is required: readKeyList throws if it is not set.
  const usesPrivateKeys = kmsKeys.length === 0 || (await readSecret('MINTER_PRIVATE_KEY')) !== undefined;
  const privateKeys = usesPrivateKeys ? await readKeyList('MINTER_PRIVATE_KEY') : [];
  return Promise.all([
    ...kmsKeys.map((id) => getCachedMinter(id, createKmsMinter)),
    ...privateKeys.map((key) => getCachedMinter(key, createPrivateKeyMinter)),
  ]);
}

/**
 * Returns the minter that mints an order.
 * @param orderKey see `deriveOrderKey`
 * @throws Error when none is configured
 */
export async function getMinterForOrder(orderKey: string): Promise<Minter> {
  const minters = await getMinters();
  return minters[Number(BigInt(orderKey) % BigInt(minters.length))] as Minter;
}

/** Returns a minter by its address; undefined when its key is no longer configured. */
export async function findMinter(address: string): Promise<Minter | undefined> {
  return (await getMinters()).find((minter) => minter.address === address);
}

function getCachedMinter(key: string, createMinter: (key: string) => Promise<Minter>): Promise<Minter> {
  const minter =
    cachedMinters.get(key) ??
    createMinter(key).catch((error) => {
      cachedMinters.delete(key);
      throw error;
    });
  cachedMinters.set(key, minter);
  return minter;
}

async function createPrivateKeyMinter(privateKey: string): Promise<Minter> {
  const key = new SigningKey(privateKey);
  return toMinter(computeAddress(key), async (digest) => key.sign(digest));
}

let cachedClient: KMSClient | undefined;

/** Created at first use. The SDK sends a request up to three times, and waits 2 s for each answer. */
function getKmsClient(): KMSClient {
  cachedClient ??= new KMSClient({
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
  });
  return cachedClient;
}

/** @param id the id of an asymmetric key of spec ECC_SECG_P256K1 */
async function createKmsMinter(id: string): Promise<Minter> {
  const { PublicKey: der = new Uint8Array() } = await getKmsClient().send(
    new GetPublicKeyCommand({ KeyId: id }),
  );
  const { x = '', y = '' } = createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }).export({
    format: 'jwk',
  });
  const publicKey = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const address = computeAddress(`0x${publicKey.toString('hex')}`);
  return toMinter(address, (digest) => signByKms(id, address, digest));
}

/**
 * Signs with KMS, which returns r and s in DER. Of the two valid values of s, KMS returns either, but Ethereum accepts
 * only the lower (EIP-2). Ethereum also requires the recovery bit.
 */
async function signByKms(id: string, address: string, digest: string): Promise<Signature> {
  const hash = Buffer.from(digest.slice(2), 'hex');
  const { Signature: der = new Uint8Array() } = await getKmsClient().send(
    new SignCommand({ KeyId: id, Message: hash, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' }),
  );
  const { r, s } = parseDer(der);
  for (const yParity of [0, 1] as const) {
    const signature = Signature.from({ r: toBeHex(r, 32), s: toBeHex(s > N / 2n ? N - s : s, 32), yParity });
    if (recoverAddress(digest, signature) === address) return signature;
  }
  throw new Error('KMS signed with another key');
}

/** Parses a signature in DER: a sequence of two integers. Each part has a byte for its type and one for its length. */
function parseDer(der: Uint8Array): { r: bigint; s: bigint } {
  const sStart = 4 + (der[3] ?? 0);
  return { r: toBigInt(der.slice(4, sStart)), s: toBigInt(der.slice(sStart + 2)) };
}

function toMinter(address: string, sign: (digest: string) => Promise<Signature>): Minter {
  return {
    address,
    async sign(draft) {
      const transaction = toUnsignedTransaction(draft);
      transaction.signature = await sign(transaction.unsignedHash);
      return transaction.serialized;
    },
  };
}

/** A transaction's fees per unit of gas, in wei (EIP-1559). */
export interface Fees {
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}

/** A transaction to sign. It transfers no value. */
export interface TransactionDraft extends Fees {
  chainId: number;
  nonce: number;
  to: string;
  data: string;
  gasLimit: bigint;
}

/** Converts a draft to an unsigned transaction. */
export function toUnsignedTransaction(draft: TransactionDraft): Transaction {
  const { chainId, nonce, to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = draft;
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  return Transaction.from({ type: 2, chainId, nonce, to, data, value: 0n, gasLimit, ...fees });
}

/** Decodes a signed transaction. @throws Error for one without a recipient, a signature or EIP-1559 fees */
export function decodeTransaction(raw: string): TransactionDraft & { hash: string } {
  const { chainId, nonce, to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas, hash } =
    Transaction.from(raw);
  if (!to || !hash || maxFeePerGas === null || maxPriorityFeePerGas === null) {
    throw new Error('Not a signed EIP-1559 transaction with a recipient');
  }
  return { chainId: Number(chainId), nonce, to, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas, hash };
}

/** Returns fees that suffice for about six full blocks, in which the base fee can double. */
export function toMarketFees(baseFee: bigint, tip: bigint, feeCeiling: bigint): Fees {
  return capFees({ maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip }, feeCeiling);
}

/**
 * Returns the fees of a replacement: the previous ones raised by 20 %, or the market's where those are higher.
 * Nodes refuse a replacement that does not raise both fees by at least 10 %.
 * @returns undefined when the ceiling leaves no room for a replacement
 */
export function findReplacementFees(previous: Fees, market: Fees, feeCeiling: bigint): Fees | undefined {
  const maxFeePerGas = max(raiseFee(previous.maxFeePerGas), market.maxFeePerGas);
  const maxPriorityFeePerGas = max(raiseFee(previous.maxPriorityFeePerGas), market.maxPriorityFeePerGas);
  const fees = capFees({ maxFeePerGas, maxPriorityFeePerGas }, feeCeiling);
  const isReplacement =
    fees.maxFeePerGas >= minimumReplacementFee(previous.maxFeePerGas) &&
    fees.maxPriorityFeePerGas >= minimumReplacementFee(previous.maxPriorityFeePerGas);
  return isReplacement ? fees : undefined;
}

/** Returns whether the maximum fee is below the current base fee, which is about half the maximum fee of `market`. */
export function isBelowMarket(fees: Fees, market: Fees): boolean {
  return fees.maxFeePerGas * 2n < market.maxFeePerGas;
}

function capFees({ maxFeePerGas, maxPriorityFeePerGas }: Fees, feeCeiling: bigint): Fees {
  const fee = min(maxFeePerGas, feeCeiling);
  return { maxFeePerGas: fee, maxPriorityFeePerGas: min(maxPriorityFeePerGas, fee) };
}

/** Raises by 20 %, rounded up, and by at least one wei. */
const raiseFee = (fee: bigint) => max((fee * 6n + 4n) / 5n, fee + 1n);
/** Raises by 10 %, rounded up, and by at least one wei. */
const minimumReplacementFee = (fee: bigint) => max((fee * 11n + 9n) / 10n, fee + 1n);
const max = (a: bigint, b: bigint) => (a > b ? a : b);
const min = (a: bigint, b: bigint) => (a < b ? a : b);

/**
 * Sends a signed transaction to every node. Never throws: an error or a timeout does not mean that the transaction was
 * not sent. Only its outcome on chain is evidence.
 * @returns whether every node refuses the transaction as invalid, so it can't be mined
 */
export async function broadcast({ chain, nodes }: Connection, raw: string): Promise<{ isInvalid: boolean }> {
  const answers = await Promise.allSettled(nodes.map((node) => node.call('eth_sendRawTransaction', [raw])));
  const errors = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  for (const error of errors)
    log.info('Broadcast not confirmed', { chainId: chain.id, cause: String(error) });
  return { isInvalid: errors.length === nodes.length && errors.every(isInvalidTransaction) };
}

/**
 * The error messages of nodes for a transaction that violates the rules of the chain or the node: a gas limit above the
 * maximum of a transaction or a block, or below the cost of its calldata; too many bytes; an unsupported type; or a fee
 * above the node's cap. The texts are those of geth, bor, erigon, op-geth (core/error.go, core/txpool/errors.go), reth,
 * nethermind, besu and anvil.
 */
const invalidTransactionMessages = new RegExp(
  [
    'gas limit (\\(\\d+\\) )?(too high|is too high|exceed|is greater|must be at most)',
    'exceeds (the )?(block|transaction) gas limit',
    'exceeds (current )?gas limit',
    'intrinsic gas',
    'floor data gas',
    'gas limit below',
    'oversized data',
    'transaction type not supported',
    'exceeds the configured cap',
    'EIP-?7825',
  ].join('|'),
  'i',
);

/**
 * Returns whether a node refuses a transaction permanently. Refusals for nonces, fees, funds or a full pool are
 * temporary.
 */
function isInvalidTransaction(error: unknown): boolean {
  return error instanceof RpcError && invalidTransactionMessages.test(error.message);
}

/** Reads the current market fees. @throws Error when the node returns an error or does not answer */
export async function readMarketFees(node: RpcNode, feeCeiling: bigint): Promise<Fees> {
  const [block, tip] = await Promise.all([
    node.call<{ baseFeePerGas?: string }>('eth_getBlockByNumber', ['latest', false]),
    node.call<string>('eth_maxPriorityFeePerGas', []),
  ]);
  return toMarketFees(BigInt(block.baseFeePerGas ?? 0), BigInt(tip), feeCeiling);
}

/** Reads an account's next nonce as of a block. @throws Error when the node returns an error or does not answer */
export async function readNonce(node: RpcNode, account: string, block: 'latest' | number): Promise<number> {
  return Number(await node.call<string>('eth_getTransactionCount', [account, toBlockTag(block)]));
}
