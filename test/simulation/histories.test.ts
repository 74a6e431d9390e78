import { describe, expect, it } from 'vitest';
import { explain, runHistories, runInTwoProcesses } from './processes.ts';

// CI sets neither: 500 histories from seed 1, and 20 that nobody has seen, named by the day.
const count = Number(process.env.HISTORIES ?? 480);
const first = Number(process.env.FIRST_SEED ?? 1);
const newSeeds = process.env.HISTORIES ? 0 : 20;

describe('the whole service, simulated', () => {
  it('keeps all its invariants under every fault, and finishes everything once the faults end', async () => {
    const today = 1_000_000 + Math.floor(Date.now() / 86_400_000) * 100;
    const results = [
      ...(await runInTwoProcesses(first, count)),
      ...(newSeeds > 0 ? await runInTwoProcesses(today, newSeeds) : []),
    ];
    const [failure] = results.filter(({ violation }) => violation);
    expect(failure, failure && (await explain(failure.seed))).toBeUndefined();
    expect(results.length).toBe(count + newSeeds);
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
