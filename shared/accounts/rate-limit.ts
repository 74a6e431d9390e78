import { createHash } from 'node:crypto';
import * as z from 'zod';
import { DomainError } from '../core/errors.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { getItem } from '../dynamo/read.ts';
import { put, update, write } from '../dynamo/write.ts';

/** The number of attempts allowed in a window of time, which starts with the first attempt. */
export interface AttemptLimit {
  maximum: number;
  windowSeconds: number;
  /** The message of the error above the limit. */
  message: string;
}

const attemptWindow = z.object({
  count: z.number().default(0),
  /** When the window ends, epoch seconds. */
  ttl: z.number(),
});

/** Refuses an attempt when the limit is reached. @throws DomainError 429 with the seconds until the window ends */
export async function refuseAfterTooManyAttempts(key: Key, limit: AttemptLimit): Promise<void> {
  const now = epochSeconds();
  const item = await getItem(key);
  if (!item) return;
  const { count, ttl } = attemptWindow.parse(item);
  if (ttl > now && count >= limit.maximum) throw tooManyAttempts(limit, ttl - now);
}

/**
 * Counts an attempt, and opens a window with the first one. The writes are conditional, so that concurrent attempts
 * can't exceed the limit.
 * @throws DomainError 429 with the seconds until the window ends, when the limit is reached
 */
export async function countAttempt(key: Key, limit: AttemptLimit): Promise<void> {
  const now = epochSeconds();
  const ttl = now + limit.windowSeconds;
  const countInWindow = update(
    key,
    { add: { count: 1 }, setIfAbsent: { ttl } },
    {
      when: 'attribute_not_exists(#count) OR (#ttl > :now AND #count < :maximum)',
      values: { now, maximum: limit.maximum },
      orThrow: (item) => {
        const window = attemptWindow.parse(item);
        return window.ttl > now ? tooManyAttempts(limit, window.ttl - now) : new WindowEnded();
      },
    },
  );
  // DynamoDB deletes the item of an ended window only after some days.
  const replaceWindow = put(
    { ...key, count: 1, ttl },
    { when: '#ttl <= :now', values: { now }, orThrow: () => new WindowReplaced() },
  );
  try {
    await write(countInWindow);
  } catch (error) {
    if (!(error instanceof WindowEnded)) throw error;
    await write(replaceWindow).catch((refusal) => {
      if (refusal instanceof WindowReplaced) return countAttempt(key, limit);
      throw refusal;
    });
  }
}

/**
 * Counts the attempts of one subject as one for the window.
 * @param subject the key that remembers that it was counted
 * @throws DomainError 429 as `countAttempt`
 */
export async function countOnce(subject: Key, key: Key, limit: AttemptLimit): Promise<void> {
  // DynamoDB deletes the item only days after its time.
  if (Number((await getItem(subject))?.ttl) > epochSeconds()) return;
  await countAttempt(key, limit);
  await write(put({ ...subject, ttl: epochSeconds() + limit.windowSeconds }));
}

/**
 * Counts a request of an hour. The e-mail or IP address is hashed, so that the table stores neither.
 * @returns whether the request is within the limit
 */
export async function countHourly(action: string, subject: string, maximum: number): Promise<boolean> {
  const limit = { maximum, windowSeconds: 60 * 60, message: 'Too many requests, please try again later' };
  const key = keys.attempts(action, createHash('sha256').update(subject).digest('base64url'));
  try {
    await countAttempt(key, limit);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'too-many-attempts') return false;
    throw error;
  }
}

/** Takes back an attempt that was counted. */
export async function uncountAttempt(key: Key): Promise<void> {
  const whenCounted = { when: '#count > :zero', values: { zero: 0 }, orThrow: () => new WindowReplaced() };
  try {
    await write(update(key, { add: { count: -1 } }, whenCounted));
  } catch (error) {
    if (!(error instanceof WindowReplaced)) throw error;
  }
}

/** The stored window has ended. */
class WindowEnded extends Error {}

/** A concurrent attempt has replaced the ended window, or DynamoDB has deleted it. */
class WindowReplaced extends Error {}

function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function tooManyAttempts({ message }: AttemptLimit, seconds: number): DomainError {
  return new DomainError('too-many-requests', 'too-many-attempts', message, seconds);
}
