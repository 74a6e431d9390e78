import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  absent,
  type Expected,
  type Transition,
  type TransitionRow,
  transition,
} from '../../../shared/core/state-machine.ts';
import { toCondition } from '../../../shared/dynamo/write.ts';
import { payoutLifecycle } from '../../../shared/money/payouts/payout.ts';
import { fulfilment, payment, refund } from '../../../shared/orders/lifecycle.ts';
import { type Attributes, parseCondition } from '../../simulation/parts/expressions.ts';

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
] as [string, Machine][])('the condition of a write in the %s lifecycle', (_name, machine) => {
  const [attribute = '', nested] = machine.attribute.split('.');
  const inState = (state: string) =>
    state === 'absent' ? {} : { [attribute]: nested === undefined ? state : { [nested]: state } };
  const pairs = machine.rows.flatMap((row) =>
    machine.states.map((from) => {
      const isLegal = [row.from].flat().includes(from);
      return [isLegal ? 'allows' : 'refuses', row.event, from, row, isLegal] as const;
    }),
  );

  it.each(pairs)('%s the event %s in the state %s', (_verdict, _event, from, row, isLegal) => {
    expect(isAllowed(machine, row, { ...fulfilling(row.guard), ...inState(from) })).toBe(isLegal);
  });

  const guards = machine.rows.flatMap((row) =>
    Object.entries(row.guard ?? {}).map(([field, expected]) => [row.event, field, row, expected] as const),
  );

  it.each(guards)(
    'refuses the event %s when the guard on %s does not hold',
    (_event, field, row, expected) => {
      const [from = ''] = [row.from].flat();
      const violation = expected === absent ? { [field]: 'present' } : { [field]: undefined };
      expect(isAllowed(machine, row, { ...fulfilling(row.guard), ...inState(from), ...violation })).toBe(
        false,
      );
    },
  );
});

/** Evaluates the condition with the simulation's model of the table, which agrees with the local server. */
function isAllowed(machine: Machine, { event }: Machine['rows'][number], item: object): boolean {
  const untyped = transition as unknown as (
    machine: Machine,
    event: string,
  ) => Transition<Record<string, unknown>>;
  const { when, values = {} } = toCondition([untyped(machine, event)]);
  const names = Object.fromEntries((when.match(/#\w+/g) ?? []).map((name) => [name, name.slice(1)]));
  const placeholders = Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value]));
  return parseCondition(when)(toAttributes(item), {
    names,
    values: toAttributes(placeholders),
    used: new Set(),
  });
}

const toAttributes = (item: object) =>
  marshall(item, { removeUndefinedValues: true }) as unknown as Attributes;

/** Returns attributes that fulfil a guard. */
function fulfilling(guard: Expected<Record<string, unknown>> = {}) {
  return Object.fromEntries(Object.entries(guard).filter(([, expected]) => expected !== absent));
}
