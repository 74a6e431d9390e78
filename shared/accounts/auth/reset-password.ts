import { createHash } from 'node:crypto';
import { DomainError, invalid } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { type AttemptLimit, countAttempt } from '../rate-limit.ts';
import { endSessions, findUser } from '../users/store.ts';
import type { PasswordReset } from '../users/user.ts';
import { findLinkByToken, prepareLinkMail } from './link-mail.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { findCredential, PasswordAlreadyChanged, replacePassword } from './store.ts';

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
  await queueMails([mail]);
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

/**
 * Sets a new password with the token of a mailed link, and ends all sessions of the user, in one transaction. It also
 * confirms the e-mail address, since the link was sent there. A new password invalidates all links that were requested
 * before it.
 * @param attemptId identifies the attempt, so that the caller can repeat it after a lost answer
 * @throws DomainError 400 `invalid-reset-token` for a token that is unknown, expired or used
 */
export async function resetPassword(
  { token, password }: PasswordReset,
  attemptId: string = newId(),
): Promise<void> {
  const invalidLink = invalid(
    'This link is not valid any more, please request a new one',
    'invalid-reset-token',
  );
  const link = await findLinkByToken('password-reset', token);
  const user = link && (await findUser(link.userId));
  if (!user) throw invalidLink;
  const now = Date.now();
  const passwordHash = await hashPassword(password);
  const replacement = { email: user.email, passwordHash, changedAt: now, attemptId };
  try {
    await transact([
      replacePassword(replacement, { requestedAt: link.requestedAt }, invalidLink),
      endSessions(user.id, new Date(now).toISOString(), { emailVerified: true }),
    ]);
  } catch (error) {
    if (!(error instanceof PasswordAlreadyChanged)) throw error;
    // An earlier run of this attempt changed the password. A run with another password is refused.
    if (!(await verifyPassword(password, error.passwordHash))) throw invalidLink;
  }
}
