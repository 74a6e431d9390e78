import { callerActor } from '../audit/audit.ts';
import { consumeChallenge } from '../auth/wallet-challenge.ts';
import { forbidden } from '../core/errors.ts';
import { transact } from '../dynamo/write.ts';
import { chainUnavailable, proveWallet } from '../wallets/prove-wallet.ts';
import { hasAdminRole } from './check-authorization.ts';
import type { ContractBinding } from './contract.ts';
import type { ContractVerification } from './contract-view.ts';
import { recordBinding } from './record-binding.ts';
import { startMintAgainJobs } from './start-mint-again-jobs.ts';
import { putBinding } from './store.ts';

/**
 * Binds a contract to an organizer who proves to own an admin wallet of the contract.
 * @throws DomainError 401 `invalid-signature`; 403 `not-contract-admin` when the wallet is not an admin of the
 * contract; 503 when the chain does not answer
 */
export async function verifyContract(
  organizerId: string,
  { chainId, address, ...signed }: ContractVerification,
): Promise<ContractBinding> {
  const { challenge, ...wallet } = await proveWallet(signed, { purpose: 'contract', userId: organizerId });
  if (wallet.chainId !== undefined && wallet.chainId !== chainId) {
    throw forbidden('Sign with the wallet on the chain of the contract', 'not-contract-admin');
  }
  const isAdmin = await hasAdminRole(chainId, address, wallet.address);
  if (isAdmin === undefined) throw chainUnavailable();
  if (!isAdmin) throw forbidden('The wallet is not an admin of this contract', 'not-contract-admin');
  const updatedAt = new Date().toISOString();
  const binding = { chainId, address, organizerId, wallet: wallet.address, isAdmin, updatedAt };
  await startMintAgainJobs(binding);
  const recorded = recordBinding(binding, callerActor({ userId: organizerId }));
  await transact([consumeChallenge(challenge), putBinding(binding), recorded]);
  return binding;
}
