import { toUser } from '../auth/store.ts';
import type { User } from '../auth/user.ts';
import { getItems } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { transact } from '../dynamo/write.ts';
import type { Event } from '../events/event.ts';
import { toEvent } from '../events/store.ts';
import { type Entry, orderCredit } from '../ledger/entry.ts';
import { post } from '../ledger/store.ts';
import { log } from '../log.ts';
import { insertNotification } from '../notifications/store.ts';
import { type Messages, send } from '../queue.ts';
import type { Order } from './order.ts';
import { purchaseNotification } from './purchase-notification.ts';
import { applyMove, moveOrder, OrderMoved, toOrder } from './store.ts';

/**
 * What follows a completed payment: the buyer is told, once and without waiting for a chain, and the tickets
 * go on to be minted where there is a wallet and a contract. Safe to call any number of times, also at once.
 */
export async function fulfilOrder({ orderId, eventId, userId }: Messages['fulfil']): Promise<void> {
  const [orderItem, eventItem, userItem] = await getItems([
    keys.order(orderId),
    keys.event(eventId),
    keys.user(userId),
  ]);
  if (!orderItem || !eventItem || !userItem) {
    throw new Error(`Order ${orderId}, its event or its buyer is missing`);
  }
  const [order, event, user] = [toOrder(orderItem), toEvent(eventItem), toUser(userItem)];
  if (order.paymentStatus !== 'COMPLETED') {
    log.warn('Order to fulfil is not paid', { orderId });
    return;
  }
  const isMintable = order.fulfilmentStatus === 'queued' && canMint(event, user);
  await book(order, event, isMintable);
  if (isMintable) await send('mint', { orderId });
}

function canMint(event: Event, user: User): boolean {
  return user.walletAddress !== null && event.contractAddress !== null;
}

/** Everything a completed order brings about in our own books, in one transaction, at most once. */
async function book(order: Order, event: Event, isMintable: boolean): Promise<void> {
  const isDone = order.fulfilmentStatus === 'queued' && !isMintable;
  const outcome = {
    ...(isDone && { fulfilmentStatus: 'not-needed' }),
    updatedAt: new Date().toISOString(),
  };
  const isRefundDue = order.fulfilmentStatus === 'refund-due';
  const due = isRefundDue ? Date.now() : isMintable ? undefined : 'never';
  const as = { when: '#fulfilmentStatus = :as', values: { as: order.fulfilmentStatus } };
  try {
    if (!order.isBooked) {
      const unbooked = { when: `attribute_not_exists(#isBooked) AND ${as.when}`, values: as.values };
      await transact([
        moveOrder(order.id, ['COMPLETED'], { ...outcome, isBooked: true }, due, unbooked),
        ...(isRefundDue ? [] : post(creditFor(order, event))),
        insertNotification(purchaseNotification(order, event)),
      ]);
    } else if (isDone) {
      await applyMove(moveOrder(order.id, ['COMPLETED'], outcome, due, as));
    }
  } catch (error) {
    // Another worker was quicker: what it did is what we were about to do.
    if (!(error instanceof OrderMoved)) throw error;
  }
}

/** What the order brings the event's organizer; the fee stays with the platform. */
function creditFor(order: Order, event: Event): Entry {
  const { id: orderId, eventId, tierId, quantity, subtotal: net, currency } = order;
  const sold = { orderId, eventId, tierId, quantity, net, fee: order.totalAmount - net };
  return orderCredit({ organizerId: event.organizerId, currency }, sold, new Date().toISOString());
}
