import { absent, type Expected, type Transition } from '../core/state-machine.ts';

/**
 * Returns the condition for writing transitions of one item together.
 * @param unchanged further expected values, e.g. those that the decision was based on
 */
export function toCondition<Item>(
  transitions: readonly Transition<Item>[],
  unchanged: Expected<Item> = {},
): { when: string; values: Record<string, unknown> } {
  const values: Record<string, unknown> = {};
  const toComparison = (attribute: string, expected: unknown) => {
    // Each part of a path needs a placeholder: #refund.#status.
    const path = attribute.replace(/\w+/g, '#$&');
    const allowed = [expected].flat().filter((value) => value !== absent);
    const absentExpression = `attribute_not_exists(${path})`;
    if (allowed.length === 0) return absentExpression;
    const placeholders = allowed.map((value) => {
      const name = `expected${Object.keys(values).length}`;
      values[name] = value;
      return `:${name}`;
    });
    const valueExpression =
      placeholders.length === 1 ? `${path} = ${placeholders[0]}` : `${path} IN (${placeholders.join(', ')})`;
    return [expected].flat().includes(absent)
      ? `(${absentExpression} OR ${valueExpression})`
      : valueExpression;
  };
  const states = transitions.map(({ attribute, from }) =>
    toComparison(
      attribute,
      from.map((state) => (state === 'absent' ? absent : state)),
    ),
  );
  const guards = [...transitions.map(({ guard }) => guard), unchanged].flatMap((guard) =>
    Object.entries(guard).map(([name, expected]) => toComparison(name, expected)),
  );
  return { when: [...states, ...guards].join(' AND '), values };
}
