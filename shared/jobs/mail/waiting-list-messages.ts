import { findUser } from '../../accounts/users/store.ts';
import { findEventWithTexts } from '../../catalog/events/store.ts';
import type { OfferedEntry } from '../../catalog/waiting-list/entry.ts';
import { readEntries } from '../../catalog/waiting-list/store.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { describeEnding, describeTickets, formatDeadline } from '../../orders/waiting-list/notifications.ts';
import { requiredSetting } from '../../runtime/config.ts';
import type { Message } from './layout.ts';
import { eventFacts } from './order-messages.ts';

type WaitingContent = Extract<MailContent, { kind: 'waiting-list-offered' | 'waiting-list-ended' }>;

/** Composes the mail with an offer; undefined once the offer has ended. Only the page that it links to takes the offer. */
export async function composeWaitingOffer(content: WaitingContent): Promise<Message | undefined> {
  const found = await findContext(content);
  if (found?.entry.status !== 'offered' || !found.entry.offer) return undefined;
  const { user, event } = found;
  const entry = found.entry as OfferedEntry;
  if ('offerId' in content && entry.offer.id !== content.offerId) return undefined;
  return {
    to: user.email,
    accent: event.organizer?.accent,
    subject: `Tickets for you: ${event.title}`,
    summary: `${describeTickets(entry, event)} ${entry.quantity === 1 ? 'is' : 'are'} held for you until ${formatDeadline(entry, event)}.`,
    body: [
      { facts: eventFacts(event) },
      { button: 'Buy or decline', url: `${requiredSetting('PUBLIC_URL')}/waiting-list` },
      {
        paragraph:
          'If you do not buy them in time, or decline, they are offered to the next person on the list.',
      },
    ],
  };
}

/** Composes the mail that an entry has ended. */
export async function composeWaitingEnd(content: WaitingContent): Promise<Message | undefined> {
  const found = await findContext(content);
  if (found?.entry.status !== 'expired') return undefined;
  const { user, entry, event } = found;
  return {
    to: user.email,
    accent: event.organizer?.accent,
    subject: `No longer on the waiting list: ${event.title}`,
    summary: describeEnding(entry, event),
    body: [{ button: 'Open the event', url: `${requiredSetting('PUBLIC_URL')}/events/${event.id}` }],
  };
}

async function findContext({ userId, eventId, entryId }: WaitingContent) {
  const [user, event, entries] = await Promise.all([
    findUser(userId),
    findEventWithTexts(eventId),
    readEntries(userId),
  ]);
  const entry = entries.find(({ id }) => id === entryId);
  return user && event && entry && { user, event, entry };
}
