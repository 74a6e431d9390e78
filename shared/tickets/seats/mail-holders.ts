import type { Event } from '../../catalog/events/event.ts';
import { write } from '../../dynamo/write.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { insertMailOnce, MailExists, queueMails } from '../../messaging/outbox/store.ts';
import type { Order } from '../../orders/order.ts';
import { outboxDelayMilliseconds } from '../../runtime/retry.ts';
import { holderOf } from '../ticket.ts';
import { readSeatsOf } from './store.ts';

/** Returns the user ids of the holders of an order's transferred seats, without its buyer. */
export async function readHolderIds(order: Order): Promise<string[]> {
  if (!order.transferred) return [];
  const seats = await readSeatsOf(order.id);
  const holderIds = new Set([...seats.values()].map((seat) => holderOf(seat, order)));
  holderIds.delete(order.userId);
  return [...holderIds];
}

/**
 * Mails the holders of an order's transferred seats that the event was cancelled, or that its date or venue changed.
 * Sends one mail for each change.
 * @param changedAt the time of the change, ISO 8601 in UTC
 */
export async function mailHolders(order: Order, changedAt: string): Promise<void> {
  const { id: orderId } = order;
  for (const holderUserId of await readHolderIds(order)) {
    await mailOnce(
      { kind: 'received-ticket-changed', orderId, holderUserId, changedAt },
      holderUserId,
      order,
    );
  }
}

/**
 * Mails the buyer of an order, and the holders of its transferred seats, about a new date or venue of the event, once
 * for each change. Does nothing for an order without valid seats.
 * @param rescheduledAt the time of the change, ISO 8601 in UTC; orders placed after it get no mail
 */
export async function announceReschedule(order: Order, event: Event, rescheduledAt: string): Promise<void> {
  const { id: orderId, userId, createdAt } = order;
  const hasSeats = order.paymentStatus === 'COMPLETED' && order.holdsInventory && !order.refund;
  if (!hasSeats || createdAt > rescheduledAt || event.status !== 'PUBLISHED') return;
  await mailHolders(order, rescheduledAt);
  await mailOnce({ kind: 'event-rescheduled', orderId, rescheduledAt }, userId, order);
}

async function mailOnce(
  content: MailContent,
  userId: string,
  { eventId, totalAmount }: Order,
): Promise<void> {
  const options = { eventId, dueAt: Date.now() + outboxDelayMilliseconds, isCounted: totalAmount > 0n };
  try {
    for (const insert of insertMailOnce(content, userId, options)) await write(insert);
    await queueMails([{ content, eventId }]);
  } catch (error) {
    if (!(error instanceof MailExists)) throw error;
  }
}
