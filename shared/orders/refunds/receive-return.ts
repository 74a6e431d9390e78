import { gatewayActor } from '../../accounts/audit/audit.ts';
import type { GatewayName } from '../../core/schemas.ts';
import { expectUnchanged } from '../../core/state-machine.ts';
import type { ReturnSignal } from '../../payments/gateway.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { disputedPayment, findReviewReason, type Order, paidAmountOf, unknownDispute } from '../order.ts';
import { findOrderByReference } from '../settlement/settle-order.ts';
import { changeOrder, getOrder, writeOrder } from '../store.ts';
import { endDispute, openDispute } from './disputes.ts';
import { beginRefund, completeRefund } from './refund-order.ts';

/**
 * Refunds an order whose payment was returned at the provider: in its dashboard, or by a dispute. A return of an unpaid
 * order is stored, and settling asks the provider about it. The returned amount is queried from the provider's API, not taken from the webhook. Only
 * returns of the payment that completed the order count. After a partial return an operator has to review the order,
 * since tickets can't be refunded in part. A dispute puts the order under review and reserves its credit until it ends. A report of its opening
 * may arrive after that of its end.
 * @throws DomainError `provider-failed` when the provider does not answer; 409 until the order is posted to the ledger,
 * and while it keeps changing concurrently; OrderTransitionRefused when the order was paid or the dispute won meanwhile;
 * Error when the gateway is not configured
 */
export async function receiveReturn(name: GatewayName, signal: Omit<ReturnSignal, 'kind'>): Promise<void> {
  const gateway = await findConfiguredGateway(name);
  if (!gateway) throw new Error(`${name} is not configured`);
  const { transactionId = '' } = signal;
  const reference = signal.reference ?? (await gateway.findReference?.(transactionId));
  const storedOrder =
    reference === undefined ? undefined : await findOrderByReference(gateway.name, reference);
  if (storedOrder && storedOrder.paymentStatus !== 'COMPLETED') return storeReport(storedOrder, signal);
  if (!storedOrder?.paymentTxId) {
    log.info('Webhook without a paid order', { gateway: gateway.name });
    incrementCounter('WebhooksUnknown');
    return;
  }
  const { currency, paymentTxId } = storedOrder;
  const returnedAmount = await gateway.getReturnedAmount({ transactionId: paymentTxId, currency });
  const order = await storeWonDispute(storedOrder, signal);
  if (returnedAmount >= paidAmountOf(order)) {
    await recordReturn(order);
    await endDisputeReview(order);
    return;
  }
  const { isDisputeWon } = signal;
  const disputeId = signal.disputeId || unknownDispute;
  const reviewReason = findReviewReason(order, signal, returnedAmount);
  if (reviewReason === disputedPayment && !order.refund) {
    reportReview(order);
    await openDispute(order, disputeId);
  } else if (reviewReason) await putUnderReview(order, reviewReason);
  if (isDisputeWon) await endDispute(await getOrder(order.id), disputeId);
}

/**
 * Stores that a return of an unpaid order was reported. The report of a refund does not replace that of a dispute. What
 * was returned was paid, so the sweep asks the provider about a failed order at once, and about a pending one when its
 * hold ends.
 */
async function storeReport(order: Order, signal: Omit<ReturnSignal, 'kind'>): Promise<void> {
  const { isDispute, disputeId, isDisputeWon } = signal;
  const reportedReturn = isDispute || !order.reportedReturn ? { isDispute, disputeId } : order.reportedReturn;
  const change = { reportedReturn, ...(isDisputeWon && disputeId && { wonDisputeId: disputeId }) };
  const unchanged = expectUnchanged(order, 'paymentStatus', 'reportedReturn');
  const nextDueAt = order.paymentStatus === 'FAILED' ? Date.now() : undefined;
  await writeOrder(changeOrder(order.id, change, { unchanged, nextDueAt }));
  log.info('Return of an unpaid order', { orderId: order.id });
}

/** Stores the dispute on the order if the merchant has won it. @returns the current order */
async function storeWonDispute(
  order: Order,
  { disputeId, isDisputeWon }: Omit<ReturnSignal, 'kind'>,
): Promise<Order> {
  if (!isDisputeWon || !disputeId) return order;
  const unchanged = { paymentStatus: 'COMPLETED' } as const;
  return writeOrder(changeOrder(order.id, { wonDisputeId: disputeId }, { unchanged }));
}

async function recordReturn(order: Order): Promise<void> {
  const { refund } = order;
  if (!refund) await beginRefund(order, { isMoneyReturned: true, requestedBy: gatewayActor });
  else if (refund.status !== 'done') await completeRefund({ ...order, refund });
  log.info('Payment returned', { orderId: order.id });
}

function reportReview({ id: orderId }: Order): void {
  log.warn('Payment under review', { orderId });
  incrementCounter('PaymentsUnderReview');
}

async function putUnderReview(order: Order, paymentReview: string): Promise<void> {
  reportReview(order);
  const unchanged = { paymentStatus: 'COMPLETED', ...expectUnchanged(order, 'wonDisputeId') } as const;
  await writeOrder(changeOrder(order.id, { paymentReview }, { unchanged }));
}

/** Clears the review of a dispute. A review for another reason stays. */
async function endDisputeReview({ id, paymentReview }: Order): Promise<void> {
  if (paymentReview !== disputedPayment) return;
  await writeOrder(changeOrder(id, { paymentReview: undefined }, { unchanged: { paymentReview } }));
}
