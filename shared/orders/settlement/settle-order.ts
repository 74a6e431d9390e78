import { isClosed, toUser, type User } from '../../accounts/users/user.ts';
import { allowsGuests, type Event, isUnfinished, sellsToList } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import type { TierQuantity } from '../../catalog/inventory/inventory.ts';
import { countUnpaidHoldOfNetwork, uncountOpenOrder } from '../../catalog/inventory/store.ts';
import { type Code, toRedemption } from '../../catalog/promo-codes/code.ts';
import { countUse, findCode, unknownCode } from '../../catalog/promo-codes/store.ts';
import { isQueued } from '../../catalog/queue/queue.ts';
import { entryLifecycle } from '../../catalog/waiting-list/entry.ts';
import { EntryChanged, findEntry, transitionEntry } from '../../catalog/waiting-list/store.ts';
import { conflict, DomainError } from '../../core/errors.ts';
import type { GatewayName } from '../../core/schemas.ts';
import { applyTransitions, expectUnchanged, type Transition, transition } from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { type Occurrences, prepareOccurrences } from '../../messaging/webhooks/store.ts';
import type { Gateway, PaymentSignal } from '../../payments/gateway.ts';
import { sumExecuted, withOrderCurrency } from '../../payments/provider.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { sendMessage } from '../../runtime/queue.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { incrementCounter, log } from '../../runtime/telemetry.ts';
import { type OrderPlan, requireEligible } from '../checkout/draft-order.ts';
import { priceItems } from '../checkout/price-items.ts';
import {
  releaseOrderTickets,
  reserveOrderTickets,
  retryOnInventoryChange,
} from '../checkout/reserve-tickets.ts';
import { fulfilment, payment } from '../lifecycle.ts';
import {
  canResell,
  disputedPayment,
  type FailureReason,
  findReviewReason,
  fulfilmentReasons,
  listingsOf,
  type Order,
  openCountOf,
  orderIdOf,
  reviewOtherPayments,
  tenantOf,
  unknownDispute,
} from '../order.ts';
import { prepareResale } from '../refunds/refund-order.ts';
import {
  changeOrder,
  findOrder,
  findOrders,
  type NextDue,
  OrderTransitionRefused,
  transitionOrder,
  uncountOpenCryptoOrder,
  writeOrder,
} from '../store.ts';
import { orderOccurrence } from '../views.ts';
import { checkSeats, ListingChanged, ListingEnded, toBacking } from '../waiting-list/listings.ts';

export type SettlementResult = 'unknown' | 'completed' | 'repeated' | 'under-review';

/** Finds the order of a gateway's reference; undefined when the gateway has no such order. */
export async function findOrderByReference(
  gateway: GatewayName | undefined,
  reference: string,
): Promise<Order | undefined> {
  const id = orderIdOf(reference);
  const order = id === undefined ? undefined : await findOrder(id);
  return order?.reference === reference && order.gateway === gateway ? order : undefined;
}

/**
 * Settles a confirmed payment: the only path of a paid order to COMPLETED, for webhooks, crypto and the sweep. One
 * conditional write completes the order and makes it due for fulfilment. Then the order is queued. When queueing fails,
 * `settle` throws, and the next webhook delivery or the sweep queues the order.
 * @throws the errors of `otherWrites`; DomainError `provider-failed` when the gateway had to be asked what went back, and
 * did not answer
 */
export async function settle(
  order: Order,
  reportedSignal: PaymentSignal,
  source: PaymentSource = {},
): Promise<SettlementResult> {
  if (order.paymentStatus === 'COMPLETED') return acknowledgeRepeated(order, reportedSignal);
  const signal = withOrderCurrency(order, reportedSignal);
  const reviewReason = shortfallReason(order, signal);
  if (reviewReason) {
    await holdForReview(order, reviewReason);
    return 'under-review';
  }
  const earlyReturn = await readEarlyReturn(order, signal, source.gateway);
  try {
    const completedOrder = await completeOrder(order, {
      signal,
      earlyReturn,
      otherWrites: source.otherWrites,
    });
    reportCompleted(completedOrder);
    await queueFulfilment(completedOrder);
    return 'completed';
  } catch (error) {
    // The order changed between the read and the write: settle the current order.
    if (error instanceof OrderTransitionRefused) return settle(error.current, signal, source);
    // Until the payment is settled late, the sweep asks the gateway for it.
    if (error instanceof ListingEnded)
      return settle(await failOrder(order, 'listing-ended', Date.now()), signal, source);
    throw error;
  }
}

/** Where a payment was made. */
interface PaymentSource {
  gateway?: Gateway;
  /** Other writes of the same transaction. When one is refused, the order does not complete. */
  otherWrites?: readonly Write[];
}

/** What went back to the buyer before the order settled. */
interface EarlyReturn {
  isWhole: boolean;
  paymentReview: string | undefined;
  openDisputes?: Order['openDisputes'];
}

/** Asks the gateway what went back, if it has reported a return of the unpaid order. */
async function readEarlyReturn(
  order: Order,
  { transactionId, amount }: PaymentSignal,
  gateway: Gateway | undefined,
): Promise<EarlyReturn | undefined> {
  const { reportedReturn, currency } = order;
  if (!reportedReturn || !gateway) return undefined;
  if (!(await gateway.isConfigured())) throw new Error(`${gateway.name} is not configured`);
  const returnedAmount = sumExecuted(await gateway.findReturns({ transactionId, currency }));
  const isWhole = returnedAmount >= (amount ?? order.totalAmount);
  const paymentReview = findReviewReason(order, reportedReturn, returnedAmount);
  const isOpen = !isWhole && paymentReview === disputedPayment;
  const openDisputes = { [reportedReturn.disputeId || unknownDispute]: new Date().toISOString() };
  return { isWhole, paymentReview, ...(isOpen && { openDisputes }) };
}

/** What an order is completed with. */
interface Settlement {
  signal: PaymentSignal;
  earlyReturn: EarlyReturn | undefined;
  otherWrites?: readonly Write[];
}

async function completeOrder(order: Order, settlement: Settlement): Promise<Order> {
  const { earlyReturn } = settlement;
  if (earlyReturn?.isWhole) return completeReturned(order, settlement);
  if (earlyReturn?.paymentReview) {
    log.warn('Payment under review', { orderId: order.id });
    incrementCounter('PaymentsUnderReview');
  }
  if (order.paymentStatus !== 'PENDING') return completeLate(order, settlement);
  return order.backedBy ? completeResale(order, settlement) : complete(order, settlement);
}

export function reportCompleted({ id: orderId, fulfilmentStatus }: Order): void {
  log.info('Order completed', { orderId, fulfilment: fulfilmentStatus });
  incrementCounter('OrdersCompleted');
}

/** Queues a completed order for the fulfilment worker; safe to repeat. */
async function queueFulfilment(order: Order): Promise<void> {
  const { id: orderId, eventId, userId } = order;
  await sendMessage(
    'fulfil-orders',
    { type: 'fulfil-order', orderId, eventId, userId },
    { tenant: tenantOf(order) },
  );
}

/**
 * Like `queueFulfilment`, after a request that made the order due. An error of the queue is only logged: the sweep
 * queues the order.
 */
export async function tryQueueFulfilment(order: Order): Promise<void> {
  try {
    await queueFulfilment(order);
  } catch (error) {
    log.error('Order could not be queued: the sweep finds it', error, { orderId: order.id });
  }
}

async function acknowledgeRepeated(
  order: Order,
  { transactionId }: PaymentSignal,
): Promise<SettlementResult> {
  if (transactionId !== order.paymentTxId) {
    // The buyer seems to have paid twice. The order does not change, so only the log has the second payment.
    log.warn('Second payment for an order', { orderId: order.id, transactionId });
    incrementCounter('PaymentsUnderReview');
  }
  if (!order.isPosted) await queueFulfilment(order);
  return 'repeated';
}

function complete(order: Order, settlement: Settlement): Promise<Order> {
  const timestamp = new Date().toISOString();
  const settleTransition = transition(payment, 'settle', paymentFields(settlement.signal, timestamp));
  const transitions = [settleTransition, transition(fulfilment, 'queue')];
  return writeTransitions(order, transitions, timestamp, settlement, uncountOpenWrites(order));
}

/**
 * Completes an order that takes over listed seats of others. One transaction completes it and begins the refunds of the
 * seats, so they are never sold to both, and never to neither.
 * @throws ListingEnded when the seats are no longer listed; otherwise as `writeTransitions`
 */
function completeResale(order: Order, settlement: Settlement): Promise<Order> {
  return retryOnInventoryChange(async () => {
    const resale = await prepareSale(order);
    const timestamp = new Date().toISOString();
    const settleTransition = transition(payment, 'settle', paymentFields(settlement.signal, timestamp));
    const transitions = [settleTransition, transition(fulfilment, 'queue')];
    const [change, ...others] = transitionWrites(order, transitions, timestamp, settlement, resale.burns);
    await transact([change, ...others, ...uncountOpenWrites(order), ...resale.writes]);
    await resale.finish();
    return applyTransitions({ ...order, updatedAt: timestamp }, ...transitions);
  });
}

/**
 * Prepares the refunds of the listed seats that an order takes over.
 * @throws ListingEnded when the order no longer has them all, or they can't be sold
 */
async function prepareSale({ id, backedBy, takenOffer, eventId, buyer }: Order) {
  const [sellers, event] = await Promise.all([findOrders(backedBy?.orderIds ?? []), getEvent(eventId)]);
  const sold = sellers.map((seller) => ({ seller, listings: listingsOf(seller, takenOffer?.id) }));
  // The counters of its buyer change in another way.
  const isSellable = sellers.every((seller) => canResell(seller, event) && seller.buyer !== buyer);
  if (!isSellable || toBacking(sold)?.quantity !== backedBy?.quantity) throw new ListingEnded();
  const seats = sold.map(({ seller, listings }) => ({
    order: seller,
    seats: listings.map(({ number }) => number),
  }));
  const resale = await prepareResale(seats, event, id);
  if (!resale) throw new ListingEnded();
  // After any change of the sellers' orders, the sale is prepared again.
  const writes = resale.writes.map((write) => ({ ...write, orThrow: () => new ListingChanged() }));
  const checks = sold.flatMap(({ seller, listings }) => checkSeats(seller, listings));
  return { ...resale, writes: [...writes, ...checks] };
}

/**
 * Completes an order whose whole payment went back already. Its tickets are released, and its refund, which follows the
 * posting, finds nothing left to send.
 */
async function completeReturned(order: Order, settlement: Settlement): Promise<Order> {
  const timestamp = new Date().toISOString();
  const event = order.paymentStatus === 'PENDING' ? 'settle' : 'settleLate';
  const fields = { ...paymentFields(settlement.signal, timestamp), holdsInventory: false };
  const refuseTransition = transition(fulfilment, 'refuse', { fulfilmentReason: 'refunded' });
  const transitions = [transition(payment, event, fields), refuseTransition];
  if (!order.holdsInventory) return writeTransitions(order, transitions, timestamp, settlement);
  await releaseOrderTickets(order, transitionWrites(order, transitions, timestamp, settlement));
  return applyTransitions({ ...order, updatedAt: timestamp }, ...transitions);
}

/**
 * Removes an order from the counts of open orders. There are none for an uncounted order, which a
 * single write then completes.
 */
function uncountOpenWrites(order: Order): Write[] {
  const openCount = openCountOf(order);
  return [...(openCount ? [uncountOpenOrder(order, openCount)] : []), ...uncountOpenCryptoOrder(order)];
}

/**
 * Completes an order whose tickets were released: they are reserved again, or the payment is due for a refund. The
 * price does not change. If the code of an order that expired or failed was used up before the payment, the order is
 * counted beyond the code's limits. An order that its buyer cancelled, or whose hold ended long ago, has to meet the terms of
 * a new order.
 */
function completeLate(order: Order, settlement: Settlement): Promise<Order> {
  return retryOnInventoryChange(async () => {
    const event = await getEvent(order.eventId);
    const { redemption, currency } = order;
    // A code of an event whose currency has changed does not count the order.
    const isCodeCounted = redemption && currency === event.currency;
    const code = isCodeCounted ? await findCode(event.id, redemption.code) : undefined;
    const needsNewTerms = hasLostTerms(order, settlement.signal);
    try {
      const buyerItem = await getItem(keys.user(order.userId));
      const buyer = buyerItem && toUser(buyerItem);
      // Nobody could open the tickets of a closed account.
      if (!buyer || isClosed(buyer)) throw conflict('not-on-sale', 'The account is closed');
      if (needsNewTerms) requireTermsOfNewOrder(order, event, code, buyer);
      return await reserveAgain(order, settlement, { event, code, needsNewTerms });
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === 'busy') throw error;
      incrementCounter('RefundsDue');
      const timestamp = new Date().toISOString();
      const settleTransition = transition(payment, 'settleLate', paymentFields(settlement.signal, timestamp));
      const refuseTransition = transition(fulfilment, 'refuse', {
        fulfilmentReason: fulfilmentReasons.find((reason) => reason === error.code) ?? 'other',
      });
      return await writeTransitions(order, [settleTransition, refuseTransition], timestamp, settlement);
    }
  });
}

/** What a late payment is decided from. */
interface LateSale {
  event: Event;
  /** The current code of the order, if it still counts the order. */
  code: Code | undefined;
  /** Whether a new order on the same terms would have to be accepted. */
  needsNewTerms: boolean;
}

/** How long after its hold an unpaid order keeps its price and its code. Reports of payments can be that late. */
const keptTermsMilliseconds = 60 * 60_000;

/**
 * Returns whether an order has lost its price and its code: its buyer cancelled it, or paid long after the end of its hold.
 * When a hold ends, the service asks the gateway for a payment, so one that is reported much later was made later. A crypto
 * payment can be reported at any time, so the time of its block counts: the chain takes payments for ever.
 */
function hasLostTerms({ failureReason, expiresAt }: Order, { paidAt = Date.now() }: PaymentSignal): boolean {
  return failureReason === 'cancelled' || paidAt > Date.parse(expiresAt) + keptTermsMilliseconds;
}

/**
 * Requires that a new order on the terms of this one would be accepted now. Otherwise a buyer could keep a price or a code by
 * leaving the checkout open, and pay whenever it suits them.
 * @throws DomainError as `priceItems` and `requireEligible`; 409 for a price that has risen
 */
function requireTermsOfNewOrder(order: Order, event: Event, code: Code | undefined, buyer: User): void {
  if (order.redemption && !code) throw unknownCode();
  const items = order.items.map(({ tierId, quantity }) => ({ tierId, quantity }));
  const { total } = priceItems(event, { items }, code, Date.now());
  const isDearer = total > order.totalAmount || event.currency !== order.currency;
  const isRefused = order.guestVersion !== undefined && !allowsGuests(event);
  // The order does not keep its buyer's ticket of the queue, and a turn is over after minutes.
  const needsTurn = isQueued(event, Date.now());
  if (isDearer || isRefused || needsTurn) throw conflict('not-on-sale', 'No longer sold on these terms');
  requireEligible(event, buyer);
}

/** @throws DomainError as `reserveOrderTickets`, and 409 for an event that is cancelled, a draft or over */
async function reserveAgain(order: Order, settlement: Settlement, sale: LateSale): Promise<Order> {
  const { event, needsNewTerms } = sale;
  if (event.status === 'CANCELLED') throw conflict('event-cancelled', 'Event cancelled');
  if (event.status !== 'PUBLISHED') throw conflict('not-on-sale', 'The event is not on sale');
  if (!isUnfinished(event, Date.now())) throw conflict('sale-ended', 'The event is over');
  // The buyer of an offer was next in its list, until they gave it up. Others don't get tickets before those who wait.
  const offeredTier = needsNewTerms ? undefined : order.takenOffer?.tierId;
  const isForList = event.tiers.some(
    (tier) =>
      tier.id !== offeredTier &&
      sellsToList(event, tier) &&
      order.items.some(({ tierId }) => tierId === tier.id),
  );
  if (isForList) throw conflict('sold-out', 'Sold out');
  const plan = planLateOrder(order, settlement, sale);
  try {
    await reserveOrderTickets(plan);
    return plan.order;
  } catch (error) {
    if (needsNewTerms || !(error instanceof DomainError && error.code === 'code-used-up')) throw error;
    const planOverLimit = planLateOrder(order, settlement, sale, true);
    await reserveOrderTickets(planOverLimit);
    incrementCounter('CodeOverruns');
    return planOverLimit.order;
  }
}

function planLateOrder(
  order: Order,
  settlement: Settlement,
  { event, code, needsNewTerms }: LateSale,
  isOverLimit = false,
): OrderPlan {
  const timestamp = new Date().toISOString();
  const { redemption, discount, currency } = order;
  const settleTransition = transition(payment, 'settleLate', {
    ...paymentFields(settlement.signal, timestamp),
    holdsInventory: true,
    ...(redemption && { redemption: toRedemption(redemption, { countedCode: code, isOverLimit }) }),
  });
  const transitions = [settleTransition, transition(fulfilment, 'queue')];
  return {
    event,
    order: applyTransitions({ ...order, updatedAt: timestamp }, ...transitions),
    writes: [
      ...transitionWrites(order, transitions, timestamp, settlement),
      ...(code ? countUse(code, discount, currency, isOverLimit) : []),
    ],
    ...(needsNewTerms && { limits: { maxPerCode: code?.maxPerUser } }),
  };
}

/**
 * Makes transitions of an order and makes it due for fulfilment: by a single write, or with other writes in a
 * transaction.
 */
async function writeTransitions(
  order: Order,
  transitions: readonly Transition<Order>[],
  timestamp: string,
  settlement: Settlement,
  otherWrites: readonly Write[] = [],
): Promise<Order> {
  const [change, ...settlementWrites] = transitionWrites(order, transitions, timestamp, settlement);
  const allOthers = [...settlementWrites, ...otherWrites];
  if (allOthers.length === 0) return writeOrder(change);
  await transact([change, ...allOthers]);
  return applyTransitions({ ...order, updatedAt: timestamp }, ...transitions);
}

/**
 * The write that settles the order, and the other writes of the settlement.
 * @param mintAfter the burns of the tokens that the order's tickets replace
 */
function transitionWrites(
  order: Order,
  transitions: readonly Transition<Order>[],
  timestamp: string,
  { earlyReturn, otherWrites = [] }: Settlement,
  mintAfter: readonly string[] = [],
): [Write, ...Write[]] {
  const change = transitionOrder(order.id, transitions, timestamp, {
    change: {
      network: undefined,
      paymentReview: earlyReturn?.paymentReview ?? reviewOtherPayments(order),
      ...(earlyReturn?.openDisputes && { openDisputes: earlyReturn.openDisputes }),
      ...(order.backedBy && { backedBy: undefined }),
      ...(mintAfter.length > 0 && { mintAfter: [...mintAfter], unbatched: true }),
    },
    nextDueAt: nextDueAfterSettling(order),
    // A return that is reported meanwhile has to be asked about first.
    unchanged: expectUnchanged(order, 'reportedReturn', 'otherPayments', 'buyer'),
  });
  return [change, ...otherWrites];
}

/**
 * An order stays due when its hold would have ended, until it is posted: moving its entry in the index would cost two
 * write units. Usually nobody needs it, since a provider repeats a webhook whose order could not be queued.
 */
function nextDueAfterSettling({ paymentStatus, gateway, expiresAt }: Order): number | undefined {
  const now = Date.now();
  const isDueLater = paymentStatus === 'PENDING' && gateway && now < Date.parse(expiresAt);
  return isDueLater ? undefined : now + outboxDelayMilliseconds;
}

/**
 * Explains why a payment does not cover the order; undefined when it does. Fields that the signal omits are not
 * checked.
 */
function shortfallReason(order: Order, { amount, currency }: PaymentSignal): string | undefined {
  if (currency !== undefined && currency !== order.currency) {
    return `Paid in ${currency}, but the order is in ${order.currency}`;
  }
  if (amount !== undefined && amount < order.totalAmount) {
    return `Paid ${amount}, but ${order.totalAmount} minor units of ${order.currency} are due`;
  }
  return undefined;
}

function paymentFields({ transactionId, amount }: PaymentSignal, timestamp: string) {
  return { paymentTxId: transactionId, paidAmount: amount, queuedAt: timestamp };
}

/** Records on an unpaid order why a payment did not complete it, for review by an operator. */
async function holdForReview(order: Order, paymentReview: string): Promise<void> {
  if (order.paymentReview === paymentReview) return;
  log.warn('Payment under review', { orderId: order.id });
  incrementCounter('PaymentsUnderReview');
  await writeOrder(
    changeOrder(order.id, { paymentReview }, { unchanged: { paymentStatus: ['PENDING', 'FAILED'] } }),
  );
}

/** Records on an unpaid order that the gateway declined an attempt to pay it. The order keeps its tickets until its hold ends. */
async function recordDecline({ id, paymentStatus }: Order): Promise<void> {
  if (paymentStatus !== 'PENDING') return;
  const declinedAt = new Date().toISOString();
  try {
    await writeOrder(changeOrder(id, { declinedAt }, { unchanged: { paymentStatus } }));
  } catch (error) {
    // The order was paid or has failed in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}

/**
 * Fails a PENDING order and releases its tickets, once. An order in another state stays as it is.
 * @param nextDueAt when to check whether it was paid nevertheless; `never` once that is known
 * @returns the current order
 */
export async function failOrder(
  order: Order,
  failureReason: FailureReason,
  nextDueAt: NextDue,
): Promise<Order> {
  if (order.paymentStatus !== 'PENDING') return order;
  const failTransition = transition(payment, 'fail', { failureReason, holdsInventory: false });
  const timestamp = new Date().toISOString();
  // The buyer may submit a transaction in the meantime, which has to be checked first. An order of a cancelled event
  // fails nevertheless.
  const unchanged = {
    ...expectUnchanged(order, 'buyer'),
    ...(failureReason !== 'event-cancelled' && expectUnchanged(order, 'cryptoTxHash', 'otherTxHashes')),
  };
  try {
    const change = transitionOrder(order.id, [failTransition], timestamp, {
      change: { network: undefined, ...(order.backedBy && { backedBy: undefined }) },
      nextDueAt,
      unchanged,
    });
    // Anybody can order as a guest with another person's address.
    const isAccount = order.guestVersion === undefined;
    const endsUnpaid = !['gateway-failed', 'event-cancelled', 'listing-ended'].includes(failureReason);
    const failedOrder = applyTransitions({ ...order, updatedAt: timestamp }, failTransition);
    const occurrences = order.hasWebhooks ? await prepareFailed(failedOrder) : undefined;
    const restored = failureReason === 'gateway-failed' ? await prepareOffer(order) : undefined;
    const writes = [
      change,
      ...uncountOpenCryptoOrder(order),
      ...(occurrences?.writes ?? []),
      ...(restored?.writes ?? []),
    ];
    await releaseOrderTickets(order, writes, {
      endsUnpaid: isAccount && endsUnpaid,
      kept: restored?.tickets ?? [],
    });
    if (order.network && endsUnpaid) await countUnpaidHoldOfNetwork(order.network);
    await occurrences?.queue();
    return failedOrder;
  } catch (error) {
    if (error instanceof OrderTransitionRefused) return error.current;
    // The buyer has joined the list again.
    if (error instanceof EntryChanged) return failOrder(order, failureReason, nextDueAt);
    throw error;
  }
}

/**
 * Prepares that the tickets of an order whose payment could not be started are offered to its buyer again: until the
 * offer's end, as before. Undefined without a running offer.
 */
async function prepareOffer(order: Order): Promise<{ writes: Write[]; tickets: TierQuantity[] } | undefined> {
  const { takenOffer, userId, eventId, items } = order;
  const entry = takenOffer && (await findEntry({ userId, eventId, tierId: takenOffer.tierId }));
  if (entry?.status !== 'ordered' || entry.offer?.id !== takenOffer?.id) return undefined;
  const now = new Date().toISOString();
  const tickets = items.filter(({ tierId }) => tierId === entry.tierId);
  const quantity = tickets.reduce((sum, item) => sum + item.quantity, 0);
  if (!entry.offer || entry.offer.expiresAt <= now) return undefined;
  const { backedBy } = order;
  const sellers = await findOrders(backedBy?.orderIds ?? []);
  const listed = sellers.flatMap((seller) => listingsOf(seller, entry.offer?.id));
  if (listed.length < (backedBy?.quantity ?? 0)) return undefined;
  const offer = { ...entry.offer, backedBy };
  const writes = transitionEntry(entry, transition(entryLifecycle, 'restore', { quantity, offer }), now);
  return { writes, tickets };
}

/** Prepares the webhooks about an order that fails. */
async function prepareFailed(order: Order): Promise<Occurrences> {
  const event = await getEvent(order.eventId);
  const occurrence = orderOccurrence('order.failed', order, event, order.updatedAt);
  return prepareOccurrences(event.organizerId, event.hasWebhooks, [occurrence]);
}

const minuteMilliseconds = 60_000;
const shortestLatePauseMilliseconds = 15 * minuteMilliseconds;
const lateCheckMilliseconds = 3 * 24 * 60 * minuteMilliseconds;

/**
 * Returns when to ask whether an order was paid after it has failed, where its checkout can't be closed: a webhook may
 * be lost. Each pause is as long as the time since the order failed. After three days nobody asks any more.
 */
export function nextLateCheckAt({ paymentStatus, updatedAt }: Order): NextDue {
  const now = Date.now();
  const failedAt = paymentStatus === 'FAILED' ? Date.parse(updatedAt) : now;
  const lastCheckAt = failedAt + lateCheckMilliseconds;
  if (now >= lastCheckAt) return 'never';
  return Math.min(now + Math.max(shortestLatePauseMilliseconds, now - failedAt), lastCheckAt);
}

/**
 * The timeout of the verification. Gateways wait 10 s for the answer to a webhook; the remaining time is for settling
 * the order.
 */
const verificationTimeoutMilliseconds = 4_000;

/**
 * Settles or fails the order that a gateway's webhook is about; does nothing when there is no such order.
 * @throws DomainError `provider-failed` when the provider had to be asked and did not answer
 */
export async function receivePayment(gateway: Gateway, signal: PaymentSignal): Promise<void> {
  const order = await findOrderByReference(gateway.name, signal.reference);
  if (!order) {
    log.info('Webhook without an order', { gateway: gateway.name });
    incrementCounter('WebhooksUnknown');
  } else if (signal.kind === 'failed') {
    // The buyer may still pay with another card where the checkout stays open.
    const nextDueAt = gateway.closesCheckout ? 'never' : nextLateCheckAt(order);
    await failOrder(order, 'payment-failed', nextDueAt);
  } else if (signal.kind === 'declined') {
    await recordDecline(order);
  } else if (order.paymentStatus !== 'COMPLETED' && (await verifiesPayments(gateway))) {
    await verifyAndSettle(gateway, order, signal);
  } else {
    await settle(order, signal, { gateway });
  }
}

async function verifiesPayments(gateway: Gateway): Promise<boolean> {
  return optionalSetting('VERIFY_WITH_GATEWAY') === 'true' && (await gateway.isConfigured());
}

/**
 * Settles with the payment that the provider's API reports. The webhook alone is not trusted: its secret may have
 * leaked.
 */
async function verifyAndSettle(
  gateway: Gateway,
  order: Order,
  { checkoutSession }: PaymentSignal,
): Promise<void> {
  // The answer to the call that started the checkout may have been lost: then only the webhook has its id.
  const started = { reference: order.reference, checkoutSession: order.checkoutSession ?? checkoutSession };
  const payment = await gateway.findPayment(started, verificationTimeoutMilliseconds);
  if (payment) await settle(order, payment, { gateway });
  else await holdForReview(order, `${gateway.name} does not confirm the payment it reported`);
}
