import { describe, expect, it } from 'vitest';
import { simulateHoldRelease } from '../../bench/scale/holds.ts';

describe('10,000 holds of an event that end together', () => {
  it('are all released within a minute in the simulation', async () => {
    const shards = 10;
    const { holds, lastReleasedAfterSeconds } = await simulateHoldRelease(10_000, shards);
    expect(holds).toBe(10_000);
    expect(lastReleasedAfterSeconds).toBeLessThanOrEqual(60);
  });
});
