import { newId } from '../../core/ids.ts';
import { transact } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { optionalSetting } from '../../runtime/config.ts';
import { countHourly } from '../rate-limit.ts';
import { prepareLinkMail } from './link-mail.ts';
import { findCredential } from './store.ts';

/**
 * Mails a user a link that resets the password. Does nothing after too many requests, or when mail is not configured.
 * For an unknown e-mail it writes the same items with the id of a nonexistent user, so that the duration of the call
 * does not reveal whether an account exists. The mail worker drops the mail to that user.
 * @param ip the caller's IP address
 */
export async function requestPasswordReset(email: string, ip: string): Promise<void> {
  if (!optionalSetting('MAIL_FROM')) return;
  const isAllowed =
    (await countHourly('PASSWORD_RESET', ip, 20)) && (await countHourly('PASSWORD_RESET', email, 3));
  if (!isAllowed) return;
  const credential = await findCredential(email);
  const { writes, mail } = await prepareLinkMail('password-reset', credential?.userId ?? newId());
  await transact(writes);
  await queueMails([{ content: mail }]);
}
