import { ChainUnreachable } from '../../chain/connection.ts';
import { findSignerKind } from '../../chain/signatures.ts';
import { unauthenticated, unavailable } from '../../core/errors.ts';
import { type Challenge, type ChallengeScope, verifyChallenge } from '../auth/wallet-challenge.ts';
import type { SignedMessage } from '../auth/wallet-request.ts';

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
 * Verifies a signed challenge. The DynamoDB transaction that relies on the challenge must include `consumeChallenge`,
 * so that the challenge works only once.
 * @throws DomainError 401 `invalid-signature` for an invalid challenge or signature; 503 when the signature can only be
 * verified on chain and the chain does not answer
 */
export async function proveWallet(
  { message, signature }: SignedMessage,
  scope: ChallengeScope,
): Promise<ProvedWallet> {
  const challenge = await verifyChallenge(message, scope);
  const { address, chainId } = challenge;
  const signer = await findSignerKind({ address, chainId, message, signature }).catch((error) => {
    throw error instanceof ChainUnreachable ? chainUnavailable() : error;
  });
  if (!signer) throw unauthenticated('The signature does not match the wallet', 'invalid-signature');
  return { address, challenge, ...(signer === 'contract' && { chainId }) };
}

export const chainUnavailable = () => unavailable('The chain does not answer, please try again', 30);
