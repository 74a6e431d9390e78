import { notFound } from '../core/errors.ts';
import { getItem } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { put, update, type Write, write } from '../dynamo/write.ts';
import { toSessionVersion, toUser, type User } from './user.ts';

/** The write that creates a user. The credential's condition keeps an e-mail with one user: write both at once. */
export function insertUser(user: User, now: string): Write {
  return put({ ...keys.user(user.id), ...user, createdAt: now, updatedAt: now });
}

export async function findUser(id: string): Promise<User | undefined> {
  const item = await getItem(keys.user(id));
  return item && toUser(item);
}

/** Returns a user with the version that the user's current sessions have. */
export async function findSessionOwner(
  id: string,
): Promise<{ user: User; sessionVersion: number } | undefined> {
  const item = await getItem(keys.user(id));
  return item && { user: toUser(item), sessionVersion: toSessionVersion(item) };
}

/** @throws DomainError 404 */
export async function getUser(id: string): Promise<User> {
  const user = await findUser(id);
  if (!user) throw notFound('User');
  return user;
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
  return toUser(item);
}

/**
 * Ends all sessions of a user, however many: current ones have the version that this raises. Written with a new password,
 * whose item keeps the same version.
 * @throws DomainError 404 from the transaction
 */
export function endSessions(id: string, change: Partial<User>, now: string): Write {
  return update(
    keys.user(id),
    { set: { ...change, updatedAt: now }, add: { sessionVersion: 1 } },
    { when: 'attribute_exists(#pk)', refused: () => notFound('User') },
  );
}
