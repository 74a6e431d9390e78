import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { play } from './cases.ts';
import { exceptionFor, pairsIn, races, rowOf, type State } from './cells.ts';
import { interrupt } from './interruption.ts';
import { World } from './world.ts';

/** Each pair of concurrent actions on an order: see docs/meetings.md. */

let world: World;
beforeAll(async () => {
  world = await World.start();
}, 90_000);
afterAll(() => world?.stop());

/** The writes of the first action before which the second one runs, in separate cases. */
const points = Array.from({ length: Number(process.env.MEETING_POINTS ?? 1) }, (_, index) => index + 1);
const moments = points.flatMap((before) =>
  (Object.keys(races) as State[]).map((state) => ({ before, state })),
);

describe.each(moments)('on an order that is $state, before write $before of', ({ before, state }) => {
  const pairs = pairsIn(state);
  const resultOf = play(() => world, pairs, {
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
