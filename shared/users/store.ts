import { notFound } from '../core/errors.ts';
import { getItem } from '../dynamo/client.ts';
import { keys } from '../dynamo/keys.ts';
import { put, update, type Write, write } from '../dynamo/write.ts';
import { toUser, type User } from './user.ts';

/** The write that creates a user. The credential's condition keeps an e-mail with one user: write both at once. */
export function insertUser(user: User, now: string): Write {
  return put({ ...keys.user(user.id), ...user, createdAt: now, updatedAt: now });
}

export async function findUser(id: string): Promise<User | undefined> {
  const item = await getItem(keys.user(id));
  return item && toUser(item);
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
