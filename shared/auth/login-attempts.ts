import { createHash } from 'node:crypto';
import { keys } from '../dynamo/keys.ts';
import { put, remove, update, write } from '../dynamo/write.ts';
import { DomainError } from '../errors.ts';

/** Failures that one account takes from one address within a window. */
const maximumFailures = 10;
const windowSeconds = 15 * 60;

/**
 * Counts a try before the password is looked at, so that many tries at once can't slip past the limit.
 * @throws DomainError 429 with the seconds until the window ends
 */
export async function countLoginAttempt(email: string, ip: string): Promise<void> {
  const key = attemptsKey(email, ip);
  const now = Math.floor(Date.now() / 1000);
  try {
    await write(
      update(
        key,
        { add: { count: 1 } },
        {
          when: '#ttl > :now AND #count < :maximum',
          values: { now, maximum: maximumFailures },
          refused: (current) =>
            current && current.ttl > now ? tooManyAttempts(current.ttl - now) : new WindowOver(),
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof WindowOver)) throw error;
    await startWindow(email, ip, now);
  }
}

/** Forgets the failures: who knows the password may go on. */
export async function clearLoginAttempts(email: string, ip: string): Promise<void> {
  await write(remove(attemptsKey(email, ip)));
}

async function startWindow(email: string, ip: string, now: number): Promise<void> {
  const { pk, sk } = attemptsKey(email, ip);
  try {
    await write(
      put(
        { pk, sk, count: 1, ttl: now + windowSeconds },
        {
          when: 'attribute_not_exists(#pk) OR #ttl <= :now',
          values: { now },
          refused: () => new WindowOver(),
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof WindowOver)) throw error;
    // Another try has just started the window: count in that one.
    await countLoginAttempt(email, ip);
  }
}

/** There is no window, or the last one is over. */
class WindowOver extends Error {}

function tooManyAttempts(seconds: number): DomainError {
  return new DomainError('too-many-requests', 'too-many-attempts', 'Too many login attempts', seconds);
}

/** E-mails do not belong into keys: a hash does as well. */
function attemptsKey(email: string, ip: string) {
  return keys.attempts('LOGIN', createHash('sha256').update(`${email} ${ip}`).digest('base64url'));
}
