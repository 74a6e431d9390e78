/** Lists the properties that differ from the expected ones, one sentence each. */
export function compare(
  expected: Record<string, unknown>,
  found: Record<string, unknown>,
  of = 'table',
): string[] {
  return Object.keys(expected).flatMap((name) => {
    const [right, actual] = [JSON.stringify(expected[name]), JSON.stringify(found[name])];
    return right === actual ? [] : [`${of}: ${name} is ${actual}, not ${right}`];
  });
}
