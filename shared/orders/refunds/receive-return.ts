import { gatewayActor } from '../../audit/audit.ts';
import type { GatewayName, ReturnSignal } from '../../payments/gateway.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { log } from '../../runtime/log.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import { type Order, paidAmountOf } from '../order.ts';
import { findOrderByReference } from '../settlement/settle-order.ts';
import { changeOrder, writeOrder } from '../store.ts';
import { beginRefund } from './begin-refund.ts';
import { completeRefund } from './complete-refund.ts';

/**
 * Refunds an order whose payment was returned at the provider: in its dashboard, or by a dispute. Ignores a signal that
 * matches no paid order. The returned amount is queried from the provider's API, not taken from the webhook. Only
 * returns of the payment that completed the order count. After a partial return an operator has to review the order,
 * since tickets can't be refunded in part. A dispute puts the order under review until it ends.
 * @throws DomainError `provider-failed` when the provider does not answer; 409 until the order is posted to the ledger,
 * and while it keeps changing concurrently; Error when the gateway is not configured
 */
export async function receiveReturn(name: GatewayName, signal: Omit<ReturnSignal, 'kind'>): Promise<void> {
  const gateway = await findConfiguredGateway(name);
  if (!gateway) throw new Error(`${name} is not configured`);
  const { transactionId = '' } = signal;
  const reference = signal.reference ?? (await gateway.findReference?.(transactionId));
  const order = reference === undefined ? undefined : await findOrderByReference(gateway.name, reference);
  if (order?.paymentStatus !== 'COMPLETED' || !order.paymentTxId) {
    log.info('Webhook without a paid order', { gateway: gateway.name });
    incrementCounter('WebhooksUnknown');
    return;
  }
  const { currency } = order;
  const returnedAmount = await gateway.getReturnedAmount({ transactionId: order.paymentTxId, currency });
  if (returnedAmount >= paidAmountOf(order)) {
    await recordReturn(order);
    await endDisputeReview(order);
    return;
  }
  const reviewReason = findReviewReason(order, signal, returnedAmount);
  if (reviewReason) await putUnderReview(order, reviewReason);
  else if (signal.isDisputeWon) await endDisputeReview(order);
}

const disputedPayment = 'The buyer disputes the payment';

/** Returns why an operator has to review an order whose payment was not returned in full; undefined for no reason. */
function findReviewReason(
  { refund, currency }: Order,
  { isDispute, isDisputeWon }: Omit<ReturnSignal, 'kind'>,
  returnedAmount: bigint,
): string | undefined {
  if (isDispute && !isDisputeWon) return disputedPayment;
  if (isDispute && refund?.status === 'done') return 'The dispute was won after the order was refunded';
  return returnedAmount > 0n
    ? `${returnedAmount} minor units of ${currency} went back to the buyer`
    : undefined;
}

async function recordReturn(order: Order): Promise<void> {
  const { refund } = order;
  if (!refund) await beginRefund(order, { isMoneyReturned: true, requestedBy: gatewayActor });
  else if (refund.status !== 'done') await completeRefund({ ...order, refund });
  log.info('Payment returned', { orderId: order.id });
}

async function putUnderReview(order: Order, paymentReview: string): Promise<void> {
  log.warn('Payment under review', { orderId: order.id });
  incrementCounter('PaymentsUnderReview');
  await writeOrder(changeOrder(order.id, { paymentReview }, { unchanged: { paymentStatus: 'COMPLETED' } }));
}

/** Clears the review of a dispute. A review for another reason stays. */
async function endDisputeReview({ id, paymentReview }: Order): Promise<void> {
  if (paymentReview !== disputedPayment) return;
  await writeOrder(changeOrder(id, { paymentReview: undefined }, { unchanged: { paymentReview } }));
}
