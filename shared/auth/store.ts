import { createHash } from 'node:crypto';
import { conflict, notFound } from '../core/errors.ts';
import { getItem, getItems, type Item } from '../dynamo/client.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { put, remove, update, type Write, write } from '../dynamo/write.ts';
import type { User } from '../users/user.ts';

export function toUser(item: Item): User {
  return {
    id: item.id,
    email: item.email,
    name: item.name,
    role: item.role,
    walletAddress: item.walletAddress ?? null,
    kycStatus: item.kycStatus,
  };
}

/** The writes that make a user; the credential's condition keeps an e-mail with one user, also under a race. */
export function insertUser(user: User, passwordHash: string, now: string): Write[] {
  return [
    put(
      { ...keys.credential(user.email), userId: user.id, passwordHash },
      {
        when: 'attribute_not_exists(#pk)',
        refused: () => conflict('email-taken', 'Email already registered'),
      },
    ),
    put({ ...keys.user(user.id), ...user, createdAt: now, updatedAt: now }),
  ];
}

export async function findCredential(
  email: string,
): Promise<{ userId: string; passwordHash: string } | undefined> {
  const item = await getItem(keys.credential(email));
  return item && { userId: item.userId, passwordHash: item.passwordHash };
}

/** @throws DomainError 404 */
export async function getUser(id: string): Promise<User> {
  const item = await getItem(keys.user(id));
  if (!item) throw notFound('User');
  return toUser(item);
}

/** @throws DomainError 404 */
export async function changeUser(id: string, change: Partial<User>, now: string): Promise<User> {
  const item = await write(
    update(
      keys.user(id),
      { set: { ...change, updatedAt: now } },
      { when: 'attribute_exists(#pk)', refused: () => notFound('User') },
    ),
  );
  return toUser(item as Item);
}

/** Remembers a session by the hash of its refresh token, until `expiresAt` (epoch seconds). */
export function insertSession(userId: string, sessionId: string, token: string, expiresAt: number): Write {
  return put({ ...keys.session(userId, sessionId), tokenHash: hash(token), ttl: expiresAt });
}

/** The user of a session that is still good for this token; undefined when it ended, or never was. */
export async function findSession(
  userId: string,
  sessionId: string,
  token: string,
): Promise<User | undefined> {
  const [session, user] = await getItems([keys.session(userId, sessionId), keys.user(userId)]);
  const isCurrent = session && session.ttl * 1000 > Date.now() && session.tokenHash === hash(token);
  return isCurrent && user ? toUser(user) : undefined;
}

export async function deleteSession(userId: string, sessionId: string): Promise<void> {
  await write(remove(keys.session(userId, sessionId)));
}

export async function deleteAllSessions(userId: string): Promise<void> {
  const sessions: Key[] = [];
  for await (const { pk, sk } of queryAll({ partition: keys.user(userId).pk, prefix: 'SESSION#' })) {
    sessions.push({ pk, sk });
  }
  await Promise.all(sessions.map((session) => write(remove(session))));
}

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
