import { transact, type Write } from '../../dynamo/write.ts';
import type { FactorChange, MailContent } from '../../messaging/outbox/mail.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';

/**
 * Prepares the mail about a change of an account's second factors, API keys or webhooks, of its staff, or of where its tickets
 * are minted: somebody else may have made it.
 */
export function prepareAnnouncement(
  userId: string,
  change: FactorChange,
): { writes: Write[]; mail: MailContent } {
  const mail = { kind: 'factors-changed', userId, change, changedAt: new Date().toISOString() } as const;
  return { writes: insertMail(mail, userId), mail };
}

/** Writes a change of an account's second factors, API keys or webhooks, and mails its user about it. */
export async function writeAndAnnounce(
  userId: string,
  change: FactorChange,
  writes: readonly Write[],
): Promise<void> {
  const announcement = prepareAnnouncement(userId, change);
  await transact([...writes, ...announcement.writes]);
  await queueMails([{ content: announcement.mail }]);
}

/** Mails the user of an account about a change that is not in a transaction. */
export async function announce(userId: string, change: FactorChange): Promise<void> {
  const { writes, mail } = prepareAnnouncement(userId, change);
  if (writes.length > 0) await transact(writes);
  await queueMails([{ content: mail }]);
}
