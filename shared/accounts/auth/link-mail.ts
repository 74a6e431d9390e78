import { newId } from '../../core/ids.ts';
import type { Write } from '../../dynamo/write.ts';
import type { LinkKind, MailContent } from '../../messaging/outbox/mail.ts';
import { insertMail } from '../../messaging/outbox/store.ts';
import { hashLinkToken, newLinkToken } from '../../messaging/outbox/token.ts';
import { findLink, insertLink, type Link } from './store.ts';

/** The lifetime of a link, in seconds. */
const lifetimesSeconds: Record<LinkKind, number> = {
  'password-reset': 60 * 60,
  'address-confirmation': 3 * 24 * 60 * 60,
};

/**
 * Prepares a mail with a link. The caller executes `writes`, then queues the mail. `writes` is empty when mail is not
 * configured.
 */
export async function prepareLinkMail(
  kind: LinkKind,
  userId: string,
  now = Date.now(),
): Promise<{ writes: Write[]; mail: MailContent }> {
  const requestId = newId();
  const tokenHash = hashLinkToken(await newLinkToken(kind, requestId));
  const ttl = Math.floor(now / 1000) + lifetimesSeconds[kind];
  const expiresAt = new Date(ttl * 1000).toISOString();
  const mail: MailContent = { kind, userId, requestId, tokenHash, expiresAt };
  const mailWrites = insertMail(mail, userId);
  const linkWrite = insertLink(kind, tokenHash, { userId, requestedAt: now, ttl });
  return { writes: mailWrites.length > 0 ? [linkWrite, ...mailWrites] : [], mail };
}

/** Returns the link of a token; undefined for an unknown or expired token. */
export function findLinkByToken(kind: LinkKind, token: string): Promise<Link | undefined> {
  return findLink(kind, hashLinkToken(token));
}
