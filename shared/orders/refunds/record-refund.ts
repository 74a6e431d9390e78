import type { AuditActor } from '../../audit/audit.ts';
import { recordAudit } from '../../audit/store.ts';
import { toDecimal } from '../../core/money.ts';
import type { Write } from '../../dynamo/write.ts';
import type { Order } from '../order.ts';
import type { RefundFields } from './transition-refund.ts';

/** The write that records a step of a refund in the audit trail. */
export function recordRefund(
  action: 'refund-requested' | 'refund-completed' | 'refund-failed',
  { id: orderId, eventId, currency }: Order,
  { amount, transactionId }: Pick<RefundFields, 'amount' | 'transactionId'>,
  by: AuditActor,
): Write {
  const details = { orderId, amount: toDecimal(amount, currency), currency };
  return recordAudit({
    action,
    by,
    eventId,
    details: { ...details, ...(transactionId && { transactionId }) },
  });
}
