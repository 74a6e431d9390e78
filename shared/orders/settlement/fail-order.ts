import { getEvent } from '../../catalog/events/store.ts';
import type { TierQuantity } from '../../catalog/inventory/inventory.ts';
import { countUnpaidHoldOfNetwork } from '../../catalog/inventory/store.ts';
import { entryLifecycle } from '../../catalog/waiting-list/entry.ts';
import { EntryChanged, findEntry, transitionEntry } from '../../catalog/waiting-list/store.ts';
import { applyTransitions, expectUnchanged, transition } from '../../core/state-machine.ts';
import type { Write } from '../../dynamo/write.ts';
import { type Occurrences, prepareOccurrences } from '../../messaging/webhooks/store.ts';
import { releaseOrderTickets } from '../checkout/reserve-tickets.ts';
import { payment } from '../lifecycle.ts';
import { type FailureReason, listingsOf, type Order } from '../order.ts';
import {
  changeOrder,
  findOrders,
  type NextDue,
  OrderTransitionRefused,
  transitionOrder,
  uncountOpenCryptoOrder,
  writeOrder,
} from '../store.ts';
import { orderOccurrence } from '../views.ts';

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

/** Records on an unpaid order that the gateway declined an attempt to pay it. The order keeps its tickets until its hold ends. */
export async function recordDecline({ id, paymentStatus }: Order): Promise<void> {
  if (paymentStatus !== 'PENDING') return;
  const declinedAt = new Date().toISOString();
  try {
    await writeOrder(changeOrder(id, { declinedAt }, { unchanged: { paymentStatus } }));
  } catch (error) {
    // The order was paid or has failed in the meantime.
    if (!(error instanceof OrderTransitionRefused)) throw error;
  }
}
