import { findUser } from '../../accounts/users/store.ts';
import { tierNameOf } from '../../catalog/events/event.ts';
import { findEventWithTexts } from '../../catalog/events/store.ts';
import { textsIn } from '../../catalog/texts/texts.ts';
import type { OfferedEntry } from '../../catalog/waiting-list/entry.ts';
import { readEntries } from '../../catalog/waiting-list/store.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { formatDeadline } from '../../orders/waiting-list/notifications.ts';
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
  const { language, title } = event;
  const t = textsIn(language);
  return {
    to: user.email,
    language,
    accent: event.organizer?.accent,
    subject: t('waiting.subject', { event: title }),
    summary: t('waiting.summary', {
      count: entry.quantity,
      tier: tierNameOf(event, entry),
      event: title,
      deadline: formatDeadline(entry, event, language),
    }),
    body: [
      { facts: eventFacts(event, language) },
      { button: t('waiting.take'), url: `${requiredSetting('PUBLIC_URL')}/waiting-list` },
      { paragraph: t('waiting.otherwise') },
    ],
  };
}

/** Composes the mail that an entry has ended. */
export async function composeWaitingEnd(content: WaitingContent): Promise<Message | undefined> {
  const found = await findContext(content);
  if (found?.entry.status !== 'expired') return undefined;
  const { user, entry, event } = found;
  const { language } = event;
  const t = textsIn(language);
  const missed = entry.offer ? 'waiting.notBought' : 'waiting.noneLeft';
  return {
    to: user.email,
    language,
    accent: event.organizer?.accent,
    subject: t('waiting.endedSubject', { event: event.title }),
    summary: t(event.status === 'CANCELLED' ? 'waiting.eventCancelled' : missed, { event: event.title }),
    body: [{ button: t('waiting.openEvent'), url: `${requiredSetting('PUBLIC_URL')}/events/${event.id}` }],
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
