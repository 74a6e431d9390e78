import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { transact } from '../../dynamo/write.ts';
import type { ContractBinding } from './contract.ts';
import { removeBinding } from './store.ts';

/** Revokes an organizer's permission to mint on a contract. @throws DomainError 404 without such a permission */
export async function releaseContract(
  reference: Pick<ContractBinding, 'chainId' | 'address' | 'organizerId'>,
  adminId: string,
): Promise<void> {
  const { chainId, address, organizerId } = reference;
  await transact([
    removeBinding(reference),
    insertAuditEntry({
      action: 'contract-released',
      by: { type: 'admin', userId: adminId },
      details: { chainId: String(chainId), address, organizerId },
    }),
  ]);
}
