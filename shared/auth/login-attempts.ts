import { createHash } from 'node:crypto';
import * as z from 'zod';
import { DomainError } from '../core/errors.ts';
import { getItem } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { put, update, write } from '../dynamo/write.ts';

/** Failures allowed per account and address within a window, which starts with the first failure. */
const maximumFailures = 10;
const windowSeconds = 15 * 60;

const window = z.object({
  failures: z.number(),
  /** When it ends, epoch seconds. */
  ttl: z.number(),
});

/** Refuses a login after too many failures. @throws DomainError 429 with the seconds until the window ends */
export async function refuseAfterTooManyFailures(email: string, ip: string): Promise<void> {
  const now = epochSeconds();
  const item = await getItem(attemptsKey(email, ip));
  if (!item) return;
  const { failures, ttl } = window.parse(item);
  if (ttl > now && failures >= maximumFailures) throw tooManyAttempts(ttl - now);
}

/**
 * Counts a failure. Concurrent failures are counted one by one, by a condition.
 * @throws DomainError 429 with the seconds until the window ends, after too many failures
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
          refused: (item) => {
            const ttl = item ? window.parse(item).ttl : 0;
            return ttl > now ? tooManyAttempts(ttl - now) : new NoWindow();
          },
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

/** There is no failure in the present window. */
class NoWindow extends Error {}

/** A concurrent failure opened the window. */
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

/** The pair is hashed, so that the table holds neither e-mails nor addresses of attempts. */
function attemptsKey(email: string, ip: string) {
  return keys.attempts('LOGIN', createHash('sha256').update(`${email} ${ip}`).digest('base64url'));
}
