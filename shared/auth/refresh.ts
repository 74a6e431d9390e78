import { unauthenticated } from '../errors.ts';
import { findSession } from './store.ts';
import { signAccessToken, verifyRefreshToken } from './tokens.ts';

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
