import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { play } from './cases.ts';
import { type Action, actions, begun, exceptionFor, meetings, rowOf, type State } from './cells.ts';
import { World } from './world.ts';

/** Each pair of actions on an order, one after the other: see docs/meetings.md. */

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

describe.each(meetings.flatMap(({ first }) => first))('%s, then', (first) => {
  const resultOf = play(() => world, actions, {
    stateOf: (then) => stateFor(first, then),
    act: async (encounter, then) => [await encounter.act(first), await encounter.act(then)],
  });
  it.each(actions)('%s', (then) => {
    const { ending, refused = 'ok' } = rowOf(first, then);
    expect(resultOf(then)).toEqual({ answers: ['ok', refused], ending });
  });
});

describe.each(begun)('%s that has only begun, then', (first) => {
  const resultOf = play(() => world, actions, {
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
