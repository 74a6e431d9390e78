import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Key, keys } from '../../dynamo/keys.ts';
import { getItem, type Item, queryAll } from '../../dynamo/read.ts';
import { put, remove, update, type Write } from '../../dynamo/write.ts';
import { type Factors, type Passkey, type Totp, toPasskey, toTotp } from './factor.ts';

const prefixes = { passkey: 'FACTOR#PASSKEY#', totp: 'FACTOR#TOTP', recoveryCode: 'FACTOR#RECOVERY#' };

async function queryFactors(userId: string): Promise<(Item & Key)[]> {
  const items: (Item & Key)[] = [];
  for await (const item of queryAll({ partition: keys.user(userId).pk, prefix: 'FACTOR#' })) {
    items.push(item as Item & Key);
  }
  return items;
}

/** Reads the second factors of an account. */
export async function readFactors(userId: string): Promise<Factors> {
  const items = await queryFactors(userId);
  const withPrefix = (prefix: string) => items.filter(({ sk }) => sk.startsWith(prefix));
  return {
    passkeys: withPrefix(prefixes.passkey).map(toPasskey),
    totp: withPrefix(prefixes.totp)
      .map(toTotp)
      .find(({ isActive }) => isActive),
    recoveryCodes: withPrefix(prefixes.recoveryCode).length,
  };
}

/**
 * Returns the writes that remove all second factors of an account: 20 passkeys at most, an app, and
 * recovery codes, of which there are more than ten only when an app is activated while the first passkey is added.
 */
export async function removeFactors(userId: string): Promise<Write[]> {
  return (await queryFactors(userId)).map((key) => remove(key));
}

/** How long the owner of an account can undo what somebody else has added: as long as a change of the address. */
const recentMilliseconds = 7 * 24 * 60 * 60_000;

/**
 * Returns the writes that remove the second factors and recovery codes of the last seven days, or all of them, and all recovery
 * codes when no other factor is left; `isNeeded` is whether there are any. The codes may be those of an app that was removed again.
 */
export async function removeRecentFactors(
  userId: string,
  { ofAnyAge = false } = {},
): Promise<{ writes: Write[]; isNeeded: boolean }> {
  const since = ofAnyAge ? '' : new Date(Date.now() - recentMilliseconds).toISOString();
  const items = await queryFactors(userId);
  const recent = items.filter(({ createdAt }) => String(createdAt) > since);
  const others = items.filter((item) => !recent.includes(item));
  const removed = others.some(isFactor) ? recent : items;
  return {
    writes: removed.map((key) => remove(key)),
    isNeeded: recent.some((item) => isFactor(item) || item.sk.startsWith(prefixes.recoveryCode)),
  };
}

/** Whether an item is a second factor, rather than a recovery code, or an app that was not activated. */
const isFactor = ({ sk, isActive }: Item & Key) =>
  sk.startsWith(prefixes.passkey) || (sk === prefixes.totp && isActive === true);

/** The factor has changed since it was read. */
export class FactorChanged extends Error {}
const orThrow = () => new FactorChanged();

/** Runs writes, and throws `refusal` when a factor has changed since it was read. */
export async function refusing<Result>(refusal: Error, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof FactorChanged ? refusal : error;
  }
}

export function insertPasskey(passkey: Passkey): Write {
  return put(
    { ...keys.passkey(passkey.userId, passkey.id), ...passkey },
    { when: 'attribute_not_exists(#pk)', orThrow },
  );
}

export async function findPasskey(userId: string, id: string): Promise<Passkey | undefined> {
  const item = await getItem(keys.passkey(userId, id));
  return item && toPasskey(item);
}

/** Returns the write that records a use of a passkey. @throws FactorChanged when its counter has changed */
export function recordPasskeyUse({ userId, id, counter }: Passkey, newCounter: number): Write {
  return update(
    keys.passkey(userId, id),
    { set: { counter: newCounter, lastUsedAt: new Date().toISOString() } },
    { when: '#counter = :counter', values: { counter }, orThrow },
  );
}

/** @throws FactorChanged when there is no such passkey */
export function renamePasskey(userId: string, id: string, name: string): Write {
  return update(keys.passkey(userId, id), { set: { name } }, { when: 'attribute_exists(#pk)', orThrow });
}

/** Returns the writes that remove a passkey. @throws FactorChanged when there is no such passkey */
export function removePasskey(userId: string, id: string): Write[] {
  const removal = remove(keys.passkey(userId, id), { when: 'attribute_exists(#pk)', orThrow });
  return [removal, recordRemoval(userId)];
}

const recordRemoval = (userId: string) =>
  update(keys.user(userId), { set: { factorRemovedAt: new Date().toISOString() } });

/** Whether somebody removed a second factor in the last seven days: it may have been added for a payout only. */
export async function hasRemovedRecently(userId: string): Promise<boolean> {
  const removedAt = (await getItem(keys.user(userId)))?.factorRemovedAt;
  return Date.parse(String(removedAt)) > Date.now() - recentMilliseconds;
}

/** Returns the write that stores a new authenticator app. @throws FactorChanged when one is active */
export function putTotp(userId: string, totp: Totp): Write {
  const condition = { when: 'attribute_not_exists(#pk) OR #isActive = :no', values: { no: false }, orThrow };
  return put({ ...keys.totp(userId), ...totp }, condition);
}

export async function findTotp(userId: string): Promise<Totp | undefined> {
  const item = await getItem(keys.totp(userId));
  return item && toTotp(item);
}

/**
 * Returns the write that accepts the code of a time step, once. The first one activates the app.
 * @throws FactorChanged for an earlier or the same step
 */
export function recordCodeUse(userId: string, { secret, isActive }: Totp, step: number): Write {
  const activated = { isActive: true, createdAt: new Date().toISOString() };
  return update(
    keys.totp(userId),
    { set: { lastStep: step, ...(!isActive && activated) } },
    { when: '#lastStep < :step AND #secret = :secret', values: { step, secret }, orThrow },
  );
}

/** Returns the writes that remove the authenticator app. */
export const removeTotp = (userId: string): Write[] => [remove(keys.totp(userId)), recordRemoval(userId)];

/** Names the factor that recovery codes came with: the id of a passkey, or the app. */
export const appFactorId = 'totp';

/**
 * Returns the write that stores a recovery code by its hash. The code has 80 random bits.
 * @param factorId the factor that it came with, and ends with
 */
export const insertRecoveryCode = (userId: string, code: string, factorId: string): Write =>
  put({ ...keys.recoveryCode(userId, hash(code)), factorId, createdAt: new Date().toISOString() });

/** Returns the write that uses a recovery code up. @throws FactorChanged for an unknown or used one */
export function useRecoveryCode(userId: string, code: string): Write {
  return remove(keys.recoveryCode(userId, hash(code)), { when: 'attribute_exists(#pk)', orThrow });
}

/** Returns the writes that remove an account's recovery codes, or only those that came with a factor. */
export async function removeRecoveryCodes(userId: string, factorId?: string): Promise<Write[]> {
  const codes = (await queryFactors(userId)).filter(({ sk }) => sk.startsWith(prefixes.recoveryCode));
  return codes.filter((code) => !factorId || code.factorId === factorId).map((key) => remove(key));
}

/** What a challenge is for: `second-factor` follows a password, `confirm` belongs to a session. */
const storedChallenge = z.object({
  kind: z.enum(['register-passkey', 'login', 'confirm', 'second-factor']),
  userId: z.string().optional(),
  sessionId: z.string().optional(),
  /** The version of the user's sessions when the password was checked. */
  sessionVersion: z.number().optional(),
  ttl: z.number(),
});
export type Challenge = z.infer<typeof storedChallenge>;

const challengeSeconds = 5 * 60;

/** Returns a random challenge, and the write that stores it for five minutes. */
export function newChallenge(challenge: Omit<Challenge, 'ttl'>): { text: string; write: Write } {
  const text = randomBytes(32).toString('base64url');
  const ttl = Math.floor(Date.now() / 1000) + challengeSeconds;
  return { text, write: put({ ...keys.authChallenge(hash(text)), ...challenge, ttl }) };
}

/** Finds a challenge that was not used and has not expired. */
export async function findChallenge(text: string): Promise<Challenge | undefined> {
  const item = await getItem(keys.authChallenge(hash(text)));
  const challenge = item && storedChallenge.parse(item);
  return challenge && challenge.ttl * 1000 > Date.now() ? challenge : undefined;
}

/** Returns the write that uses a challenge up. @throws FactorChanged when it was used */
export function useChallenge(text: string): Write {
  return remove(keys.authChallenge(hash(text)), { when: 'attribute_exists(#pk)', orThrow });
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
