import * as z from 'zod';
import { getItem } from '../../dynamo/client.ts';
import { keys } from '../../dynamo/keys.ts';
import { put, type Write } from '../../dynamo/write.ts';
import type { LinkKind } from '../../mail/mail.ts';

/** A link that was mailed to a user. */
const link = z.object({
  userId: z.string(),
  /** Epoch milliseconds. */
  requestedAt: z.number(),
  /** When the link expires, epoch seconds. */
  ttl: z.number(),
});
export type Link = z.infer<typeof link>;

/** Stores a link under the hash of its token. */
export function insertLink(kind: LinkKind, tokenHash: string, values: Link): Write {
  return put({ ...keys.mailLink(kind, tokenHash), ...values });
}

/** Returns the link of a token; undefined when there is none, or it has expired. */
export async function findLink(kind: LinkKind, tokenHash: string): Promise<Link | undefined> {
  const item = await getItem(keys.mailLink(kind, tokenHash));
  const found = item && link.parse(item);
  return found && found.ttl * 1000 > Date.now() ? found : undefined;
}
