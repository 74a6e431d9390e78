import { createHash } from 'node:crypto';
import * as z from 'zod';
import { prepareLinkMail } from '../../accounts/auth/link-mail.ts';
import { holdMilliseconds } from '../../accounts/factors/reset-factors.ts';
import { getSessionOwner } from '../../accounts/users/store.ts';
import { keys } from '../../dynamo/keys.ts';
import { getItem } from '../../dynamo/read.ts';
import { check, put, remove, type Write } from '../../dynamo/write.ts';
import type { MailContent } from '../../messaging/outbox/mail.ts';
import { optionalSetting } from '../../runtime/config.ts';
import type { Payout } from './payout.ts';

type Account = Pick<Payout, 'organizerId' | 'gateway' | 'destination'>;

/** When the first payout to an account may be sent, ISO 8601 in UTC. */
const bankAccount = z.object({ usableFrom: z.string() });

/** Another request was the first to the account, or the wait for the account was stopped meanwhile. */
export class AccountChanged extends Error {}

/** What the first payout to a bank account waits for. */
export interface AccountWait {
  /** ISO 8601 in UTC; absent for an account that was used before. */
  newAccountUntil?: string;
  writes: Write[];
  mail?: MailContent;
}

/**
 * Returns how long a payout to a bank account waits: NEW_ACCOUNT_HOURS from the first request on, and as long as a change of
 * the owner's e-mail address can be undone. The owner is mailed a link that stops it, since somebody else may have
 * requested it. The link also works while a reset of the owner's second factors holds the payout longer.
 * @throws AccountChanged from the writes
 */
export async function planAccountWait(account: Account): Promise<AccountWait> {
  const hours = Number(optionalSetting('NEW_ACCOUNT_HOURS') ?? 0);
  if (hours === 0) return { writes: [] };
  const now = Date.now();
  const key = keyOf(account);
  const known = await getItem(key);
  if (known) {
    const { usableFrom } = bankAccount.parse(known);
    if (Date.parse(usableFrom) <= now) return { writes: [] };
    // The link that was mailed then stops this payout too.
    const isStillNew = check(key, {
      when: '#usableFrom = :usableFrom',
      values: { usableFrom },
      orThrow: () => new AccountChanged(),
    });
    return { writes: [isStillNew], newAccountUntil: usableFrom };
  }
  const { previousAddress } = await getSessionOwner(account.organizerId);
  const until = Math.max(now + hours * 60 * 60_000, Date.parse(previousAddress?.until ?? '') || 0);
  const usableFrom = new Date(until).toISOString();
  const insertion = put(
    { ...key, usableFrom },
    { when: 'attribute_not_exists(#pk)', orThrow: () => new AccountChanged() },
  );
  const linkEnd = until + holdMilliseconds;
  const { writes, mail } = await prepareLinkMail('new-bank-account', account.organizerId, { until: linkEnd });
  return { newAccountUntil: usableFrom, writes: [insertion, ...writes], mail };
}

/** The wait for the account was stopped. */
export class AccountStopped extends Error {}

/** Returns the checks that nobody has stopped the wait for a new account. @throws AccountStopped from the transaction */
export function requireNotStopped(payout: Payout): Write[] {
  const { newAccountUntil } = payout;
  if (!newAccountUntil || payout.attempts > 0) return [];
  const condition = {
    when: '#usableFrom = :newAccountUntil',
    values: { newAccountUntil },
    orThrow: () => new AccountStopped(),
  };
  return [check(keyOf(payout), condition)];
}

/** Returns the write that makes an account new again. */
export const forgetAccount = (account: Account): Write => remove(keyOf(account));

/** Only a hash of the account's number is stored here. Two gateways may have the same code for two banks. */
function keyOf({ organizerId, gateway, destination: { bankCode, accountNumber } }: Account) {
  const account = `${organizerId} ${gateway} ${bankCode} ${accountNumber}`;
  const hash = createHash('sha256').update(account).digest('base64url');
  return keys.bankAccount(organizerId, hash);
}
