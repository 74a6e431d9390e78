import * as fc from 'fast-check';

/** What fits in four cases of five: a request that is wrong in every part gets no further than the first. */
export function mostly<Value>(
  fitting: fc.Arbitrary<Value>,
  ...others: fc.Arbitrary<Value>[]
): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 4 * others.length, arbitrary: fitting }, ...others);
}

/** Texts with a character changed, cut off or added, or the rest left out. */
export function tampered(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.constantFrom('', 'A', 'B', '.', '=', '-'), fc.boolean())
    .map(([text, at, other, isCut]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + other + (isCut ? '' : text.slice(place + (at % 2)));
    });
}
