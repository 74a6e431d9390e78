import { describe, expect, it } from 'vitest';
import { releaseHolds } from '../../bench/scale/holds.ts';

describe('10,000 holds of an event that end together', () => {
  it('return their tickets within a minute in the model', async () => {
    const { holds, allAfter } = await releaseHolds(10_000, 10);
    expect(holds).toBe(10_000);
    expect(allAfter).toBeLessThanOrEqual(60);
  });
});
