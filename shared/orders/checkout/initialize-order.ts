import { isClosed, toUser } from '../../accounts/users/user.ts';
import { type Event, toEvent } from '../../catalog/events/event.ts';
import type { Code } from '../../catalog/promo-codes/code.ts';
import { getCodeWithinRateLimit } from '../../catalog/promo-codes/get-code.ts';
import { countUse } from '../../catalog/promo-codes/store.ts';
import { findPaymentToken } from '../../chain/chains.ts';
import { connect } from '../../chain/connection.ts';
import { DomainError, invalid, notFound, OperationUndone, unauthenticated } from '../../core/errors.ts';
import type { Currency } from '../../core/money.ts';
import { getItems } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import type { Gateway } from '../../payments/gateway.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/log.ts';
import { type ChainTerms, type Order, orderIdOf, paymentStatuses } from '../order.ts';
import { failOrder, settle } from '../settlement/settle-order.ts';
import { changeOrder, findOrder, getOrder, insertOrder, OrderExists, writeOrder } from '../store.ts';
import type { OrderRequest } from './draft-order.ts';
import { draftOrder } from './draft-order.ts';
import { countOpenCryptoOrder, maximumOpenOrders, openOrderCounters } from './open-orders.ts';
import { reserveOrderTickets, retryOnInventoryChange } from './reserve-tickets.ts';

/**
 * Creates an order, reserves its tickets and starts the payment.
 * @param reference the payment reference to use; chosen by the caller so that a repeated call finds its order
 * @param isContinued whether an interrupted call may have created the order already. An existing order is returned even
 * if a new one would be refused now, since the order itself counts towards the limits
 * @returns the order, with the address of the checkout where a gateway is involved
 * @throws DomainError as `getCodeWithinRateLimit`, `draftOrder`, `getPaymentTerms` and `reserveOrderTickets`; 401 for an
 * unknown or closed account, 404 for an unknown event, 400 for a currency that the gateway does not support, 503 for a
 * gateway that is not configured, 502 for a gateway that fails
 */
export async function initializeOrder(
  userId: string,
  request: OrderRequest,
  reference: string,
  isContinued = false,
): Promise<Order> {
  const existingOrder = isContinued ? await findOrder(orderIdOf(reference) as string) : undefined;
  if (existingOrder) return startPayment(existingOrder);
  const [eventItem, userItem] = await getItems([keys.event(request.eventId), keys.user(userId)]);
  const user = userItem && toUser(userItem);
  if (!user || isClosed(user)) throw unauthenticated('Authentication required');
  if (!eventItem) throw notFound('Event');
  const now = Date.now();
  const order = await retryOnInventoryChange(
    request.eventId,
    async (event) => {
      // The code is read after the event. An edit of the code in between raises the event's sale version, and the
      // reservation then fails and is retried.
      const code = request.code ? await getCodeWithinRateLimit(event.id, request.code, userId) : undefined;
      const draft = draftOrder(event, user, request, code, reference, now);
      await requireGateway(draft);
      const chainTerms = await findChainTerms(event, draft);
      const order = { ...draft, ...(chainTerms && { chainTerms }) };
      return reserveAndInsert(event, { ...order, countedOpen: openOrderCounters(order) }, code);
    },
    toEvent(eventItem),
  );
  return startPayment(order);
}

/** Reserves the tickets and inserts the order. Returns the existing order of the same reference, if there is one. */
async function reserveAndInsert(event: Event, draft: Order, code: Code | undefined): Promise<Order> {
  try {
    const orderWrites = (shard: number) => [
      insertOrder({ ...draft, shard }),
      ...countOpenCryptoOrder(draft),
      ...(code ? countUse(code, draft.discount ?? 0n, draft.currency) : []),
    ];
    const maxOpenOrders = draft.countedOpen?.includes('event') ? maximumOpenOrders() : undefined;
    const shard = await reserveOrderTickets(event, draft, orderWrites, {
      maxOpenOrders,
      maxPerCode: code?.maxPerUser,
    });
    return { ...draft, shard };
  } catch (error) {
    if (error instanceof OrderExists) return error.current;
    throw error;
  }
}

/** Returns the payment terms on the event's chain; undefined for fiat and free orders. */
async function findChainTerms(event: Event, order: Order): Promise<ChainTerms | undefined> {
  if (order.paymentMethod !== 'CRYPTO' || order.totalAmount === 0n) return undefined;
  return getPaymentTerms(event.chainId, order.currency);
}

/**
 * Returns the payment terms of a currency on a chain.
 * @throws DomainError 400 for a currency that is neither the chain's own coin nor a token accepted there, 503 when the
 * wallet for payments or the chain's endpoints are not configured
 */
export async function getPaymentTerms(chainId: number, currency: Currency): Promise<ChainTerms> {
  const token = findPaymentToken(chainId, currency);
  if (token === undefined) {
    throw invalid(`${currency} can't be paid on chain ${chainId}`, 'currency-not-supported');
  }
  const to = optionalSetting('TREASURY_ADDRESS');
  if (!to || !(await connect(chainId))) {
    throw new DomainError('unavailable', 'crypto-not-configured', `Chain ${chainId} is not available`);
  }
  return { chainId, to, token };
}

/**
 * Starts the payment of an order that holds its tickets; a free order is settled at once.
 * @throws OperationUndone 502 when the gateway fails or has failed before; then the tickets are released
 */
async function startPayment(order: Order): Promise<Order> {
  if (order.failureReason === 'gateway-failed') throw paymentNotStarted();
  if (order.totalAmount === 0n) return settleFreeOrder(order);
  const gateway = await requireGateway(order);
  if (!gateway || order.checkoutUrl || order.paymentStatus !== 'PENDING') return order;
  try {
    const checkout = await gateway.start({
      reference: order.reference,
      amount: order.totalAmount,
      currency: order.currency,
      email: order.customerEmail,
      name: order.customerName,
      description: order.description ?? '',
      returnUrl: `${optionalSetting('PUBLIC_URL') ?? ''}/orders/${order.id}?reference=${order.reference}`,
      expiresAt: order.expiresAt,
    });
    // The description is no longer needed. Without it the item stays below 1 KB, above which every write costs double.
    const change = { ...checkout, description: undefined };
    // The checkout is stored with any payment status, since the order may have failed meanwhile.
    return await writeOrder(changeOrder(order.id, change, { unchanged: { paymentStatus: paymentStatuses } }));
  } catch (error) {
    log.error('Payment could not be started', error, { orderId: order.id });
    // The failed call may have started a checkout: the sweep asks the gateway whether the order was paid.
    const currentOrder = await failOrder(order, 'gateway-failed', Date.now());
    // The payment was reported meanwhile.
    if (currentOrder.paymentStatus === 'COMPLETED') return currentOrder;
    throw error instanceof DomainError ? paymentNotStarted() : error;
  }
}

/** Settles an order that costs nothing. An order that completes but can't be queued is returned: the sweep queues it. */
async function settleFreeOrder(order: Order): Promise<Order> {
  try {
    await settle(order, { kind: 'paid', reference: order.reference, transactionId: 'free' });
  } catch (error) {
    const currentOrder = await getOrder(order.id);
    if (currentOrder.paymentStatus !== 'COMPLETED') throw error;
    log.error('Order could not be queued: the sweep finds it', error, { orderId: order.id });
    return currentOrder;
  }
  return getOrder(order.id);
}

const paymentNotStarted = () =>
  new OperationUndone('provider-failed', 'provider-failed', 'The payment provider is not available');

/**
 * Returns the gateway of the order's payment; none for crypto and free orders.
 * @throws DomainError 503 for a gateway that is not configured, 400 for a currency or an amount that it does not
 * support
 */
async function requireGateway({ gateway: name, currency, totalAmount }: Order): Promise<Gateway | undefined> {
  if (!name || totalAmount === 0n) return undefined;
  const gateway = await findConfiguredGateway(name);
  if (!gateway)
    throw new DomainError('unavailable', 'gateway-not-configured', 'This way of paying is not available');
  if (!gateway.supports(currency, totalAmount)) {
    throw invalid(`This way of paying does not accept this amount of ${currency}`, 'currency-not-supported');
  }
  return gateway;
}
