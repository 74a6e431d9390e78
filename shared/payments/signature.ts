import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that tells nothing of where two texts differ. An empty expectation matches nothing. */
export function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return b.length > 0 && a.length === b.length && timingSafeEqual(a, b);
}
