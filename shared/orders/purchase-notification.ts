import type { Event } from '../events/event.ts';
import { derivedId } from '../ids.ts';
import type { Notification } from '../notifications/notification.ts';
import type { Order } from './order.ts';

/** What a buyer is told when their payment came in: that they have their tickets, or that none was left. */
export function purchaseNotification(order: Order, event: Event): Notification {
  if (order.fulfilmentReason === 'event-cancelled') return cancellationNotification(order, event);
  const now = Date.now();
  const tickets = order.quantity === 1 ? '1 ticket' : `${order.quantity} tickets`;
  const text =
    order.fulfilmentStatus === 'refund-due'
      ? {
          type: 'WARNING' as const,
          title: 'Payment received too late',
          message: `Your payment for ${tickets} to ${event.title} came in, but there are no tickets for it any more. You will get your money back.`,
        }
      : {
          type: 'SUCCESS' as const,
          title: 'Ticket Purchase Successful',
          message: `You bought ${tickets} to ${event.title}.`,
        };
  return {
    id: derivedId(`purchase ${order.id}`, now),
    userId: order.userId,
    ...text,
    read: false,
    createdAt: new Date(now).toISOString(),
    orderId: order.id,
  };
}

/** What a buyer who paid is told when the event is called off. */
export function cancellationNotification(order: Order, event: Event): Notification {
  const now = Date.now();
  return {
    id: derivedId(`cancellation ${order.id}`, now),
    userId: order.userId,
    type: 'WARNING',
    title: 'Event cancelled',
    message: `${event.title} was cancelled. You will get your money back.`,
    read: false,
    createdAt: new Date(now).toISOString(),
    orderId: order.id,
  };
}
