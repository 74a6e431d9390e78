import { transact, type Write } from '../../dynamo/write.ts';
import type { Event } from '../../events/event.ts';
import { type Entry, type SoldOrder, saleCredit } from '../../ledger/ledger.ts';
import { postAll } from '../../ledger/store.ts';
import type { Notification } from '../../notifications/notification.ts';
import { putNotifications } from '../../notifications/store.ts';
import { log } from '../../runtime/log.ts';
import type { User } from '../../users/user.ts';
import type { Order } from '../order.ts';
import { applyMove, moveOrder, OrderMoved } from '../store.ts';
import { purchaseNotification } from './purchase-notification.ts';

/** A completed order, with what it takes to fulfil it. */
export interface PaidOrder {
  order: Order;
  event: Event;
  buyer: User;
}

/** Whether tickets are still to be minted, and can be. */
export function needsMinting({ order, event, buyer }: PaidOrder): boolean {
  return (
    order.fulfilmentStatus === 'queued' && buyer.walletAddress !== null && event.contractAddress !== null
  );
}

/**
 * Everything completed orders bring about in our own books, at most once. All of them go in one transaction: they
 * change the same balance, and by themselves they would only get into each other's way; and those of one event are
 * credited by one entry.
 * @param sales of one organizer in one currency, each once, 49 at most
 * @returns those that are posted now; the log says why others are not
 */
export async function postOrders(paid: readonly PaidOrder[]): Promise<PaidOrder[]> {
  const { posted = [], unposted = [] } = Object.groupBy(paid, ({ order }) =>
    order.isBooked ? 'posted' : 'unposted',
  );
  const done = await Promise.all([postTogether(unposted), ...posted.map(closePosted)]);
  return done.flat();
}

async function postTogether(paid: PaidOrder[]): Promise<PaidOrder[]> {
  if (paid.length === 0) return [];
  try {
    // Told first, since nobody comes back to a posted order: a crash in between repeats it and never loses it. The
    // same notification replaces itself, so a buyer has it once; at worst it is unread again.
    await putNotifications(paid.map(notice));
    await transact([...paid.map(postingOf), ...postAll(creditsFor(paid))]);
    return paid;
  } catch (error) {
    // One that can't be posted, or that another worker has just posted, must not hold up the rest.
    if (paid.length === 1) return doneElsewhere(paid, error);
    return (await Promise.all(paid.map((one) => postTogether([one])))).flat();
  }
}

/** An order that was queued again, and for which there is still nothing to mint. */
async function closePosted(one: PaidOrder): Promise<PaidOrder[]> {
  if (one.order.fulfilmentStatus !== 'queued' || needsMinting(one)) return [one];
  const { id } = one.order;
  return applyMove(moveOrder(id, ['COMPLETED'], outcome(one), 'never', asRead(one))).then(
    () => [one],
    (error) => doneElsewhere([one], error),
  );
}

/** Another worker was quicker: what it did is what we were about to do. Everything else is tried again. */
function doneElsewhere(paid: PaidOrder[], error: unknown): PaidOrder[] {
  if (error instanceof OrderMoved) return paid;
  log.error('Order could not be posted', error, { orderId: paid[0]?.order.id });
  return [];
}

/** The condition is what keeps an order from being credited twice: the entries of two batches don't know each other. */
function postingOf(one: PaidOrder): Write {
  const { id, fulfilmentStatus } = one.order;
  const posted = { isBooked: true, ...(bringsCredit(one) && { isCredited: true }) };
  const due = fulfilmentStatus === 'refund-due' ? Date.now() : needsMinting(one) ? undefined : 'never';
  const { when, values } = asRead(one);
  const unposted = { when: `attribute_not_exists(#isBooked) AND ${when}`, values };
  return moveOrder(id, ['COMPLETED'], { ...outcome(one), ...posted }, due, unposted);
}

function outcome(one: PaidOrder) {
  const isDone = one.order.fulfilmentStatus === 'queued' && !needsMinting(one);
  return { ...(isDone && { fulfilmentStatus: 'not-needed' }), updatedAt: new Date().toISOString() };
}

function asRead({ order }: PaidOrder) {
  return { when: '#fulfilmentStatus = :as', values: { as: order.fulfilmentStatus } };
}

/**
 * What orders bring their organizer: an entry for each event, since an event's entries are what its summary reads.
 * The fee stays with the platform.
 */
function creditsFor(paid: readonly PaidOrder[]): Entry[] {
  const events = Map.groupBy(paid.filter(bringsCredit), ({ order }) => order.eventId);
  return [...events].map(([eventId, together]) => {
    const [{ order, event }] = together as [PaidOrder, ...PaidOrder[]];
    const book = { organizerId: event.organizerId, currency: order.currency };
    const orders = together.map((one) => toSoldOrder(one.order)) as [SoldOrder, ...SoldOrder[]];
    return saleCredit(book, eventId, orders, new Date().toISOString());
  });
}

/** Not one that goes back to the buyer. */
function bringsCredit({ order }: PaidOrder): boolean {
  return order.fulfilmentStatus !== 'refund-due';
}

function notice({ order, event }: PaidOrder): Notification {
  if (!order.queuedAt) throw new Error(`Order ${order.id} is paid, but not queued`);
  return purchaseNotification({ ...order, queuedAt: order.queuedAt }, event);
}

/** What an order is to the books: always the same, since what it sells and for how much never changes. */
export function toSoldOrder({ id: orderId, tierId, quantity, subtotal: net, totalAmount }: Order): SoldOrder {
  return { orderId, tierId, quantity, net, fee: totalAmount - net };
}
