import type { Gateway, PaymentSignal } from '../../payments/gateway.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/log.ts';
import { incrementCounter } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { failOrder, findOrderByReference, holdForReview, settle } from './settle-order.ts';

/**
 * The timeout of the verification. Gateways wait 10 s for the answer to a webhook; the remaining time is for settling
 * the order.
 */
const verificationTimeoutMilliseconds = 4_000;

/**
 * Settles or fails the order that a gateway's webhook is about; does nothing when there is no such order.
 * @throws DomainError `provider-failed` when the provider had to be asked and did not answer
 */
export async function receivePayment(gateway: Gateway, signal: PaymentSignal): Promise<void> {
  const order = await findOrderByReference(gateway.name, signal.reference);
  if (!order) {
    log.info('Webhook without an order', { gateway: gateway.name });
    incrementCounter('WebhooksUnknown');
  } else if (signal.kind === 'failed') {
    // The gateway itself reports the payment as failed, so it is not asked again.
    await failOrder(order, 'payment-failed', 'never');
  } else if (order.paymentStatus !== 'COMPLETED' && (await verifiesPayments(gateway))) {
    await verifyAndSettle(gateway, order);
  } else {
    await settle(order, signal);
  }
}

async function verifiesPayments(gateway: Gateway): Promise<boolean> {
  return optionalSetting('VERIFY_WITH_GATEWAY') === 'true' && (await gateway.isConfigured());
}

/**
 * Settles with the payment that the provider's API reports. The webhook alone is not trusted, since its secret may have
 * leaked.
 */
async function verifyAndSettle(gateway: Gateway, order: Order): Promise<void> {
  const payment = await gateway.findPayment(order, verificationTimeoutMilliseconds);
  if (payment) await settle(order, payment);
  else await holdForReview(order, `${gateway.name} does not confirm the payment it reported`);
}
