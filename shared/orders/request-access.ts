import { countHourly } from '../accounts/rate-limit.ts';
import { findGuestId } from '../accounts/users/store.ts';
import { newId } from '../core/ids.ts';
import { transact } from '../dynamo/write.ts';
import type { MailContent } from '../messaging/outbox/mail.ts';
import { insertMail, queueMails } from '../messaging/outbox/store.ts';
import { optionalSetting } from '../runtime/config.ts';

/**
 * Mails the links to the orders that were bought with an address without an account. Does nothing after too many
 * requests, or when mail is not configured. For an unknown address it writes the same items with the id of a nonexistent
 * user, whose mail the worker drops.
 * @param ip the caller's IP address
 */
export async function requestAccess(email: string, ip: string): Promise<void> {
  if (!optionalSetting('MAIL_FROM')) return;
  const isAllowed =
    (await countHourly('ORDER_LINKS', ip, 20)) && (await countHourly('ORDER_LINKS', email, 3));
  if (!isAllowed) return;
  const userId = (await findGuestId(email)) ?? newId();
  const content: MailContent = { kind: 'order-links', userId, requestId: newId() };
  await transact(insertMail(content, userId));
  await queueMails([{ content }]);
}
