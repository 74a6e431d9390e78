import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCases } from './cases.ts';
import { interrupt } from './interruption.ts';
import { concurrentActions, findConcurrentOutcome, getRow, type OrderState, pairsIn } from './outcomes.ts';
import { World } from './world.ts';

/** Runs each pair of concurrent actions on an order. See docs/operation-pairs.md. */

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 90_000);
afterAll(() => world?.stop());

/** The numbers of the first action's writes, from 1. Each has its own cases: the second action runs just before it. */
const writeNumbers = Array.from(
  { length: Number(process.env.INTERRUPTED_WRITES ?? 1) },
  (_, index) => index + 1,
);
const interruptions = writeNumbers.flatMap((writeNumber) =>
  (Object.keys(concurrentActions) as OrderState[]).map((state) => ({ writeNumber, state })),
);

describe.each(interruptions)(
  'before write $writeNumber on an order that is $state,',
  ({ writeNumber, state }) => {
    const pairs = pairsIn(state);
    const resultOf = runCases(() => world, pairs, {
      stateOf: () => state,
      act: (order, { first, second }) =>
        interrupt(
          () => order.act(first),
          () => order.act(second),
          writeNumber,
        ),
    });
    it.each(pairs)('$first interrupted by $second has a documented outcome', (pair) => {
      const { first, second } = pair;
      const [row, reversedRow] = [getRow(first, second), getRow(second, first)];
      expect([
        { answers: ['ok', row.errorCode ?? 'ok'], outcome: row.outcome },
        { answers: [reversedRow.errorCode ?? 'ok', 'ok'], outcome: reversedRow.outcome },
        findConcurrentOutcome(first, second),
      ]).toContainEqual(resultOf(pair));
    });
  },
);
