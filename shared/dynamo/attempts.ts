import * as z from 'zod';
import { DomainError } from '../core/errors.ts';
import { getItem } from './client.ts';
import type { Key } from './keys.ts';
import { put, update, write } from './write.ts';

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

/** Refuses when the limit is reached. @throws DomainError 429 with the seconds until the window ends */
export async function refuseAfterTooManyAttempts(key: Key, limit: AttemptLimit): Promise<void> {
  const now = epochSeconds();
  const item = await getItem(key);
  if (!item) return;
  const { count, ttl } = attemptWindow.parse(item);
  if (ttl > now && count >= limit.maximum) throw tooManyAttempts(limit, ttl - now);
}

/**
 * Counts an attempt. The write is conditional, so that concurrent attempts can't exceed the limit.
 * @throws DomainError 429 with the seconds until the window ends, when the limit is reached
 */
export async function countAttempt(key: Key, limit: AttemptLimit): Promise<void> {
  const now = epochSeconds();
  try {
    await write(
      update(
        key,
        { add: { count: 1 } },
        {
          when: '#ttl > :now AND (attribute_not_exists(#count) OR #count < :maximum)',
          values: { now, maximum: limit.maximum },
          orThrow: (item) => {
            const ttl = item ? attemptWindow.parse(item).ttl : 0;
            return ttl > now ? tooManyAttempts(limit, ttl - now) : new NoWindow();
          },
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof NoWindow)) throw error;
    await openWindow(key, limit, now);
  }
}

async function openWindow(key: Key, limit: AttemptLimit, now: number): Promise<void> {
  try {
    await write(
      put(
        { ...key, count: 1, ttl: now + limit.windowSeconds },
        {
          when: 'attribute_not_exists(#pk) OR #ttl <= :now',
          values: { now },
          orThrow: () => new WindowAlreadyOpen(),
        },
      ),
    );
  } catch (error) {
    if (!(error instanceof WindowAlreadyOpen)) throw error;
    await countAttempt(key, limit);
  }
}

/** No window is open. */
class NoWindow extends Error {}

/** A concurrent attempt opened the window. */
class WindowAlreadyOpen extends Error {}

function epochSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function tooManyAttempts({ message }: AttemptLimit, seconds: number): DomainError {
  return new DomainError('too-many-requests', 'too-many-attempts', message, seconds);
}
