import { createHash } from 'node:crypto';
import { unauthenticated } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { write } from '../../dynamo/write.ts';
import { countAttempt, refuseAfterTooManyAttempts } from '../rate-limit.ts';
import { getSessionOwner } from '../users/store.ts';
import type { Credentials } from '../users/user.ts';
import { verifyPassword } from './password.ts';
import { prepareSession } from './sessions.ts';
import { findCredential } from './store.ts';

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

/**
 * Logs a user in with e-mail and password, and opens a session.
 * @param ip the caller's IP address
 * @throws DomainError 401 for an unknown e-mail and for a wrong password alike; 429 after too many failures
 */
export async function login({ email, password }: Credentials, ip: string) {
  await refuseAfterTooManyFailures(email, ip);
  const credential = await findCredential(email);
  const isPasswordRight = await verifyPassword(password, credential?.passwordHash);
  if (!credential || !isPasswordRight) {
    await countFailure(email, ip);
    throw unauthenticated('Invalid email or password', 'wrong-credentials');
  }
  // Concurrent guesses all pass the first check. The second check limits them to the same number as sequential guesses.
  await refuseAfterTooManyFailures(email, ip);
  const owner = await getSessionOwner(credential.userId);
  const { token, refreshToken, sessionWrite } = await prepareSession(owner, credential.sessionVersion);
  await write(sessionWrite);
  return { user: owner.user, token, refreshToken };
}
