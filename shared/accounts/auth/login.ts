import { createHash } from 'node:crypto';
import type { Device } from '../../core/device.ts';
import { unauthenticated } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, write } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { secondFactorsOf } from '../factors/factor.ts';
import { newChallenge, readFactors } from '../factors/store.ts';
import { countAttempt, refuseAfterTooManyAttempts } from '../rate-limit.ts';
import { getSessionOwner } from '../users/store.ts';
import type { Credentials, LoginChallenge, SignedIn } from '../users/user.ts';
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
 * @returns the session; a challenge for an account with a second factor
 * @param ip the caller's IP address
 * @throws DomainError 401 for an unknown e-mail and for a wrong password alike; 429 after too many failures
 */
export async function login(
  { email, password }: Credentials,
  ip: string,
  device: Device,
): Promise<SignedIn | LoginChallenge> {
  await refuseAfterTooManyFailures(email, ip);
  const credential = await findCredential(email);
  const isPasswordRight = await verifyPassword(password, credential?.passwordHash);
  if (!credential || !isPasswordRight) {
    await countFailure(email, ip);
    throw unauthenticated('Invalid email or password', 'wrong-credentials');
  }
  // Concurrent guesses all pass the first check. The second check limits them to the same number as sequential guesses.
  await refuseAfterTooManyFailures(email, ip);
  const methods = secondFactorsOf(await readFactors(credential.userId));
  if (methods.length > 0) {
    const { userId, sessionVersion } = credential;
    const { text, write: challengeWrite } = newChallenge({ kind: 'second-factor', userId, sessionVersion });
    await write(challengeWrite);
    return { challenge: text, methods };
  }
  const owner = await getSessionOwner(credential.userId);
  const { token, refreshToken, writes, mails } = await prepareSession(owner, credential.sessionVersion, {
    device,
    isConfirmed: true,
  });
  await transact(writes);
  await queueMails(mails);
  return { user: owner.user, token, refreshToken };
}
