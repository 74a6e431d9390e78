import { beforeAll, expect, it, vi } from 'vitest';
import { findInventoryDifferences } from '../../../infra/ops/reconcile.ts';
import { findLedgerDifferences } from '../../../infra/ops/reconcile-ledger.ts';
import type { OrderState, Outcome } from './outcomes.ts';
import type { TestedOrder, World } from './world.ts';

interface Result {
  answers: string[];
  outcome: Outcome;
}

/**
 * Before the tests, runs the actions of each case on an order of its own, then all due work of all orders together.
 * @param stateOf the state of the order before the actions
 * @param act runs the actions and returns their answers
 * @returns a function that returns the result of a case
 */
export function runCases<Case>(
  world: () => World,
  cases: readonly Case[],
  {
    stateOf,
    act,
  }: {
    stateOf(testCase: Case): OrderState | 'minted';
    act(order: TestedOrder, testCase: Case): Promise<string[]>;
  },
): (testCase: Case) => Result {
  const results = new Map<Case, Result>();
  beforeAll(async () => {
    const runs: { testCase: Case; order: TestedOrder; answers: string[] }[] = [];
    for (const testCase of cases) {
      const order = await world().openOrder(stateOf(testCase));
      runs.push({ testCase, order, answers: await act(order, testCase) });
      // `openOrder` has set the clock to a time after the order's hold.
      vi.useRealTimers();
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
    await world().finish(runs.map(({ order }) => order));
    vi.useRealTimers();
    for (const { testCase, order, answers } of runs) {
      results.set(testCase, { answers, outcome: await order.readOutcome() });
    }
  }, 300_000);
  it('leaves inventory and ledger consistent', async () => {
    expect([...(await findInventoryDifferences()), ...(await findLedgerDifferences())]).toEqual([]);
  });
  return (testCase) => results.get(testCase) as Result;
}
