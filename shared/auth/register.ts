import { newId } from '../core/ids.ts';
import { transact } from '../dynamo/write.ts';
import { insertUser } from '../users/store.ts';
import type { Registration, User } from '../users/user.ts';
import { hashPassword } from './password.ts';
import { countRegistration } from './registrations.ts';
import { openSession } from './sessions.ts';
import { insertCredential } from './store.ts';

/**
 * Registers a user and opens their first session, in one transaction.
 * @param ip the address of the request
 * @throws DomainError 409 when the e-mail is taken, 429 after too many registrations from the address
 */
export async function register({ password, ...profile }: Registration, ip: string) {
  await countRegistration(ip);
  const user: User = { id: newId(), ...profile, kycStatus: 'NONE' };
  const { token, refreshToken, session } = await openSession(user);
  await transact([
    insertCredential({ userId: user.id, email: user.email, passwordHash: await hashPassword(password) }),
    insertUser(user, new Date().toISOString()),
    session,
  ]);
  return { user, token, refreshToken };
}
