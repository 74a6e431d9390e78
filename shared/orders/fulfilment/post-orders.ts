import { absent, transition } from '../../core/state-machine.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { type Event, latestEndOf } from '../../events/event.ts';
import { type LedgerEntry, type SoldOrder, saleCredit, type Upcoming } from '../../ledger/ledger.ts';
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
import { outboxMilliseconds } from '../settlement/settle-order.ts';
import { changeOrder, OrderTransitionRefused, transitionOrder, writeOrder } from '../store.ts';

/** A completed order with the data that its fulfilment needs. */
export interface PaidOrder {
  order: Order;
  event: Event;
  buyer: User;
}

/** Whether the order's tickets are still to be minted, and can be. */
export function needsMinting({ order, event, buyer }: PaidOrder): boolean {
  const wallet = order.issue?.wallet ?? buyer.walletAddress;
  return order.fulfilmentStatus === 'queued' && wallet !== null && event.contractAddress !== null;
}

/**
 * Notifies the buyers of paid orders, puts their mails into the outbox and posts the orders to the ledger, at most once
 * each. One transaction posts all of them, since separate transactions would conflict on the organizer's balance. One
 * entry credits all orders of an event.
 * @param paid orders of one organizer in one currency, each once, 24 at most
 * @returns the posted orders; the log has the reasons of the others
 */
export async function postOrders(paid: readonly PaidOrder[]): Promise<PaidOrder[]> {
  const { posted = [], unposted = [] } = Object.groupBy(paid, ({ order }) =>
    order.isBooked ? 'posted' : 'unposted',
  );
  const done = await Promise.all([postTogether(unposted), ...posted.map(skipPosted)]);
  return done.flat();
}

async function postTogether(paid: PaidOrder[]): Promise<PaidOrder[]> {
  if (paid.length === 0) return [];
  try {
    // The notification comes first, since posted orders are not retried: a crash in between repeats the notification
    // and never loses it. The repeated notification replaces the first one, which is at worst unread again.
    await putNotifications(paid.map(notificationOf));
    const credits = await creditsFor(paid);
    await transact([
      ...paid.map((paidOrder) => postingWrite(paidOrder, credits.get(paidOrder.order.eventId)?.upcoming)),
      ...paid.flatMap(mailWrites),
      ...postEntries([...credits.values()].map(({ entry }) => entry)),
      ...[...credits.values()].flatMap(upcomingWrites),
    ]);
    return paid;
  } catch (error) {
    if (error instanceof UpcomingChanged) return postTogether(paid);
    // An order that can't be posted, or that another worker has just posted, must not hold up the rest.
    if (paid.length === 1) return postedByOtherWorker(paid, error);
    return (await Promise.all(paid.map((single) => postTogether([single])))).flat();
  }
}

/** Ends the fulfilment of a posted order that was queued again and still has nothing to mint. */
async function skipPosted(paid: PaidOrder): Promise<PaidOrder[]> {
  if (!hasNothingToMint(paid)) return [paid];
  const skipped = transition(fulfilment, 'skip');
  const change = transitionOrder(paid.order.id, [skipped], new Date().toISOString(), { nextDueAt: 'never' });
  return writeOrder(change).then(
    () => [paid],
    (error) => postedByOtherWorker([paid], error),
  );
}

/** Returns the orders that another worker posted first. After any other error the orders are retried. */
function postedByOtherWorker(paid: PaidOrder[], error: unknown): PaidOrder[] {
  if (error instanceof OrderTransitionRefused) return paid;
  log.error('Order could not be posted', error, { orderId: paid[0]?.order.id });
  return [];
}

/** The mail of an order. The sweep queues it when the message of `fulfilOrders` is lost. */
function mailWrites({ order }: PaidOrder): Write[] {
  const dueAt = Date.now() + outboxMilliseconds;
  return insertMail(purchaseMail(order), order.userId, { eventId: order.eventId, dueAt });
}

/**
 * Marks an order as posted. The condition prevents a second credit, since two batches would write entries with
 * different ids.
 */
function postingWrite(paid: PaidOrder, upcoming: Upcoming | undefined): Write {
  const { order } = paid;
  const at = new Date().toISOString();
  const credit = { isCredited: true, ...(upcoming && { release: upcoming.release }) };
  const change = { isBooked: true, ...(isCredited(paid) && credit) };
  const options = {
    nextDueAt:
      order.fulfilmentStatus === 'refund-due'
        ? Date.now()
        : needsMinting(paid)
          ? undefined
          : ('never' as const),
    unchanged: {
      paymentStatus: 'COMPLETED' as const,
      fulfilmentStatus: order.fulfilmentStatus,
      isBooked: absent,
    },
  };
  return hasNothingToMint(paid)
    ? transitionOrder(order.id, [transition(fulfilment, 'skip')], at, { change, ...options })
    : changeOrder(order.id, { ...change, updatedAt: at }, options);
}

function hasNothingToMint(paid: PaidOrder): boolean {
  return paid.order.fulfilmentStatus === 'queued' && !needsMinting(paid);
}

/** The credit of one event's orders. `upcoming` is set when the credit waits for the end of the event. */
interface Credit {
  event: Event;
  entry: LedgerEntry;
  upcoming: Upcoming | undefined;
}

/**
 * Credits the organizer with the net amounts: one entry for each event, since an event's summary reads its entries.
 * The platform keeps the fee. With PAYOUTS_FROM=event the credits wait in `upcoming`.
 * @returns the credits by event
 */
async function creditsFor(paid: readonly PaidOrder[]): Promise<Map<string, Credit>> {
  const isUpcoming = optionalSetting('PAYOUTS_FROM') === 'event';
  const events = Map.groupBy(paid.filter(isCredited), ({ order }) => order.eventId);
  const credits = [...events].map(async ([eventId, paidOrders]) => {
    const [{ order, event }] = paidOrders as [PaidOrder, ...PaidOrder[]];
    const owner = { organizerId: event.organizerId, currency: order.currency };
    const orders = paidOrders.map((paid) => toSoldOrder(paid.order)) as [SoldOrder, ...SoldOrder[]];
    const upcoming = isUpcoming ? await readUpcoming({ ...owner, eventId }) : undefined;
    const at = new Date().toISOString();
    const entry = saleCredit(owner, eventId, orders, at, isUpcoming ? 'upcoming' : 'available');
    return [eventId, { event, entry, upcoming }] as const;
  });
  return new Map(await Promise.all(credits));
}

/**
 * The writes that make an event due for its release. One that has ended is due at once, since only a release moves the
 * credit to `available`.
 */
function upcomingWrites({ event, entry, upcoming }: Credit): Write[] {
  return upcoming ? [addUpcoming(upcoming, entry.postings.upcoming ?? 0n, latestEndOf(event))] : [];
}

/** An order that is due for a refund is posted without a credit. */
function isCredited({ order }: PaidOrder): boolean {
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
