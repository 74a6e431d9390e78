import { hashEmail, newId } from '../../core/ids.ts';
import type { Write } from '../../dynamo/write.ts';
import type { LinkKind, MailContent } from '../../messaging/outbox/mail.ts';
import { insertMail } from '../../messaging/outbox/store.ts';
import { hashLinkToken, newLinkToken } from '../../messaging/outbox/token.ts';
import { findLink, insertLink, type Link, removeLink, useLink } from './store.ts';

/** The default lifetime of a link, in seconds. */
const lifetimeSeconds: Partial<Record<LinkKind, number>> = {
  'address-confirmation': 3 * 24 * 60 * 60,
  'email-change': 24 * 60 * 60,
};
const shortLifetimeSeconds = 60 * 60;

interface LinkOptions {
  /** When the link expires, epoch milliseconds. */
  until?: number;
  /** The new address that the link confirms. */
  email?: string;
  /** The address of the account, if the link confirms it. */
  confirms?: string;
  /** Whether the mail is not counted against the daily limits. */
  isCounted?: boolean;
}

/**
 * Prepares a mail with a link. The caller executes `writes`, then queues the mail. `writes` is empty when mail is not
 * configured.
 */
export async function prepareLinkMail(
  kind: LinkKind,
  userId: string,
  { until, email, confirms, isCounted = false }: LinkOptions = {},
): Promise<{ writes: Write[]; mail: MailContent }> {
  const now = Date.now();
  const requestId = newId();
  const tokenHash = hashLinkToken(await newLinkToken(kind, requestId));
  const end = until ?? now + (lifetimeSeconds[kind] ?? shortLifetimeSeconds) * 1000;
  const ttl = Math.floor(end / 1000);
  const expiresAt = new Date(ttl * 1000).toISOString();
  const mail: MailContent = { kind, userId, requestId, tokenHash, expiresAt };
  const mailWrites = insertMail(mail, userId, { isCounted });
  const linkWrite = insertLink(kind, tokenHash, {
    userId,
    requestedAt: now,
    ttl,
    ...(email && { email }),
    ...(confirms && { emailHash: hashEmail(confirms) }),
  });
  return { writes: mailWrites.length > 0 ? [linkWrite, ...mailWrites] : [], mail };
}

/** Returns the write that uses a link up. @throws `refusal` from the write, when it was used */
export function useLinkByToken(kind: LinkKind, token: string, usedAt: string, refusal: Error): Write {
  return useLink(kind, hashLinkToken(token), usedAt, refusal);
}

/** Removes a link that works once. */
export function removeLinkByToken(kind: LinkKind, token: string): Promise<void> {
  return removeLink(kind, hashLinkToken(token));
}

/** Returns the link of a token; undefined for an unknown or expired token. */
export function findLinkByToken(kind: LinkKind, token: string): Promise<Link | undefined> {
  return findLink(kind, hashLinkToken(token));
}
