import { derivedId } from '../../core/ids.ts';
import { toDecimal } from '../../core/money.ts';
import type { Event } from '../../events/event.ts';
import type { Notification } from '../../notifications/notification.ts';
import type { Order } from '../order.ts';
import type { Refund } from './refund.ts';

/** What a buyer is told of a refund that is done, or that a person will see to. */
export function refundNotification(order: Order, refund: Refund, event: Event): Notification {
  const now = Date.now();
  return {
    id: derivedId(`refund ${order.id}`, now),
    userId: order.userId,
    type: 'INFO',
    title: refund.amount === 0n ? 'Tickets cancelled' : 'Refund',
    message: messageOf(order, refund, event),
    read: false,
    createdAt: new Date(now).toISOString(),
    orderId: order.id,
  };
}

function messageOf({ quantity, currency }: Order, { status, amount }: Refund, event: Event): string {
  const tickets = quantity === 1 ? 'your ticket' : `your ${quantity} tickets`;
  const money = `${toDecimal(amount, currency)} ${currency}`;
  if (amount === 0n) return `We took back ${tickets} to ${event.title}.`;
  if (status === 'manual') return `We will send you back ${money} for ${tickets} to ${event.title}.`;
  return `${money} for ${tickets} to ${event.title} are on their way back to you.`;
}
