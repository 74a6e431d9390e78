import { createHash } from 'node:crypto';
import * as z from 'zod';
import { conflict } from '../core/errors.ts';
import { getItem } from '../dynamo/client.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { queryAll } from '../dynamo/query.ts';
import { put, remove, type Write, write } from '../dynamo/write.ts';

const storedCredential = z.object({ userId: z.string(), passwordHash: z.string() });
/** What a user logs in with. */
export type Credential = z.infer<typeof storedCredential> & { email: string };

/** `ttl` is when the session ends, in epoch seconds. */
const storedSession = z.object({ tokenHash: z.string(), ttl: z.number() });

/** The write that claims an e-mail for a user. @throws DomainError 409 from the transaction when it is taken */
export function insertCredential({ email, ...credential }: Credential): Write {
  return put(
    { ...keys.credential(email), ...credential },
    {
      when: 'attribute_not_exists(#pk)',
      refused: () => conflict('email-taken', 'Email already registered'),
    },
  );
}

export async function findCredential(email: string): Promise<Credential | undefined> {
  const item = await getItem(keys.credential(email));
  return item && { ...storedCredential.parse(item), email };
}

/** Stores the hash of a session's refresh token until `expiresAt` (epoch seconds). */
export function insertSession(userId: string, sessionId: string, token: string, expiresAt: number): Write {
  return put({ ...keys.session(userId, sessionId), tokenHash: hash(token), ttl: expiresAt });
}

/** Whether a session exists, has not expired, and was opened with this refresh token. */
export async function isSessionCurrent(userId: string, sessionId: string, token: string): Promise<boolean> {
  const item = await getItem(keys.session(userId, sessionId));
  if (!item) return false;
  const { ttl, tokenHash } = storedSession.parse(item);
  return ttl * 1000 > Date.now() && tokenHash === hash(token);
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

function hash(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
