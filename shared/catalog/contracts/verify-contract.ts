import { toAuditActor } from '../../accounts/audit/audit.ts';
import { chainUnavailable, consumeChallenge, proveWallet } from '../../accounts/wallets/wallet-challenge.ts';
import { forbidden } from '../../core/errors.ts';
import { transact } from '../../dynamo/write.ts';
import { checkAdminRole, checkCreationCode } from './check-contract.ts';
import type { ContractBinding } from './contract.ts';
import type { ContractVerificationRequest } from './contract-view.ts';
import { insertBindingAudit, startMintAgainJobs } from './link-contract.ts';
import { putBinding } from './store.ts';

/**
 * Links a contract to an organizer who signs with one of the contract's admin wallets.
 * @throws DomainError 401 `invalid-signature` for an invalid challenge or signature; 403 `not-contract-admin` when the
 * wallet is not an admin of the contract, or is a contract wallet on another chain; 403 `unknown-creation-code` when a node shows that the
 * contract was deployed by other code; 429 as `proveWallet`; 503 when the chain does not answer
 */
export async function verifyContract(
  organizerId: string,
  { chainId, address, ...signedMessage }: ContractVerificationRequest,
): Promise<ContractBinding> {
  const { challenge, ...signer } = await proveWallet(
    signedMessage,
    { purpose: 'contract', userId: organizerId },
    organizerId,
  );
  if (signer.chainId !== undefined && signer.chainId !== chainId) {
    throw forbidden('Switch your wallet to the contract’s chain and sign again', 'not-contract-admin');
  }
  const isAdmin = await checkAdminRole(chainId, address, signer.address);
  if (isAdmin === undefined) throw chainUnavailable();
  if (!isAdmin) throw forbidden('The wallet is not an admin of this contract', 'not-contract-admin');
  if ((await checkCreationCode(chainId, address)) === false) {
    throw forbidden(
      'The contract was not deployed by `deploy-contract`. Deploy another one',
      'unknown-creation-code',
    );
  }
  const updatedAt = new Date().toISOString();
  const binding = { chainId, address, organizerId, wallet: signer.address, isAdmin, updatedAt };
  // The jobs start before the binding, so that a crash in between loses none. Their last pass runs minutes later, after the binding.
  await startMintAgainJobs(binding);
  const auditWrite = insertBindingAudit(binding, toAuditActor({ userId: organizerId }));
  await transact([consumeChallenge(challenge), putBinding(binding), auditWrite]);
  return binding;
}
