import { deleteAllSessions, deleteSession, findSession } from './store.ts';
import { verifyRefreshToken } from './tokens.ts';

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
