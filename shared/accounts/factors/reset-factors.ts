import { toAuditActor } from '../audit/audit.ts';
import { insertAuditEntry } from '../audit/store.ts';
import type { Actor } from '../auth/authorize.ts';
import { endCredentialSessions } from '../auth/store.ts';
import { endSessions, getUser } from '../users/store.ts';
import { writeAndAnnounce } from './announce.ts';
import { removeFactors } from './store.ts';

/** How long payouts are held after a reset: the owner is mailed, and can object. */
const holdMilliseconds = 72 * 60 * 60_000;

/**
 * Removes all second factors of an account whose user has lost them, ends its sessions, and holds its payouts for 72 hours.
 * Does nothing to an account without factors.
 * @throws DomainError 404 for an unknown user; 409 `busy` after a concurrent change
 */
export async function resetFactors(userId: string, caller: Actor): Promise<void> {
  const { email } = await getUser(userId);
  const factorWrites = await removeFactors(userId);
  if (factorWrites.length === 0) return;
  const now = Date.now();
  const payoutsHeldUntil = new Date(now + holdMilliseconds).toISOString();
  await writeAndAnnounce(userId, 'reset', [
    ...factorWrites,
    endCredentialSessions(email, userId),
    endSessions(userId, new Date(now).toISOString(), { payoutsHeldUntil }),
    insertAuditEntry({ action: 'factors-reset', by: toAuditActor(caller), details: { userId } }),
  ]);
}
