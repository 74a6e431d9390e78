import { beforeAll, describe, expect, it } from 'vitest';
import { counted, pairCount } from './actor.ts';
import type { ScenarioName } from './history.ts';
import { explain, runBatch, runInTwoProcesses, type Summary } from './processes.ts';

// CI sets neither. New seeds run at night, so that a change is not refused for a bug that was there before it.
const count = Number(process.env.HISTORIES ?? 500);
const first = Number(process.env.FIRST_SEED ?? 1);

/** The number of histories of each scenario, with 500 of everything and with those of a night. */
const counts: Record<ScenarioName, number> = {
  everything: count,
  refunds: count > 500 ? 200 : 20,
  // At night also at the same time, while workers are killed at any of their requests.
  pairs: (count > 500 ? 10 : 1) * pairCount,
  resales: count > 500 ? 400 : 20,
  waiting: count > 500 ? 100 : 4,
  queue: Math.min(500, Math.ceil(count / 50)),
};

describe('the whole service, simulated', () => {
  let all: Summary[];
  beforeAll(async () => {
    const runs = (Object.keys(counts) as ScenarioName[]).map((scenario) => ({
      scenario,
      // The first ones are one for each pair.
      first: scenario === 'pairs' ? 1 : first,
      count: counts[scenario],
    }));
    all = await runInTwoProcesses(runs);
  });

  /** Returns the results of a scenario, after none has violated an invariant. */
  async function requireSafe(scenario: ScenarioName): Promise<Summary[]> {
    const results = all.filter((result) => result.scenario === scenario);
    const failure = results.find(({ violation }) => violation);
    expect(failure, failure && (await explain(failure))).toBeUndefined();
    expect(results).toHaveLength(counts[scenario]);
    return results;
  }
  const sumOf = (results: Summary[], what: keyof Summary['counts']) =>
    results.reduce((sum, result) => sum + (result.counts[what] ?? 0), 0);

  it('keeps all its invariants under every fault, and finishes everything once the faults end', async () => {
    const results = await requireSafe('everything');
    // Histories in which little happens would keep all invariants too.
    const requests = results.reduce((sum, result) => sum + result.requests, 0) / results.length;
    expect(requests).toBeGreaterThan(200);
    // A few histories may lack the rarest.
    const happening = counted.filter((what) => !['waiting_list.offered', 'payout.failed'].includes(what));
    for (const what of count < 200 ? [] : happening) expect(sumOf(results, what), what).toBeGreaterThan(0);
  });

  it('refunds orders in many parts at once, and provider, ledger and order agree to the minor unit', async () => {
    const results = await requireSafe('refunds');
    expect(sumOf(results, 'a partial refund')).toBeGreaterThan(5 * results.length);
  });

  it('lets each two operations meet on one order, in either sequence', async () => {
    const results = await requireSafe('pairs');
    expect(new Set(results.flatMap(({ pairs }) => pairs)).size).toBeGreaterThan(100);
  });

  it('sells each listed seat once, to a person on the waiting list', async () => {
    const results = await requireSafe('resales');
    expect(sumOf(results, 'a listed seat sold')).toBeGreaterThan(results.length / 20);
  });

  it('offers 50 returned seats to 500 who wait, each once, in the order of joining', async () => {
    await requireSafe('waiting');
  });

  it('sells by queues, in which only admitted people order, and nobody is overtaken', async () => {
    const results = await requireSafe('queue');
    for (const what of ['an order from a queue', 'refused before the turn'] as const)
      expect(sumOf(results, what), what).toBeGreaterThan(results.length / 2);
  });

  it('runs the same history for the same seed, byte for byte', async () => {
    const digestsOf = (results: Summary[]) => results.map(({ seed, digest }) => `${seed} ${digest}`);
    const once = digestsOf(all.filter(({ scenario }) => scenario === 'everything'));
    // The repeated ones begin later, so that each has other histories before it than at first.
    const again = digestsOf(
      await runBatch({ runs: [{ scenario: 'everything', first: first + 3, count: 20 }] }),
    );
    expect(again).toEqual(once.slice(3, 23));
    expect(new Set(again.map((line) => line.split(' ')[1])).size).toBe(20);
  });
});
