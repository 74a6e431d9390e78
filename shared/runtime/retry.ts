import { optional } from './config.ts';

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

/** Waits a random while that grows with the attempt, counted from 1. */
export function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longestPause(attempt)));
}

/** In milliseconds: 25, 50, 100, … 800. */
export function longestPause(attempt: number): number {
  return 25 * 2 ** Math.min(attempt - 1, 5);
}
