import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCases } from './cases.ts';
import {
  type Action,
  actions,
  findConcurrentOutcome,
  getRow,
  type OrderState,
  tables,
  twoStepActions,
} from './outcomes.ts';
import { World } from './world.ts';

/** Runs each pair of actions on an order, one after the other. See docs/operation-pairs.md. */

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 90_000);
afterAll(() => world?.stop());

/** The state of the order in which an action is possible. An event can be cancelled in every state. */
const requiredStates: Record<Exclude<Action, 'cancel event'>, OrderState> = {
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

/** Returns the state of the order before both actions. */
function stateFor(first: Action, second: Action): OrderState | 'minted' {
  const orderAction = first === 'cancel event' ? second : first;
  const state = orderAction === 'cancel event' ? 'paid' : requiredStates[orderAction];
  // A burn after an action on a paid order needs tokens, which only the action `mint` creates.
  const needsTokens = second === 'burn' && (first === 'cancel event' || state === 'paid');
  return needsTokens && first !== 'mint' ? 'minted' : state;
}

describe.each(tables.flatMap(({ first }) => first))('%s, then', (first) => {
  const resultOf = runCases(() => world, actions, {
    stateOf: (second) => stateFor(first, second),
    act: async (order, second) => [await order.act(first), await order.act(second)],
  });
  it.each(actions)('%s has the documented outcome', (second) => {
    const { outcome, errorCode = 'ok' } = getRow(first, second);
    expect(resultOf(second)).toEqual({ answers: ['ok', errorCode], outcome });
  });
});

describe.each(twoStepActions)('the first step of %s, then', (first) => {
  const resultOf = runCases(() => world, actions, {
    stateOf: (second) => stateFor(first, second),
    async act(order, second) {
      await order.begin(first);
      return [await order.act(second)];
    },
  });
  it.each(actions)('%s has a documented outcome', (second) => {
    const { outcome, errorCode = 'ok' } = getRow(first, second);
    expect(resultOf(second).answers).toEqual([errorCode]);
    const concurrent = findConcurrentOutcome(first, second)?.outcome;
    expect([outcome, concurrent]).toContainEqual(resultOf(second).outcome);
  });
});
