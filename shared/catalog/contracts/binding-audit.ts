import type { AuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import type { Write } from '../../dynamo/write.ts';
import type { ContractBinding } from './contract.ts';

/** Returns the write that records a bound contract in the audit trail. */
export function insertBindingAudit(
  { chainId, address, organizerId, wallet }: ContractBinding,
  actor: AuditActor,
): Write {
  const details = { chainId: String(chainId), address, organizerId, ...(wallet && { wallet }) };
  return insertAuditEntry({ action: 'contract-bound', by: actor, details });
}
