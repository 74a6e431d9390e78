import { AsyncLocalStorage } from 'node:async_hooks';
import { optionalSetting } from './config.ts';
import { traceCall } from './telemetry.ts';

/**
 * The time that the outermost `retry` and all calls within it share, in milliseconds. Shorter than every endpoint's
 * timeout (10 s at least) and than the 10 s that payment gateways wait for the answer to a webhook.
 */
export const deadlineMilliseconds = 6_000;
/** The deadline in use. Tests that delay requests extend it. */
export const callLimits = { deadlineMilliseconds };

/** The number of retries that the outermost `retry` and all calls within it share. */
export const maximumRetries = 20;

interface Budget {
  /** Epoch milliseconds. */
  deadline: number;
  retriesLeft: number;
  signal: AbortSignal;
}

const budgets = new AsyncLocalStorage<Budget>();

export interface RetryPolicy {
  /** Whether another attempt may succeed after this error. Any other error is thrown unchanged. */
  isRetryable: (error: unknown) => boolean;
  /** Returns the error to throw when the deadline or the retries are used up. Its argument is the last error. */
  exhaustedError: (error: unknown) => Error;
}

/**
 * Repeats an operation after a random pause that grows with each retry (full jitter, up to 25, 50, … 800 ms). A `retry`
 * within the operation shares its deadline and its retries, so that nested loops make at most `maximumRetries` retries
 * in total. The error that `exhaustedError` returns should not be retryable for the outer `retry`.
 * @throws an error that is not retryable, or the error of `exhaustedError`
 */
export function retry<Result>(operation: () => Promise<Result>, policy: RetryPolicy): Promise<Result> {
  const sharedBudget = budgets.getStore();
  if (sharedBudget) return runAttempts(operation, policy, sharedBudget);
  const controller = new AbortController();
  const abort = () =>
    controller.abort(new DOMException('The deadline of the call has passed', 'TimeoutError'));
  // AbortSignal.timeout has a timer that can't be cleared: it could fire during a later call.
  const timer = setTimeout(abort, callLimits.deadlineMilliseconds).unref();
  const budget = {
    deadline: Date.now() + callLimits.deadlineMilliseconds,
    retriesLeft: maximumRetries,
    signal: controller.signal,
  };
  return budgets.run(budget, () => runAttempts(operation, policy, budget)).finally(() => clearTimeout(timer));
}

async function runAttempts<Result>(
  operation: () => Promise<Result>,
  { isRetryable, exhaustedError }: RetryPolicy,
  budget: Budget,
): Promise<Result> {
  for (let retryNumber = 1; ; retryNumber++) {
    try {
      return await operation();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      const pauseMilliseconds = Math.random() * longestPauseMilliseconds(retryNumber);
      if (budget.retriesLeft === 0 || Date.now() + pauseMilliseconds >= budget.deadline)
        throw exhaustedError(error);
      budget.retriesLeft--;
      await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
    }
  }
}

/**
 * Returns options that end a call of the SDK, its own retries included, at the deadline. An aborted write may have
 * succeeded.
 */
export function abortAtDeadline(): { abortSignal?: AbortSignal } {
  const budget = budgets.getStore();
  return budget ? { abortSignal: budget.signal } : {};
}

/** Returns the longest pause before a retry, in milliseconds: 25, 50, 100, … 800. */
export function longestPauseMilliseconds(retryNumber: number): number {
  return 25 * 2 ** Math.min(retryNumber - 1, 5);
}

/** The number of attempts at one refund or payout before an operator has to intervene. */
export const maximumAttempts = 5;

/**
 * Returns how long to wait after an attempt before checking its result or repeating it, in milliseconds: RETRY_SECONDS
 * (default 300) after attempt 1, then twice as long each time.
 */
export function backoffMilliseconds(attempt: number): number {
  return Number(optionalSetting('RETRY_SECONDS') ?? 300) * 1000 * 2 ** Math.max(0, attempt - 1);
}

/** How long the sweep waits for a message that was just sent before it queues the work again, in milliseconds. */
export const outboxDelayMilliseconds = 60_000;

/**
 * A worker's exclusive lease of a payout or refund, in milliseconds. Longer than the function's timeout, so that no
 * other worker starts while a call to a provider is in progress.
 */
export const leaseMilliseconds = 60_000;

/**
 * Sends a request to a payment provider or a chain, by Node's fetch. Retries a failed connection once, since no request
 * has been sent yet. Redirects are errors: the APIs do not redirect, and the API key must not reach another host. Idle
 * connections stay open for 4 s, or for the time that the server announces.
 *
 * In a new process the first fetch takes 69 ms. It takes 18 ms when the process accessed fetch, Request and Headers
 * during initialization. With node:http, the first request takes 8 ms (medians of 21, 2026-11-22).
 * @param init its `signal` limits the time until the last byte of the response
 * @throws TypeError for a failed connection, with the reason as its cause; a TimeoutError from `AbortSignal.timeout`
 */
export async function fetchWithRetry(url: string, init: RequestInit): Promise<Response> {
  const options: RequestInit = { redirect: 'error', ...init };
  const send = () => traceCall(new URL(url).hostname, init.method ?? 'GET', () => fetch(url, options));
  try {
    return await send();
  } catch (error) {
    if (failedToConnect(error)) return send();
    throw error;
  }
}

const connectionErrors = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

function failedToConnect(error: unknown): boolean {
  return connectionErrors.has((error as { cause?: { code?: string } }).cause?.code ?? '');
}

/** The maximum number of concurrent calls. */
const chunkSize = 25;

/** Calls an asynchronous function for each item, 25 at a time. @returns the results, in the order of the items */
export async function mapInChunks<Item, Result>(
  items: readonly Item[],
  call: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += chunkSize) {
    results.push(...(await Promise.all(items.slice(start, start + chunkSize).map(call))));
  }
  return results;
}
