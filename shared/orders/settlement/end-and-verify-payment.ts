import { DomainError } from '../../core/errors.ts';
import { BreakerOpen, callThroughBreaker } from '../../payments/breaker.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { log } from '../../runtime/log.ts';
import type { Order } from '../order.ts';
import { settle } from './settle-order.ts';

/** The timeout of each call, in milliseconds. A gateway may need two calls, and an endpoint has ten seconds. */
const timeoutMilliseconds = 4_000;

/** `unpaid` is final when the gateway has closed the checkout. Otherwise the buyer may still pay. */
export type VerificationResult = 'settled' | 'unpaid' | 'unanswered';

/**
 * Closes an order's checkout, if the gateway supports that, and asks the gateway whether the order was paid. A full
 * payment settles the order. A partial payment counts as unpaid, and an operator has to review the order. A gateway that
 * is no longer configured can't be asked: its orders are checked again, in case it is configured again.
 */
export async function endAndVerifyPayment(order: Order): Promise<VerificationResult> {
  if (!order.gateway) return 'unpaid';
  const gateway = await findConfiguredGateway(order.gateway);
  if (!gateway) {
    log.warn('The gateway of an order is not configured', { orderId: order.id, gateway: order.gateway });
    return 'unanswered';
  }
  try {
    const signal = await callThroughBreaker(gateway.name, () =>
      gateway.endPayment(order, timeoutMilliseconds),
    );
    return signal && (await settle(order, signal)) !== 'under-review' ? 'settled' : 'unpaid';
  } catch (error) {
    const isProviderFailure = error instanceof DomainError && error.kind === 'provider-failed';
    if (!isProviderFailure && !(error instanceof BreakerOpen)) throw error;
    log.warn('Gateway could not be asked whether an order was paid', { orderId: order.id });
    return 'unanswered';
  }
}
