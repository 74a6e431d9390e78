import { countAttempt } from '../../../accounts/rate-limit.ts';
import { getUser } from '../../../accounts/users/store.ts';
import { forbidden } from '../../../core/errors.ts';
import { keys } from '../../../dynamo/keys.ts';
import { optionalSetting } from '../../../runtime/config.ts';

/**
 * Counts the publication of an event, by its creation or a change. Without the limits, one organizer with a made-up
 * address could fill the public list.
 * @throws DomainError 403 for an organizer without a confirmed address, 429 above the limit of a day, where the stage has
 * these limits
 */
export async function countPublication(organizerId: string): Promise<void> {
  const needsConfirmation = optionalSetting('PUBLISHING_NEEDS_VERIFIED_EMAIL') === 'true';
  if (needsConfirmation && !(await getUser(organizerId)).emailVerified) {
    throw forbidden(
      'Please confirm your e-mail address on your account page first, or save the event as a draft',
      'email-not-verified',
    );
  }
  const maximum = optionalSetting('PUBLISHED_EVENTS_PER_DAY');
  if (maximum === undefined) return;
  await countAttempt(keys.attempts('PUBLISH', organizerId), {
    maximum: Number(maximum),
    windowSeconds: 24 * 60 * 60,
    message: 'You have published many events today. Please try again tomorrow, or save the event as a draft',
  });
}
