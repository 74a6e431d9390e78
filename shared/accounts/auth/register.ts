import { createHash } from 'node:crypto';
import type { Device } from '../../core/device.ts';
import { newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { countAttempt } from '../rate-limit.ts';
import { insertUser } from '../users/store.ts';
import type { Registration, User } from '../users/user.ts';
import { prepareLinkMail } from './link-mail.ts';
import { hashPassword } from './password.ts';
import { prepareSession } from './sessions.ts';
import { insertCredential } from './store.ts';

/**
 * Counts a registration from an IP address, if the setting REGISTRATIONS_PER_HOUR limits registrations.
 * @throws DomainError 429 with the seconds until the window ends
 */
export async function countRegistration(ip: string): Promise<void> {
  const configuredLimit = optionalSetting('REGISTRATIONS_PER_HOUR');
  if (configuredLimit === undefined) return;
  // Hashed, so that the table stores no IP addresses.
  const key = keys.attempts('REGISTRATION', createHash('sha256').update(ip).digest('base64url'));
  await countAttempt(key, {
    maximum: Number(configuredLimit),
    windowSeconds: 60 * 60,
    message: 'Too many registrations from your network, please try again later',
  });
}

/**
 * Registers a user, opens the first session and stores the confirmation mail, in one transaction.
 * @param ip the caller's IP address
 * @throws DomainError 409 when the e-mail is taken, 429 after too many registrations from the IP address
 */
export async function register({ password, ...profile }: Registration, ip: string, device: Device) {
  await countRegistration(ip);
  const storedUser = { id: newId(), ...profile, kycStatus: 'NONE' as const, emailVerified: false };
  const user: User = { ...storedUser, walletVerified: false };
  const sessionVersion = 0;
  const { token, refreshToken, writes } = await prepareSession({ user }, sessionVersion, {
    device,
    isConfirmed: true,
    isFirst: true,
  });
  const confirmation = await prepareLinkMail('address-confirmation', user.id, { confirms: user.email });
  await transact([
    insertCredential({
      userId: user.id,
      email: user.email,
      passwordHash: await hashPassword(password),
      sessionVersion,
    }),
    insertUser(storedUser, new Date().toISOString()),
    ...writes,
    ...confirmation.writes,
  ]);
  await queueMails([{ content: confirmation.mail }]);
  return { user, token, refreshToken };
}
