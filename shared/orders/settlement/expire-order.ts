import type { PaymentSignal } from '../../payments/gateway.ts';
import { configuredGateway } from '../../payments/gateways.ts';
import { log } from '../../runtime/log.ts';
import { count } from '../../runtime/metrics.ts';
import type { Order } from '../order.ts';
import { applyMove, moveOrder } from '../store.ts';
import { failOrder } from './fail-order.ts';
import { settle } from './settle.ts';

const retryMilliseconds = 60_000;
/** How long past its hold an order keeps its tickets while its gateway can't be asked. */
const patienceMilliseconds = 15 * 60_000;

/**
 * Ends the hold of an order that was not confirmed in time. The gateway is asked first: a payment whose webhook
 * never came completes the order after all.
 */
export async function expireOrder(order: Order): Promise<void> {
  const now = Date.now();
  if (order.paymentStatus !== 'PENDING' || Date.parse(order.expiresAt) > now) return;
  let signal: PaymentSignal | undefined;
  try {
    const gateway = order.gateway && (await configuredGateway(order.gateway));
    signal = await gateway?.findPayment(order);
  } catch (error) {
    log.warn('Gateway could not be asked about an expired order', { orderId: order.id });
    if (now < Date.parse(order.expiresAt) + patienceMilliseconds) {
      await applyMove(moveOrder(order.id, ['PENDING'], {}, now + retryMilliseconds));
      return;
    }
    log.error('Hold given up without an answer from the gateway', error, { orderId: order.id });
  }
  if (signal?.kind === 'paid' && (await settle(order, signal)) !== 'under-review') return;
  const ended = await failOrder(order, 'expired');
  if (ended.failureReason === 'expired') count('OrdersExpired');
}
