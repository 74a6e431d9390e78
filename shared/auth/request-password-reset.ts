import { createHash } from 'node:crypto';
import { DomainError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { type AttemptLimit, countAttempt } from '../dynamo/attempts.ts';
import { keys } from '../dynamo/keys.ts';
import { transact } from '../dynamo/write.ts';
import { queueMails } from '../mail/queue-mail.ts';
import { optionalSetting } from '../runtime/config.ts';
import { prepareLinkMail } from './links/mail-link.ts';
import { findCredential } from './store.ts';

const hourlyWindow = { windowSeconds: 60 * 60, message: 'Too many requests, please try again later' };
const addressLimit: AttemptLimit = { ...hourlyWindow, maximum: 20 };
const accountLimit: AttemptLimit = { ...hourlyWindow, maximum: 3 };

/**
 * Mails a user a link that resets the password. Does nothing above the limits, or while mail is not configured. For an
 * unknown e-mail it makes the same requests with the id of a nonexistent user, so that its duration does not reveal
 * whether an account exists. The worker then drops the mail.
 * @param ip the address of the request
 */
export async function requestPasswordReset(email: string, ip: string): Promise<void> {
  if (!optionalSetting('MAIL_FROM')) return;
  if (!(await isWithinLimit(addressLimit, ip)) || !(await isWithinLimit(accountLimit, email))) return;
  const credential = await findCredential(email);
  const { writes, mail } = await prepareLinkMail('password-reset', credential?.userId ?? newId());
  await transact(writes);
  await queueMails([mail]);
}

/** Counts a request. Hashes the key, so that the table stores no e-mails or IP addresses of attempts. */
async function isWithinLimit(limit: AttemptLimit, subject: string): Promise<boolean> {
  const key = keys.attempts('PASSWORD_RESET', createHash('sha256').update(subject).digest('base64url'));
  try {
    await countAttempt(key, limit);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too-many-attempts') return false;
    throw error;
  }
}
