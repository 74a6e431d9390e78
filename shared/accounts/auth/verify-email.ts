import { invalid } from '../../core/errors.ts';
import { hashEmail } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { type AttemptLimit, countAttempt } from '../rate-limit.ts';
import { changeUser, findUser, getSessionOwner, getUser } from '../users/store.ts';
import type { User } from '../users/user.ts';
import { confirmWithoutWallet } from '../wallets/unlink-wallet.ts';
import { findLinkByToken, prepareLinkMail } from './link-mail.ts';

const mailLimit: AttemptLimit = {
  maximum: 3,
  windowSeconds: 60 * 60,
  message:
    'We have sent you this e-mail several times. Please check your inbox and spam folder, or try again in an hour',
};

/**
 * Confirms a user's e-mail address by the token of the link in the mail. Idempotent. Another person may have
 * registered with the address, and still know the password. So the account's wallet is cleared, unless the caller is logged in
 * to the account, and only then the account gets what belongs to the address: orders of its guest, and roles at events.
 * @throws DomainError 400 `invalid-verification-token` for an unknown or expired token, and for one that was requested for an
 * earlier address
 */
export async function verifyEmail(token: string, callerId: string | undefined): Promise<User> {
  const link = await findLinkByToken('address-confirmation', token);
  const user = link && (await findUser(link.userId));
  if (!user || link?.emailHash !== hashEmail(user.email)) {
    throw invalid('This link is not valid any more, please request a new one', 'invalid-verification-token');
  }
  if (callerId === user.id) {
    return changeUser(user.id, { emailVerified: true, ownsAddress: true }, new Date().toISOString());
  }
  if (user.emailVerified) return user;
  await confirmWithoutWallet(user.id, { endsSessions: false });
  return getUser(user.id);
}

/**
 * Mails a user a link that confirms the e-mail address. Sends nothing when the address was confirmed in a session of
 * the account, or mail is not configured.
 * @throws DomainError 404 for an unknown user, 429 after too many mails
 */
export async function sendVerification(userId: string): Promise<User> {
  const { user, ownsAddress } = await getSessionOwner(userId);
  if ((user.emailVerified && ownsAddress) || !optionalSetting('MAIL_FROM')) return user;
  await countAttempt(keys.attempts('VERIFICATION', userId), mailLimit);
  const { writes, mail } = await prepareLinkMail('address-confirmation', userId, {
    confirms: user.email,
  });
  await transact(writes);
  await queueMails([{ content: mail }]);
  return user;
}
