import { DomainError, invalid } from '../../core/errors.ts';
import type { Gateway } from '../../payments/gateway.ts';
import { configuredGateway } from '../../payments/gateways.ts';
import { optional } from '../../runtime/config.ts';
import { log } from '../../runtime/log.ts';
import type { Order } from '../order.ts';
import { failOrder } from '../settlement/fail-order.ts';
import { settle } from '../settlement/settle.ts';
import { applyMove, getOrder, moveOrder } from '../store.ts';

/**
 * Takes an order that holds its tickets on to where it can be paid; a free one is paid already.
 * @throws DomainError 502 when the gateway fails; then the tickets are given back
 */
export async function startPayment(order: Order): Promise<Order> {
  if (order.totalAmount === 0n) {
    await settle(order, { kind: 'paid', reference: order.reference, transactionId: 'free' });
    return getOrder(order.id);
  }
  const gateway = await chosenGateway(order);
  if (!gateway || order.checkoutUrl || order.paymentStatus !== 'PENDING') return order;
  try {
    const checkout = await gateway.start({
      reference: order.reference,
      amount: order.totalAmount,
      currency: order.currency,
      email: order.customerEmail,
      name: order.customerName,
      description: order.description ?? '',
      returnUrl: `${optional('PUBLIC_URL') ?? ''}/orders/${order.id}?reference=${order.reference}`,
      expiresAt: order.expiresAt,
    });
    // With the link the description has served; above 1 KB every write of the order would cost double.
    const change = { ...checkout, description: undefined };
    return await applyMove(moveOrder(order.id, ['PENDING', 'COMPLETED', 'FAILED'], change));
  } catch (error) {
    log.error('Payment could not be begun', error, { orderId: order.id });
    await failOrder(order, 'gateway-failed');
    throw error;
  }
}

/**
 * The gateway that takes the order's money; none for crypto and for what costs nothing.
 * @throws DomainError 503 for one that is not configured, 400 for a currency or an amount it does not take
 */
export async function chosenGateway({
  gateway: name,
  currency,
  totalAmount,
}: Order): Promise<Gateway | undefined> {
  if (!name || totalAmount === 0n) return undefined;
  const gateway = await configuredGateway(name);
  if (!gateway) throw new DomainError('unavailable', 'gateway-not-configured', `${name} is not available`);
  if (!gateway.supports(currency, totalAmount)) {
    throw invalid(`${name} does not take this amount of ${currency}`, 'currency-not-supported');
  }
  return gateway;
}
