import { conflict, invalid } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact } from '../../dynamo/write.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { insertAuditEntry } from '../audit/store.ts';
import { prepareRecentRemoval, removeLateFactors } from '../factors/reset-factors.ts';
import { countAttempt } from '../rate-limit.ts';
import { changeAddress, findGuestId, findSessionOwner, insertGuest, removeGuest } from '../users/store.ts';
import { isClosed, type PreviousAddress, type SessionOwner, type User } from '../users/user.ts';
import { confirmWithoutWallet } from '../wallets/unlink-wallet.ts';
import { findLinkByToken, prepareLinkMail, useLinkByToken } from './link-mail.ts';
import { getLiveSession } from './step-up.ts';
import { findCredential, isAddressTaken, moveCredential, returnCredential } from './store.ts';
import { unmatchableHash } from './unmatchable-hash.ts';

/** How much later than this one another execution environment may find a change of the address, in milliseconds. */
const clockDifference = 1_000;

/** How long a change of the address can be undone from the earlier address. Until then there is no other change. */
const undoMilliseconds = 7 * 24 * 60 * 60_000;

const requestLimit = {
  maximum: 5,
  windowSeconds: 24 * 60 * 60,
  message: 'You have asked for another address several times today, please try again tomorrow',
};

const invalidLink = () =>
  invalid('This link is not valid any more, or belongs to another account', 'invalid-email-change-token');
const emailTaken = () => conflict('email-taken', 'There is an account with this e-mail address');

/** Requires that no earlier change of the address can be undone. @throws DomainError 409 `email-just-changed` */
function requireNoRecentChange({ previousAddress }: SessionOwner): void {
  if (previousAddress && Date.parse(previousAddress.until) > Date.now()) {
    throw conflict('email-just-changed', 'You changed your address less than seven days ago. Please wait.');
  }
}

/**
 * Mails a link to a new address. The account keeps its address until the link is opened.
 * @throws DomainError 401 for a session that has ended; 409 `email-taken`, `email-just-changed`; 429 after too many
 * requests
 */
export async function requestEmailChange(caller: AccessClaims, email: string): Promise<void> {
  requireNoRecentChange(await getLiveSession(caller));
  await countAttempt(keys.attempts('EMAIL_CHANGE', caller.userId), requestLimit);
  if (await isAddressTaken(email)) throw emailTaken();
  const { writes, mail } = await prepareLinkMail('email-change', caller.userId, { email });
  if (writes.length > 0) await transact(writes);
  await queueMails([{ content: mail }]);
}

/**
 * Gives an account the address whose link was opened in a session of the account, unless its password has changed since the
 * link was requested, and mails the earlier address a link that undoes it. The earlier address stays reserved for as long. A guest whose orders were added to the account stays with it,
 * and is no longer the guest of the earlier address.
 * @throws DomainError 400 `invalid-email-change-token`; 401 for a session that has ended; 409 `email-taken`,
 * `email-just-changed`, and `busy` after a concurrent change
 */
export async function confirmEmailChange(caller: AccessClaims, token: string): Promise<User> {
  const link = await findLinkByToken('email-change', token);
  if (!link?.email || link.userId !== caller.userId) throw invalidLink();
  const { email } = link;
  const owner = await getLiveSession(caller);
  const { user, guestId, ownsAddress } = owner;
  // Repeated after a lost answer.
  if (link.usedAt && user.email === email) return user;
  requireNoRecentChange(owner);
  const credential = await findCredential(user.email);
  if (credential?.userId !== user.id) throw invalidLink();
  // Somebody else may have asked for it, before the owner chose another password or undid a change.
  if ((credential.passwordChangedAt ?? 0) >= link.requestedAt) throw invalidLink();
  const isOwnGuest = guestId !== undefined && (await findGuestId(user.email)) === guestId;
  const now = Date.now();
  const until = now + undoMilliseconds;
  const previousAddress: PreviousAddress = {
    email: user.email,
    ownsAddress,
    ...(isOwnGuest && { guestId }),
    hadGuest: guestId !== undefined,
    mailedUntil: new Date(now + clockDifference).toISOString(),
    until: new Date(until).toISOString(),
  };
  const undo = await prepareLinkMail('email-undo', user.id, { until, isCounted: true });
  await transact([
    useLinkByToken('email-change', token, new Date(now).toISOString(), invalidLink()),
    ...moveCredential(credential, email, Math.floor(until / 1000)),
    changeAddress(owner, { email, ownsAddress: true, previousAddress }),
    ...(isOwnGuest ? [removeGuest(user.email, guestId)] : []),
    insertAuditEntry({
      action: 'email-changed',
      by: { type: 'user', userId: user.id },
      details: { userId: user.id },
    }),
    ...undo.writes,
  ]);
  await queueMails([{ content: undo.mail }]);
  return { ...user, email, emailVerified: true };
}

/**
 * Gives an account its earlier address back by the link that was mailed there, and ends its sessions, its password, its wallet
 * and the second factors of the last seven days: somebody else may have changed the address, and have added the others.
 * Idempotent.
 * @returns the user, when the address was changed, and, for a repetition, when the change was undone (ISO 8601 in UTC)
 * @throws DomainError 400 `invalid-email-change-token`; 409 `busy` after a concurrent change
 */
export async function restoreAddress(
  token: string,
): Promise<{ userId: string; changedAt: string; undoneAt?: string }> {
  const link = await findLinkByToken('email-undo', token);
  const owner = link && (await findSessionOwner(link.userId));
  if (!owner || isClosed(owner.user)) throw invalidLink();
  const { user, previousAddress } = owner;
  const changedAt = new Date(link.requestedAt).toISOString();
  if (link.usedAt) return { userId: user.id, changedAt, undoneAt: link.usedAt };
  const credential = await findCredential(user.email);
  if (!previousAddress || !credential) throw invalidLink();
  const { email, ownsAddress, guestId, hadGuest } = previousAddress;
  const removal = await prepareRecentRemoval(user.id);
  // Somebody may have bought with the earlier address since, as another guest.
  const isGuestFree = guestId !== undefined && (await findGuestId(email)) === undefined;
  await confirmWithoutWallet(user.id, {
    endsSessions: true,
    change: {
      email,
      ownsAddress,
      previousAddress: undefined,
      // Orders of the other address, which were added since.
      ...(!hadGuest && { guestId: undefined, guestVersion: undefined }),
      ...removal.hold,
    },
    otherWrites: [
      useLinkByToken('email-undo', token, new Date().toISOString(), invalidLink()),
      ...returnCredential(credential, email, unmatchableHash()),
      ...removal.writes,
      ...(isGuestFree ? [insertGuest(email, guestId)] : []),
      insertAuditEntry({
        action: 'email-restored',
        by: { type: 'user', userId: user.id },
        details: { userId: user.id },
      }),
    ],
  });
  await queueMails(removal.mails);
  await removeLateFactors(user.id);
  return { userId: user.id, changedAt };
}
