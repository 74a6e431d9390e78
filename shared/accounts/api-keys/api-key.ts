import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as z from 'zod';
import { filledText, identifier, time } from '../../core/schemas.ts';

/** What a key may do. Each endpoint names the scope that opens it to keys; without one it is closed to them. */
export const scopes = [
  'events:read',
  'events:write',
  'orders:read',
  'orders:refund',
  'check-in',
  'codes:write',
  'waiting-list:read',
  'webhooks:write',
] as const;
export type Scope = (typeof scopes)[number];

/** The maximum number of keys of an organizer. */
export const maximumKeys = 50;

/** A stored key. The key itself is not stored, only its hash. Times are ISO 8601 in UTC. */
const apiKey = z.object({
  id: z.string(),
  hash: z.string(),
  /** The organizer that the key acts as. */
  userId: z.string(),
  name: z.string(),
  /** The first characters of the key, by which its owner recognizes it. */
  prefix: z.string(),
  scopes: z.array(z.enum(scopes)),
  /** The events that the key is limited to; absent for all events of the organizer. */
  eventIds: z.array(z.string()).optional(),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  /** Exact to the hour. */
  lastUsedAt: z.string().optional(),
});
export type ApiKey = z.infer<typeof apiKey>;

export function toApiKey(item: unknown): ApiKey {
  return apiKey.parse(item);
}

export const apiKeyView = z
  .object({
    id: identifier,
    name: z.string().meta({ examples: ['Turnstile'] }),
    prefix: z.string().meta({ examples: ['bxo_live_1f0c9a'] }),
    scopes: z.array(z.enum(scopes)),
    eventIds: z
      .array(identifier)
      .nullable()
      .meta({ description: 'The events that the key is limited to; null: all' }),
    createdAt: time,
    expiresAt: time.nullable(),
    lastUsedAt: time.nullable().meta({ description: 'Exact to the hour' }),
  })
  .meta({ id: 'ApiKey' });

export const apiKeyCreation = z
  .object({
    name: filledText(100).meta({ description: 'What the key is for' }),
    scopes: z.array(z.enum(scopes)).min(1).meta({ description: 'What the key may do' }),
    eventIds: z
      .array(z.string().regex(/^\w{1,64}$/))
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'Limits the key to these events. Others are a 404' }),
    expiresAt: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'When the key ends. Absent: when it is deleted' }),
  })
  .meta({ examples: [{ name: 'Turnstile', scopes: ['check-in'] }] });
export type ApiKeyCreation = z.infer<typeof apiKeyCreation>;

const start = 'bxo_live_';

/**
 * Creates a key: `bxo_live_`, 32 random bytes and their CRC-32, in hexadecimal. By its format, scanners recognize it in
 * code and logs, and a mistyped key is refused without reading the table.
 */
export function newSecret(): string {
  const random = randomBytes(32).toString('hex');
  return `${start}${random}${checksum(random)}`;
}

/** Returns whether a bearer token is meant as a key. */
export function isWellFormed(secret: string): boolean {
  const [, random = '', sum] = /^bxo_live_([0-9a-f]{64})([0-9a-f]{8})$/.exec(secret) ?? [];
  return sum === checksum(random);
}

const checksum = (text: string) => crc32(text).toString(16).padStart(8, '0');

/** Returns the visible start of a key. */
export const prefixOf = (secret: string) => secret.slice(0, start.length + 6);

export const hashSecret = (secret: string) => createHash('sha256').update(secret).digest('hex');

/** Returns the id of a key, a part of its hash, so that a request finds its key by one read. */
export const idOfHash = (hash: string) => `k${hash.slice(0, 24)}`;

export function hasHash(key: ApiKey, hash: string): boolean {
  return timingSafeEqual(Buffer.from(key.hash), Buffer.from(hash));
}

export function isExpired({ expiresAt }: ApiKey, now: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= now;
}
