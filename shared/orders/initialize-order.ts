import { toUser } from '../auth/store.ts';
import type { User } from '../auth/user.ts';
import { getItems } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { optional } from '../env.ts';
import { conflict, DomainError, forbidden, invalid, notFound, unauthenticated } from '../errors.ts';
import type { Event, Tier } from '../events/event.ts';
import { toEvent } from '../events/store.ts';
import { log } from '../log.ts';
import { subtotal, totalWithFee } from '../money.ts';
import { type Gateway, type GatewayName, gatewayNames } from '../payments/gateway.ts';
import { configuredGateway } from '../payments/gateways.ts';
import { paymentTerms } from './chain-terms.ts';
import { failOrder } from './fail-order.ts';
import type { ChainTerms, Order } from './order.ts';
import type { OrderRequest } from './order-request.ts';
import { orderIdOf } from './reference.ts';
import { takeSeats, withEvent } from './seats.ts';
import { settle } from './settle.ts';
import { applyMove, getOrder, insertOrder, moveOrder, OrderMoved } from './store.ts';

/**
 * Makes an order and holds its tickets, then begins the payment.
 * @param reference the payment reference to use; chosen by the caller so that a repeated call finds its order
 * @returns the order, with where to pay where a gateway is involved
 * @throws DomainError 404, 409 and 403 for what decisions about sales forbid, 400 for a currency the gateway
 * does not take, 503 for one that is not configured, 502 for one that fails
 */
export async function initializeOrder(
  userId: string,
  request: OrderRequest,
  reference: string,
): Promise<Order> {
  const [eventItem, userItem] = await getItems([keys.event(request.eventId), keys.user(userId)]);
  if (!userItem) throw unauthenticated('Authentication required');
  if (!eventItem) throw notFound('Event');
  const user = toUser(userItem);
  const now = Date.now();
  const order = await withEvent(
    request.eventId,
    async (event) => {
      const tier = purchasable(event, request.tierId, user, now);
      const draft = draftOrder(event, tier, user, request, reference, now);
      await chosenGateway(draft);
      const chainTerms = await chosenChain(event, draft);
      return hold(event, { ...draft, ...(chainTerms && { chainTerms }) });
    },
    toEvent(eventItem),
  );
  return beginPayment(order);
}

/** Takes the tickets and writes the order; an order of that reference that is there already is taken up. */
async function hold(event: Event, draft: Order): Promise<Order> {
  try {
    const shard = await takeSeats(event, draft, (shard) => [insertOrder({ ...draft, shard })]);
    return { ...draft, shard };
  } catch (error) {
    if (error instanceof OrderMoved) return error.current;
    throw error;
  }
}

/** Takes an order that holds its tickets on to where it can be paid; a free one is paid already. */
async function beginPayment(order: Order): Promise<Order> {
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
      description: `${order.quantity} tickets`,
      returnUrl: `${optional('PUBLIC_URL') ?? ''}/orders/${order.id}?reference=${order.reference}`,
      expiresAt: order.expiresAt,
    });
    return await applyMove(moveOrder(order.id, ['PENDING', 'COMPLETED', 'FAILED'], checkout));
  } catch (error) {
    log.error('Payment could not be begun', error, { orderId: order.id });
    await failOrder(order, 'gateway-failed');
    throw error;
  }
}

/** @throws DomainError when this user can't buy this tier now */
function purchasable(event: Event, tierId: string, user: User, now: number): Tier {
  if (event.status !== 'PUBLISHED') throw conflict('not-on-sale', 'The event is not on sale');
  if (now < Date.parse(event.saleStart)) throw conflict('sale-not-started', 'The sale has not started yet');
  if (now > Date.parse(event.saleEnd)) throw conflict('sale-ended', 'The sale has ended');
  const tier = event.tiers.find(({ id }) => id === tierId);
  if (!tier) throw notFound('Tier');
  if (event.requireKYC && user.kycStatus !== 'VERIFIED') {
    throw forbidden('This event requires a verified identity', 'kyc-required');
  }
  return tier;
}

function draftOrder(
  event: Event,
  tier: Tier,
  user: User,
  request: OrderRequest,
  reference: string,
  now: number,
): Order {
  const { quantity, paymentMethod } = request;
  const holdMilliseconds = Number(optional('HOLD_MINUTES') ?? 15) * 60_000;
  const createdAt = new Date(now).toISOString();
  return {
    id: orderIdOf(reference) as string,
    userId: user.id,
    eventId: event.id,
    tierId: tier.id,
    quantity,
    currency: event.currency,
    subtotal: subtotal(tier.price, quantity),
    totalAmount: totalWithFee(tier.price, quantity),
    paymentMethod,
    ...(paymentMethod === 'FIAT' && { gateway: request.gateway ?? defaultGateway() }),
    reference,
    paymentStatus: 'PENDING',
    customerEmail: request.customerEmail ?? user.email,
    customerName: request.customerName ?? user.name,
    holdsSeat: true,
    shard: 0,
    fulfilmentStatus: 'none',
    createdAt,
    updatedAt: createdAt,
    expiresAt: new Date(now + holdMilliseconds).toISOString(),
  };
}

/** The gateway that takes the order's money; none for crypto and for what costs nothing. */
async function chosenGateway({ gateway: name, currency, totalAmount }: Order): Promise<Gateway | undefined> {
  if (!name || totalAmount === 0n) return undefined;
  const gateway = await configuredGateway(name);
  if (!gateway) throw new DomainError('unavailable', 'gateway-not-configured', `${name} is not available`);
  if (!gateway.supports(currency, totalAmount)) {
    throw invalid(`${name} does not take this amount of ${currency}`, 'currency-not-supported');
  }
  return gateway;
}

/** Where the order's money goes on the event's chain; nowhere for what is paid otherwise, or costs nothing. */
async function chosenChain(event: Event, order: Order): Promise<ChainTerms | undefined> {
  if (order.paymentMethod !== 'CRYPTO' || order.totalAmount === 0n) return undefined;
  return paymentTerms(event.chainId, order.currency);
}

function defaultGateway(): GatewayName {
  const configured = optional('DEFAULT_GATEWAY');
  return gatewayNames.find((name) => name === configured) ?? 'gateway-a';
}
