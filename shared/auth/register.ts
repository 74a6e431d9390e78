import { newId } from '../core/ids.ts';
import { transact } from '../dynamo/write.ts';
import { queueMails } from '../mail/queue-mail.ts';
import { insertUser } from '../users/store.ts';
import type { Registration, User } from '../users/user.ts';
import { prepareLinkMail } from './links/mail-link.ts';
import { hashPassword } from './password.ts';
import { countRegistration } from './registrations.ts';
import { openSession } from './sessions.ts';
import { insertCredential } from './store.ts';

/**
 * Registers a user, opens the first session and stores the confirmation mail, in one transaction.
 * @param ip the address of the request
 * @throws DomainError 409 when the e-mail is taken, 429 after too many registrations from the address
 */
export async function register({ password, ...profile }: Registration, ip: string) {
  await countRegistration(ip);
  const stored = { id: newId(), ...profile, kycStatus: 'NONE' as const, emailVerified: false };
  const user: User = { ...stored, walletVerified: false };
  const { token, refreshToken, session } = await openSession(user, 0);
  const confirmation = await prepareLinkMail('address-confirmation', user.id);
  await transact([
    insertCredential({ userId: user.id, email: user.email, passwordHash: await hashPassword(password) }),
    insertUser(stored, new Date().toISOString()),
    session,
    ...confirmation.writes,
  ]);
  await queueMails([confirmation.mail]);
  return { user, token, refreshToken };
}
