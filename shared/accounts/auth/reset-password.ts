import { invalid } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { queueMails } from '../../messaging/outbox/store.ts';
import { accessLifetimeSeconds } from '../../runtime/tokens.ts';
import { prepareRecentRemoval, removeLateFactors } from '../factors/reset-factors.ts';
import { removeFactors } from '../factors/store.ts';
import { findSessionOwner } from '../users/store.ts';
import type { PasswordReset } from '../users/user.ts';
import { confirmWithoutWallet } from '../wallets/unlink-wallet.ts';
import { findLinkByToken } from './link-mail.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { PasswordAlreadyChanged, replacePassword } from './store.ts';

/**
 * Sets a new password with the token of a mailed link, ends all sessions of the user and clears the wallet, with which
 * somebody else could log in or receive tickets, in one transaction. It also confirms the e-mail address, to which the
 * link was sent. It invalidates all links that were requested before it. Second factors of the last seven
 * days end, and payouts are held; older ones stay, unless somebody else may have registered with the address. In that case,
 * which is mailed where the address was confirmed without a session, the account has the roles of its address once earlier access
 * tokens have expired.
 * @param attemptId identifies the attempt, so that the caller can repeat it after a lost answer
 * @returns the user, and whether somebody else may have registered with the address
 * @throws DomainError 400 `invalid-reset-token` for a token that is unknown, expired or used
 */
export async function resetPassword(
  { token, password }: PasswordReset,
  attemptId: string = newId(),
): Promise<{ userId: string; mayBeSquatted: boolean }> {
  const invalidLink = invalid(
    'This link is not valid any more, please request a new one',
    'invalid-reset-token',
  );
  const link = await findLinkByToken('password-reset', token);
  const owner = link && (await findSessionOwner(link.userId));
  if (!owner) throw invalidLink;
  const { user, ownsAddress, rolesFrom = '' } = owner;
  const now = Date.now();
  // Also at a repetition of the attempt.
  const mayBeSquatted = !ownsAddress || Date.parse(rolesFrom) > now;
  const passwordHash = await hashPassword(password);
  const replacement = { email: user.email, passwordHash, changedAt: now, attemptId };
  const { writes, hold, mails } = user.emailVerified
    ? await prepareRecentRemoval(user.id, { ofAnyAge: !ownsAddress })
    : { writes: await removeFactors(user.id), hold: {}, mails: [] };
  // Somebody else may have registered with the address, and have access tokens.
  const change = ownsAddress ? hold : { ...hold, rolesFrom: afterAccessTokens(now) };
  try {
    await confirmWithoutWallet(user.id, {
      endsSessions: true,
      change,
      otherWrites: [
        replacePassword(replacement, { userId: user.id, requestedAt: link.requestedAt }, invalidLink),
        ...writes,
      ],
    });
    await queueMails(mails);
  } catch (error) {
    if (!(error instanceof PasswordAlreadyChanged)) throw error;
    // An earlier run of this attempt changed the password. A run with another password is refused.
    if (!(await verifyPassword(password, error.passwordHash))) throw invalidLink;
  }
  await removeLateFactors(user.id);
  return { userId: user.id, mayBeSquatted };
}

/** Returns when the access tokens that were issued before a time (epoch milliseconds) have expired, ISO 8601 in UTC. */
const afterAccessTokens = (time: number) => new Date(time + accessLifetimeSeconds * 1000).toISOString();
