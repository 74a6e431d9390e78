import { createHash, createHmac } from 'node:crypto';
import { readKeyList } from '../runtime/secrets.ts';
import type { LinkKind } from './mail.ts';

/**
 * The tokens of links in mails. A token is an HMAC of the request under the keys that sign access tokens, which already
 * give access to every account. It has 32 bytes and can't be guessed. The worker that sends the mail derives it again.
 * Only its hash is stored: in the mail, and in the item that is read when the link is opened.
 */

/** Derives the token of a new request. @param requestId a new id, never used before */
export async function newLinkToken(kind: LinkKind, requestId: string): Promise<string> {
  const [key] = await readKeyList('JWT_ACCESS_SECRET');
  return deriveToken(key, kind, requestId);
}

/** Derives the token that has this hash; undefined when its key is no longer used. */
export async function findLinkToken(
  kind: LinkKind,
  requestId: string,
  tokenHash: string,
): Promise<string | undefined> {
  const tokens = (await readKeyList('JWT_ACCESS_SECRET')).map((key) => deriveToken(key, kind, requestId));
  return tokens.find((token) => hashLinkToken(token) === tokenHash);
}

/** Returns the hash of a token, as it is stored. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function deriveToken(key: string, kind: LinkKind, requestId: string): string {
  return createHmac('sha256', key).update(`mail-link:${kind}:${requestId}`).digest('base64url');
}
