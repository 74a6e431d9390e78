import { absent, transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { type Event, latestEndOf } from '../../events/event.ts';
import {
  type LedgerEntry,
  type SoldOrder,
  saleCreditEntry,
  type UpcomingEarnings,
} from '../../ledger/ledger.ts';
import { addUpcoming, postEntries, readUpcoming, UpcomingChanged } from '../../ledger/store.ts';
import { insertMail } from '../../mail/store.ts';
import type { Notification } from '../../notifications/store.ts';
import { putNotifications } from '../../notifications/store.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/log.ts';
import type { User } from '../../users/user.ts';
import { fulfilment } from '../lifecycle.ts';
import { purchaseMail, purchaseNotification } from '../notifications.ts';
import type { Order } from '../order.ts';
import { outboxDelayMilliseconds } from '../settlement/settle-order.ts';
import { changeOrder, OrderTransitionRefused, transitionOrder, writeOrder } from '../store.ts';

/** A completed order with the data that its fulfilment needs. */
export interface PaidOrder {
  order: Order;
  event: Event;
  buyer: User;
}

/** Returns whether the order's tickets can be minted and are not minted yet. */
export function needsMinting({ order, event, buyer }: PaidOrder): boolean {
  const wallet = order.issue?.wallet ?? buyer.walletAddress;
  return order.fulfilmentStatus === 'queued' && wallet !== null && event.contractAddress !== null;
}

/**
 * Notifies the buyers of paid orders, puts the mails into the outbox and posts the orders to the ledger. Each order is
 * posted at most once. One transaction posts all of them, since separate transactions would conflict on the organizer's
 * balance. One entry credits all orders of an event.
 * @param paidOrders at most 24 different orders of one organizer in one currency
 * @returns the posted orders. The log has the errors of the others, whose messages are delivered again
 */
export async function postOrders(paidOrders: readonly PaidOrder[]): Promise<PaidOrder[]> {
  const { posted = [], unposted = [] } = Object.groupBy(paidOrders, ({ order }) =>
    order.isBooked ? 'posted' : 'unposted',
  );
  const results = await Promise.all([postInOneTransaction(unposted), ...posted.map(skipMinting)]);
  return results.flat();
}

async function postInOneTransaction(paidOrders: PaidOrder[]): Promise<PaidOrder[]> {
  if (paidOrders.length === 0) return [];
  try {
    // The notifications come first, since a posted order is not notified again. After a crash between the two, the retry
    // writes the same notification again, at worst as unread.
    await putNotifications(paidOrders.map(notificationOf));
    const credits = await prepareCredits(paidOrders);
    await transact([
      ...paidOrders.map((paidOrder) =>
        postingWrite(paidOrder, credits.get(paidOrder.order.eventId)?.upcoming),
      ),
      ...paidOrders.flatMap(mailWrites),
      ...postEntries([...credits.values()].map(({ entry }) => entry)),
      ...[...credits.values()].flatMap(upcomingWrites),
    ]);
    return paidOrders;
  } catch (error) {
    if (error instanceof UpcomingChanged) return postInOneTransaction(paidOrders);
    // One order fails the whole transaction. Posting each by itself lets the other orders through.
    if (paidOrders.length === 1) return handlePostingError(paidOrders, error);
    return (await Promise.all(paidOrders.map((paidOrder) => postInOneTransaction([paidOrder])))).flat();
  }
}

/** Skips the minting of a posted order that was queued again and still has no wallet or contract. */
async function skipMinting(paidOrder: PaidOrder): Promise<PaidOrder[]> {
  if (!skipsMinting(paidOrder)) return [paidOrder];
  const skipped = transition(fulfilment, 'skip');
  const change = transitionOrder(paidOrder.order.id, [skipped], new Date().toISOString(), {
    nextDueAt: 'never',
  });
  return writeOrder(change).then(
    () => [paidOrder],
    (error) => handlePostingError([paidOrder], error),
  );
}

/**
 * Returns the order when another worker posted it first. Logs any other error and returns no order, so that SQS
 * delivers its message again.
 */
function handlePostingError(paidOrders: PaidOrder[], error: unknown): PaidOrder[] {
  if (error instanceof OrderTransitionRefused) return paidOrders;
  log.error('Order could not be posted', error, { orderId: paidOrders[0]?.order.id });
  return [];
}

/** Returns the writes that put an order's mail into the outbox. The sweep sends it when `fulfilOrders` fails to. */
function mailWrites({ order }: PaidOrder): Write[] {
  const dueAt = Date.now() + outboxDelayMilliseconds;
  return insertMail(purchaseMail(order), order.userId, { eventId: order.eventId, dueAt });
}

/**
 * Marks an order as posted. Its condition prevents a second credit. The id of the entry does not, since two batches
 * with the same order may use different ids.
 */
function postingWrite(paidOrder: PaidOrder, upcoming: UpcomingEarnings | undefined): Write {
  const { order } = paidOrder;
  const at = new Date().toISOString();
  const credit = { isCredited: true, ...(upcoming && { release: upcoming.release }) };
  const change = { isBooked: true, ...(earnsCredit(paidOrder) && credit) };
  const options = {
    nextDueAt:
      order.fulfilmentStatus === 'refund-due'
        ? Date.now()
        : needsMinting(paidOrder)
          ? undefined
          : ('never' as const),
    unchanged: {
      paymentStatus: 'COMPLETED' as const,
      fulfilmentStatus: order.fulfilmentStatus,
      isBooked: absent,
    },
  };
  return skipsMinting(paidOrder)
    ? transitionOrder(order.id, [transition(fulfilment, 'skip')], at, { change, ...options })
    : changeOrder(order.id, { ...change, updatedAt: at }, options);
}

/** Returns whether a queued order's tickets can't be minted: its buyer has no wallet, or its event no contract. */
function skipsMinting(paidOrder: PaidOrder): boolean {
  return paidOrder.order.fulfilmentStatus === 'queued' && !needsMinting(paidOrder);
}

/** The credit of one event's orders. `upcoming` is set when the credit becomes available after the event. */
interface Credit {
  event: Event;
  entry: LedgerEntry;
  upcoming: UpcomingEarnings | undefined;
}

/**
 * Prepares the credits of the organizer: the net amounts, without the platform's fee. Each event has its own entry,
 * since the event's summary reads them. With PAYOUTS_FROM=event the credits go to `upcoming`.
 * @returns the credits by event
 */
async function prepareCredits(paidOrders: readonly PaidOrder[]): Promise<Map<string, Credit>> {
  const isPaidOutAfterEvent = optionalSetting('PAYOUTS_FROM') === 'event';
  const events = Map.groupBy(paidOrders.filter(earnsCredit), ({ order }) => order.eventId);
  const credits = [...events].map(async ([eventId, ordersOfEvent]) => {
    const [{ order, event }] = ordersOfEvent as [PaidOrder, ...PaidOrder[]];
    const owner = { organizerId: event.organizerId, currency: order.currency };
    const orders = ordersOfEvent.map(({ order }) => toSoldOrder(order)) as [SoldOrder, ...SoldOrder[]];
    const upcoming = isPaidOutAfterEvent ? await readUpcoming({ ...owner, eventId }) : undefined;
    const at = new Date().toISOString();
    const entry = saleCreditEntry(owner, eventId, orders, at, isPaidOutAfterEvent ? 'upcoming' : 'available');
    return [eventId, { event, entry, upcoming }] as const;
  });
  return new Map(await Promise.all(credits));
}

/**
 * Returns the writes that add a credit to the event's part of `upcoming`. The sweep makes it available after the
 * event's end: at once for an event that has ended.
 */
function upcomingWrites({ event, entry, upcoming }: Credit): Write[] {
  return upcoming ? [addUpcoming(upcoming, entry.postings.upcoming ?? 0n, latestEndOf(event))] : [];
}

/** Returns whether posting credits the organizer. An order that is due for a refund is posted without a credit. */
function earnsCredit({ order }: PaidOrder): boolean {
  return order.fulfilmentStatus !== 'refund-due';
}

function notificationOf({ order, event }: PaidOrder): Notification {
  if (!order.queuedAt) throw new Error(`Order ${order.id} is paid, but not queued`);
  return purchaseNotification({ ...order, queuedAt: order.queuedAt }, event);
}

/** Returns the ledger's record of an order. It never changes, since quantity and amounts are fixed. */
export function toSoldOrder(order: Order): SoldOrder {
  const { id: orderId, tierId, quantity, subtotal: net, totalAmount, redemption, discount } = order;
  const codeFields = redemption && { code: redemption.code, discount };
  return { orderId, tierId, quantity, net, fee: totalAmount - net, ...codeFields };
}
