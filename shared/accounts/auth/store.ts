import { createHash } from 'node:crypto';
import * as z from 'zod';
import { conflict } from '../../core/errors.ts';
import { type Key, keys } from '../../dynamo/keys.ts';
import { getItem, type Item, queryAll } from '../../dynamo/read.ts';
import { put, remove, update, type Write, write } from '../../dynamo/write.ts';
import type { LinkKind } from '../../messaging/outbox/mail.ts';

const storedCredential = z.object({
  userId: z.string(),
  passwordHash: z.string(),
  /** A copy of the user's `sessionVersion`, so that a login reads it together with the hash. */
  sessionVersion: z.number().default(0),
});
/** The e-mail and password hash that a user logs in with. */
export type Credential = z.infer<typeof storedCredential> & { email: string };

/** `ttl` is when the session ends, in epoch seconds. */
const storedSession = z.object({ tokenHash: z.string(), ttl: z.number(), version: z.number().default(0) });

/**
 * Returns the write that claims an e-mail for a user. @throws DomainError 409 from the transaction when the e-mail is
 * taken
 */
export function insertCredential({ email, ...credential }: Omit<Credential, 'sessionVersion'>): Write {
  return put(
    { ...keys.credential(email), ...credential },
    {
      when: 'attribute_not_exists(#pk)',
      orThrow: () => conflict('email-taken', 'Email already registered'),
    },
  );
}

/**
 * Returns the write that frees an account's e-mail. @throws DomainError 409 with Retry-After from the transaction, when
 * the e-mail belongs to another account
 */
export function removeCredential(email: string, userId: string): Write {
  return remove(keys.credential(email), {
    when: '#userId = :userId',
    values: { userId },
    orThrow: () => conflict('busy', 'The account has just been changed. Please try again.', 1),
  });
}

export async function findCredential(email: string): Promise<Credential | undefined> {
  const item = await getItem(keys.credential(email));
  return item && { ...storedCredential.parse(item), email };
}

/** An earlier attempt, whose answer was lost, has already changed the password. */
export class PasswordAlreadyChanged extends Error {
  readonly passwordHash: string;
  constructor(passwordHash: string) {
    super('An earlier attempt changed the password');
    this.passwordHash = passwordHash;
  }
}

interface PasswordReplacement {
  email: string;
  passwordHash: string;
  /** Epoch milliseconds. */
  changedAt: number;
  /** Identifies the attempt when it is repeated. */
  attemptId: string;
}

/**
 * Returns the write that replaces a password. `endSessions` (users/store.ts) ends the user's sessions in the same
 * transaction.
 * @param precondition requires that the stored hash is still `verifiedHash`, or that the password has not changed since
 * `requestedAt` (epoch milliseconds)
 * @throws PasswordAlreadyChanged from the transaction, for a repeated attempt; else `refusal`, when the precondition
 * fails
 */
export function replacePassword(
  { email, passwordHash, changedAt, attemptId }: PasswordReplacement,
  precondition: { verifiedHash: string } | { requestedAt: number },
  refusal: Error,
): Write {
  const toRefusal = (current: Item | undefined) =>
    current?.passwordAttempt === attemptId
      ? new PasswordAlreadyChanged(String(current.passwordHash))
      : refusal;
  const condition =
    'verifiedHash' in precondition
      ? { when: '#passwordHash = :verifiedHash', values: precondition, orThrow: toRefusal }
      : {
          when: 'attribute_exists(#pk) AND (attribute_not_exists(#passwordChangedAt) OR #passwordChangedAt < :requestedAt)',
          values: precondition,
          orThrow: toRefusal,
        };
  const set = { passwordHash, passwordChangedAt: changedAt, passwordAttempt: attemptId };
  return update(keys.credential(email), { set, add: { sessionVersion: 1 } }, condition);
}

export interface Session {
  userId: string;
  id: string;
  refreshToken: string;
  /** Epoch seconds. */
  expiresAt: number;
  /** The user's `sessionVersion`. */
  version: number;
}

/** Returns the write that stores a session with a hash of its refresh token. */
export function insertSession({ userId, id, refreshToken, expiresAt, version }: Session): Write {
  return put({ ...keys.session(userId, id), tokenHash: hashToken(refreshToken), version, ttl: expiresAt });
}

/**
 * Returns the write that sets a session's version. @throws `sessionEnded` from the write, when the session has ended
 */
export function updateSessionVersion(
  userId: string,
  id: string,
  version: number,
  sessionEnded: Error,
): Write {
  const condition = { when: 'attribute_exists(#pk)', orThrow: () => sessionEnded };
  return update(keys.session(userId, id), { set: { version } }, condition);
}

/**
 * Returns the version of a session that has not expired and was opened with this refresh token. The session is valid
 * while this version equals the user's `sessionVersion`.
 */
export async function findSessionVersion(
  userId: string,
  id: string,
  refreshToken: string,
): Promise<number | undefined> {
  const item = await getItem(keys.session(userId, id));
  if (!item) return undefined;
  const { ttl, tokenHash, version } = storedSession.parse(item);
  return ttl * 1000 > Date.now() && tokenHash === hashToken(refreshToken) ? version : undefined;
}

export async function deleteSession(userId: string, sessionId: string): Promise<void> {
  await write(remove(keys.session(userId, sessionId)));
}

export async function deleteAllSessions(userId: string): Promise<void> {
  const sessions: Key[] = [];
  for await (const { pk, sk } of queryAll({ partition: keys.user(userId).pk, prefix: 'SESSION#' })) {
    sessions.push({ pk: String(pk), sk: String(sk) });
  }
  await Promise.all(sessions.map((session) => write(remove(session))));
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** A link that was mailed to a user. */
const storedLink = z.object({
  userId: z.string(),
  /** Epoch milliseconds. */
  requestedAt: z.number(),
  /** When the link expires, epoch seconds. */
  ttl: z.number(),
});
export type Link = z.infer<typeof storedLink>;

/** Returns the write that stores a link under the hash of its token. */
export function insertLink(kind: LinkKind, tokenHash: string, link: Link): Write {
  return put({ ...keys.mailLink(kind, tokenHash), ...link });
}

/** Returns the link of a token; undefined for an unknown or expired token. */
export async function findLink(kind: LinkKind, tokenHash: string): Promise<Link | undefined> {
  const item = await getItem(keys.mailLink(kind, tokenHash));
  const link = item && storedLink.parse(item);
  return link && link.ttl * 1000 > Date.now() ? link : undefined;
}
