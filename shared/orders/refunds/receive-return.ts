import { gatewayActor } from '../../accounts/audit/audit.ts';
import type { GatewayName } from '../../core/schemas.ts';
import { expectUnchanged } from '../../core/state-machine.ts';
import type { MoneyReturn, ReturnSignal } from '../../payments/gateway.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { sumExecuted } from '../../payments/provider.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { disputedPayment, findReviewReason, type Order, paidAmountOf, unknownDispute } from '../order.ts';
import { findOrderByReference } from '../settlement/settle-order.ts';
import { changeOrder, getOrder, writeOrder } from '../store.ts';
import { endDispute, hasShare, openDispute } from './disputes.ts';
import {
  beginRefund,
  completeRefund,
  failRefund,
  type RefundSlot,
  refundKey,
  refundsOf,
  returnKept,
} from './refund-order.ts';

/**
 * Refunds an order whose payment was returned at the provider: in its dashboard, or by a dispute. A return of an unpaid
 * order is stored, and settling asks the provider about it. The returned amount is queried from the provider's API, not
 * taken from the webhook. Only returns of the payment that completed the order count. After a partial return that this
 * service has not requested an operator has to review the order: nobody knows for which tickets it was made. A dispute
 * puts the order under review and reserves its credit until it ends. A report of its opening may arrive after that of its
 * end.
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
  const returns = await gateway.findReturns({ transactionId: paymentTxId, currency });
  // A partial refund of the service may have begun meanwhile.
  const order = await storeWonDispute(await getOrder(storedOrder.id), signal);
  const bounced = findBounced(order, signal, returns);
  if (bounced) return failRefund(order, bounced, 'bounce');
  const foreignAmount = sumExecuted(findForeignReturns(order, returns));
  if (sumExecuted(returns) >= paidAmountOf(order)) {
    // What a lost dispute returned may have passed for a refund of the same amount.
    if (foreignAmount > 0n || order.refund || signal.isDisputeLost) await recordReturn(order, returns);
    await endDisputeReview(order);
    await returnKept(await getOrder(order.id));
    return;
  }
  const { isDisputeWon } = signal;
  const disputeId = signal.disputeId || unknownDispute;
  const reviewReason = findReviewReason(order, signal, foreignAmount);
  if (reviewReason === disputedPayment && hasShare(order)) {
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
  const wonDisputes = isDisputeWon && disputeId ? addWonDispute(order, disputeId) : order.wonDisputes;
  const change = { reportedReturn, wonDisputes };
  const unchanged = expectUnchanged(order, 'paymentStatus', 'reportedReturn', 'wonDisputes');
  const nextDueAt = order.paymentStatus === 'FAILED' ? Date.now() : undefined;
  await writeOrder(changeOrder(order.id, change, { unchanged, nextDueAt }));
  log.info('Return of an unpaid order', { orderId: order.id });
}

/** Finds the executed refund of this service that the report says has failed, if the provider no longer lists it. */
function findBounced(
  order: Order,
  { failedRefundId }: Omit<ReturnSignal, 'kind'>,
  returns: readonly MoneyReturn[],
): RefundSlot | undefined {
  if (!failedRefundId || returns.some(({ id }) => id === failedRefundId)) return undefined;
  return refundsOf(order).find(
    ({ refund: { status, providerId } }) => status === 'done' && providerId === failedRefundId,
  );
}

/** Stores the dispute on the order if the merchant has won it. @returns the current order */
async function storeWonDispute(
  order: Order,
  { disputeId, isDisputeWon }: Omit<ReturnSignal, 'kind'>,
): Promise<Order> {
  if (!isDisputeWon || !disputeId || order.wonDisputes?.includes(disputeId)) return order;
  const unchanged = { paymentStatus: 'COMPLETED', ...expectUnchanged(order, 'wonDisputes') } as const;
  return writeOrder(changeOrder(order.id, { wonDisputes: addWonDispute(order, disputeId) }, { unchanged }));
}

const addWonDispute = ({ wonDisputes = [] }: Order, disputeId: string) => [
  ...new Set([...wonDisputes, disputeId]),
];

/**
 * Returns the returns of a payment that this service has not requested: in the provider's dashboard, or by a dispute. Where
 * the provider does not report keys, a return of the amount of a refund that is not finished is that refund.
 */
function findForeignReturns(order: Order, returns: readonly MoneyReturn[]): MoneyReturn[] {
  const slots = refundsOf(order);
  const keys = slots.map(({ number }) => refundKey(order.id, number));
  const finishedIds = slots.flatMap(({ refund: { providerId } }) => providerId ?? []);
  const openAmounts = slots.flatMap(({ refund }) =>
    refund.status === 'done' || refund.status === 'manual' ? [] : [refund.amount],
  );
  return returns.filter(({ id, amount, idempotencyKey }) => {
    if (idempotencyKey !== undefined) return !keys.includes(idempotencyKey);
    if (finishedIds.includes(id)) return false;
    const index = openAmounts.indexOf(amount);
    if (index < 0) return true;
    openAmounts.splice(index, 1);
    return false;
  });
}

/**
 * Refunds an order whose whole payment has gone back, a part of it at the provider's dashboard and the rest by refunds of
 * this service. The last of them has no report of its own.
 * @returns the current order
 * @throws DomainError `provider-failed` when the provider does not answer
 */
export async function recordWholeReturn(order: Order): Promise<Order> {
  const { currency, paymentTxId: transactionId = '' } = order;
  const gateway = order.gateway && (await findConfiguredGateway(order.gateway));
  if (!gateway || order.refund) return order;
  const returns = await gateway.findReturns({ transactionId, currency });
  const isWhole = sumExecuted(returns) >= paidAmountOf(order);
  return isWhole && sumExecuted(findForeignReturns(order, returns)) > 0n ? beginReturned(order) : order;
}

function beginReturned(order: Order): Promise<Order> {
  return beginRefund(order, { isMoneyReturned: true, requestedBy: gatewayActor });
}

async function recordReturn(order: Order, returns: readonly MoneyReturn[]): Promise<void> {
  const { refund } = order;
  if (!refund) await beginReturned(order);
  else if (refund.status !== 'done') {
    const requested = returns.find(({ idempotencyKey }) => idempotencyKey === refundKey(order.id, undefined));
    await completeRefund(order, { refund }, { providerId: requested?.id });
  }
  log.info('Payment returned', { orderId: order.id });
}

function reportReview({ id: orderId }: Order): void {
  log.warn('Payment under review', { orderId });
  incrementCounter('PaymentsUnderReview');
}

async function putUnderReview(order: Order, paymentReview: string): Promise<void> {
  reportReview(order);
  const unchanged = { paymentStatus: 'COMPLETED', ...expectUnchanged(order, 'wonDisputes') } as const;
  await writeOrder(changeOrder(order.id, { paymentReview }, { unchanged }));
}

/** Clears the review of a dispute. A review for another reason stays. */
async function endDisputeReview({ id, paymentReview }: Order): Promise<void> {
  if (paymentReview !== disputedPayment) return;
  await writeOrder(changeOrder(id, { paymentReview: undefined }, { unchanged: { paymentReview } }));
}
