import type { AuditActor } from '../audit/audit.ts';
import { recordAudit } from '../audit/store.ts';
import type { Write } from '../dynamo/write.ts';
import type { ContractBinding } from './contract.ts';

/** Returns the write that records a bound contract in the audit trail. */
export function recordBinding(
  { chainId, address, organizerId, wallet }: ContractBinding,
  by: AuditActor,
): Write {
  const details = { chainId: String(chainId), address, organizerId, ...(wallet && { wallet }) };
  return recordAudit({ action: 'contract-bound', by, details });
}
