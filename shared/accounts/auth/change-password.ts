import { unauthenticated } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { signRefreshToken } from '../../runtime/tokens.ts';
import { proofLimit } from '../factors/factor.ts';
import { countAttempt } from '../rate-limit.ts';
import { endSessions, getUser } from '../users/store.ts';
import type { PasswordChange } from '../users/user.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { findSession } from './sessions.ts';
import { continueSession, findCredential, PasswordAlreadyChanged, replacePassword } from './store.ts';

/**
 * Changes the password of a user who knows the current one, and ends all sessions but the caller's, in one transaction.
 * The caller's session gets another refresh token, since somebody may have a copy of the earlier one.
 * @param refreshToken the refresh token of the caller's session; without it all sessions end
 * @returns the new refresh token; undefined when the session has ended
 * @throws DomainError 401 `wrong-credentials` when the current password is wrong, or has changed concurrently; 429
 * after too many attempts
 */
export async function changePassword(
  { userId }: { userId: string },
  { currentPassword, password }: PasswordChange,
  refreshToken: string | undefined,
): Promise<string | undefined> {
  await countAttempt(keys.attempts('PASSWORD', userId), proofLimit);
  const { email } = await getUser(userId);
  const credential = await findCredential(email);
  const wrongPassword = unauthenticated('The current password is wrong', 'wrong-credentials');
  const isPasswordRight = await verifyPassword(currentPassword, credential?.passwordHash);
  if (!credential || !isPasswordRight) throw wrongPassword;
  const now = Date.now();
  const replacement = {
    email,
    passwordHash: await hashPassword(password),
    changedAt: now,
    attemptId: newId(),
  };
  const writes = [
    replacePassword(replacement, { verifiedHash: credential.passwordHash }, wrongPassword),
    endSessions(userId, new Date(now).toISOString()),
  ];
  const owner = await findSession(refreshToken);
  if (owner?.user.id === userId) {
    const sessionId = owner.session.id;
    const nextToken = await signRefreshToken({ userId, sessionId });
    const session = { version: credential.sessionVersion + 1, refreshToken: nextToken };
    try {
      await writeChange([...writes, continueSession(userId, sessionId, session, new SessionEnded())]);
      return nextToken;
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error;
    }
  }
  await writeChange(writes);
  return undefined;
}

/** The caller logged out during the change. */
class SessionEnded extends Error {}

async function writeChange(writes: readonly Write[]): Promise<void> {
  try {
    await transact(writes);
  } catch (error) {
    // The transaction succeeded before, but its answer was lost.
    if (!(error instanceof PasswordAlreadyChanged)) throw error;
  }
}
