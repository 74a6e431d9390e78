import { openChallenge, useChallenge } from '../auth/wallet-challenge.ts';
import { ChainUnreachable } from '../chain/connection.ts';
import { isSigned } from '../chain/signatures.ts';
import { forbidden, unauthenticated, unavailable } from '../core/errors.ts';
import { transact } from '../dynamo/write.ts';
import { administers } from './authorization.ts';
import type { ContractBinding } from './contract.ts';
import type { ContractVerification } from './contract-view.ts';
import { mintAgainOn } from './mint-again.ts';
import { putBinding } from './store.ts';

/**
 * Binds a contract to an organizer who proves to own a wallet that administers it.
 * @throws DomainError 401 `invalid-signature`; 403 `not-contract-admin` when the wallet is no admin of the contract; 503
 * when the chain does not answer
 */
export async function verifyContract(
  organizerId: string,
  { chainId, address, message, signature }: ContractVerification,
): Promise<ContractBinding> {
  const challenge = await openChallenge(message, { purpose: 'contract', userId: organizerId });
  if (!(await isWalletsSignature({ ...challenge, message, signature }))) {
    throw unauthenticated('The signature does not match the wallet', 'invalid-signature');
  }
  const isAdmin = await administers(chainId, address, challenge.address);
  if (isAdmin === undefined) throw chainUnavailable();
  if (!isAdmin) throw forbidden('The wallet is not an admin of this contract', 'not-contract-admin');
  const updatedAt = new Date().toISOString();
  const binding = { chainId, address, organizerId, wallet: challenge.address, isAdmin, updatedAt };
  await mintAgainOn(binding);
  await transact([useChallenge(challenge), putBinding(binding)]);
  return binding;
}

async function isWalletsSignature(signed: Parameters<typeof isSigned>[0]): Promise<boolean> {
  try {
    return await isSigned(signed);
  } catch (error) {
    throw error instanceof ChainUnreachable ? chainUnavailable() : error;
  }
}

const chainUnavailable = () => unavailable('The chain does not answer, please try again in a moment', 30);
