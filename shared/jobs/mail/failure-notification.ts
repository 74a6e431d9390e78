import { type Notification, newNotification } from '../../messaging/notifications/store.ts';
import type { Mail, MailKind } from '../../messaging/outbox/mail.ts';

/** The endings of the sentence "We could not mail …". */
const failureTexts: Record<MailKind, string> = {
  'order-paid':
    'you your tickets. Please check the address of the order; the tickets are in your account too.',
  'payment-too-late': 'you that your payment came too late. You will get your money back.',
  'order-refunded': 'you that your order was refunded.',
  'event-cancelled': 'you that the event was cancelled. Please look at your order.',
  'event-rescheduled': 'you that the date or the venue of an event has changed. Please look at its page.',
  'received-ticket-changed':
    'you that an event that you have a ticket to was moved or cancelled. Please look at its page.',
  'ticket-offered':
    'your offer of a ticket to its receiver. Please check the address, or send them the link yourself.',
  'ticket-received': 'you the ticket that you accepted. It is in your account.',
  'waiting-list-offered': 'you that tickets are held for you. Your places in waiting lists show the offer.',
  'waiting-list-ended': 'you that you are no longer on a waiting list.',
  'listing-ended': 'you that your tickets were not sold. They stay valid.',
  'payout-sent': 'you that your payout was sent.',
  'payout-failed': 'you that your payout failed.',
  'staff-invited': 'your invitation to a member of your staff. Please check the address.',
  'new-device':
    'you that a new device signed in to your account. Please check the sessions on your account page.',
  'factors-changed':
    'you that the passkeys, the authenticator app or the API keys of your account have changed. Please check them on your account page.',
  'wallet-linked': 'you that a wallet was linked to your account.',
  'webhook-disabled': 'you that a webhook endpoint was disabled.',
  'order-links': 'you the links to your orders.',
  'password-reset': 'you the link for a new password.',
  'email-change': 'the link to your new address. Please check the address.',
  'email-undo': 'your earlier address that you have another one.',
  'new-bank-account': 'you that a payout to a new bank account was requested. Please look at your payouts.',
  'address-confirmation': 'you the link to confirm your address. Please check the address.',
};

/** Builds the notification of a mail that could not be sent, for the user whom it concerns. */
export function failureNotification({ userId, content }: Mail): Notification {
  return newNotification(`mail ${userId} ${content.kind}`, Date.now(), {
    userId,
    type: 'WARNING',
    title: 'Mail not delivered',
    message: `We could not mail ${failureTexts[content.kind]}`,
    topic: 'mail-failed',
    values: { mail: content.kind },
    ...('orderId' in content && { orderId: content.orderId }),
  });
}
