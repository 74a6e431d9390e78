import { AsyncLocalStorage } from 'node:async_hooks';
import { optional } from './config.ts';

/**
 * Milliseconds that the outermost `retry` and all calls within it have together. Shorter than every endpoint's
 * timeout (10 s at least) and than the 10 s that payment gateways wait for the answer to a webhook.
 */
export const deadlineMilliseconds = 6_000;

/** Retries that the outermost `retry` and all calls within it have together. */
export const maximumRetries = 20;

interface Budget {
  /** Epoch milliseconds. */
  deadline: number;
  retriesLeft: number;
  signal: AbortSignal;
}

const budgets = new AsyncLocalStorage<Budget>();

export interface RetryPolicy {
  /** Whether another attempt may succeed; any other error is thrown as it is. */
  isRetryable: (error: unknown) => boolean;
  /** The error to throw when deadline or retries are used up, given the last one. */
  exhausted: (error: unknown) => Error;
}

/**
 * Repeats an operation after a random pause that grows with each retry (full jitter, up to 25, 50, … 800 ms).
 * A `retry` within the operation shares its deadline and its retries, so that nested loops make no more than
 * `maximumRetries` further attempts in all, whichever of them fails. What `exhausted` returns should not be retryable
 * for the outer one.
 * @throws what is not retryable; what `exhausted` returns
 */
export function retry<Result>(operation: () => Promise<Result>, policy: RetryPolicy): Promise<Result> {
  const shared = budgets.getStore();
  if (shared) return attempts(operation, policy, shared);
  const budget = {
    deadline: Date.now() + deadlineMilliseconds,
    retriesLeft: maximumRetries,
    signal: AbortSignal.timeout(deadlineMilliseconds),
  };
  return budgets.run(budget, () => attempts(operation, policy, budget));
}

async function attempts<Result>(
  operation: () => Promise<Result>,
  { isRetryable, exhausted }: RetryPolicy,
  budget: Budget,
): Promise<Result> {
  for (let retryNumber = 1; ; retryNumber++) {
    try {
      return await operation();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      const pause = Math.random() * longestPause(retryNumber);
      if (budget.retriesLeft === 0 || Date.now() + pause >= budget.deadline) throw exhausted(error);
      budget.retriesLeft--;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/**
 * Options for a call of the SDK, whose own retries then end at the deadline as well. A write that is aborted may have
 * happened, as with any answer that is lost.
 */
export function abortAtDeadline(): { abortSignal?: AbortSignal } {
  const budget = budgets.getStore();
  return budget ? { abortSignal: budget.signal } : {};
}

/** In milliseconds, by the number of the retry within its loop: 25, 50, 100, … 800. */
export function longestPause(retryNumber: number): number {
  return 25 * 2 ** Math.min(retryNumber - 1, 5);
}

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
