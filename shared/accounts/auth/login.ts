import { unauthenticated } from '../../core/errors.ts';
import { write } from '../../dynamo/write.ts';
import { getUser } from '../users/store.ts';
import type { Credentials } from '../users/user.ts';
import { countFailure, refuseAfterTooManyFailures } from './login-attempts.ts';
import { verifyPassword } from './password.ts';
import { prepareSession } from './sessions.ts';
import { findCredential } from './store.ts';

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
  const user = await getUser(credential.userId);
  const { token, refreshToken, sessionWrite } = await prepareSession(user, credential.sessionVersion);
  await write(sessionWrite);
  return { user, token, refreshToken };
}
