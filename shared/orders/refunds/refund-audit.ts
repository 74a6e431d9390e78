import type { AuditActor } from '../../accounts/audit/audit.ts';
import { insertAuditEntry } from '../../accounts/audit/store.ts';
import { toDecimal } from '../../core/money.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Order } from '../order.ts';
import type { RefundFields } from './transition-refund.ts';

/** Returns the write that records a step of a refund in the audit trail. */
export function insertRefundAudit(
  action: 'refund-requested' | 'refund-completed' | 'refund-failed',
  { id: orderId, eventId, currency }: Order,
  { amount, transactionId }: Pick<RefundFields, 'amount' | 'transactionId'>,
  actor: AuditActor,
): Write {
  const details = { orderId, amount: toDecimal(amount, currency), currency };
  return insertAuditEntry({
    action,
    by: actor,
    eventId,
    details: { ...details, ...(transactionId && { transactionId }) },
  });
}
