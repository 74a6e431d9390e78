import { getUser } from '../../accounts/users/store.ts';
import { transact } from '../../dynamo/write.ts';
import { insertBindingAudit } from './binding-audit.ts';
import type { ContractBinding } from './contract.ts';
import { startMintAgainJobs } from './start-mint-again-jobs.ts';
import { putBinding } from './store.ts';

type BindingReference = Pick<ContractBinding, 'chainId' | 'address' | 'organizerId'>;

/**
 * Binds a contract to an organizer on behalf of an ADMIN, and retries the mints that failed without the binding.
 * @throws DomainError 404 for an unknown user
 */
export async function assignContract(reference: BindingReference, adminId: string): Promise<ContractBinding> {
  await getUser(reference.organizerId);
  const binding = { ...reference, boundBy: adminId, updatedAt: new Date().toISOString() };
  // The jobs start before the binding, so that a crash in between loses none. Their last pass runs minutes later.
  await startMintAgainJobs(binding);
  await transact([putBinding(binding), insertBindingAudit(binding, { type: 'admin', userId: adminId })]);
  return binding;
}
