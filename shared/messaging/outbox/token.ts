import { createHash, createHmac } from 'node:crypto';
import { readKeyList } from '../../runtime/secrets.ts';
import type { LinkKind } from './mail.ts';

/**
 * The tokens of links in mails. A token is an HMAC of the id of the request for the mail, and has 32 bytes. Its key is
 * one that signs access tokens: such a key already gives access to every account. The worker that sends the mail
 * derives the token again. Only the token's hash is stored: in the mail's outbox item, and in the item that is read
 * when the link is opened.
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
