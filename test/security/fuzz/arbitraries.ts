import * as fc from 'fast-check';

/** Valid in four of five cases: a request that is invalid in every part is refused for the first. */
export function mostly<Value>(
  fitting: fc.Arbitrary<Value>,
  ...others: fc.Arbitrary<Value>[]
): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 4 * others.length, arbitrary: fitting }, ...others);
}

/** Texts with a character changed, removed or added, or truncated. */
export function tampered(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.constantFrom('', 'A', 'B', '.', '=', '-'), fc.boolean())
    .map(([text, at, other, isCut]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + other + (isCut ? '' : text.slice(place + (at % 2)));
    });
}
