/** Lists the properties that differ from the expected ones, one sentence each. */
export function listDifferences(
  expected: Record<string, unknown>,
  found: Record<string, unknown>,
  subject = 'table',
): string[] {
  return Object.keys(expected).flatMap((name) => {
    const [expectedText, foundText] = [JSON.stringify(expected[name]), JSON.stringify(found[name])];
    return expectedText === foundText ? [] : [`${subject}: ${name} is ${foundText}, not ${expectedText}`];
  });
}
