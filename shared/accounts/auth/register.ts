import { newId } from '../../core/ids.ts';
import { transact } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/queue-mail.ts';
import { insertUser } from '../users/store.ts';
import type { Registration, User } from '../users/user.ts';
import { prepareLinkMail } from './links/mail-link.ts';
import { hashPassword } from './password.ts';
import { countRegistration } from './registrations.ts';
import { prepareSession } from './sessions.ts';
import { insertCredential } from './store.ts';

/**
 * Registers a user, opens the first session and stores the confirmation mail, in one transaction.
 * @param ip the caller's IP address
 * @throws DomainError 409 when the e-mail is taken, 429 after too many registrations from the IP address
 */
export async function register({ password, ...profile }: Registration, ip: string) {
  await countRegistration(ip);
  const storedUser = { id: newId(), ...profile, kycStatus: 'NONE' as const, emailVerified: false };
  const user: User = { ...storedUser, walletVerified: false };
  const sessionVersion = 0;
  const { token, refreshToken, sessionWrite } = await prepareSession(user, sessionVersion);
  const confirmation = await prepareLinkMail('address-confirmation', user.id);
  await transact([
    insertCredential({ userId: user.id, email: user.email, passwordHash: await hashPassword(password) }),
    insertUser(storedUser, new Date().toISOString()),
    sessionWrite,
    ...confirmation.writes,
  ]);
  await queueMails([confirmation.mail]);
  return { user, token, refreshToken };
}
