import { notFound, unauthenticated } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Write } from '../dynamo/write.ts';
import { findUser, getUser } from '../users/store.ts';
import type { User } from '../users/user.ts';
import { type Actor, admin, authorize, sameUser } from './authorize.ts';
import { deleteAllSessions, deleteSession, insertSession, isSessionCurrent } from './store.ts';
import { refreshLifetime, signAccessToken, signRefreshToken, verifyRefreshToken } from './tokens.ts';

/** A new pair of tokens, and the write that makes the refresh token valid. */
export async function openSession(
  user: User,
): Promise<{ token: string; refreshToken: string; session: Write }> {
  const sessionId = newId();
  const refreshToken = await signRefreshToken({ userId: user.id, sessionId });
  const expiresAt = Math.floor(Date.now() / 1000) + refreshLifetime;
  return {
    token: await signAccessToken({ userId: user.id, email: user.email, role: user.role }),
    refreshToken,
    session: insertSession(user.id, sessionId, refreshToken, expiresAt),
  };
}

/** The user of the session that a refresh token belongs to; undefined when it has ended. */
async function findSessionUser(refreshToken: string | undefined): Promise<User | undefined> {
  const claims = refreshToken && (await verifyRefreshToken(refreshToken));
  if (!claims) return undefined;
  const [isCurrent, user] = await Promise.all([
    isSessionCurrent(claims.userId, claims.sessionId, refreshToken),
    findUser(claims.userId),
  ]);
  return isCurrent ? user : undefined;
}

/**
 * Signs a new access token for a session, with the user's present role and e-mail.
 * @throws DomainError 401 for a refresh token that is absent, expired, malformed or revoked
 */
export async function refresh(refreshToken: string | undefined): Promise<string> {
  const user = await findSessionUser(refreshToken);
  if (!user) throw unauthenticated('Invalid refresh token', 'invalid-refresh-token');
  return signAccessToken({ userId: user.id, email: user.email, role: user.role });
}

/**
 * Ends the session of a refresh token, or with `everywhere` all sessions of its user. A revoked token ends
 * nothing: with a stolen one, a thief could otherwise log its user out.
 */
export async function logout(refreshToken: string | undefined, { everywhere }: { everywhere: boolean }) {
  if (everywhere) {
    const user = await findSessionUser(refreshToken);
    if (user) await deleteAllSessions(user.id);
    return;
  }
  const claims = refreshToken && (await verifyRefreshToken(refreshToken));
  if (claims) await deleteSession(claims.userId, claims.sessionId);
}

/**
 * Ends all sessions of a user. Access tokens that were issued before stay valid for the rest of their 15 minutes.
 * @throws DomainError 404 when there is no such user, and for others than the user and administrators
 */
export async function revokeSessions(userId: string, caller: Actor): Promise<void> {
  authorize(caller, [sameUser(userId), admin], notFound('User'));
  const user = await getUser(userId);
  await deleteAllSessions(user.id);
}
