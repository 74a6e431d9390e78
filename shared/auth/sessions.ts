import { forbidden, unauthenticated } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import type { Write } from '../dynamo/write.ts';
import type { User } from '../users/user.ts';
import { deleteAllSessions, deleteSession, findSession, getUser, insertSession } from './store.ts';
import {
  type AccessClaims,
  refreshLifetime,
  signAccessToken,
  signRefreshToken,
  verifyRefreshToken,
} from './tokens.ts';

/** A fresh pair of tokens, and the write that makes the refresh token count. */
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

/**
 * A new access token for the user of a session, with the role and e-mail the user has now.
 * @throws DomainError 401 for a refresh token that is absent, expired, malformed or revoked
 */
export async function refresh(refreshToken: string | undefined): Promise<string> {
  const claims = refreshToken && (await verifyRefreshToken(refreshToken));
  const user = claims && (await findSession(claims.userId, claims.sessionId, refreshToken));
  if (!user) throw unauthenticated('Invalid refresh token', 'invalid-refresh-token');
  return signAccessToken({ userId: user.id, email: user.email, role: user.role });
}

/**
 * Ends the session of a refresh token, or with `everywhere` all sessions of its user. A token that is no longer
 * good ends nothing: who found one that was revoked must not be able to put its user out.
 */
export async function logout(refreshToken: string | undefined, { everywhere }: { everywhere: boolean }) {
  const claims = refreshToken && (await verifyRefreshToken(refreshToken));
  if (!claims) return;
  if (!everywhere) return deleteSession(claims.userId, claims.sessionId);
  const user = await findSession(claims.userId, claims.sessionId, refreshToken);
  if (user) await deleteAllSessions(user.id);
}

/**
 * Ends all sessions of a user; access tokens that are out there run on for what is left of their 15 minutes.
 * @throws DomainError 403 unless asked by the user or an ADMIN; 404 when there is no such user
 */
export async function revokeSessions(userId: string, caller: AccessClaims): Promise<void> {
  if (caller.userId !== userId && caller.role !== 'ADMIN') {
    throw forbidden('Only administrators may end the sessions of others');
  }
  const user = await getUser(userId);
  await deleteAllSessions(user.id);
}
