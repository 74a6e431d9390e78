import type { Event } from '../../catalog/events/event.ts';
import type { Write } from '../../dynamo/write.ts';
import { insertMail } from '../../messaging/mail/store.ts';
import { insertNotification } from '../../messaging/notifications/store.ts';
import { refundNotification } from '../notifications.ts';
import type { Order } from '../order.ts';
import type { RefundFields } from './transition-refund.ts';

/** Returns the writes that notify and mail the buyer of a refund; see `refundNotification`. */
export function refundAnnouncementWrites(
  order: Order,
  refund: RefundFields,
  event: Event,
  timestamp: string,
  options: { isManual?: boolean } = {},
): Write[] {
  return [
    insertNotification(refundNotification(order, refund, event, timestamp, options)),
    ...insertMail({ kind: 'order-refunded', orderId: order.id }, order.userId, { eventId: event.id }),
  ];
}
