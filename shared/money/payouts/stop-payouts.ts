import { deleteApiKeysOf } from '../../accounts/api-keys/change-keys.ts';
import { restoreAddress } from '../../accounts/auth/change-email.ts';
import { findLinkByToken, removeLinkByToken } from '../../accounts/auth/link-mail.ts';
import { deleteAllSessions } from '../../accounts/auth/store.ts';
import { dismissMembersOf } from '../../catalog/staff/change-staff.ts';
import { disableEndpointsOf } from '../../catalog/webhooks/change-endpoints.ts';
import { invalid } from '../../core/errors.ts';
import { write } from '../../dynamo/write.ts';
import { forgetAccount } from './bank-account.ts';
import type { Payout } from './payout.ts';
import { failPayout } from './send-payout.ts';
import { PayoutTransitionRefused, queryOrganizerPayouts } from './store.ts';

/**
 * Stops the payouts to new bank accounts that were not sent yet, by the token of the mailed link, and ends all sessions of
 * the organizer: somebody else may have requested them. The link works once.
 * @throws DomainError 400 `invalid-stop-token` for a token that is unknown, expired or used
 */
export async function stopNewAccountPayouts(token: string): Promise<void> {
  const link = await findLinkByToken('new-bank-account', token);
  if (!link) throw invalid('This link is not valid any more', 'invalid-stop-token');
  await stopUnsent(link.userId);
  await deleteAllSessions(link.userId);
  // Again, since another payout may have been requested until the sessions ended.
  await stopUnsent(link.userId);
  // Last, so that an interrupted call can be repeated.
  await removeLinkByToken('new-bank-account', token);
}

/**
 * Undoes a change of the e-mail address, and stops the payouts to new bank accounts that were requested before. What was
 * mailed to the new address only ends too: API keys, webhook endpoints and staff that were added or changed since. Idempotent.
 * @throws DomainError as `restoreAddress`
 */
export async function undoEmailChange(token: string): Promise<void> {
  const { userId, changedAt: since, undoneAt } = await restoreAddress(token);
  // The first run ends all that was added until each step, also while the sessions were ending. A repetition ends only what was
  // added before the undoing: the owner may have added the rest.
  const until = () => undoneAt ?? new Date().toISOString();
  await stopUnsent(userId, until());
  await deleteApiKeysOf(userId, { since, until: until() });
  await disableEndpointsOf(userId, { since, until: until() });
  await dismissMembersOf(userId, { since, until: until() });
}

/** @param until stops only those that were requested before; ISO 8601 in UTC */
async function stopUnsent(organizerId: string, until?: string): Promise<void> {
  for await (const payout of queryOrganizerPayouts(organizerId)) {
    const { newAccountUntil, status, attempts, createdAt } = payout;
    const isUnsent = newAccountUntil !== undefined && status === 'PENDING' && attempts === 0;
    if (isUnsent && (until === undefined || createdAt <= until)) await stop(payout);
  }
}

async function stop(payout: Payout): Promise<void> {
  await write(forgetAccount(payout));
  try {
    await failPayout(payout);
  } catch (error) {
    // It has just been sent.
    if (!(error instanceof PayoutTransitionRefused)) throw error;
  }
}
