import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditLedger } from '../../../infra/operator/ledger-audit.ts';
import { auditStock } from '../../../infra/operator/stock-audit.ts';
import {
  type Action,
  actions,
  begun,
  type Ending,
  exceptionFor,
  meetings,
  pairsIn,
  races,
  rowOf,
  type State,
} from './cells.ts';
import { interrupt } from './interruption.ts';
import { type Encounter, World } from './world.ts';

/** Each pair of things that can happen to an order, in either order and at once: see docs/meetings.md. */

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 90_000);
afterAll(() => world?.stop());

/** The state in which an action is possible; an event can be cancelled in any. */
const needs: Record<Exclude<Action, 'cancel event'>, State> = {
  'cancel order': 'unpaid',
  expire: 'unpaid',
  fail: 'unpaid',
  settle: 'unpaid',
  'late settle': 'failed',
  refund: 'paid',
  'check in': 'paid',
  mint: 'paid',
  burn: 'burnable',
  'pay out': 'paid',
};

function stateFor(first: Action, then: Action): State | 'minted' {
  const own = first === 'cancel event' ? then : first;
  const state = own === 'cancel event' ? 'paid' : needs[own];
  const needsTokens = then === 'burn' && (first === 'cancel event' || state === 'paid');
  return needsTokens && first !== 'mint' ? 'minted' : state;
}

interface Result {
  answers: string[];
  ending: Ending;
}

/**
 * Runs the cases of a table one after the other, and then all that is due for their orders at once. Then a test for each
 * case may look at its result.
 */
function play<Case>(
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
      const encounter = await world.open(stateOf(one));
      played.push({ one, encounter, answers: await act(encounter, one) });
      vi.useRealTimers();
    }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
    await world.finish(played.map(({ encounter }) => encounter));
    vi.useRealTimers();
    for (const { one, encounter, answers } of played) {
      results.set(one, { answers, ending: await encounter.ending() });
    }
  }, 300_000);
  it('leaves inventory and ledger consistent', async () => {
    expect([...(await auditStock()), ...(await auditLedger())]).toEqual([]);
  });
  return (one) => results.get(one) as Result;
}

describe.each(meetings.flatMap(({ first }) => first))('%s, then', (first) => {
  const resultOf = play(actions, {
    stateOf: (then) => stateFor(first, then),
    act: async (encounter, then) => [await encounter.act(first), await encounter.act(then)],
  });
  it.each(actions)('%s', (then) => {
    const { ending, refused = 'ok' } = rowOf(first, then);
    expect(resultOf(then)).toEqual({ answers: ['ok', refused], ending });
  });
});

describe.each(begun)('%s that has only begun, then', (first) => {
  const resultOf = play(actions, {
    stateOf: (then) => stateFor(first, then),
    async act(encounter, then) {
      await encounter.begin(first);
      return [await encounter.act(then)];
    },
  });
  it.each(actions)('%s', (then) => {
    const { ending, refused = 'ok' } = rowOf(first, then);
    expect(resultOf(then).answers).toEqual([refused]);
    expect([ending, exceptionFor(first, then)?.ending]).toContainEqual(resultOf(then).ending);
  });
});

/** Before how many of the writes of one action the other is played. */
const points = Array.from({ length: Number(process.env.MEETING_POINTS ?? 1) }, (_, index) => index + 1);
const moments = points.flatMap((before) =>
  (Object.keys(races) as State[]).map((state) => ({ before, state })),
);

describe.each(moments)('on an order that is $state, before write $before of', ({ before, state }) => {
  const pairs = pairsIn(state);
  const resultOf = play(pairs, {
    stateOf: () => state,
    act: (encounter, { one, other }) =>
      interrupt(
        () => encounter.act(one),
        () => encounter.act(other),
        before,
      ),
  });
  it.each(pairs)('$one: $other', (pair) => {
    const { one, other } = pair;
    const [forwards, backwards, besides] = [rowOf(one, other), rowOf(other, one), exceptionFor(one, other)];
    expect([
      { answers: ['ok', forwards.refused ?? 'ok'], ending: forwards.ending },
      { answers: [backwards.refused ?? 'ok', 'ok'], ending: backwards.ending },
      besides,
    ]).toContainEqual(resultOf(pair));
  });
});
