import { createHash } from 'node:crypto';
import { keys } from '../../dynamo/keys.ts';
import { countAttempt, refuseAfterTooManyAttempts } from '../rate-limit.ts';

/** The limit of failed logins per account and IP address. */
const failureLimit = {
  maximum: 10,
  windowSeconds: 15 * 60,
  message: 'Too many failed logins, please try again later',
};

/** Refuses a login after too many failures. @throws DomainError 429 with the seconds until the window ends */
export function refuseAfterTooManyFailures(email: string, ip: string): Promise<void> {
  return refuseAfterTooManyAttempts(attemptsKey(email, ip), failureLimit);
}

/** Counts a failure. @throws DomainError 429 with the seconds until the window ends, after too many failures */
export function countFailure(email: string, ip: string): Promise<void> {
  return countAttempt(attemptsKey(email, ip), failureLimit);
}

/** Hashes e-mail and IP address, so that the table stores neither. */
function attemptsKey(email: string, ip: string) {
  return keys.attempts('LOGIN', createHash('sha256').update(`${email} ${ip}`).digest('base64url'));
}
