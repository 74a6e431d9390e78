import { type AttemptLimit, countAttempt, countOnce } from '../../../accounts/rate-limit.ts';
import { getUser } from '../../../accounts/users/store.ts';
import { forbidden } from '../../../core/errors.ts';
import { keys } from '../../../dynamo/keys.ts';
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
  const limit = todaysLimit(
    'PUBLISHED_EVENTS_PER_DAY',
    'You have published many events today. Please try again tomorrow, or save the event as a draft',
  );
  // An event counts once a day. Otherwise a manager could publish it again and again, until its organizer can publish no other.
  if (limit)
    await countOnce(keys.attempts('PUBLISH_EVENT', id), keys.attempts('PUBLISH', organizerId), limit);
}

/**
 * Counts the creation of an event. Without the limit, drafts could slow down the sweep, which checks their contracts, and what
 * goes through all events of an organizer.
 * @throws DomainError 429 above the limit of a day, where the stage has one
 */
export async function countCreation(organizerId: string): Promise<void> {
  const limit = todaysLimit(
    'EVENTS_PER_DAY',
    'You have created many events today. Please try again tomorrow',
  );
  if (limit) await countAttempt(keys.attempts('CREATE_EVENT', organizerId), limit);
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
 * Counts a change of an event that webhooks report: each can wait for ten endpoints for days.
 * @param id of the event. Counted by organizer, a manager of one event could use the limit up for all
 * @throws DomainError 429 after a thousand in a day
 */
export async function countCausedWebhook(id: string): Promise<void> {
  await countAttempt(keys.attempts('CAUSED_WEBHOOK', id), {
    maximum: 1_000,
    windowSeconds: daySeconds,
    message: 'That was done a thousand times today, please try again tomorrow',
  });
}

/** Returns the limit of a day; undefined where the stage has none. */
function todaysLimit(setting: SettingName, message: string): AttemptLimit | undefined {
  const maximum = optionalSetting(setting);
  return maximum === undefined ? undefined : { maximum: Number(maximum), windowSeconds: daySeconds, message };
}
