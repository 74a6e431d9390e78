import { type Challenge, type ChallengeScope, openChallenge } from '../auth/wallet-challenge.ts';
import type { SignedMessage } from '../auth/wallet-request.ts';
import { ChainUnreachable } from '../chain/connection.ts';
import { findSigner } from '../chain/signatures.ts';
import { unauthenticated, unavailable } from '../core/errors.ts';

/** A wallet that somebody controls, by a challenge that is still to be used up. */
export interface ProvedWallet {
  /** Checksummed. */
  address: string;
  /**
   * The only chain on which it is proved; absent for a key, which is the same on all. The contract at an address may
   * belong to different people on different chains.
   */
  chainId?: number;
  challenge: Challenge;
}

/**
 * Verifies a signed challenge. Use the challenge up in the transaction that relies on it.
 * @throws DomainError 401 `invalid-signature`; 503 when the signature needs a chain that does not answer
 */
export async function proveWallet(
  { message, signature }: SignedMessage,
  scope: ChallengeScope,
): Promise<ProvedWallet> {
  const challenge = await openChallenge(message, scope);
  const { address, chainId } = challenge;
  const signer = await findSigner({ address, chainId, message, signature }).catch((error) => {
    throw error instanceof ChainUnreachable ? chainUnavailable() : error;
  });
  if (!signer) throw unauthenticated('The signature does not match the wallet', 'invalid-signature');
  return { address, challenge, ...(signer === 'contract' && { chainId }) };
}

export const chainUnavailable = () => unavailable('The chain does not answer, please try again', 30);
