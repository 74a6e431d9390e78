import { transact, type Write } from '../../dynamo/write.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { toAuditActor } from '../audit/audit.ts';
import { insertAuditEntry } from '../audit/store.ts';
import type { Actor } from '../auth/authorize.ts';
import { endCredentialSessions } from '../auth/store.ts';
import { endSessions, getUser } from '../users/store.ts';
import { prepareAnnouncement, writeAndAnnounce } from './announce.ts';
import { hasRemovedRecently, removeFactors, removeRecentFactors } from './store.ts';

/** How long payouts are held after a reset: the owner is mailed, and can object. */
export const holdMilliseconds = 72 * 60 * 60_000;
const holdEnd = () => new Date(Date.now() + holdMilliseconds).toISOString();

/**
 * Removes all second factors of an account whose user has lost them, ends its sessions, and holds its payouts for 72 hours.
 * Does nothing to an account without factors.
 * @throws DomainError 404 for an unknown user; 409 `busy` after a concurrent change
 */
export async function resetFactors(userId: string, caller: Actor): Promise<void> {
  const { email } = await getUser(userId);
  const factorWrites = await removeFactors(userId);
  if (factorWrites.length === 0) return;
  await writeAndAnnounce(userId, 'reset', [
    ...factorWrites,
    endCredentialSessions(email, userId),
    endSessions(userId, new Date().toISOString(), { payoutsHeldUntil: holdEnd() }),
    insertAuditEntry({ action: 'factors-reset', by: toAuditActor(caller), details: { userId } }),
  ]);
  await removeLateFactors(userId);
}

/**
 * Prepares the removal of the second factors that were added in the last seven days, together with a change that only the owner of
 * the address can make: somebody else may have added them, and could keep the owner out. Older ones stay, unless `ofAnyAge`. Payouts are
 * held, also when a factor was removed in that time.
 * @returns `writes` and `hold`, a change of the user, for the transaction of the change; `mails` to queue after it
 */
export async function prepareRecentRemoval(
  userId: string,
  { ofAnyAge = false } = {},
): Promise<{
  writes: Write[];
  hold: { payoutsHeldUntil?: string };
  mails: { content: MailContent }[];
}> {
  const { writes, isNeeded } = await removeRecentFactors(userId, { ofAnyAge });
  if (!isNeeded) {
    const hold = (await hasRemovedRecently(userId)) ? { payoutsHeldUntil: holdEnd() } : {};
    return { writes: [], hold, mails: [] };
  }
  const announcement = prepareAnnouncement(userId, ofAnyAge ? 'reset' : 'recent-removed');
  const by = { type: 'user', userId } as const;
  return {
    writes: [
      ...writes,
      ...announcement.writes,
      insertAuditEntry({ action: 'factors-reset', by, details: { userId } }),
    ],
    hold: { payoutsHeldUntil: holdEnd() },
    mails: [{ content: announcement.mail }],
  };
}

/**
 * Removes second factors that were added while the sessions of their account were being ended, and ends the sessions again: a
 * passkey may have logged in since. Nothing is added after that, since the transaction that adds a factor requires its session.
 * @throws DomainError 409 `busy` after a concurrent change
 */
export async function removeLateFactors(userId: string): Promise<void> {
  const { writes, isNeeded } = await removeRecentFactors(userId);
  if (!isNeeded) return;
  const { email } = await getUser(userId);
  await transact([
    ...writes,
    endCredentialSessions(email, userId),
    endSessions(userId, new Date().toISOString()),
  ]);
  // The session of a late passkey may have added another one.
  await removeLateFactors(userId);
}
