import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import {
  absent,
  type Expected,
  type Transition,
  type TransitionRow,
  transition,
} from '../../shared/core/state-machine.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { getItem } from '../../shared/dynamo/read.ts';
import { put, toCondition, update, write } from '../../shared/dynamo/write.ts';
import { payoutLifecycle } from '../../shared/money/payouts/payout.ts';
import { fulfilment, payment, refund } from '../../shared/orders/lifecycle.ts';
import { startBackend } from '../support/backend.ts';

const backend = await startBackend();
afterAll(() => backend.stop());

class Refused extends Error {}

/** A state machine with untyped events. */
interface Machine {
  attribute: string;
  states: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: rows of every machine
  rows: readonly TransitionRow<any, string>[];
}

describe.each([
  ['payment', payment],
  ['fulfilment', fulfilment],
  ['refund', refund],
  ['payout', payoutLifecycle],
] as [string, Machine][])('the %s lifecycle', (_name, machine) => {
  const [attribute = '', nestedAttribute] = machine.attribute.split('.');
  /** Returns the attributes of an item in a state. */
  const attributesOfState = (state: string) =>
    state === 'absent'
      ? {}
      : { [attribute]: nestedAttribute === undefined ? state : { [nestedAttribute]: state } };
  const isLegal = (row: Machine['rows'][number], from: string) => [row.from].flat().includes(from);
  const pairs = machine.rows.flatMap((row) =>
    machine.states.map((from) => [isLegal(row, from) ? 'allows' : 'refuses', row.event, from, row] as const),
  );

  it.each(pairs)('%s the event %s in the state %s', async (_verdict, _event, from, row) => {
    const key = keys.order(newId());
    await write(put({ ...key, ...attributesFulfilling(row.guard), ...attributesOfState(from) }));
    const next = transitionOf(machine, row);
    const result = write(update(key, { set: next.set }, { ...toCondition([next]), orThrow: newRefusal }));
    await (isLegal(row, from)
      ? expect(result).resolves.toMatchObject(attributesOfState(row.to))
      : expect(result).rejects.toThrow(Refused));
    const stored = await getItem(key);
    expect(stored?.[attribute]).toEqual(attributesOfState(isLegal(row, from) ? row.to : from)[attribute]);
  });

  const guards = machine.rows.flatMap((row) =>
    Object.entries(row.guard ?? {}).map(([field, expected]) => [row.event, field, row, expected] as const),
  );

  it.each(guards)(
    'refuses the event %s when the guard on %s does not hold',
    async (_event, field, row, expected) => {
      const key = keys.order(newId());
      const [from = ''] = [row.from].flat();
      const violation = expected === absent ? { [field]: 'present' } : { [field]: undefined };
      await write(
        put({ ...key, ...attributesFulfilling(row.guard), ...attributesOfState(from), ...violation }),
      );
      const next = transitionOf(machine, row);
      const change = update(key, { set: next.set }, { ...toCondition([next]), orThrow: newRefusal });
      await expect(write(change)).rejects.toThrow(Refused);
    },
  );
});

const newRefusal = () => new Refused();

/** Returns the transition of a row, without further fields. */
function transitionOf(
  machine: Machine,
  { event }: Machine['rows'][number],
): Transition<Record<string, unknown>> {
  const untyped = transition as unknown as (
    machine: Machine,
    event: string,
  ) => Transition<Record<string, unknown>>;
  return untyped(machine, event);
}

/** Returns attributes that fulfil a guard. */
function attributesFulfilling(guard: Expected<Record<string, unknown>> = {}) {
  return Object.fromEntries(Object.entries(guard).filter(([, expected]) => expected !== absent));
}
