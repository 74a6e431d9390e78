import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { unauthenticated } from '../core/errors.ts';
import { keyList } from '../runtime/secrets.ts';
import { type Role, roles } from '../users/user.ts';

/** Seconds an access token is valid. */
export const accessLifetime = 15 * 60;
/** Seconds a refresh token is valid. */
export const refreshLifetime = 7 * 24 * 60 * 60;

const issuer = 'boxoffice';
const algorithm = 'HS256';

/** The claims of an access token. */
export interface AccessClaims {
  userId: string;
  email: string;
  role: Role;
}

/** The claims of a refresh token: its user and its session. */
export interface RefreshClaims {
  userId: string;
  sessionId: string;
}

export async function signAccessToken({ userId, email, role }: AccessClaims): Promise<string> {
  const [key] = await keyList('JWT_ACCESS_SECRET');
  return jwt.sign({ userId, email, role }, key, {
    algorithm,
    issuer,
    audience: 'access',
    expiresIn: accessLifetime,
  });
}

export async function signRefreshToken({ userId, sessionId }: RefreshClaims): Promise<string> {
  const [key] = await keyList('JWT_REFRESH_SECRET');
  return jwt.sign({ userId }, key, {
    algorithm,
    issuer,
    audience: 'refresh',
    expiresIn: refreshLifetime,
    jwtid: sessionId,
  });
}

/** @throws DomainError 401 for any token that is not a current access token of ours. */
export async function verifyAccessToken(token: string): Promise<AccessClaims> {
  const claims = verify(token, await keyList('JWT_ACCESS_SECRET'), 'access');
  const { userId, email, role } = claims ?? {};
  if (typeof userId !== 'string' || typeof email !== 'string' || !roles.includes(role)) {
    throw unauthenticated('Invalid or expired token', 'invalid-token');
  }
  return { userId, email, role };
}

/** @returns undefined for any token that is not a current refresh token of ours. */
export async function verifyRefreshToken(token: string): Promise<RefreshClaims | undefined> {
  const claims = verify(token, await keyList('JWT_REFRESH_SECRET'), 'refresh');
  return typeof claims?.userId === 'string' && typeof claims.jti === 'string'
    ? { userId: claims.userId, sessionId: claims.jti }
    : undefined;
}

function verify(token: string, keys: string[], audience: string): jwt.JwtPayload | undefined {
  for (const key of keys) {
    try {
      // With a plain string, jsonwebtoken first tries to parse a public key, which throws internally each time.
      const secretKey = createSecretKey(Buffer.from(key));
      const claims = jwt.verify(token, secretKey, { algorithms: [algorithm], issuer, audience });
      if (typeof claims === 'object') return claims;
    } catch {
      // Signed with another key of the list, or invalid: the response is the same.
    }
  }
  return undefined;
}
