import { createHash } from 'node:crypto';
import { DomainError } from '../core/errors.ts';
import { getItem } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { put, update, write } from '../dynamo/write.ts';

/** Failures that one account takes from one address within a window, which the first failure opens. */
const maximumFailures = 10;
const windowSeconds = 15 * 60;

/** @throws DomainError 429 with the seconds until the window ends, when it has taken all its failures */
export async function refuseAfterTooManyFailures(email: string, ip: string): Promise<void> {
  const now = epochSeconds();
  const window = await getItem(attemptsKey(email, ip));
  if (window && window.ttl > now && window.failures >= maximumFailures)
    throw tooManyAttempts(window.ttl - now);
}

/**
 * Counts a failure. Of many at once only as many pass as the window still takes.
 * @throws DomainError 429 with the seconds until the window ends, when it has taken all its failures
 */
export async function countFailure(email: string, ip: string): Promise<void> {
  const now = epochSeconds();
  try {
    await write(
      update(
        attemptsKey(email, ip),
        { add: { failures: 1 } },
        {
          when: '#ttl > :now AND #failures < :maximum',
          values: { now, maximum: maximumFailures },
          refused: (window) =>
            window && window.ttl > now ? tooManyAttempts(window.ttl - now) : new NoWindow(),
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof NoWindow)) throw error;
    await openWindow(email, ip, now);
  }
}

async function openWindow(email: string, ip: string, now: number): Promise<void> {
  try {
    await write(
      put(
        { ...attemptsKey(email, ip), failures: 1, ttl: now + windowSeconds },
        {
          when: 'attribute_not_exists(#pk) OR #ttl <= :now',
          values: { now },
          refused: () => new WindowAlreadyOpen(),
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof WindowAlreadyOpen)) throw error;
    await countFailure(email, ip);
  }
}

/** There was no failure yet, or the last window is over. */
class NoWindow extends Error {}

/** Another failure was the first. */
class WindowAlreadyOpen extends Error {}

function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function tooManyAttempts(seconds: number): DomainError {
  return new DomainError(
    'too-many-requests',
    'too-many-attempts',
    'Too many failed logins, please try again later',
    seconds,
  );
}

/** The pair is hashed: whose account is tried from where needs to stand nowhere. */
function attemptsKey(email: string, ip: string) {
  return keys.attempts('LOGIN', createHash('sha256').update(`${email} ${ip}`).digest('base64url'));
}
