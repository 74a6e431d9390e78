import { unauthenticated } from '../core/errors.ts';
import { write } from '../dynamo/write.ts';
import { getUser } from '../users/store.ts';
import type { Credentials } from '../users/user.ts';
import { countFailure, refuseAfterTooManyFailures } from './login-attempts.ts';
import { verifyPassword } from './password.ts';
import { openSession } from './sessions.ts';
import { findCredential } from './store.ts';

/**
 * Opens a session for a user who knows the password.
 * @param ip the address the try comes from
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
  // Guesses made at the same time all pass the first check. A right one among them counts only if it is known
  // to be right before the tenth wrong one, so that many at once find out no more than one after the other.
  await refuseAfterTooManyFailures(email, ip);
  const user = await getUser(credential.userId);
  const { token, refreshToken, session } = await openSession(user);
  await write(session);
  return { user, token, refreshToken };
}
