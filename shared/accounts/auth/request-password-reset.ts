import { createHash } from 'node:crypto';
import { DomainError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { type AttemptLimit, countAttempt } from '../rate-limit.ts';
import { prepareLinkMail } from './link-mail.ts';
import { findCredential } from './store.ts';

const hourlyLimit = { windowSeconds: 60 * 60, message: 'Too many requests, please try again later' };
const ipLimit: AttemptLimit = { ...hourlyLimit, maximum: 20 };
const accountLimit: AttemptLimit = { ...hourlyLimit, maximum: 3 };

/**
 * Mails a user a link that resets the password. Does nothing after too many requests, or when mail is not configured.
 * For an unknown e-mail it writes the same items with the id of a nonexistent user, so that the duration of the call
 * does not reveal whether an account exists. The mail worker drops the mail to that user.
 * @param ip the caller's IP address
 */
export async function requestPasswordReset(email: string, ip: string): Promise<void> {
  if (!optionalSetting('MAIL_FROM')) return;
  const isAllowed = (await countRequest(ipLimit, ip)) && (await countRequest(accountLimit, email));
  if (!isAllowed) return;
  const credential = await findCredential(email);
  const { writes, mail } = await prepareLinkMail('password-reset', credential?.userId ?? newId());
  await transact(writes);
  await queueMails([{ content: mail }]);
}

/**
 * Counts a request. Hashes the e-mail or IP address, so that the table stores neither. @returns whether the request is
 * within the limit
 */
async function countRequest(limit: AttemptLimit, subject: string): Promise<boolean> {
  const key = keys.attempts('PASSWORD_RESET', createHash('sha256').update(subject).digest('base64url'));
  try {
    await countAttempt(key, limit);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too-many-attempts') return false;
    throw error;
  }
}
