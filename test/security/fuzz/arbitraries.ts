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
    .tuple(
      fc.constantFrom(...texts),
      fc.nat(),
      fc.constantFrom('', 'A', 'B', '.', '=', '-'),
      fc.constantFrom('insert', 'replace', 'truncate'),
    )
    .map(([text, seed, character, change]) => {
      const position = seed % (text.length + 1);
      const rest = change === 'truncate' ? '' : text.slice(change === 'replace' ? position + 1 : position);
      return text.slice(0, position) + character + rest;
    });
}
