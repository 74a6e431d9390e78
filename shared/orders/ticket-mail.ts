import { mailId } from '../messaging/mail/mail.ts';
import { toMailView } from '../messaging/mail/mail-view.ts';
import { findMail } from '../messaging/mail/store.ts';
import type { Order } from './order.ts';

/** Returns the mail with an order's tickets; null when there is none. */
export async function findTicketMail({ id: orderId, paymentStatus }: Order) {
  if (paymentStatus !== 'COMPLETED') return null;
  const mail = await findMail(mailId({ kind: 'order-paid', orderId }));
  return mail ? toMailView(mail) : null;
}
