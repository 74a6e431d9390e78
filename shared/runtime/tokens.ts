import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { unauthenticated } from '../core/errors.ts';
import { newId } from '../core/ids.ts';
import { accountRoles, type Role } from '../core/schemas.ts';
import { readKeyList } from './secrets.ts';

/** The lifetime of an access token, in seconds. */
export const accessLifetimeSeconds = 15 * 60;
/** The lifetime of a refresh token, in seconds. */
export const refreshLifetimeSeconds = 7 * 24 * 60 * 60;

const issuer = 'boxoffice';
const algorithm = 'HS256';

/** The claims of an access token. */
export interface AccessClaims {
  userId: string;
  email: string;
  role: Role;
  /** The guest whose orders were added to the account. */
  guestId?: string | undefined;
  /** The version of the guest's access tokens when the orders were added. */
  guestVersion?: number | undefined;
  /** The API key of the request, in place of an access token, with the events that it is limited to. */
  key?: { id: string; scopes: readonly string[]; eventIds?: readonly string[] } | undefined;
  /** The version of the user's sessions when the token was issued; absent for 0. A new password increments it. */
  sessionVersion?: number | undefined;
  /** The session that the token was issued for. Guests of orders have none. */
  sessionId?: string | undefined;
  /** When the user last proved who they are in this session, epoch seconds; absent in tokens of a refresh. */
  confirmedAt?: number | undefined;
}

/** The claims of a refresh token: its user and its session. */
export interface RefreshClaims {
  userId: string;
  sessionId: string;
}

export async function signAccessToken({
  userId,
  email,
  role,
  guestId,
  guestVersion,
  sessionVersion,
  sessionId,
  confirmedAt,
}: AccessClaims): Promise<string> {
  const [key] = await readKeyList('JWT_ACCESS_SECRET');
  const optionalClaims = {
    ...(guestId && { guestId, guestVersion }),
    ...(sessionVersion && { sessionVersion }),
    ...(sessionId && { sessionId }),
    ...(confirmedAt && { confirmedAt }),
  };
  return jwt.sign({ userId, email, role, ...optionalClaims }, key, {
    algorithm,
    issuer,
    audience: 'access',
    expiresIn: accessLifetimeSeconds,
  });
}

export async function signRefreshToken({ userId, sessionId }: RefreshClaims): Promise<string> {
  const [key] = await readKeyList('JWT_REFRESH_SECRET');
  // Two tokens of a session differ also when they are signed in the same second.
  return jwt.sign({ userId, nonce: newId() }, key, {
    algorithm,
    issuer,
    audience: 'refresh',
    expiresIn: refreshLifetimeSeconds,
    jwtid: sessionId,
  });
}

/** A user's place in the queue of an event, as its ticket states it. Times are epoch milliseconds. */
export interface QueueTicket {
  eventId: string;
  userId: string;
  placeId: string;
  /** Absent before the draw. */
  number?: number | undefined;
  /** When it got its number; only of a place that joined after the draw. */
  joinedAt?: number | undefined;
}

/** Signs the ticket of a place. @param expiresAt the end of the queue, epoch milliseconds */
export async function signQueueTicket(ticket: QueueTicket, expiresAt: number): Promise<string> {
  const [key] = await readKeyList('JWT_ACCESS_SECRET');
  const claims = { ...JSON.parse(JSON.stringify(ticket)), exp: Math.ceil(expiresAt / 1000) };
  return jwt.sign(claims, key, { algorithm, issuer, audience: 'queue' });
}

/** Verifies the ticket of a place. @returns undefined unless it is a valid ticket of this service */
export async function verifyQueueTicket(ticket: string): Promise<QueueTicket | undefined> {
  const claims = verify(ticket, await readKeyList('JWT_ACCESS_SECRET'), 'queue');
  if (!claims) return undefined;
  const { eventId, userId, placeId, number, joinedAt } = claims;
  return { eventId, userId, placeId, number, joinedAt };
}

/** The error for an access token that is not valid, or no longer. */
export const invalidToken = () => unauthenticated('Invalid or expired token', 'invalid-token');

/** Verifies an access token. @throws DomainError 401 unless it is a valid access token of this service */
export async function verifyAccessToken(token: string): Promise<AccessClaims> {
  const claims = verify(token, await readKeyList('JWT_ACCESS_SECRET'), 'access');
  const { userId, email, role, guestId, guestVersion, sessionVersion, sessionId, confirmedAt } = claims ?? {};
  if (typeof userId !== 'string' || typeof email !== 'string' || !accountRoles.includes(role)) {
    throw invalidToken();
  }
  return {
    userId,
    email,
    role,
    ...(typeof guestId === 'string' && { guestId }),
    ...(typeof guestVersion === 'number' && { guestVersion }),
    ...(typeof sessionVersion === 'number' && { sessionVersion }),
    ...(typeof sessionId === 'string' && { sessionId }),
    ...(typeof confirmedAt === 'number' && { confirmedAt }),
  };
}

/** Verifies a refresh token. @returns undefined unless it is a valid refresh token of this service */
export async function verifyRefreshToken(token: string): Promise<RefreshClaims | undefined> {
  const claims = verify(token, await readKeyList('JWT_REFRESH_SECRET'), 'refresh');
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
      // The token is signed with another key of the list, or is invalid.
    }
  }
  return undefined;
}
