import type { Actor } from '../accounts/auth/authorize.ts';
import { countAttempt } from '../accounts/rate-limit.ts';
import { getEvent } from '../catalog/events/store.ts';
import { conflict, unavailable } from '../core/errors.ts';
import { keys } from '../dynamo/keys.ts';
import { write } from '../dynamo/write.ts';
import { mailId, toMailView } from '../messaging/outbox/mail.ts';
import { findMail, insertMail, queueMails } from '../messaging/outbox/store.ts';
import type { Order } from './order.ts';
import { readOrder } from './read-orders.ts';

/** Returns the mail with an order's tickets; null when there is none. */
export async function findTicketMail({ id: orderId, paymentStatus }: Order) {
  if (paymentStatus !== 'COMPLETED') return null;
  const mail = await findMail(mailId({ kind: 'order-paid', orderId }));
  return mail ? toMailView(mail) : null;
}

const requestLimit = {
  maximum: 5,
  windowSeconds: 24 * 60 * 60,
  message: 'The tickets were sent five times today, please try again tomorrow',
};

/**
 * Mails the tickets of an order again. A waiting mail is retried at once.
 * @throws DomainError 404 for callers other than the buyer and the event's organizer and managers, 409 for an order
 * without valid tickets, 429 after five mails within a day, 503 while mail is not configured
 */
export async function sendTickets(caller: Actor, orderId: string): Promise<Order> {
  const order = await readOrder(caller, orderId);
  if (order.paymentStatus !== 'COMPLETED') throw conflict('not-paid', 'The order is not paid yet');
  const event = await getEvent(order.eventId);
  if (event.status === 'CANCELLED') throw conflict('event-cancelled', 'The event is cancelled');
  if (order.refund) throw conflict('refunded', 'The order was refunded');
  if (!order.holdsInventory) throw conflict('no-seat', 'The order has no tickets');
  const content = { kind: 'order-paid', orderId } as const;
  const [insert] = insertMail(content, order.userId, {
    eventId: order.eventId,
    isCounted: order.totalAmount > 0n,
  });
  if (!insert) throw unavailable('Mail is not set up here');
  await countAttempt(keys.attempts('SEND_TICKETS', orderId), requestLimit);
  await write(insert);
  await queueMails([{ content, eventId: order.eventId }]);
  return order;
}
