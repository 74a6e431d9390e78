import { getUser } from '../../../accounts/users/store.ts';
import { toCalendarFile } from '../../../catalog/events/calendar.ts';
import { getEventWithTexts } from '../../../catalog/events/store.ts';
import type { MailContent } from '../../../messaging/outbox/mail.ts';
import { holderCancellationText } from '../../../orders/notifications.ts';
import { getOrder } from '../../../orders/store.ts';
import { requiredSetting } from '../../../runtime/config.ts';
import { readHolderIds } from '../../../tickets/seats/mail-holders.ts';
import type { Message } from '../layout/message.ts';
import { areTicketsValid, eventFacts } from './order-messages.ts';

type HolderContent = Extract<MailContent, { kind: 'received-ticket-changed' }>;

/**
 * Composes the mail about a cancelled or changed event to the holder of a transferred seat.
 * @returns undefined once another user holds the seat; for a changed event also when the ticket is no longer valid
 */
export async function composeHolderMessage(content: HolderContent): Promise<Message | undefined> {
  const order = await getOrder(content.orderId);
  if (!(await readHolderIds(order)).includes(content.holderUserId)) return undefined;
  const event = await getEventWithTexts(order.eventId);
  const isCancelled = event.status === 'CANCELLED';
  if (!isCancelled && !areTicketsValid(order, event)) return undefined;
  const { email: to } = await getUser(content.holderUserId);
  return {
    to,
    subject: `${isCancelled ? 'Cancelled' : 'New date or venue'}: ${event.title}`,
    summary: isCancelled
      ? holderCancellationText(order, event)
      : `The organizer has changed the date or the venue of ${event.title}. These are the new details.`,
    body: [
      { facts: eventFacts(event) },
      ...(isCancelled ? [] : [{ paragraph: 'Your ticket stays valid, with the same code.' }]),
      { button: 'Open your tickets', url: `${requiredSetting('PUBLIC_URL')}/tickets` },
    ],
    calendar: toCalendarFile(event),
  };
}
