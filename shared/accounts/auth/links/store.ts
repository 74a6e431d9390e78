import * as z from 'zod';
import { getItem } from '../../../dynamo/client.ts';
import { keys } from '../../../dynamo/keys.ts';
import { put, type Write } from '../../../dynamo/write.ts';
import type { LinkKind } from '../../../messaging/outbox/mail.ts';

/** A link that was mailed to a user. */
const storedLink = z.object({
  userId: z.string(),
  /** Epoch milliseconds. */
  requestedAt: z.number(),
  /** When the link expires, epoch seconds. */
  ttl: z.number(),
});
export type Link = z.infer<typeof storedLink>;

/** Returns the write that stores a link under the hash of its token. */
export function insertLink(kind: LinkKind, tokenHash: string, link: Link): Write {
  return put({ ...keys.mailLink(kind, tokenHash), ...link });
}

/** Returns the link of a token; undefined for an unknown or expired token. */
export async function findLink(kind: LinkKind, tokenHash: string): Promise<Link | undefined> {
  const item = await getItem(keys.mailLink(kind, tokenHash));
  const link = item && storedLink.parse(item);
  return link && link.ttl * 1000 > Date.now() ? link : undefined;
}
