import { write } from '../dynamo/write.ts';
import { unauthenticated } from '../errors.ts';
import { clearLoginAttempts, countLoginAttempt } from './login-attempts.ts';
import { verifyPassword } from './password.ts';
import { openSession } from './session.ts';
import { findCredential, getUser } from './store.ts';
import type { Credentials } from './user.ts';

/**
 * Opens a session for a user who knows the password.
 * @param ip the address the try comes from
 * @throws DomainError 401 for an unknown e-mail and for a wrong password alike; 429 after too many failures
 */
export async function login({ email, password }: Credentials, ip: string) {
  await countLoginAttempt(email, ip);
  const credential = await findCredential(email);
  if (!(await verifyPassword(password, credential?.passwordHash)) || !credential) {
    throw unauthenticated('Invalid email or password', 'wrong-credentials');
  }
  const user = await getUser(credential.userId);
  const { token, refreshToken, session } = await openSession(user);
  await Promise.all([write(session), clearLoginAttempts(email, ip)]);
  return { user, token, refreshToken };
}
