import { askProvider } from '../../breakers/ask-provider.ts';
import type { PaymentSignal } from '../../payments/gateway.ts';
import { configuredGateway } from '../../payments/gateways.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { changeOrder, writeOrder } from '../store.ts';
import { failOrder, settle } from './settle.ts';

/** How long past its hold an order keeps its tickets while its gateway does not answer. */
export const graceMilliseconds = 15 * 60_000;
const firstRetry = 60_000;
const longestRetry = 4 * 60_000;
/** Less than a gateway may take elsewhere: others wait for the same worker. */
const askingMilliseconds = 4_000;

/**
 * Ends the hold of an order that was not paid in time. The gateway is asked first: a payment whose webhook never
 * arrived completes the order.
 */
export async function expireOrder(order: Order): Promise<void> {
  const now = Date.now();
  if (order.paymentStatus !== 'PENDING' || Date.parse(order.expiresAt) > now) return;
  let signal: PaymentSignal | undefined;
  try {
    const gateway = order.gateway && (await configuredGateway(order.gateway));
    signal =
      gateway && (await askProvider(gateway.name, () => gateway.findPayment(order, askingMilliseconds)));
  } catch (error) {
    log.warn('Gateway could not be asked about an expired order', { orderId: order.id });
    const pastHold = now - Date.parse(order.expiresAt);
    if (pastHold < graceMilliseconds) {
      const due = now + Math.min(Math.max(pastHold, firstRetry), longestRetry, graceMilliseconds - pastHold);
      const postponed = { due, unchanged: { paymentStatus: 'PENDING' } } as const;
      await writeOrder(changeOrder(order.id, {}, postponed));
      return;
    }
    log.error('Hold ended without an answer from the gateway', error, { orderId: order.id });
  }
  if (signal?.kind === 'paid' && (await settle(order, signal)) !== 'under-review') return;
  const ended = await failOrder(order, 'expired');
  if (ended.failureReason === 'expired') count('OrdersExpired');
}
