import { invalid } from '../core/errors.ts';
import { type AttemptLimit, countAttempt } from '../dynamo/attempts.ts';
import { keys } from '../dynamo/keys.ts';
import { transact } from '../dynamo/write.ts';
import { queueMails } from '../mail/queue-mail.ts';
import { optionalSetting } from '../runtime/config.ts';
import { changeUser, findUser, getUser } from '../users/store.ts';
import type { User } from '../users/user.ts';
import { draftLink, findLinkByToken } from './links/mail-link.ts';

const limit: AttemptLimit = {
  maximum: 3,
  windowSeconds: 60 * 60,
  message: 'We sent you this mail a few times already, please look for it or try again later',
};

/**
 * Confirms the e-mail address that a link was sent to. Idempotent.
 * @throws DomainError 400 `invalid-verification-token` for a token that is unknown or expired
 */
export async function verifyEmail(token: string): Promise<User> {
  const link = await findLinkByToken('address-confirmation', token);
  const user = link && (await findUser(link.userId));
  if (!user) {
    throw invalid('This link is not valid any more, please request a new one', 'invalid-verification-token');
  }
  if (user.emailVerified) return user;
  return changeUser(user.id, { emailVerified: true }, new Date().toISOString());
}

/**
 * Mails a user the link that confirms the address. Does nothing when the address is confirmed, or while mail is not
 * configured.
 * @throws DomainError 404 for an unknown user, 429 after too many mails
 */
export async function sendVerification(userId: string): Promise<User> {
  const user = await getUser(userId);
  if (user.emailVerified || !optionalSetting('MAIL_FROM')) return user;
  await countAttempt(keys.attempts('VERIFICATION', userId), limit);
  const { writes, mail } = await draftLink('address-confirmation', userId);
  await transact(writes);
  await queueMails([mail]);
  return user;
}
