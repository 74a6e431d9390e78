import { type Device, placeOf } from '../../core/device.ts';
import { notFound, unauthenticated } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { type Write, write } from '../../dynamo/write.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { insertMail } from '../../messaging/outbox/store.ts';
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
import { admin, authorize, sameUser } from './authorize.ts';
import { getLiveSession } from './step-up.ts';
import {
  deleteAllSessions,
  deleteSession,
  findSessionByToken,
  insertDevice,
  insertSession,
  isKnownDevice,
  recordSessionUse,
  type StoredSession,
} from './store.ts';

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

/** A new session: its tokens, and the writes that open it. Queue `mails` after them. */
export interface NewSession {
  token: string;
  refreshToken: string;
  writes: Write[];
  mails: { content: MailContent }[];
}

/**
 * Prepares a session. The user is mailed about a device that they have not logged in from before.
 * @param version the user's `sessionVersion`, from the same read as the credential that was checked: a password change
 * after that read makes the version outdated and the new session invalid
 * @param options.isConfirmed whether the user has just given a password, passkey or code, so that the session is fresh
 * @param options.isFirst whether the session is that of the registration, about which nobody is mailed
 */
export async function prepareSession(
  owner: Pick<SessionOwner, 'user' | 'guestId' | 'guestVersion'>,
  version: number,
  { device, isConfirmed, isFirst = false }: { device: Device; isConfirmed: boolean; isFirst?: boolean },
): Promise<NewSession> {
  const id = newId();
  const userId = owner.user.id;
  const refreshToken = await signRefreshToken({ userId, sessionId: id });
  const now = Math.floor(Date.now() / 1000);
  const createdAt = new Date().toISOString();
  const seen = { device: device.name, place: placeOf(device) };
  const session = {
    id,
    version,
    ...seen,
    createdAt,
    lastUsedAt: createdAt,
    ttl: now + refreshLifetimeSeconds,
  };
  const mail = { kind: 'new-device', userId, sessionId: id, ...seen, loggedInAt: createdAt } as const;
  const isKnown = !isFirst && (await isKnownDevice(userId, device));
  const isMailed = !isFirst && !isKnown;
  return {
    token: await signAccessToken({
      ...toClaims({ ...owner, sessionVersion: version }),
      sessionId: id,
      ...(isConfirmed && { confirmedAt: now }),
    }),
    refreshToken,
    writes: [
      insertSession(userId, refreshToken, session),
      ...(isKnown ? [] : [insertDevice(userId, device)]),
      ...(isMailed ? insertMail(mail, userId) : []),
    ],
    mails: isMailed ? [{ content: mail }] : [],
  };
}

/** Returns the session of a refresh token, and its user; undefined when the session has ended. */
export async function findSession(
  refreshToken: string | undefined,
): Promise<(SessionOwner & { session: StoredSession }) | undefined> {
  const claims = refreshToken && (await verifyRefreshToken(refreshToken));
  if (!claims) return undefined;
  const [session, owner] = await Promise.all([
    findSessionByToken(claims.userId, claims.sessionId, refreshToken),
    findSessionOwner(claims.userId),
  ]);
  return session && owner?.sessionVersion === session.version ? { session, ...owner } : undefined;
}

/** Returns the claims of a user's access tokens. */
export function toClaims({
  user,
  guestId,
  guestVersion,
  sessionVersion,
}: Pick<SessionOwner, 'user' | 'guestId' | 'guestVersion' | 'sessionVersion'>): AccessClaims {
  return { userId: user.id, email: user.email, role: user.role, guestId, guestVersion, sessionVersion };
}

/**
 * Signs a new access token for a session, with the user's current role and e-mail. It is not fresh: a stolen cookie
 * suffices to get it.
 * @throws DomainError 401 for a refresh token that is absent, expired, malformed or revoked
 */
export async function refreshAccessToken(refreshToken: string | undefined, device: Device): Promise<string> {
  const invalidRefreshToken = unauthenticated('Invalid refresh token', 'invalid-refresh-token');
  const owner = await findSession(refreshToken);
  if (!owner) throw invalidRefreshToken;
  const { user, session } = owner;
  const use = { device: device.name, place: placeOf(device), lastUsedAt: new Date().toISOString() };
  const isRecorded =
    session.device === use.device &&
    session.place === use.place &&
    Date.parse(session.lastUsedAt) + useMilliseconds > Date.now();
  if (!isRecorded) await write(recordSessionUse(user.id, session.id, use, invalidRefreshToken));
  return signAccessToken({ ...toClaims(owner), sessionId: session.id });
}

/** A use of a session is recorded unless another one was recorded in this time. */
const useMilliseconds = 5 * 60_000;

/**
 * Ends the session of a refresh token, or with `everywhere` all sessions of its user. A token whose session has ended
 * has no effect, and neither has one that was replaced, so that the thief of a revoked token can't end other sessions.
 */
export async function logout(refreshToken: string | undefined, { everywhere }: { everywhere: boolean }) {
  const owner = await findSession(refreshToken);
  if (!owner) return;
  await (everywhere ? deleteAllSessions(owner.user.id) : deleteSession(owner.user.id, owner.session.id));
}

/**
 * Ends all sessions of a user. Access tokens that were issued before stay valid for the rest of their 15 minutes.
 * @throws DomainError 404 for an unknown user, and for callers other than the user and administrators; 401 for a session that
 * has ended
 */
export async function revokeSessions(userId: string, caller: AccessClaims): Promise<void> {
  authorize(caller, [sameUser(userId), admin], notFound('User'));
  await getLiveSession(caller);
  const user = await getUser(userId);
  await deleteAllSessions(user.id);
}
