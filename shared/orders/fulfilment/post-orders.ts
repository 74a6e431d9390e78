import type { User } from '../../auth/user.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import type { Event } from '../../events/event.ts';
import { type Entry, type SoldOrder, saleCredit } from '../../ledger/entry.ts';
import { postAll } from '../../ledger/store.ts';
import type { Notification } from '../../notifications/notification.ts';
import { putNotifications } from '../../notifications/store.ts';
import { log } from '../../runtime/log.ts';
import type { Order } from '../order.ts';
import { applyMove, moveOrder, OrderMoved } from '../store.ts';
import { purchaseNotification } from './purchase-notification.ts';

/** A completed order, with what it takes to fulfil it. */
export interface Sale {
  order: Order;
  event: Event;
  buyer: User;
}

/** Whether tickets are still to be minted, and can be. */
export function isMintable({ order, event, buyer }: Sale): boolean {
  return (
    order.fulfilmentStatus === 'queued' && buyer.walletAddress !== null && event.contractAddress !== null
  );
}

/**
 * Everything completed orders bring about in our own books, at most once. All of them go in one transaction: they
 * change the same balance, and by themselves they would only get into each other's way; and those of one event are
 * credited by one entry.
 * @param sales of one organizer in one currency, each once, 49 at most
 * @returns those that are booked now; the log says why others are not
 */
export async function bookOrders(sales: readonly Sale[]): Promise<Sale[]> {
  const { booked = [], unbooked = [] } = Object.groupBy(sales, ({ order }) =>
    order.isBooked ? 'booked' : 'unbooked',
  );
  const done = await Promise.all([bookTogether(unbooked), ...booked.map(closeBooked)]);
  return done.flat();
}

async function bookTogether(sales: Sale[]): Promise<Sale[]> {
  if (sales.length === 0) return [];
  try {
    // Told first, since nobody comes back to a booked order: a crash in between repeats it and never loses it. The
    // same notification replaces itself, so a buyer has it once; at worst it is unread again.
    await putNotifications(sales.map(notice));
    await transact([...sales.map(bookedMove), ...postAll(creditsFor(sales))]);
    return sales;
  } catch (error) {
    // One that can't be booked, or that another worker has just booked, must not hold up the rest.
    if (sales.length === 1) return doneElsewhere(sales, error);
    return (await Promise.all(sales.map((sale) => bookTogether([sale])))).flat();
  }
}

/** An order that was queued again, and for which there is still nothing to mint. */
async function closeBooked(sale: Sale): Promise<Sale[]> {
  if (sale.order.fulfilmentStatus !== 'queued' || isMintable(sale)) return [sale];
  const { id } = sale.order;
  return applyMove(moveOrder(id, ['COMPLETED'], outcome(sale), 'never', asRead(sale))).then(
    () => [sale],
    (error) => doneElsewhere([sale], error),
  );
}

/** Another worker was quicker: what it did is what we were about to do. Everything else is tried again. */
function doneElsewhere(sales: Sale[], error: unknown): Sale[] {
  if (error instanceof OrderMoved) return sales;
  log.error('Order could not be booked', error, { orderId: sales[0]?.order.id });
  return [];
}

/** The condition is what keeps an order from being credited twice: the entries of two batches don't know each other. */
function bookedMove(sale: Sale): Write {
  const { id, fulfilmentStatus } = sale.order;
  const booked = { isBooked: true, ...(bringsCredit(sale) && { isCredited: true }) };
  const due = fulfilmentStatus === 'refund-due' ? Date.now() : isMintable(sale) ? undefined : 'never';
  const { when, values } = asRead(sale);
  const unbooked = { when: `attribute_not_exists(#isBooked) AND ${when}`, values };
  return moveOrder(id, ['COMPLETED'], { ...outcome(sale), ...booked }, due, unbooked);
}

function outcome(sale: Sale) {
  const isDone = sale.order.fulfilmentStatus === 'queued' && !isMintable(sale);
  return { ...(isDone && { fulfilmentStatus: 'not-needed' }), updatedAt: new Date().toISOString() };
}

function asRead({ order }: Sale) {
  return { when: '#fulfilmentStatus = :as', values: { as: order.fulfilmentStatus } };
}

/**
 * What orders bring their organizer: an entry for each event, since an event's entries are what its summary reads.
 * The fee stays with the platform.
 */
function creditsFor(sales: readonly Sale[]): Entry[] {
  const events = Map.groupBy(sales.filter(bringsCredit), ({ order }) => order.eventId);
  return [...events].map(([eventId, together]) => {
    const [{ order, event }] = together as [Sale, ...Sale[]];
    const book = { organizerId: event.organizerId, currency: order.currency };
    const orders = together.map((sale) => toSoldOrder(sale.order)) as [SoldOrder, ...SoldOrder[]];
    return saleCredit(book, eventId, orders, new Date().toISOString());
  });
}

/** Not one that goes back to the buyer. */
function bringsCredit({ order }: Sale): boolean {
  return order.fulfilmentStatus !== 'refund-due';
}

function notice({ order, event }: Sale): Notification {
  if (!order.queuedAt) throw new Error(`Order ${order.id} is paid, but not queued`);
  return purchaseNotification({ ...order, queuedAt: order.queuedAt }, event);
}

/** What an order is to the books: always the same, since what it sells and for how much never changes. */
export function toSoldOrder({ id: orderId, tierId, quantity, subtotal: net, totalAmount }: Order): SoldOrder {
  return { orderId, tierId, quantity, net, fee: totalAmount - net };
}
