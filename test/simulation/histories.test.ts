import { describe, expect, it } from 'vitest';
import { explain, runHistories, runInTwoProcesses } from './processes.ts';

// CI sets neither. New seeds run at night, so that a change is not refused for a bug that was there before it.
const count = Number(process.env.HISTORIES ?? 500);
const first = Number(process.env.FIRST_SEED ?? 1);

describe('the whole service, simulated', () => {
  it('keeps all its invariants under every fault, and finishes everything once the faults end', async () => {
    const results = await runInTwoProcesses(first, count);
    const [failure] = results.filter(({ violation }) => violation);
    expect(failure, failure && (await explain(failure.seed))).toBeUndefined();
    expect(results.length).toBe(count);
    // Histories in which little happens would keep all invariants too.
    const requests = results.reduce((sum, result) => sum + result.requests, 0) / results.length;
    expect(requests).toBeGreaterThan(200);
  });

  it('runs the same history for the same seed, byte for byte', async () => {
    const digests = async (from: number) =>
      (await runHistories(from, 20)).map(({ seed, digest }) => `${seed} ${digest}`);
    const [once, again] = await Promise.all([digests(2_000), digests(2_000)]);
    expect(again).toEqual(once);
    expect(new Set(once.map((line) => line.split(' ')[1])).size).toBe(20);
  });
});
