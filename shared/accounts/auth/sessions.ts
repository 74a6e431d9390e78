import { notFound, unauthenticated } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Write } from '../../dynamo/write.ts';
import { optionalSetting } from '../../runtime/config.ts';
import {
  type AccessClaims,
  refreshLifetimeSeconds,
  signAccessToken,
  signRefreshToken,
  verifyRefreshToken,
} from '../../runtime/tokens.ts';
import { findSessionOwner, getUser } from '../users/store.ts';
import type { SessionOwner } from '../users/user.ts';
import { type Actor, admin, authorize, sameUser } from './authorize.ts';
import { deleteAllSessions, deleteSession, findSessionVersion, insertSession } from './store.ts';

/** The cookie that carries the refresh token. */
export const refreshCookieName = 'refreshToken';

/**
 * Returns the `Set-Cookie` header for a refresh token. An empty token deletes the cookie. The cookie is `Secure` except
 * on the local stack.
 */
export function refreshCookie(token: string): string {
  const attributes = [
    `${refreshCookieName}=${token}`,
    'Path=/api/auth',
    `Max-Age=${token ? refreshLifetimeSeconds : 0}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(optionalSetting('STAGE') === 'local' ? [] : ['Secure']),
  ];
  return attributes.join('; ');
}

/**
 * Returns a new access token, a new refresh token, and the write that makes the refresh token valid.
 * @param version the user's `sessionVersion`, from the same read as the credential that was checked: a password change
 * after that read makes the version outdated and the new session invalid
 */
export async function prepareSession(
  { user, guestId }: Pick<SessionOwner, 'user' | 'guestId'>,
  version: number,
): Promise<{ token: string; refreshToken: string; sessionWrite: Write }> {
  const id = newId();
  const refreshToken = await signRefreshToken({ userId: user.id, sessionId: id });
  const expiresAt = Math.floor(Date.now() / 1000) + refreshLifetimeSeconds;
  return {
    token: await signAccessToken(toClaims({ user, guestId, sessionVersion: version })),
    refreshToken,
    sessionWrite: insertSession({ userId: user.id, id, refreshToken, expiresAt, version }),
  };
}

/** Returns the session of a refresh token, and its user; undefined when the session has ended. */
export async function findSession(
  refreshToken: string | undefined,
): Promise<({ id: string } & SessionOwner) | undefined> {
  const claims = refreshToken && (await verifyRefreshToken(refreshToken));
  if (!claims) return undefined;
  const [version, owner] = await Promise.all([
    findSessionVersion(claims.userId, claims.sessionId, refreshToken),
    findSessionOwner(claims.userId),
  ]);
  return owner && owner.sessionVersion === version ? { id: claims.sessionId, ...owner } : undefined;
}

/** Returns the claims of a user's access tokens. */
export function toClaims({
  user,
  guestId,
  sessionVersion,
}: Pick<SessionOwner, 'user' | 'guestId' | 'sessionVersion'>): AccessClaims {
  return { userId: user.id, email: user.email, role: user.role, guestId, sessionVersion };
}

/**
 * Signs a new access token for a session, with the user's current role and e-mail.
 * @throws DomainError 401 for a refresh token that is absent, expired, malformed or revoked
 */
export async function refreshAccessToken(refreshToken: string | undefined): Promise<string> {
  const session = await findSession(refreshToken);
  if (!session) throw unauthenticated('Invalid refresh token', 'invalid-refresh-token');
  return signAccessToken(toClaims(session));
}

/**
 * Ends the session of a refresh token, or with `everywhere` all sessions of its user. A token whose session has ended
 * has no effect, so that the thief of a revoked token can't end the other sessions.
 */
export async function logout(refreshToken: string | undefined, { everywhere }: { everywhere: boolean }) {
  if (everywhere) {
    const session = await findSession(refreshToken);
    if (session) await deleteAllSessions(session.user.id);
    return;
  }
  const claims = refreshToken && (await verifyRefreshToken(refreshToken));
  if (claims) await deleteSession(claims.userId, claims.sessionId);
}

/**
 * Ends all sessions of a user. Access tokens that were issued before stay valid for the rest of their 15 minutes.
 * @throws DomainError 404 for an unknown user, and for callers other than the user and administrators
 */
export async function revokeSessions(userId: string, caller: Actor): Promise<void> {
  authorize(caller, [sameUser(userId), admin], notFound('User'));
  const user = await getUser(userId);
  await deleteAllSessions(user.id);
}
