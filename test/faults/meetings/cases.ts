import { beforeAll, expect, it, vi } from 'vitest';
import { auditLedger } from '../../../infra/operator/ledger-audit.ts';
import { auditInventory } from '../../../infra/operator/stock-audit.ts';
import type { Ending, State } from './cells.ts';
import type { Encounter, World } from './world.ts';

interface Result {
  answers: string[];
  ending: Ending;
}

/**
 * Runs the cases of a table in sequence, and then all due work of their orders at once. Afterwards the test of each
 * case checks its result.
 */
export function play<Case>(
  world: () => World,
  cases: readonly Case[],
  {
    stateOf,
    act,
  }: { stateOf(one: Case): State | 'minted'; act(encounter: Encounter, one: Case): Promise<string[]> },
): (one: Case) => Result {
  const results = new Map<Case, Result>();
  beforeAll(async () => {
    const played: { one: Case; encounter: Encounter; answers: string[] }[] = [];
    for (const one of cases) {
      const encounter = await world().open(stateOf(one));
      played.push({ one, encounter, answers: await act(encounter, one) });
      vi.useRealTimers();
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
    await world().finish(played.map(({ encounter }) => encounter));
    vi.useRealTimers();
    for (const { one, encounter, answers } of played) {
      results.set(one, { answers, ending: await encounter.ending() });
    }
  }, 300_000);
  it('leaves inventory and ledger consistent', async () => {
    expect([...(await auditInventory()), ...(await auditLedger())]).toEqual([]);
  });
  return (one) => results.get(one) as Result;
}
