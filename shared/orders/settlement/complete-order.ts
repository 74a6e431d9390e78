import { isClosed, toUser, type User } from '../../accounts/users/user.ts';
import { allowsGuests, type Event, sellsToList } from '../../catalog/events/event.ts';
import { getEvent } from '../../catalog/events/store.ts';
import { uncountOpenOrder } from '../../catalog/inventory/store.ts';
import { type Code, toRedemption } from '../../catalog/promo-codes/code.ts';
import { countUse, findCode, unknownCode } from '../../catalog/promo-codes/store.ts';
import { isQueued } from '../../catalog/queue/queue.ts';
import { conflict, DomainError } from '../../core/errors.ts';
import { applyTransitions, expectUnchanged, type Transition, transition } from '../../core/state-machine.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import type { PaymentSignal } from '../../payments/gateway.ts';
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
  fulfilmentReasons,
  listingsOf,
  type Order,
  openCountOf,
  reviewOtherPayments,
} from '../order.ts';
import { prepareResale } from '../refunds/refund-order.ts';
import { findOrders, transitionOrder, uncountOpenCryptoOrder, writeOrder } from '../store.ts';
import { checkSeats, ListingChanged, ListingEnded, toBacking } from '../waiting-list/listings.ts';

/** What went back to the buyer before the order settled. */
export interface EarlyReturn {
  isWhole: boolean;
  paymentReview: string | undefined;
  openDisputes?: Order['openDisputes'];
}

/** What an order is completed with. */
export interface Settlement {
  signal: PaymentSignal;
  earlyReturn: EarlyReturn | undefined;
  otherWrites?: readonly Write[];
}

/**
 * Completes an order, with its tickets, or to be refunded where there are none.
 * @throws ListingEnded for an order that takes over listed seats which are no longer for sale; OrderTransitionRefused after
 * a change of the order; the errors of the settlement's other writes
 */
export async function completeOrder(order: Order, settlement: Settlement): Promise<Order> {
  const { earlyReturn } = settlement;
  if (earlyReturn?.isWhole) return completeReturned(order, settlement);
  if (earlyReturn?.paymentReview) {
    log.warn('Payment under review', { orderId: order.id });
    incrementCounter('PaymentsUnderReview');
  }
  if (order.paymentStatus !== 'PENDING') return completeLate(order, settlement);
  return order.backedBy ? completeResale(order, settlement) : complete(order, settlement);
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
 * a new order. The payment of a buyer who has closed the account is due for a refund.
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
  if (Date.now() > Date.parse(event.endDate)) throw conflict('sale-ended', 'The event is over');
  if (order.currency !== event.currency) throw conflict('not-on-sale', 'No longer sold in this currency');
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

function paymentFields({ transactionId, amount }: PaymentSignal, timestamp: string) {
  return { paymentTxId: transactionId, paidAmount: amount, queuedAt: timestamp };
}
