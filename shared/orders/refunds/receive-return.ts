import { gatewayActor } from '../../audit/audit.ts';
import type { GatewayName, ReturnSignal } from '../../payments/gateway.ts';
import { configuredGateway } from '../../payments/gateways.ts';
import { log } from '../../runtime/log.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { findPaidOrder } from '../settlement/settle-order.ts';
import { changeOrder, writeOrder } from '../store.ts';
import { beginRefund, paidFor } from './begin-refund.ts';
import { completeRefund } from './complete-refund.ts';

/**
 * Refunds an order whose payment was returned at the provider: in its dashboard, or by a dispute. The provider is
 * asked, and its answer decides instead of the webhook. Does nothing when there is no such order, or when another
 * payment completed it. A partial return puts the order under review by an operator, since tickets can't be refunded in
 * part.
 * @throws DomainError `provider-failed` when the provider does not answer, 409 until the order is posted
 */
export async function receiveReturn(name: GatewayName, signal: Omit<ReturnSignal, 'kind'>): Promise<void> {
  const gateway = await configuredGateway(name);
  if (!gateway) throw new Error(`${name} is not configured`);
  const { transactionId = '', isDispute } = signal;
  const reference = signal.reference ?? (await gateway.findReference?.(transactionId));
  const order = reference === undefined ? undefined : await findPaidOrder(gateway.name, reference);
  if (order?.paymentStatus !== 'COMPLETED' || !order.paymentTxId) {
    log.info('Webhook for no paid order of ours', { gateway: gateway.name });
    incrementCounter('WebhooksUnknown');
    return;
  }
  const { currency } = order;
  const returned = await gateway.findReturnedAmount({ transactionId: order.paymentTxId, currency });
  if (returned >= paidFor(order)) await recordReturn(order);
  else if (isDispute) await review(order, 'The buyer disputes the payment');
  else if (returned > 0n)
    await review(order, `${returned} minor units of ${currency} went back to the buyer`);
}

async function recordReturn(order: Order): Promise<void> {
  const { refund } = order;
  if (!refund) await beginRefund(order, { isSent: true, by: gatewayActor });
  else if (refund.status !== 'done') await completeRefund({ ...order, refund });
  log.info('Payment went back', { orderId: order.id });
}

async function review(order: Order, paymentReview: string): Promise<void> {
  log.warn('Payment under review', { orderId: order.id });
  incrementCounter('PaymentsUnderReview');
  await writeOrder(changeOrder(order.id, { paymentReview }, { unchanged: { paymentStatus: 'COMPLETED' } }));
}
