import { createHash } from 'node:crypto';
import { DomainError } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { type AttemptLimit, countAttempt } from '../dynamo/attempts.ts';
import { keys } from '../dynamo/keys.ts';
import { transact } from '../dynamo/write.ts';
import { queueMails } from '../mail/queue-mail.ts';
import { optional } from '../runtime/config.ts';
import { draftLink } from './links/mail-link.ts';
import { findCredential } from './store.ts';

const hourlyWindow = { windowSeconds: 60 * 60, message: 'Too many requests, please try again later' };
const addressLimit: AttemptLimit = { ...hourlyWindow, maximum: 20 };
const accountLimit: AttemptLimit = { ...hourlyWindow, maximum: 3 };

/**
 * Mails a user a link that resets the password; does nothing above the limits, or while mail is not configured. Without
 * an account it makes the same requests, for a user who does not exist, so that its duration tells nothing: the worker
 * drops the mail.
 * @param ip the address of the request
 */
export async function requestPasswordReset(email: string, ip: string): Promise<void> {
  if (!optional('MAIL_FROM')) return;
  if (!(await isWithinLimit(addressLimit, ip)) || !(await isWithinLimit(accountLimit, email))) return;
  const credential = await findCredential(email);
  const { writes, mail } = await draftLink('password-reset', credential?.userId ?? newId());
  await transact(writes);
  await queueMails([mail]);
}

/** Counts a request. The key is hashed, so that the table holds neither e-mails nor addresses of attempts. */
async function isWithinLimit(limit: AttemptLimit, who: string): Promise<boolean> {
  const key = keys.attempts('PASSWORD_RESET', createHash('sha256').update(who).digest('base64url'));
  try {
    await countAttempt(key, limit);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too-many-attempts') return false;
    throw error;
  }
}
