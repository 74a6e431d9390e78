/** What differs between two sets of properties of one thing, a sentence for each. */
export function compare(
  expected: Record<string, unknown>,
  found: Record<string, unknown>,
  of = 'table',
): string[] {
  return Object.keys(expected).flatMap((name) => {
    const [wanted, seen] = [JSON.stringify(expected[name]), JSON.stringify(found[name])];
    return wanted === seen ? [] : [`${of}: ${name} is ${seen}, not ${wanted}`];
  });
}
