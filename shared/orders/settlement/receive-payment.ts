import type { Gateway, PaymentSignal } from '../../payments/gateway.ts';
import { optional } from '../../runtime/config.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { failOrder } from './fail-order.ts';
import { findPaidOrder, holdForReview, settle } from './settle.ts';

/** A gateway waits 10 s for our answer: this leaves enough for everything else. */
const askingBackMilliseconds = 4_000;

/**
 * What a gateway's webhook does to the order it is about; nothing when there is no such order.
 * @throws DomainError `provider-failed` when the provider had to be asked back and did not answer
 */
export async function receivePayment(gateway: Gateway, signal: PaymentSignal): Promise<void> {
  const order = await findPaidOrder(gateway.name, signal.reference);
  if (!order) {
    log.info('Webhook for no order of ours', { gateway: gateway.name });
    count('WebhooksUnknown');
  } else if (signal.kind === 'failed') {
    await failOrder(order, 'payment-failed');
  } else if (order.paymentStatus !== 'COMPLETED' && (await asksBack(gateway))) {
    await settleConfirmed(gateway, order);
  } else {
    await settle(order, signal);
  }
}

async function asksBack(gateway: Gateway): Promise<boolean> {
  return optional('VERIFY_WITH_GATEWAY') === 'true' && (await gateway.isConfigured());
}

/** What the provider says when asked counts, not what the webhook said: only the former is sure to be its own. */
async function settleConfirmed(gateway: Gateway, order: Order): Promise<void> {
  const confirmed = await gateway.findPayment(order, askingBackMilliseconds);
  if (confirmed) await settle(order, confirmed);
  else await holdForReview(order, `${gateway.name} does not confirm the payment it told of`);
}
