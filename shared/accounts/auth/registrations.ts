import { createHash } from 'node:crypto';
import { keys } from '../../dynamo/keys.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { countAttempt } from '../rate-limit.ts';

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
