import type { Event } from '../catalog/events/event.ts';
import { toDecimal } from '../core/money.ts';
import {
  type Notification,
  type NotificationText,
  newNotification,
} from '../messaging/notifications/store.ts';
import type { MailContent } from '../messaging/outbox/mail.ts';
import { type Order, paidAmountOf, type Refund, reasonSentences } from './order.ts';

/**
 * Builds the buyer's notification of a payment: the tickets are bought, none were left, the event was cancelled, or the
 * payment had gone back. Its id derives from the time of the payment, so a repeated call builds the same notification.
 */
export function purchaseNotification(order: Order & { queuedAt: string }, event: Event): Notification {
  const { queuedAt, fulfilmentReason } = order;
  if (fulfilmentReason === 'event-cancelled') return cancellationNotification(order, event, queuedAt);
  const tickets = order.quantity === 1 ? '1 ticket' : `${order.quantity} tickets`;
  const values = { event: event.title, count: order.quantity };
  if (fulfilmentReason === 'refunded') {
    return notificationOf(order, `purchase ${order.id}`, queuedAt, {
      type: 'WARNING',
      title: 'Payment returned',
      message: `Your payment for ${tickets} to ${event.title} went back to you before it reached us, so you have no tickets.`,
      topic: 'payment-returned',
      values,
    });
  }
  const text: NotificationText =
    order.fulfilmentStatus === 'refund-due'
      ? {
          type: 'WARNING',
          title: 'Payment received too late',
          message: `Your payment for ${tickets} to ${event.title} came in after the order had ended, and could no longer be accepted.${lateReason(order)} You will get your money back.`,
          topic: 'payment-late',
          values,
        }
      : {
          type: 'SUCCESS',
          title: 'Ticket Purchase Successful',
          message: `You bought ${tickets} to ${event.title}.`,
          topic: 'tickets-bought',
          values,
        };
  return notificationOf(order, `purchase ${order.id}`, queuedAt, text);
}

/** Returns why a late payment was not accepted, as a sentence after a space; empty for other reasons. */
function lateReason({ fulfilmentReason }: Pick<Order, 'fulfilmentReason'>): string {
  const sentence = fulfilmentReason && reasonSentences[fulfilmentReason];
  return sentence ? ` ${sentence}.` : '';
}

/** Builds the notification for a paid order's buyer when the event is cancelled. @param timestamp ISO 8601 in UTC */
export function cancellationNotification(order: Order, event: Event, timestamp: string): Notification {
  return notificationOf(order, `cancellation ${order.id}`, timestamp, {
    type: 'WARNING',
    title: 'Event cancelled',
    message: `${event.title} was cancelled.${isFree(order) ? '' : ' You will get your money back.'}`,
    topic: isFree(order) ? 'event-cancelled' : 'event-cancelled-refunded',
    values: { event: event.title },
  });
}

/** Builds the notification for the holder of a transferred seat when the event is cancelled. */
export function holderCancellationNotification(order: Order, event: Event, userId: string): Notification {
  return newNotification(`cancellation ${order.id} ${userId}`, Date.parse(event.updatedAt), {
    userId,
    type: 'WARNING',
    title: 'Event cancelled',
    message: holderCancellationText(order, event),
    topic: isFree(order) ? 'held-ticket-cancelled' : 'held-ticket-cancelled-refunded',
    values: { event: event.title },
  });
}

function holderCancellationText(order: Order, { title }: Event): string {
  const ending = isFree(order) ? '' : ', and its buyer gets the money back';
  return `${title} was cancelled. Your ticket is no longer valid${ending}.`;
}

/**
 * Builds the buyer's notification of a refund: one that is done, or one that an operator will send by hand.
 * @param timestamp ISO 8601 in UTC
 */
export function refundNotification(
  order: Order,
  refund: Omit<Refund, 'status'>,
  event: Event,
  timestamp: string,
  { isManual = false, number }: { isManual?: boolean; number?: number | undefined } = {},
): Notification {
  const { currency } = order;
  const { amount, kind } = refund;
  const quantity = refund.seats?.length ?? order.quantity;
  const tickets =
    kind === 'goodwill' ? 'your order' : quantity === 1 ? 'your ticket' : `your ${quantity} tickets`;
  const money = `${toDecimal(amount, currency)} ${currency}`;
  const sentMessage = isManual
    ? `We will send you back ${money} for ${tickets} to ${event.title}.`
    : `${money} for ${tickets} to ${event.title} are on their way back to you.`;
  const sentTopic =
    `${kind === 'goodwill' ? 'goodwill' : 'refund'}-${isManual ? 'promised' : 'sent'}` as const;
  const about = number === undefined ? `refund ${order.id}` : `refund ${order.id} ${number}`;
  return notificationOf(order, about, timestamp, {
    type: 'INFO',
    title: amount === 0n ? 'Tickets cancelled' : 'Refund',
    message: amount === 0n ? `We took back ${tickets} to ${event.title}.` : sentMessage,
    topic: amount === 0n ? 'tickets-taken-back' : sentTopic,
    values: { event: event.title, count: quantity, amount: toDecimal(amount, currency), currency },
  });
}

/**
 * Returns the mail that accompanies `purchaseNotification`. For a payment that had gone back it is that of the refund.
 */
export function purchaseMail(order: Order): MailContent {
  const { id: orderId, fulfilmentStatus, fulfilmentReason } = order;
  if (fulfilmentReason === 'event-cancelled') return { kind: 'event-cancelled', orderId };
  if (fulfilmentReason === 'refunded') return { kind: 'order-refunded', orderId };
  return { kind: fulfilmentStatus === 'refund-due' ? 'payment-too-late' : 'order-paid', orderId };
}

/** Builds the buyer's notification that their tickets are minted again. @param timestamp ISO 8601 in UTC */
export function reissueNotification(
  order: Order,
  wallet: string,
  event: Event,
  timestamp: string,
): Notification {
  const tickets = order.quantity === 1 ? 'Your ticket' : `Your ${order.quantity} tickets`;
  return notificationOf(order, `reissue ${order.id} ${timestamp}`, timestamp, {
    type: 'INFO',
    title: 'Tickets move to another wallet',
    message: `${tickets} to ${event.title} will be in the wallet ${wallet} in some minutes. The codes for the door stay the same.`,
    topic: 'tickets-reissued',
    values: { event: event.title, count: order.quantity, wallet },
  });
}

const isFree = (order: Order) => paidAmountOf(order) === 0n;

function notificationOf(
  { id, userId }: Order,
  about: string,
  timestamp: string,
  text: NotificationText,
): Notification {
  return newNotification(about, Date.parse(timestamp), { userId, ...text, orderId: id });
}
