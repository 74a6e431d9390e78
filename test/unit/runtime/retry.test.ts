import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  abortAtDeadline,
  deadlineMilliseconds,
  maximumRetries,
  type RetryPolicy,
  retry,
} from '../../../shared/runtime/retry.ts';

class Conflict extends Error {}
class OuterConflict extends Error {}
class Busy extends Error {}

const inner: RetryPolicy = {
  isRetryable: (error) => error instanceof Conflict,
  exhaustedError: () => new Busy('inner'),
};
const outer: RetryPolicy = {
  isRetryable: (error) => error instanceof OuterConflict,
  exhaustedError: () => new Busy('outer'),
};

/** Advances the fake clock until the promise settles. @returns its result or error */
async function runToEnd<Result>(work: Promise<Result>): Promise<Result | Error> {
  const settled = work.catch((error: Error) => error);
  await vi.runAllTimersAsync();
  return settled;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('retry', () => {
  it('repeats until the operation succeeds', async () => {
    const operation = vi.fn().mockRejectedValueOnce(new Conflict()).mockResolvedValue('done');
    expect(await runToEnd(retry(operation, inner))).toBe('done');
    expect(operation).toHaveBeenCalledTimes(2);
  });

  it('throws an error that is not retryable, without a retry', async () => {
    const operation = vi.fn().mockRejectedValue(new TypeError('no'));
    expect(await runToEnd(retry(operation, inner))).toBeInstanceOf(TypeError);
    expect(operation).toHaveBeenCalledTimes(1);
  });

  it('gives up after the maximum number of retries', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const operation = vi.fn().mockRejectedValue(new Conflict());
    expect(await runToEnd(retry(operation, inner))).toEqual(new Busy('inner'));
    expect(operation).toHaveBeenCalledTimes(1 + maximumRetries);
  });

  it('gives up at its deadline', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1);
    const started = Date.now();
    const operation = vi.fn().mockRejectedValue(new Conflict());
    expect(await runToEnd(retry(operation, inner))).toEqual(new Busy('inner'));
    expect(Date.now() - started).toBeLessThanOrEqual(deadlineMilliseconds);
    expect(operation.mock.calls.length).toBeLessThan(1 + maximumRetries);
  });
});

describe('nested retries', () => {
  /**
   * Nests four retries; the reservation of an order nests three. When the transaction succeeds, the operation around it
   * fails, alternately with each kind of conflict.
   */
  function retryNested(transaction: () => Promise<void>) {
    let failures = 0;
    const failAfterTransaction = async () => {
      await retry(transaction, inner);
      throw failures++ % 2 ? new OuterConflict() : new Conflict();
    };
    return retry(() => retry(() => retry(failAfterTransaction, inner), outer), outer);
  }

  it('together make no more attempts than one call of retry', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    let conflicts = 0;
    const transaction = vi.fn(async () => {
      if (conflicts++ % 3) throw new Conflict();
    });
    expect(await runToEnd(retryNested(transaction))).toBeInstanceOf(Busy);
    expect(transaction).toHaveBeenCalledTimes(1 + maximumRetries);
  });

  it('stop at the deadline of the outermost retry', async () => {
    const started = Date.now();
    const transaction = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      throw new Conflict();
    });
    expect(await runToEnd(retryNested(transaction))).toBeInstanceOf(Busy);
    expect(transaction.mock.calls.length).toBeLessThanOrEqual(6);
    // The last attempt began before the deadline.
    expect(Date.now() - started).toBeLessThan(deadlineMilliseconds + 1_000);
  });

  it('share the signal that aborts calls at the deadline', async () => {
    const signals: unknown[] = [];
    const recordSignal = async () => signals.push(abortAtDeadline().abortSignal);
    await retry(async () => {
      await recordSignal();
      await retry(recordSignal, inner);
    }, outer);
    expect(signals).toEqual([expect.any(AbortSignal), signals[0]]);
    expect(abortAtDeadline()).toEqual({});
  });
});

describe('the deadline of a retry', () => {
  it('aborts calls', async () => {
    const aborted = retry(
      () =>
        new Promise((_, reject) => {
          const signal = abortAtDeadline().abortSignal;
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
      inner,
    ).catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(deadlineMilliseconds - 1);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await aborted).toMatchObject({ name: 'TimeoutError' });
  });

  it('leaves no timer running', async () => {
    await retry(async () => 'done', inner);
    await retry(() => Promise.reject(new TypeError('no')), inner).catch(() => undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is separate for retries that run concurrently', async () => {
    const getSignal = () => retry(async () => abortAtDeadline().abortSignal, inner);
    const [first, second] = await Promise.all([getSignal(), getSignal()]);
    expect(first).not.toBe(second);
  });
});
