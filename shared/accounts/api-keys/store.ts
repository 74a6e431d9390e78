import { conflict, notFound } from '../../core/errors.ts';
import { keys, partitions } from '../../dynamo/keys.ts';
import { getItem, getItems, queryAll } from '../../dynamo/read.ts';
import { check, put, remove, update, type Write } from '../../dynamo/write.ts';
import { type ApiKey, maximumKeys, toApiKey } from './api-key.ts';

/** Returns the writes that insert a key. @throws DomainError 409 for an organizer with the maximum number of keys */
export function insertApiKey(key: ApiKey): Write[] {
  const hasRoom = {
    when: 'attribute_not_exists(#count) OR #count < :maximum',
    values: { maximum: maximumKeys },
    orThrow: () => conflict('too-many-keys', `You have ${maximumKeys} keys: delete one first`),
  };
  return [
    put({ ...keys.apiKey(key.id), ...key }),
    put({ ...keys.ownApiKey(key.userId, key.id) }),
    update(keys.apiKeyCount(key.userId), { add: { count: 1 } }, hasRoom),
  ];
}

/** Returns the writes that delete a key. @throws DomainError 404 unless it is the user's */
export function removeApiKey(userId: string, id: string): Write[] {
  const isOwn = { when: '#userId = :userId', values: { userId }, orThrow: () => notFound('Key') };
  return [
    remove(keys.apiKey(id), isOwn),
    remove(keys.ownApiKey(userId, id)),
    update(keys.apiKeyCount(userId), { add: { count: -1 } }),
  ];
}

/** Returns the check that a key was not deleted. @throws Error `deleted` from the transaction */
export function requireApiKey(id: string, deleted: Error): Write {
  return check(keys.apiKey(id), { when: 'attribute_exists(#pk)', orThrow: () => deleted });
}

/** Finds a key by a strongly consistent read. */
export async function findApiKey(id: string): Promise<ApiKey | undefined> {
  const item = await getItem(keys.apiKey(id));
  return item && toApiKey(item);
}

/** Records a use. @throws DomainError 404 from the write, for a key that was deleted meanwhile */
export function recordUse({ id }: ApiKey, lastUsedAt: string): Write {
  const whenExists = { when: 'attribute_exists(#pk)', orThrow: () => notFound('Key') };
  return update(keys.apiKey(id), { set: { lastUsedAt } }, whenExists);
}

/** Reads the keys of an organizer by strongly consistent reads: what ends all keys misses none that was just created. */
export async function readApiKeys(userId: string): Promise<ApiKey[]> {
  const ids: string[] = [];
  for await (const { sk } of queryAll({ partition: partitions.apiKeys(userId) })) ids.push(String(sk));
  const found = (await getItems(ids.map(keys.apiKey))).filter((item) => item !== undefined).map(toApiKey);
  return found.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}
