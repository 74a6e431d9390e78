import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { prime } from '../../../shared/runtime/prime.ts';

describe('priming', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('runs every step, even if others fail', async () => {
    const done: string[] = [];
    await prime([
      () => Promise.reject(new Error('the table is down')),
      () => {
        throw new Error('TABLE_NAME is not configured');
      },
      async () => done.push('a'),
      async () => done.push('b'),
    ]);
    expect(done).toEqual(['a', 'b']);
  });

  it('ends after 2 s, even if a step is still running', async () => {
    let hasEnded = false;
    const priming = prime([() => new Promise(() => {})]).then(() => {
      hasEnded = true;
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(hasEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await priming;
    expect(hasEnded).toBe(true);
  });
});
