import { newId } from '../core/ids.ts';
import { transact } from '../dynamo/write.ts';
import type { Registration, User } from '../users/user.ts';
import { hashPassword } from './password.ts';
import { openSession } from './sessions.ts';
import { insertUser } from './store.ts';

/**
 * Makes a user and a first session.
 * @throws DomainError 409 when the e-mail is taken
 */
export async function register({ password, ...profile }: Registration) {
  const user: User = { id: newId(), ...profile, kycStatus: 'NONE' };
  const { token, refreshToken, session } = await openSession(user);
  await transact([...insertUser(user, await hashPassword(password), new Date().toISOString()), session]);
  return { user, token, refreshToken };
}
