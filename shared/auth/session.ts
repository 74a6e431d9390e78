import type { Write } from '../dynamo/write.ts';
import { newId } from '../ids.ts';
import { insertSession } from './store.ts';
import { refreshLifetime, signAccessToken, signRefreshToken } from './tokens.ts';
import type { User } from './user.ts';

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
