import { optional } from './env.ts';

/** How many times a provider is asked to move the same money before a person has to look. */
export const maximumAttempts = 5;

/**
 * Milliseconds to wait after an attempt, counted from 1, before looking at how it went or making another:
 * RETRY_SECONDS (default 300) after the first, then twice as long each time.
 */
export function backoff(attempt: number): number {
  return Number(optional('RETRY_SECONDS') ?? 300) * 1000 * 2 ** Math.max(0, attempt - 1);
}

/**
 * How long one worker has a piece of work to itself, in milliseconds: longer than the function may run, so that
 * nobody takes it up while a call to a provider is still under way.
 */
export const lease = 60_000;
