import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createSiweMessage, parseSiweMessage } from 'viem/siwe';
import { ChainUnreachable } from '../../chain/connection.ts';
import { isSignedByContract, isSignedByKey } from '../../chain/signatures.ts';
import { unauthenticated, unavailable } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { put, type Write } from '../../dynamo/write.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { isSameSecret, readKeyList } from '../../runtime/secrets.ts';
import { countAttempt } from '../rate-limit.ts';
import type { SignedMessage, WalletChallengeRequest, WalletPurpose } from './wallet-request.ts';

const lifetimeMilliseconds = 10 * 60_000;

/** The purpose and the caller that a challenge is bound to, besides the wallet. */
export interface ChallengeScope {
  purpose: WalletPurpose;
  /** The caller; undefined for a login. */
  userId: string | undefined;
}

/** A valid challenge issued by this service. */
export interface Challenge {
  /** The wallet's address, checksummed. */
  address: string;
  chainId: number;
  nonce: string;
  /** Epoch seconds. */
  expiresAt: number;
}

/**
 * Returns an EIP-4361 message for a wallet to sign. The nonce contains a MAC of the wallet, the caller, the purpose and
 * the time. So the service recognizes its challenges without storing them, and stores only the used ones.
 * @throws DomainError 401 without a caller, unless the purpose is `login`
 */
export async function createChallengeMessage(
  { address, chainId, purpose: requestedPurpose }: WalletChallengeRequest,
  userId: string | undefined,
  now = Date.now(),
): Promise<string> {
  const purpose = requestedPurpose ?? (userId === undefined ? 'login' : 'link');
  if (purpose !== 'login' && userId === undefined) throw unauthenticated('Authentication required');
  const scope = { purpose, userId: purpose === 'login' ? undefined : userId };
  const [key] = await readKeyList('JWT_ACCESS_SECRET');
  const random = randomBytes(8).toString('hex');
  const fields = { address, chainId, issuedAt: new Date(now) };
  return formatChallengeMessage(random + computeMac(key, random, fields, scope), fields, scope);
}

/**
 * Verifies and parses the message of a challenge. It does not check the signature.
 * @throws DomainError 401 `invalid-signature` for a message of another purpose, caller or site, and for an expired one
 */
export async function verifyChallenge(
  message: string,
  scope: ChallengeScope,
  now = Date.now(),
): Promise<Challenge> {
  const { address, chainId, nonce = '', issuedAt } = parseSiweMessage(message);
  const expiresAt = (issuedAt?.getTime() ?? 0) + lifetimeMilliseconds;
  if (address && chainId !== undefined && issuedAt && now < expiresAt) {
    const random = nonce.slice(0, 16);
    const fields = { address, chainId, issuedAt };
    for (const key of await readKeyList('JWT_ACCESS_SECRET')) {
      const isMacValid = isSameSecret(nonce, random + computeMac(key, random, fields, scope));
      // Compares the whole text, so that no one can change the statement or the site that the user signs.
      if (isMacValid && message === formatChallengeMessage(nonce, fields, scope)) {
        return { address, chainId, nonce, expiresAt: Math.ceil(expiresAt / 1000) };
      }
    }
  }
  throw unauthenticated(
    'The signed message is not valid any more, please sign a new one',
    'invalid-signature',
  );
}

/**
 * Returns the write that marks a challenge as used. @throws DomainError 401 `invalid-signature` from the transaction,
 * when it was used before
 */
export function consumeChallenge({ nonce, expiresAt }: Challenge): Write {
  return put(
    { ...keys.challenge(nonce), ttl: expiresAt },
    {
      when: 'attribute_not_exists(#pk)',
      orThrow: () => unauthenticated('The signed message was used already', 'invalid-signature'),
    },
  );
}

interface ChallengeFields {
  address: string;
  chainId: number;
  issuedAt: Date;
}

function formatChallengeMessage(
  nonce: string,
  { address, chainId, issuedAt }: ChallengeFields,
  scope: ChallengeScope,
): string {
  const uri = requiredSetting('PUBLIC_URL');
  return createSiweMessage({
    domain: new URL(uri).host,
    uri,
    address: address as `0x${string}`,
    chainId,
    version: '1',
    statement: statements[scope.purpose](shopName(), scope.userId ?? ''),
    nonce,
    issuedAt,
    expirationTime: new Date(issuedAt.getTime() + lifetimeMilliseconds),
  });
}

/** The statement that the wallet shows before signing. */
const statements: Record<WalletPurpose, (shop: string, userId: string) => string> = {
  login: (shop) => `Log in to ${shop} with this wallet.`,
  link: (shop, userId) => `Link this wallet to the ${shop} account ${userId}.`,
  contract: (shop, userId) =>
    `Prove to ${shop} that the account ${userId} administers ticket contracts with this wallet.`,
};

/** Returns the name of the shop without the characters that EIP-4361 does not allow in a statement: `Bühne` becomes `Buhne`. */
function shopName(): string {
  const allowed = requiredSetting('SHOP_NAME')
    .normalize('NFKD')
    .replace(/[^\w :/?#[\]@!$&'()*+,;=.~-]/g, '');
  return allowed.trim() || new URL(requiredSetting('PUBLIC_URL')).host;
}

/**
 * Returns 128 bits of an HMAC over everything that the challenge is bound to. Hex, since EIP-4361 allows only letters
 * and digits in a nonce.
 */
function computeMac(
  key: string,
  random: string,
  { address, chainId, issuedAt }: ChallengeFields,
  scope: ChallengeScope,
): string {
  const payload = JSON.stringify([
    random,
    address,
    chainId,
    issuedAt.toISOString(),
    scope.purpose,
    scope.userId ?? null,
  ]);
  return createHmac('sha256', key).update(`wallet-challenge:${payload}`).digest('hex').slice(0, 32);
}

/** A wallet whose owner has signed a challenge. The challenge is not marked as used yet. */
export interface ProvedWallet {
  /** Checksummed. */
  address: string;
  /**
   * The chain of a contract wallet, whose address may have another owner on another chain. Absent for a wallet with a
   * private key, which has the same owner on all chains.
   */
  chainId?: number;
  challenge: Challenge;
}

/**
 * Limits the signatures that one caller has verified on chain. Valid ones count too: anybody can make a contract that accepts
 * every signature.
 */
const contractSignatureLimit = {
  maximum: 20,
  windowSeconds: 15 * 60,
  message: 'Too many signatures, please try again later',
};

/**
 * Verifies a signed challenge. The DynamoDB transaction that relies on the challenge must include `consumeChallenge`,
 * so that the challenge works only once.
 * @param rateLimitSubject the caller's user id, or the IP address of an anonymous caller
 * @throws DomainError 401 `invalid-signature` for an invalid challenge or signature; 429 after too many signatures that can only
 * be verified on chain; 503 when the chain does not answer
 */
export async function proveWallet(
  { message, signature }: SignedMessage,
  scope: ChallengeScope,
  rateLimitSubject: string,
): Promise<ProvedWallet> {
  const challenge = await verifyChallenge(message, scope);
  const { address, chainId } = challenge;
  const signedText = { address, chainId, message, signature };
  if (await isSignedByKey(signedText)) return { address, challenge };
  const subject = createHash('sha256').update(rateLimitSubject).digest('base64url');
  await countAttempt(keys.attempts('CONTRACT_SIGNATURE', subject), contractSignatureLimit);
  const isSigned = await isSignedByContract(signedText).catch((error) => {
    throw error instanceof ChainUnreachable ? chainUnavailable() : error;
  });
  if (!isSigned) throw unauthenticated('The signature does not match the wallet', 'invalid-signature');
  return { address, challenge, chainId };
}

export const chainUnavailable = () => unavailable('The chain does not answer, please try again', 30);
