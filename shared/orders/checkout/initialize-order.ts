import { setTimeout } from 'node:timers/promises';
import { countAttempt } from '../../accounts/rate-limit.ts';
import { GuestExists, insertGuest, insertUser, toGuestId } from '../../accounts/users/store.ts';
import { isClosed, toSessionOwner, toUser, type User } from '../../accounts/users/user.ts';
import { allowsGuests, type Event, toEvent } from '../../catalog/events/event.ts';
import { hashNetwork } from '../../catalog/inventory/store.ts';
import { getCodeWithinRateLimit } from '../../catalog/promo-codes/store.ts';
import { isQueued } from '../../catalog/queue/queue.ts';
import { type OfferedEntry, toEntry } from '../../catalog/waiting-list/entry.ts';
import { EntryChanged } from '../../catalog/waiting-list/store.ts';
import { connect } from '../../chain/connection.ts';
import {
  DomainError,
  notFound,
  OperationUndone,
  TableUnavailable,
  unauthenticated,
} from '../../core/errors.ts';
import { hashEmail, newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem, getItems, type Item } from '../../dynamo/read.ts';
import { put, type Write, write } from '../../dynamo/write.ts';
import {
  type Breaker,
  callWithBreaker,
  findBreaker,
  requireClosed,
  toBreaker,
} from '../../payments/breaker.ts';
import { findConfiguredGateway } from '../../payments/gateways.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/telemetry.ts';
import { type QueueTicket, verifyQueueTicket } from '../../runtime/tokens.ts';
import { type Order, orderIdOf } from '../order.ts';
import { failOrder } from '../settlement/fail-order.ts';
import { reportCompleted, tryQueueFulfilment } from '../settlement/settle-order.ts';
import {
  changeOrder,
  findOrder,
  findOrders,
  OrderExists,
  OrderTransitionRefused,
  writeOrder,
} from '../store.ts';
import { ListingEnded, offerEnded } from '../waiting-list/listings.ts';
import {
  type Customer,
  gatewayOf,
  type OrderRequest,
  planOrder,
  requireGateway,
  type Sale,
} from './draft-order.ts';
import { itemsOf, namingTiers } from './price-items.ts';
import { chooseShard, reserveOrderTickets, retryOnInventoryChange } from './reserve-tickets.ts';

/** Who buys: a user, or a guest, and from which IP address. */
export interface Buyer {
  userId: string | undefined;
  /** The version of the user's session. */
  sessionVersion?: number | undefined;
  address: string;
  /** The ticket of the event's queue, as it was received. */
  queueTicket?: string | undefined;
}

/**
 * Creates an order, reserves its tickets and starts the payment.
 * @param reference the payment reference to use; chosen by the caller so that a repeated call finds its order
 * @param isContinued whether an interrupted call may have created the order already. An existing order is returned even
 * if a new one would be refused now: the order itself counts towards the limits
 * @returns the order, with the address of the checkout where a gateway is involved
 * @throws DomainError as `getCodeWithinRateLimit`, `planOrder` and `reserveOrderTickets`; 401 for an unknown or closed
 * account, 404 for an unknown event, 502 for a gateway that fails, BreakerOpen for one that has failed repeatedly
 */
export async function initializeOrder(
  buyer: Buyer,
  request: OrderRequest,
  reference: string,
  isContinued = false,
): Promise<Order> {
  const existingOrder = isContinued ? await findOrder(orderIdOf(reference) as string) : undefined;
  if (existingOrder) return startPayment(existingOrder, await findBreaker(existingOrder.gateway ?? ''));
  if (request.customer) await countGuestOrder(buyer.address);
  const { order, breaker } = await placeOrder(buyer, request, reference);
  return startPayment(order, breaker);
}

/**
 * Counts an order of a guest by IP address: a guest needs no account, whose registration would be counted.
 * @throws DomainError 429
 */
async function countGuestOrder(ipAddress: string): Promise<void> {
  const maximum = optionalSetting('GUEST_ORDERS_PER_HOUR');
  if (maximum === undefined) return;
  await countAttempt(keys.attempts('GUEST_ORDER', ipAddress), {
    maximum: Number(maximum),
    windowSeconds: 60 * 60,
    message:
      'Many tickets were ordered from your network without an account. Please log in, or try again later',
  });
}

interface PlacedOrder {
  order: Order;
  /** The breaker of the order's gateway. */
  breaker: Breaker | undefined;
}

/** Reads, decides, and writes the order. Returns the existing order of the same reference, if there is one. */
async function placeOrder(buyer: Buyer, request: OrderRequest, reference: string): Promise<PlacedOrder> {
  /** The buyer's turn in the event's queue. */
  let turn: QueueTicket | undefined;
  const placing = retryOnInventoryChange(async () => {
    const { sale, breaker } = await readSale(buyer, request);
    try {
      const { order } = await namingTiers(sale.event, request, async () => {
        const plan = planOrder(sale, request, { reference, now: Date.now(), shard: chooseShard() });
        // Refused before anything is reserved.
        if (plan.order.gateway && plan.order.totalAmount > 0n) requireClosed(breaker);
        if (!sale.offer && isQueued(sale.event, Date.now())) turn = sale.queueTicket;
        await reserveOrderTickets(plan);
        return plan;
      });
      if (order.paymentStatus === 'COMPLETED') reportCompleted(order);
      return { order, breaker };
    } catch (error) {
      if (error instanceof OrderExists) return { order: error.current, breaker };
      if (error instanceof ListingEnded) throw offerEnded();
      // The offer was taken, declined or has expired: the order is decided again without it.
      if (error instanceof GuestExists || error instanceof EntryChanged)
        return placeOrder(buyer, request, reference);
      throw error;
    }
  });
  return placing.catch(async (error: unknown) => {
    const isBusy = error instanceof DomainError && error.code === 'busy';
    if (turn && (isBusy || error instanceof TableUnavailable))
      await reportRefusal(turn.eventId, turn.placeId);
    throw error;
  });
}

/** The refused orders that an execution environment has not stored yet. */
const refusals = { pending: new Map<string, Write>(), storedAt: 0 };

/**
 * Counts an admitted place whose order the service could not take, for the automatic rate. An execution environment stores
 * the places once a second at most, and waits a second for it at most. Those of its last second may be lost.
 */
async function reportRefusal(eventId: string, placeId: string): Promise<void> {
  const now = Date.now();
  const ttl = Math.ceil(now / 1000) + 60 * 60;
  refusals.pending.set(placeId, put({ ...keys.queueRefusal(eventId, placeId), at: now, ttl }));
  if (now - refusals.storedAt < 1_000) return;
  const writes = [...refusals.pending.values()];
  refusals.pending.clear();
  refusals.storedAt = now;
  const logFailure = (error: unknown) =>
    log.warn('Refused orders were not counted', { eventId, error: String(error) });
  await Promise.race([Promise.all(writes.map(write)).catch(logFailure), setTimeout(1_000)]);
}

/** Reads what the decision needs, and the gateway's breaker in the same request. */
async function readSale(
  { userId, sessionVersion, address, queueTicket }: Buyer,
  request: OrderRequest,
): Promise<{ sale: Sale; breaker: Breaker | undefined }> {
  const gatewayName = gatewayOf(request);
  const { customer, eventId, offerId } = request;
  const network = hashNetwork(eventId, address);
  const offerKeys =
    offerId && userId !== undefined
      ? itemsOf(request).map(({ tierId }) => keys.waitingEntry({ userId, eventId, tierId }))
      : [];
  const [eventItem, buyerItem, ...others] = await getItems([
    keys.event(eventId),
    customer ? keys.guest(hashEmail(customer.email)) : keys.user(userId ?? ''),
    ...offerKeys,
    ...(gatewayName ? [keys.breaker(gatewayName)] : []),
    ...(network ? [keys.attempts('UNPAID', network)] : []),
  ]);
  const breakerItem = gatewayName && others[offerKeys.length];
  const event = eventItem && toEvent(eventItem);
  const { user, guest } = customer
    ? await readGuest(customer, buyerItem, event)
    : { user: buyerItem && toUser(buyerItem) };
  if (!user || isClosed(user)) throw unauthenticated('Authentication required');
  if (!event) throw notFound('Event');
  const offer = findOffer(others.slice(0, offerKeys.length), offerId);
  const sale = {
    event,
    user,
    sessionVersion,
    guest,
    // Read after the event. An edit of the code in between raises the event's sale version, and the reservation then
    // fails and is retried.
    code: request.code ? await getCodeWithinRateLimit(event.id, request.code, userId ?? address) : undefined,
    queueTicket: event.queue && queueTicket ? await verifyQueueTicket(queueTicket) : undefined,
    offer,
    sellers: await findOrders(offer?.offer.backedBy?.orderIds ?? []),
    gateway: gatewayName && (await findConfiguredGateway(gatewayName)),
    isChainConnected: gatewayName === undefined && (await connect(event.chainId)) !== undefined,
    network: network === undefined ? undefined : { id: network, item: others.at(-1) },
  };
  return { sale, breaker: toBreaker(breakerItem || undefined) };
}

/** Finds the entry with an offer that has not ended. @param items the buyer's entries in the lists of the tiers */
function findOffer(
  items: readonly (Item | undefined)[],
  offerId: string | null | undefined,
): OfferedEntry | undefined {
  const now = new Date().toISOString();
  return items
    .flatMap((item) => (item ? [toEntry(item)] : []))
    .find(
      (entry): entry is OfferedEntry =>
        entry.status === 'offered' &&
        entry.offer?.id === offerId &&
        entry.offer !== undefined &&
        entry.offer.expiresAt > now,
    );
}

/**
 * Reads the guest of an address, or prepares a new one. The name of an existing guest stays as it is: nobody has proved
 * whose address it is.
 * @param item what leads to the guest's user
 * @throws DomainError 401 for an event that sells to accounts only
 */
async function readGuest(
  { email, name }: Customer,
  item: Item | undefined,
  event: Event | undefined,
): Promise<{ user: User | undefined; guest: Sale['guest'] }> {
  if (event && (!allowsGuests(event) || isQueued(event, Date.now())))
    throw unauthenticated('Authentication required');
  if (item) {
    const userItem = await getItem(keys.user(toGuestId(item)));
    const owner = userItem && toSessionOwner(userItem);
    return { user: owner?.user, guest: { version: owner?.sessionVersion ?? 0, writes: [] } };
  }
  const user = {
    id: newId(),
    email,
    name,
    role: 'GUEST' as const,
    walletAddress: null,
    kycStatus: 'NONE' as const,
    emailVerified: false,
  };
  const writes = [insertGuest(email, user.id), insertUser(user, new Date().toISOString())];
  return { user: { ...user, walletVerified: false }, guest: { version: 0, writes } };
}

/**
 * Starts the payment of an order that holds its tickets; queues an order that costs nothing.
 * @throws OperationUndone 502 when the gateway fails or has failed before, 503 when the table could not store the
 * checkout; then the tickets are released
 */
async function startPayment(order: Order, breaker: Breaker | undefined): Promise<Order> {
  if (order.failureReason === 'gateway-failed') throw paymentNotStarted();
  if (order.totalAmount === 0n) {
    if (!order.isPosted) await tryQueueFulfilment(order);
    return order;
  }
  if (!order.gateway || order.checkoutUrl || order.paymentStatus !== 'PENDING') return order;
  const gateway = await findConfiguredGateway(order.gateway);
  requireGateway(gateway, order.currency, order.totalAmount);
  try {
    const payment = {
      reference: order.reference,
      amount: order.totalAmount,
      currency: order.currency,
      email: order.customerEmail,
      name: order.customerName,
      description: order.description ?? '',
      returnUrl: `${optionalSetting('PUBLIC_URL') ?? ''}/orders/${order.id}?reference=${order.reference}`,
      expiresAt: order.expiresAt,
    };
    const checkout = await callWithBreaker(order.gateway, breaker, () => gateway.start(payment));
    // The description is no longer needed. Without it the item stays below 1 KB, above which every write costs double.
    const change = { ...checkout, description: undefined };
    return await storeCheckout(order, change);
  } catch (error) {
    log.error('Payment could not be started', error, { orderId: order.id });
    // The failed call may have started a checkout: the sweep asks the gateway whether the order was paid.
    const currentOrder = await failOrder(order, 'gateway-failed', Date.now());
    // The payment was reported meanwhile.
    if (currentOrder.paymentStatus === 'COMPLETED') return currentOrder;
    if (error instanceof TableUnavailable) throw paymentNotStored();
    throw error instanceof DomainError ? paymentNotStarted() : error;
  }
}

/**
 * Stores a checkout, also with an order that has been paid or has failed meanwhile. When it failed, the gateway could not be
 * asked about this checkout: the sweep does so.
 */
async function storeCheckout(
  { id, paymentStatus }: Order,
  change: Parameters<typeof changeOrder>[1],
): Promise<Order> {
  const options = {
    unchanged: { paymentStatus },
    ...(paymentStatus === 'FAILED' && { nextDueAt: Date.now() }),
  };
  try {
    return await writeOrder(changeOrder(id, change, options));
  } catch (error) {
    if (!(error instanceof OrderTransitionRefused)) throw error;
    return storeCheckout(error.current, change);
  }
}

const paymentNotStored = () =>
  new OperationUndone('unavailable', 'unavailable', 'Please try again in a moment', 1);
const paymentNotStarted = () =>
  new OperationUndone('provider-failed', 'provider-failed', 'The payment provider is not available');
