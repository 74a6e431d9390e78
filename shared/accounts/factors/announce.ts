import { transact, type Write } from '../../dynamo/write.ts';
import type { FactorChange } from '../../messaging/outbox/mail.ts';
import { insertMail, queueMails } from '../../messaging/outbox/store.ts';

/** Writes a change of an account's second factors or API keys, and mails its user about it: somebody else may have made it. */
export async function writeAndAnnounce(
  userId: string,
  change: FactorChange,
  writes: readonly Write[],
): Promise<void> {
  const mail = { kind: 'factors-changed', userId, change, changedAt: new Date().toISOString() } as const;
  await transact([...writes, ...insertMail(mail, userId)]);
  await queueMails([{ content: mail }]);
}
