import type { Event } from '../catalog/events/event.ts';
import { write } from '../dynamo/write.ts';
import { insertMailOnce, MailExists } from '../messaging/mail/store.ts';
import { mailHolders } from './mail-holders.ts';
import type { Order } from './order.ts';

/**
 * Mails the buyer of an order, and the holders of its transferred seats, about a new date or venue of the event, once
 * for each change. Does nothing for an order without valid seats.
 * @param movedAt the time of the change, ISO 8601 in UTC; orders placed after it get no mail
 */
export async function announceMove(order: Order, event: Event, movedAt: string): Promise<void> {
  const { id: orderId, userId, eventId, createdAt } = order;
  const hasSeats = order.paymentStatus === 'COMPLETED' && order.holdsSeat && !order.refund;
  if (!hasSeats || createdAt > movedAt || event.status !== 'PUBLISHED') return;
  await mailHolders(order, movedAt);
  try {
    const content = { kind: 'event-moved', orderId, movedAt } as const;
    for (const insert of insertMailOnce(content, userId, { eventId })) await write(insert);
  } catch (error) {
    if (!(error instanceof MailExists)) throw error;
  }
}
