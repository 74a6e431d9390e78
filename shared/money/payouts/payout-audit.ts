import type { AuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { toDecimal } from '../../core/money.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Payout } from './payout.ts';

/** Returns the write that records a step of a payout in the audit trail, without the bank account. */
export function insertPayoutAudit(
  action: 'payout-requested' | 'payout-completed' | 'payout-failed',
  { id: payoutId, organizerId, amount, currency }: Payout,
  actor: AuditActor,
): Write {
  return insertAuditEntry({
    action,
    by: actor,
    details: { payoutId, organizerId, amount: toDecimal(amount, currency), currency },
  });
}
