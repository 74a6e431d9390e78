import * as fc from 'fast-check';

/** Generates valid values in four of five cases, since a request with several invalid parts fails at the first one. */
export function mostlyValid<Value>(
  valid: fc.Arbitrary<Value>,
  ...others: fc.Arbitrary<Value>[]
): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 4 * others.length, arbitrary: valid }, ...others);
}

/** Changes, removes or adds a character of a text, or truncates the text. */
export function tamper(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.constantFrom('', 'A', 'B', '.', '=', '-'), fc.boolean())
    .map(([text, number, replacement, isTruncated]) => {
      const position = number % (text.length + 1);
      return text.slice(0, position) + replacement + (isTruncated ? '' : text.slice(position + (number % 2)));
    });
}
