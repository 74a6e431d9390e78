import { createHash } from 'node:crypto';
import { findCredential } from '../auth/store.ts';
import { DomainError } from '../core/errors.ts';
import { countAttempt } from '../dynamo/attempts.ts';
import { keys } from '../dynamo/keys.ts';
import { findUser } from '../users/store.ts';
import type { User } from '../users/user.ts';

/**
 * Limits mails to unconfirmed addresses: a buyer may enter anybody's address on a free order, which must not become a
 * relay for spam.
 */
const limit = { maximum: 20, windowSeconds: 24 * 60 * 60, message: 'Too many mails today' };

/** The day's limit of mails is reached, for the address or for the account that they are sent for. */
export class DailyLimitReached extends Error {
  /** Seconds until the next mail may be sent. */
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(limit.message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Counts a mail to an address that nobody has confirmed: at most 20 a day on behalf of one account, and 20 a day to one
 * address of others. Confirmed addresses are not limited.
 * @param userId the account that the mail is sent for
 * @throws DailyLimitReached
 */
export async function countUnconfirmedMail(address: string, userId: string): Promise<void> {
  const normalized = address.trim().toLowerCase();
  const sender = await findUser(userId);
  const isOwnAddress = sender?.email === normalized;
  const owner = isOwnAddress ? sender : await findOwner(normalized);
  if (owner?.emailVerified) return;
  try {
    await countAttempt(keys.attempts('MAIL_FOR', userId), limit);
    if (!isOwnAddress) await countAttempt(keys.attempts('MAIL_TO', hash(normalized)), limit);
  } catch (error) {
    if (error instanceof DomainError && error.retryAfter) throw new DailyLimitReached(error.retryAfter);
    throw error;
  }
}

async function findOwner(email: string): Promise<User | undefined> {
  const credential = await findCredential(email);
  return credential && findUser(credential.userId);
}

/** Hashes the address, so that the counter does not store it in plain text. */
function hash(address: string): string {
  return createHash('sha256').update(address).digest('base64url');
}
