import { mailId } from '../mail/mail.ts';
import { toMailView } from '../mail/mail-view.ts';
import { findMail } from '../mail/store.ts';
import type { Order } from './order.ts';

/** Returns the mail with an order's tickets; null when there is none. */
export async function findTicketMail({ id: orderId, paymentStatus }: Order) {
  if (paymentStatus !== 'COMPLETED') return null;
  const mail = await findMail(mailId({ kind: 'order-paid', orderId }));
  return mail ? toMailView(mail) : null;
}
