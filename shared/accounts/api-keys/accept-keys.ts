import { forbidden, notFound } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { write } from '../../dynamo/write.ts';
import { log } from '../../runtime/telemetry.ts';
import { type AccessClaims, invalidToken } from '../../runtime/tokens.ts';
import { countAttempt } from '../rate-limit.ts';
import { findUser } from '../users/store.ts';
import { isClosed } from '../users/user.ts';
import {
  type ApiKey,
  hasHash,
  hashSecret,
  idOfHash,
  isExpired,
  isWellFormed,
  type Scope,
} from './api-key.ts';
import { findApiKey, recordUse } from './store.ts';

/** How long an execution environment uses a key that it has read. A deleted key, and one of a former organizer, is accepted as long. */
const cacheMilliseconds = 30_000;
const hourMilliseconds = 60 * 60 * 1000;
const maximumCached = 1_000;

const cachedKeys = new Map<string, { key: ApiKey; until: number }>();
/** The organizers of events, which never change. */
const cachedOrganizers = new Map<string, string>();

const requestLimit = {
  maximum: 600,
  windowSeconds: 60,
  message: 'This key was used 600 times within a minute',
};

/**
 * Admits API keys with a scope to an endpoint, as their organizer. Where the path names an event, it has to be one of the
 * key's events. Use cases check the event of an order or a code by the caller's `key`.
 * @param limits `all-events`: keys that are limited to some events are refused
 */
export function acceptKeys(scope: Scope, limits?: 'all-events') {
  return {
    scope,
    /**
     * Verifies a key, and counts the request.
     * @param eventId the event that the path names
     * @throws DomainError 401 for an unknown key, 403 without the scope, 404 for an event that is not the key's, 429
     */
    verify: async (secret: string, eventId: string | undefined): Promise<AccessClaims> => {
      const key = await readKey(secret);
      await countAttempt(keys.attempts('API_KEY', key.id), requestLimit);
      await recordHourlyUse(key);
      if (!key.scopes.includes(scope)) throw forbidden(`The key has no scope ${scope}`, 'scope-missing');
      if (limits && key.eventIds) {
        throw forbidden('The key is limited to some events', 'scope-missing');
      }
      if (eventId !== undefined) await requireEvent(key, eventId);
      return {
        userId: key.userId,
        email: '',
        role: 'ORGANIZER',
        key: { id: key.id, scopes: key.scopes, ...(key.eventIds && { eventIds: key.eventIds }) },
      };
    },
  };
}

async function readKey(secret: string): Promise<ApiKey> {
  if (!isWellFormed(secret)) throw invalidToken();
  const now = Date.now();
  const hash = hashSecret(secret);
  const cached = cachedKeys.get(hash);
  const key = cached && cached.until > now ? cached.key : await findKeyOfOrganizer(idOfHash(hash));
  if (!key || !hasHash(key, hash) || isExpired(key, now)) throw invalidToken();
  if (key !== cached?.key) remember(cachedKeys, hash, { key, until: now + cacheMilliseconds });
  return key;
}

/** Finds a key whose owner still is an organizer. */
async function findKeyOfOrganizer(id: string): Promise<ApiKey | undefined> {
  const key = await findApiKey(id);
  const owner = key && (await findUser(key.userId));
  if (!owner || isClosed(owner)) return;
  return owner.role === 'ORGANIZER' || owner.role === 'ADMIN' ? key : undefined;
}

async function requireEvent({ userId, eventIds }: ApiKey, eventId: string): Promise<void> {
  if (eventIds && !eventIds.includes(eventId)) throw notFound('Event');
  const organizerId = cachedOrganizers.get(eventId) ?? (await getItem(keys.event(eventId)))?.organizerId;
  if (organizerId !== userId) throw notFound('Event');
  remember(cachedOrganizers, eventId, userId);
}

async function recordHourlyUse(key: ApiKey): Promise<void> {
  const now = Date.now();
  if (key.lastUsedAt && Date.parse(key.lastUsedAt) > now - hourMilliseconds) return;
  key.lastUsedAt = new Date(now).toISOString();
  try {
    await write(recordUse(key, key.lastUsedAt));
  } catch (error) {
    // The request does not depend on it: the key was deleted, or the table is busy.
    log.warn('Use of a key not recorded', { keyId: key.id, reason: String(error) });
  }
}

function remember<Value>(cache: Map<string, Value>, name: string, value: Value): void {
  if (cache.size >= maximumCached) cache.clear();
  cache.set(name, value);
}
