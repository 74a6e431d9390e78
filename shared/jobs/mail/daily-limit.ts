import { createHash } from 'node:crypto';
import { findCredential } from '../../accounts/auth/store.ts';
import { countAttempt, refuseAfterTooManyAttempts } from '../../accounts/rate-limit.ts';
import { findUser } from '../../accounts/users/store.ts';
import type { User } from '../../accounts/users/user.ts';
import { DomainError } from '../../core/errors.ts';
import { keys } from '../../dynamo/keys.ts';

/**
 * Limits mails to unconfirmed addresses. A buyer can enter anybody's address on a free order. Without a limit, an
 * account could send spam through the service.
 */
const dailyLimit = { maximum: 20, windowSeconds: 24 * 60 * 60, message: 'Too many mails today' };

/** Thrown when an address, or the account that causes the mail, has reached the daily limit. */
export class DailyMailLimitReached extends Error {
  /** Seconds until the next mail may be sent. */
  readonly retryAfterSeconds: number;
  constructor(retryAfterSeconds: number) {
    super(dailyLimit.message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Counts a mail to an unconfirmed address. One account can cause 20 such mails a day, and one address can receive 20 a
 * day that other accounts cause. Mails to confirmed addresses are not counted.
 * @param userId the account that causes the mail
 * @throws DailyMailLimitReached when the account or the address has reached its limit
 */
export async function countMailToUnconfirmedAddress(address: string, userId: string): Promise<void> {
  const normalizedAddress = address.trim().toLowerCase();
  const account = await findUser(userId);
  const isOwnAddress = account?.email === normalizedAddress;
  const owner = isOwnAddress ? account : await findOwner(normalizedAddress);
  if (owner?.emailVerified) return;
  const addressKey = keys.attempts('MAIL_TO', hash(normalizedAddress));
  try {
    // A mail that the address can't receive today is not counted for the account.
    if (!isOwnAddress) await refuseAfterTooManyAttempts(addressKey, dailyLimit);
    await countAttempt(keys.attempts('MAIL_FOR', userId), dailyLimit);
    if (!isOwnAddress) await countAttempt(addressKey, dailyLimit);
  } catch (error) {
    if (error instanceof DomainError && error.retryAfter) throw new DailyMailLimitReached(error.retryAfter);
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
