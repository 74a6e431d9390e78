import { createPublicKey } from 'node:crypto';
import { GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { N } from 'ethers/constants';
import { Signature, SigningKey } from 'ethers/crypto';
import { computeAddress, recoverAddress } from 'ethers/transaction';
import { toBeHex, toBigInt } from 'ethers/utils';
import { splitList } from '../core/lists.ts';
import { optionalSetting } from '../runtime/config.ts';
import { readKeyList, readSecret } from '../runtime/secrets.ts';
import { type TransactionDraft, toUnsignedTransaction } from './transactions.ts';

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
