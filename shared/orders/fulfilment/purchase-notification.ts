import { derivedId } from '../../core/ids.ts';
import type { Event } from '../../events/event.ts';
import type { Notification } from '../../notifications/notification.ts';
import type { Order } from '../order.ts';

/**
 * What a buyer is told when their payment came in: that they have their tickets, or that none was left. Of the time
 * of the payment, whenever it is made: made again, it is the same one.
 */
export function purchaseNotification(order: Order & { queuedAt: string }, event: Event): Notification {
  const { queuedAt } = order;
  if (order.fulfilmentReason === 'event-cancelled') return cancellationNotification(order, event, queuedAt);
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
    id: derivedId(`purchase ${order.id}`, Date.parse(queuedAt)),
    userId: order.userId,
    ...text,
    read: false,
    createdAt: queuedAt,
    orderId: order.id,
  };
}

/** What a buyer who paid is told when the event is called off. @param at ISO 8601 in UTC */
export function cancellationNotification(order: Order, event: Event, at: string): Notification {
  return {
    id: derivedId(`cancellation ${order.id}`, Date.parse(at)),
    userId: order.userId,
    type: 'WARNING',
    title: 'Event cancelled',
    message: `${event.title} was cancelled. You will get your money back.`,
    read: false,
    createdAt: at,
    orderId: order.id,
  };
}
