import { afterAll, describe, expect, it } from 'vitest';
import { newId } from '../../shared/core/ids.ts';
import {
  absent,
  type Expected,
  type Transition,
  type TransitionRow,
  transition,
} from '../../shared/core/state-machine.ts';
import { getItem } from '../../shared/dynamo/client.ts';
import { keys } from '../../shared/dynamo/keys.ts';
import { conditionOf } from '../../shared/dynamo/transition.ts';
import { put, update, write } from '../../shared/dynamo/write.ts';
import { fulfilment, payment, refund } from '../../shared/orders/lifecycle.ts';
import { payoutLifecycle } from '../../shared/payouts/payout.ts';
import { startBackend } from '../support/backend.ts';

const backend = await startBackend();
afterAll(() => backend.stop());

class Refused extends Error {}

/** A machine with untyped events, for the walk below. */
interface Table {
  attribute: string;
  states: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: the rows of any machine
  rows: readonly TransitionRow<any, string>[];
}

describe.each([
  ['payment', payment],
  ['fulfilment', fulfilment],
  ['refund', refund],
  ['payout', payoutLifecycle],
] as [string, Table][])('the table', (name, machine) => {
  const [outer = '', inner] = machine.attribute.split('.');
  const pairs = machine.states.flatMap((from) => machine.rows.map((row) => [from, row.event, row] as const));

  it.each(pairs)(`decides in the state %s of a ${name} on %s`, async (from, _, row) => {
    const key = keys.order(newId());
    const stateOf = (state: string) =>
      state === 'absent' ? {} : { [outer]: inner === undefined ? state : { [inner]: state } };
    await write(put({ ...key, ...meeting(row.guard), ...stateOf(from) }));
    const isLegal = [row.from].flat().includes(from);
    const next = transitionOf(machine, row);
    const result = write(update(key, { set: next.set }, { ...conditionOf([next]), orThrow: refused }));
    await (isLegal
      ? expect(result).resolves.toMatchObject(stateOf(row.to))
      : expect(result).rejects.toThrow(Refused));
    const stored = await getItem(key);
    expect(stored?.[outer]).toEqual(stateOf(isLegal ? row.to : from)[outer]);
  });

  const guarded = machine.rows.flatMap((row) =>
    Object.entries(row.guard ?? {}).map(([field, expected]) => [row.event, field, row, expected] as const),
  );

  it.each(guarded)(
    `refuses ${name} %s when the guard on %s does not hold`,
    async (_, field, row, expected) => {
      const key = keys.order(newId());
      const [from = ''] = [row.from].flat();
      const state = from === 'absent' ? {} : { [outer]: inner === undefined ? from : { [inner]: from } };
      const broken = expected === absent ? { [field]: 'present' } : { [field]: undefined };
      await write(put({ ...key, ...meeting(row.guard), ...state, ...broken }));
      const next = transitionOf(machine, row);
      const change = update(key, { set: next.set }, { ...conditionOf([next]), orThrow: refused });
      await expect(write(change)).rejects.toThrow(Refused);
    },
  );
});

const refused = () => new Refused();

/** Makes the transition of a row, with only the fields that its state requires. */
function transitionOf(machine: Table, { event }: Table['rows'][number]): Transition<Record<string, unknown>> {
  const untyped = transition as unknown as (
    machine: Table,
    event: string,
  ) => Transition<Record<string, unknown>>;
  return untyped(machine, event);
}

/** Returns attributes that fulfil a guard. */
function meeting(guard: Expected<Record<string, unknown>> = {}) {
  return Object.fromEntries(Object.entries(guard).filter(([, expected]) => expected !== absent));
}
