import { unauthenticated } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { proofLimit } from '../factors/factor.ts';
import { countAttempt } from '../rate-limit.ts';
import { endSessions, getUser } from '../users/store.ts';
import type { PasswordChange } from '../users/user.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { findSession } from './sessions.ts';
import { findCredential, PasswordAlreadyChanged, replacePassword, updateSessionVersion } from './store.ts';

/**
 * Changes the password of a user who knows the current one, and ends all sessions but the caller's, in one transaction.
 * @param refreshToken the refresh token of the caller's session; without it all sessions end
 * @throws DomainError 401 `wrong-credentials` when the current password is wrong, or has changed concurrently; 429
 * after too many attempts
 */
export async function changePassword(
  { userId }: { userId: string },
  { currentPassword, password }: PasswordChange,
  refreshToken: string | undefined,
): Promise<void> {
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
  const isCallersSession = owner?.user.id === userId;
  const sessionUpdate = isCallersSession
    ? updateSessionVersion(userId, owner.session.id, credential.sessionVersion + 1, new SessionEnded())
    : undefined;
  await writeChange(writes, sessionUpdate);
}

/** The caller logged out during the change. */
class SessionEnded extends Error {}

async function writeChange(writes: readonly Write[], sessionUpdate: Write | undefined): Promise<void> {
  try {
    await transact(sessionUpdate ? [...writes, sessionUpdate] : writes);
  } catch (error) {
    if (error instanceof SessionEnded) return writeChange(writes, undefined);
    // PasswordAlreadyChanged: the transaction succeeded before, but its answer was lost.
    if (!(error instanceof PasswordAlreadyChanged)) throw error;
  }
}
