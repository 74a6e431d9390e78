import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Device } from '../../core/device.ts';
import { conflict } from '../../core/errors.ts';
import { type Key, keys } from '../../dynamo/keys.ts';
import { getItem, type Item, queryAll } from '../../dynamo/read.ts';
import { put, remove, toCondition, update, type Write, write } from '../../dynamo/write.ts';
import type { LinkKind } from '../../messaging/outbox/mail.ts';
import { mapInChunks } from '../../runtime/retry.ts';

const storedCredential = z.object({
  userId: z.string(),
  passwordHash: z.string(),
  /** A copy of the user's `sessionVersion`, so that a login reads it together with the hash. */
  sessionVersion: z.number(),
  /** Epoch milliseconds. Changes of the address that were requested before are not confirmed. */
  passwordChangedAt: z.number().optional(),
  /**
   * When a mailed link ended the password, epoch milliseconds. Links that were requested before no longer reset it. A
   * change by somebody who knows the password leaves them valid: it may be a thief.
   */
  recoveredAt: z.number().optional(),
});
/** An address that an account has left, and may come back to until `ttl`. Nobody else can register it until then. */
const reservedAddress = z.object({ reservedFor: z.string(), ttl: z.number() });
/** The e-mail and password hash that a user logs in with. */
export type Credential = z.infer<typeof storedCredential> & { email: string };

const storedSession = z.object({
  id: z.string(),
  tokenHash: z.string(),
  /** The user's `sessionVersion`. */
  version: z.number().default(0),
  /** The name of the device, from its user agent. */
  device: z.string(),
  /** Where the session was last used, as far as the CDN tells. */
  place: z.string().optional(),
  /** ISO 8601 in UTC. */
  createdAt: z.string(),
  /** Exact to a few minutes, ISO 8601 in UTC. */
  lastUsedAt: z.string(),
  /** When the session ends, in epoch seconds. */
  ttl: z.number(),
});
export type StoredSession = z.infer<typeof storedSession>;

/**
 * Returns the write that claims an e-mail for a user. @throws DomainError 409 from the transaction when the e-mail is
 * taken
 */
export function insertCredential({ email, ...credential }: Credential): Write {
  return put(
    { ...keys.credential(email), ...credential },
    {
      when: 'attribute_not_exists(#pk) OR #ttl < :now',
      values: { now: Math.floor(Date.now() / 1000) },
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
    orThrow: credentialChanged,
  });
}

export async function findCredential(email: string): Promise<Credential | undefined> {
  const item = await getItem(keys.credential(email));
  return item && !('reservedFor' in item) ? { ...storedCredential.parse(item), email } : undefined;
}

/** Returns whether an address has an account, or is reserved for one. */
export async function isAddressTaken(email: string): Promise<boolean> {
  const item = await getItem(keys.credential(email));
  return item !== undefined && (!('reservedFor' in item) || hasTime(reservedAddress.parse(item)));
}

const credentialChanged = () => conflict('busy', 'The account has just been changed. Please try again.', 1);

/** The condition that a credential is as it was read. */
const whenUnchanged = ({ userId, passwordHash, sessionVersion }: Credential) => ({
  ...toCondition<Credential>([], { userId, passwordHash, sessionVersion }),
  orThrow: credentialChanged,
});

/**
 * Returns the writes that move a credential to another address. The earlier address stays reserved for the account.
 * @param reservedUntil epoch seconds
 * @throws DomainError 409 from the transaction: `email-taken`, or `busy` after a concurrent change
 */
export function moveCredential(credential: Credential, email: string, reservedUntil: number): Write[] {
  const reservation = { reservedFor: credential.userId, ttl: reservedUntil };
  return [
    insertCredential({ ...credential, email }),
    put({ ...keys.credential(credential.email), ...reservation }, whenUnchanged(credential)),
  ];
}

/**
 * Returns the writes that move a credential back to a reserved address, with a new hash and an incremented version.
 * @throws DomainError 409 `busy` from the transaction, after a concurrent change
 */
export function returnCredential(credential: Credential, email: string, passwordHash: string): Write[] {
  const { userId, sessionVersion } = credential;
  const now = Date.now();
  const returned = {
    userId,
    passwordHash,
    sessionVersion: sessionVersion + 1,
    passwordChangedAt: now,
    recoveredAt: now,
  };
  return [
    put(
      { ...keys.credential(email), ...returned },
      { when: '#reservedFor = :userId', values: { userId }, orThrow: credentialChanged },
    ),
    remove(keys.credential(credential.email), whenUnchanged(credential)),
  ];
}

/** Returns the write that frees an address which is reserved for an account. */
export function removeReservation(email: string, userId: string): Write {
  return remove(keys.credential(email), {
    when: 'attribute_not_exists(#pk) OR #reservedFor = :userId',
    values: { userId },
    orThrow: credentialChanged,
  });
}

/** Returns the write that increments the copy of a user's `sessionVersion`: see `endSessions` in users/store.ts. */
export function endCredentialSessions(email: string, userId: string): Write {
  return update(
    keys.credential(email),
    { add: { sessionVersion: 1 } },
    { when: '#userId = :userId', values: { userId }, orThrow: credentialChanged },
  );
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
 * @param precondition requires that the stored hash is still `verifiedHash`, or that the address still is the user's and no
 * mailed link has ended the password since `requestedAt` (epoch milliseconds)
 * @throws PasswordAlreadyChanged from the transaction, for a repeated attempt; else `refusal`, when the precondition
 * fails
 */
export function replacePassword(
  { email, passwordHash, changedAt, attemptId }: PasswordReplacement,
  precondition: { verifiedHash: string } | { userId: string; requestedAt: number },
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
          when: '#userId = :userId AND (attribute_not_exists(#recoveredAt) OR #recoveredAt < :requestedAt)',
          values: precondition,
          orThrow: toRefusal,
        };
  const set = {
    passwordHash,
    passwordChangedAt: changedAt,
    passwordAttempt: attemptId,
    ...('requestedAt' in precondition && { recoveredAt: changedAt }),
  };
  return update(keys.credential(email), { set, add: { sessionVersion: 1 } }, condition);
}

/** Returns the write that stores a session with a hash of its refresh token. */
export function insertSession(
  userId: string,
  refreshToken: string,
  session: Omit<StoredSession, 'tokenHash'>,
): Write {
  return put({ ...keys.session(userId, session.id), ...session, tokenHash: hashToken(refreshToken) });
}

/**
 * Returns the write that continues a session in another version, with another refresh token. @throws `sessionEnded` from
 * the write, when the session has ended
 */
export function continueSession(
  userId: string,
  id: string,
  { version, refreshToken }: { version: number; refreshToken: string },
  sessionEnded: Error,
): Write {
  const condition = { when: 'attribute_exists(#pk)', orThrow: () => sessionEnded };
  return update(
    keys.session(userId, id),
    { set: { version, tokenHash: hashToken(refreshToken) } },
    condition,
  );
}

/**
 * Returns the write that records a use of a session. @throws `sessionEnded` from the write, when the session has ended
 */
export function recordSessionUse(
  userId: string,
  id: string,
  use: Pick<StoredSession, 'device' | 'place' | 'lastUsedAt'>,
  sessionEnded: Error,
): Write {
  const condition = { when: 'attribute_exists(#pk)', orThrow: () => sessionEnded };
  return update(keys.session(userId, id), { set: use }, condition);
}

/** Returns a session that has not expired and was opened with this refresh token. See `findSessionById`. */
export async function findSessionByToken(userId: string, id: string, refreshToken: string) {
  const session = await findSessionById(userId, id);
  return session?.tokenHash === hashToken(refreshToken) ? session : undefined;
}

/** Returns a session that has not expired. It is valid while its version equals the user's `sessionVersion`. */
export async function findSessionById(userId: string, id: string): Promise<StoredSession | undefined> {
  const item = await getItem(keys.session(userId, id));
  const session = item && storedSession.parse(item);
  return session && hasTime(session) ? session : undefined;
}

/** Reads the sessions of a user that have not expired, newest first. */
export async function querySessions(userId: string): Promise<StoredSession[]> {
  const sessions: StoredSession[] = [];
  for await (const item of queryAll(sessionsOf(userId))) sessions.push(storedSession.parse(item));
  return sessions.filter(hasTime);
}

const sessionsOf = (userId: string) => ({ partition: keys.user(userId).pk, prefix: 'SESSION#' });
const hasTime = ({ ttl }: { ttl: number }) => ttl * 1000 > Date.now();

export async function deleteSession(userId: string, sessionId: string): Promise<void> {
  await write(remove(keys.session(userId, sessionId)));
}

/** @param except the id of a session that stays */
export async function deleteAllSessions(userId: string, except?: string): Promise<void> {
  const sessions: Key[] = [];
  for await (const { pk, sk, id } of queryAll(sessionsOf(userId))) {
    if (id !== except) sessions.push({ pk: String(pk), sk: String(sk) });
  }
  // A thief may have logged in thousands of times.
  await mapInChunks(sessions, (session) => write(remove(session)));
}

/** How long a device is known after a login from it, in seconds. */
const deviceSeconds = 400 * 24 * 60 * 60;
const storedDevice = z.object({ ttl: z.number() });

const deviceKey = (userId: string, { name, country = '' }: Device) =>
  keys.device(userId, createHash('sha256').update(`${name} ${country}`).digest('base64url'));

/** Returns whether a user has logged in from a device before. */
export async function isKnownDevice(userId: string, device: Device): Promise<boolean> {
  const item = await getItem(deviceKey(userId, device));
  return item !== undefined && hasTime(storedDevice.parse(item));
}

/** Returns the write that makes a device known. */
export function insertDevice(userId: string, device: Device): Write {
  return put({ ...deviceKey(userId, device), ttl: Math.floor(Date.now() / 1000) + deviceSeconds });
}

/** Forgets the devices of a user. */
export async function removeDevices(userId: string): Promise<void> {
  for await (const { pk, sk } of queryAll({ partition: keys.user(userId).pk, prefix: 'DEVICE#' })) {
    await write(remove({ pk: String(pk), sk: String(sk) }));
  }
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** A link that was mailed to a user. */
const storedLink = z.object({
  userId: z.string(),
  /** Epoch milliseconds. */
  requestedAt: z.number(),
  /** The new address that the link confirms. */
  email: z.string().optional(),
  /** The hash of the account's address that the link confirms: it does not confirm a later one. */
  emailHash: z.string().optional(),
  /** ISO 8601 in UTC. */
  usedAt: z.string().optional(),
  /** When the link expires, epoch seconds. */
  ttl: z.number(),
});
export type Link = z.infer<typeof storedLink>;

/** Returns the write that stores a link under the hash of its token. */
export function insertLink(kind: LinkKind, tokenHash: string, link: Link): Write {
  return put({ ...keys.mailLink(kind, tokenHash), ...link });
}

/** Returns the write that uses a link up. @throws `refusal` from the write, when it was used */
export function useLink(kind: LinkKind, tokenHash: string, usedAt: string, refusal: Error): Write {
  const condition = {
    when: 'attribute_exists(#pk) AND attribute_not_exists(#usedAt)',
    orThrow: () => refusal,
  };
  return update(keys.mailLink(kind, tokenHash), { set: { usedAt } }, condition);
}

export async function removeLink(kind: LinkKind, tokenHash: string): Promise<void> {
  await write(remove(keys.mailLink(kind, tokenHash)));
}

/** Returns the link of a token; undefined for an unknown or expired token. */
export async function findLink(kind: LinkKind, tokenHash: string): Promise<Link | undefined> {
  const item = await getItem(keys.mailLink(kind, tokenHash));
  const link = item && storedLink.parse(item);
  return link && hasTime(link) ? link : undefined;
}
