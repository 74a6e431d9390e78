import { log } from '../log.ts';
import { count } from '../metrics.ts';
import type { GatewayName, Signal } from '../payments/gateway.ts';
import { failOrder } from './fail-order.ts';
import { findPaidOrder, settle } from './settle.ts';

/** What a gateway's webhook does to the order it is about; nothing when there is no such order. */
export async function takeSignal(gateway: GatewayName, signal: Signal): Promise<void> {
  const order = await findPaidOrder(gateway, signal.reference);
  if (!order) {
    log.info('Webhook for no order of ours', { gateway });
    count('WebhooksUnknown');
  } else if (signal.kind === 'paid') {
    await settle(order, signal);
  } else {
    await failOrder(order, 'payment-failed');
  }
}
