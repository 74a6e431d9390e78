import { ignoreNotFound, invalid, notFound } from '../../core/errors.ts';
import { toView } from '../../core/schemas.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItems } from '../../dynamo/read.ts';
import { transact } from '../../dynamo/write.ts';
import type { AccessClaims } from '../../runtime/tokens.ts';
import { insertAuditEntry } from '../audit/store.ts';
import { requireLiveCaller } from '../auth/step-up.ts';
import { writeAndAnnounce } from '../factors/announce.ts';
import { countAttempt } from '../rate-limit.ts';
import {
  type ApiKey,
  type ApiKeyCreation,
  apiKeyView,
  hashSecret,
  idOfHash,
  newSecret,
  prefixOf,
} from './api-key.ts';
import { insertApiKey, readApiKeys, removeApiKey } from './store.ts';

/** Each creation is mailed. */
const creationLimit = {
  maximum: 100,
  windowSeconds: 24 * 60 * 60,
  message: 'You created a hundred keys today, please try again tomorrow',
};

/**
 * Creates a key of an organizer, who is mailed about it.
 * @returns the key, and its secret, which is not stored
 * @throws DomainError 400 for a time in the past, 401 for a session that has ended, 404 for an event of another organizer,
 * 409 above the maximum number, 429 after a hundred in a day
 */
export async function createApiKey(
  caller: AccessClaims,
  { name, scopes, eventIds, expiresAt }: ApiKeyCreation,
) {
  const { userId } = caller;
  const now = Date.now();
  if (expiresAt !== undefined && Date.parse(expiresAt) <= now)
    throw invalid('expiresAt must be in the future');
  await requireOwnEvents(userId, eventIds);
  await countAttempt(keys.attempts('API_KEY_CREATION', userId), creationLimit);
  const secret = newSecret();
  const hash = hashSecret(secret);
  const key: ApiKey = {
    id: idOfHash(hash),
    hash,
    userId,
    name,
    prefix: prefixOf(secret),
    scopes: [...new Set(scopes)],
    createdAt: new Date(now).toISOString(),
    ...(eventIds && { eventIds: [...new Set(eventIds)] }),
    ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
  };
  const details = { keyId: key.id, scopes: key.scopes.join(' ') };
  await writeAndAnnounce(userId, 'key-added', [
    await requireLiveCaller(caller),
    ...insertApiKey(key),
    insertAuditEntry({ action: 'key-created', by: { type: 'user', userId }, details }),
  ]);
  return { key: toApiKeyView(key), secret };
}

/** @throws DomainError 404 for an event of another organizer */
export async function requireOwnEvents(userId: string, eventIds: readonly string[] = []): Promise<void> {
  const events = await getItems([...new Set(eventIds)].map(keys.event));
  if (events.some((event) => event?.organizerId !== userId)) throw notFound('Event');
}

/** Lists the keys of an organizer, newest first. */
export async function listApiKeys(userId: string) {
  return (await readApiKeys(userId)).map(toApiKeyView);
}

/** Deletes a key. It is refused everywhere within 30 seconds. @throws DomainError 404 unless it is the user's */
export async function deleteApiKey(userId: string, keyId: string): Promise<void> {
  await transact([
    ...removeApiKey(userId, keyId),
    insertAuditEntry({ action: 'key-deleted', by: { type: 'user', userId }, details: { keyId } }),
  ]);
}

/**
 * Deletes the keys of a person that were created in a time. Somebody may delete some of them meanwhile.
 * @param since, until ISO 8601 in UTC
 */
export async function deleteApiKeysOf(
  userId: string,
  { since, until }: { since: string; until: string },
): Promise<void> {
  for (const { id, createdAt } of await readApiKeys(userId))
    if (since <= createdAt && createdAt <= until) await deleteApiKey(userId, id).catch(ignoreNotFound);
}

/** Deletes all keys of a person. */
export async function deleteAllApiKeys(userId: string): Promise<void> {
  for (const { id } of await readApiKeys(userId)) await transact(removeApiKey(userId, id));
}

const toApiKeyView = (key: ApiKey) => toView(apiKeyView, key, {});
