import { countAttempt } from '../../../accounts/rate-limit.ts';
import { getUser } from '../../../accounts/users/store.ts';
import { forbidden } from '../../../core/errors.ts';
import { type Key, keys } from '../../../dynamo/keys.ts';
import { getItem } from '../../../dynamo/read.ts';
import { put, write } from '../../../dynamo/write.ts';
import { optionalSetting } from '../../../runtime/config.ts';
import type { SettingName } from '../../../runtime/settings.ts';
import type { Event } from '../event.ts';

const daySeconds = 24 * 60 * 60;

/**
 * Counts the publication of an event, by its creation or a change. Without the limits, one organizer with a made-up
 * address could fill the public list.
 * @throws DomainError 403 for an organizer without a confirmed address, 429 above the limit of a day, where the stage has
 * these limits
 */
export async function countPublication({
  id,
  organizerId,
}: Pick<Event, 'id' | 'organizerId'>): Promise<void> {
  const needsConfirmation = optionalSetting('PUBLISHING_NEEDS_VERIFIED_EMAIL') === 'true';
  if (needsConfirmation && !(await getUser(organizerId)).emailVerified) {
    throw forbidden(
      'Please confirm your e-mail address on your account page first, or save the event as a draft',
      'email-not-verified',
    );
  }
  // An event counts once a day: whoever may publish it could keep its organizer from publishing others.
  const counted = keys.attempts('PUBLISH_EVENT', id);
  const now = Math.floor(Date.now() / 1000);
  if (Number((await getItem(counted))?.ttl) > now) return;
  await countToday(
    'PUBLISHED_EVENTS_PER_DAY',
    keys.attempts('PUBLISH', organizerId),
    'You have published many events today. Please try again tomorrow, or save the event as a draft',
  );
  await write(put({ ...counted, ttl: now + daySeconds }));
}

/**
 * Counts the creation of an event. Without the limit, drafts could slow down the sweep, which checks their contracts, and what
 * goes through all events of an organizer.
 * @throws DomainError 429 above the limit of a day, where the stage has one
 */
export function countCreation(organizerId: string): Promise<void> {
  return countToday(
    'EVENTS_PER_DAY',
    keys.attempts('CREATE_EVENT', organizerId),
    'You have created many events today. Please try again tomorrow',
  );
}

/**
 * Counts a new date or place of a published event, about which all who hold tickets are mailed.
 * @throws DomainError 429 after ten in a day
 */
export async function countMove(eventId: string): Promise<void> {
  await countAttempt(keys.attempts('MOVE_EVENT', eventId), {
    maximum: 10,
    windowSeconds: daySeconds,
    message: 'The event was moved ten times today. Please try again tomorrow',
  });
}

/**
 * Counts a change of what all events of an organizer copy, which costs a write for each of them.
 * @throws DomainError 429 after a hundred changes in a day
 */
export async function countCopiedChange(organizerId: string): Promise<void> {
  await countAttempt(keys.attempts('COPIED_CHANGE', organizerId), {
    maximum: 100,
    windowSeconds: daySeconds,
    message: 'You made a hundred changes today that concern all your events, please try again tomorrow',
  });
}

/**
 * Counts what is done again and again only to have webhooks sent: each can wait for ten endpoints for days.
 * @param id of the event that is changed, or of the endpoint that is tested, so that whoever may do so keeps nobody from others
 * @throws DomainError 429 after a thousand in a day
 */
export async function countCausedWebhook(id: string): Promise<void> {
  await countAttempt(keys.attempts('CAUSED_WEBHOOK', id), {
    maximum: 1_000,
    windowSeconds: daySeconds,
    message: 'That was done a thousand times today, please try again tomorrow',
  });
}

async function countToday(setting: SettingName, key: Key, message: string): Promise<void> {
  const maximum = optionalSetting(setting);
  if (maximum !== undefined)
    await countAttempt(key, { maximum: Number(maximum), windowSeconds: daySeconds, message });
}
