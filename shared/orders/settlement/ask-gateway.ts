import { BreakerOpen, callThroughBreaker } from '../../breakers/call-through-breaker.ts';
import { DomainError } from '../../core/errors.ts';
import { configuredGateway } from '../../payments/gateways.ts';
import { log } from '../../runtime/log.ts';
import type { Order } from '../order.ts';
import { settle } from './settle.ts';

/** Each call may take so long, in milliseconds: a gateway may need two, and an endpoint has ten seconds. */
const limitMilliseconds = 4_000;

/** The result of asking: `unpaid` holds for good where the checkout could be closed. */
export type GatewayAnswer = 'settled' | 'unpaid' | 'unanswered';

/**
 * Asks the gateway of an order that ends whether it was paid, after closing the checkout where the provider can. A
 * payment that it finds settles the order; one that falls short is put under review and does not count.
 */
export async function askGateway(order: Order): Promise<GatewayAnswer> {
  const gateway = order.gateway && (await configuredGateway(order.gateway));
  if (!gateway) return 'unpaid';
  try {
    const signal = await callThroughBreaker(gateway.name, () => gateway.endPayment(order, limitMilliseconds));
    return signal && (await settle(order, signal)) !== 'under-review' ? 'settled' : 'unpaid';
  } catch (error) {
    const hasFailed = error instanceof DomainError && error.kind === 'provider-failed';
    if (!hasFailed && !(error instanceof BreakerOpen)) throw error;
    log.warn('Gateway could not be asked whether an order was paid', { orderId: order.id });
    return 'unanswered';
  }
}
