import { unauthenticated } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { keys } from '../../dynamo/keys.ts';
import { transact, type Write } from '../../dynamo/write.ts';
import { countAttempt } from '../rate-limit.ts';
import { endSessions } from '../users/store.ts';
import type { PasswordChange } from '../users/user.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { findSession } from './sessions.ts';
import { findCredential, PasswordAlreadyChanged, replacePassword, updateSessionVersion } from './store.ts';

/**
 * Limits the attempts of an account, so that the holder of a stolen access token can't guess the password. Successful
 * attempts count too.
 */
const attemptLimit = {
  maximum: 10,
  windowSeconds: 15 * 60,
  message: 'Too many tries, please try again later',
};

/**
 * Changes the password of a user who knows the current one, and ends all sessions but the caller's, in one transaction.
 * @param refreshToken the refresh token of the caller's session; without it all sessions end
 * @throws DomainError 401 `wrong-credentials` when the current password is wrong, or has changed concurrently; 429
 * after too many attempts
 */
export async function changePassword(
  { userId, email }: { userId: string; email: string },
  { currentPassword, password }: PasswordChange,
  refreshToken: string | undefined,
): Promise<void> {
  await countAttempt(keys.attempts('PASSWORD', userId), attemptLimit);
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
  const session = await findSession(refreshToken);
  const isCallersSession = session?.user.id === userId;
  const sessionUpdate = isCallersSession
    ? updateSessionVersion(userId, session.id, credential.sessionVersion + 1, new SessionEnded())
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
