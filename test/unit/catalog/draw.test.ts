import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { commitmentOf, drawOrder } from '../../../shared/catalog/queue/draw.ts';
import { Random } from '../../support/random.ts';

const seed = '00112233445566778899aabbccddeeff'.repeat(2);
const publicValue = 'ab'.repeat(32);
const ids = ['anna', 'ben', 'cy', 'dan', 'eve'];

describe('the draw', () => {
  // Computed with Python's hmac and hashlib.
  it.each([
    [publicValue, ['anna', 'ben', 'dan', 'eve', 'cy']],
    ['', ['eve', 'dan', 'cy', 'ben', 'anna']],
  ])('of the public value "%s" is the one that everybody computes', (value, expected) => {
    expect(drawOrder(ids, { seed, publicValue: value })).toEqual(expected);
    expect(drawOrder(ids.toReversed(), { seed, publicValue: value })).toEqual(expected);
  });

  it('is committed to by the hash of its seed', () => {
    expect(commitmentOf(seed)).toBe('4773d12e2371bb935b9a0f5439b4a1c3ad3f2414b86980f8418d1cfabdfadfef');
  });

  it('has every place once', () => {
    const places = Array.from({ length: 10_000 }, () => randomBytes(16).toString('hex'));
    const order = drawOrder(places, { seed, publicValue });
    expect(order.toSorted()).toEqual(places.toSorted());
  });

  it('is uniform: in 1,000 draws, chi-squared of each place’s numbers is as expected', () => {
    const random = new Random(1);
    const hex = () =>
      Array.from({ length: 32 }, () => random.between(0, 255).toString(16).padStart(2, '0')).join('');
    const draws = 1_000;
    const counts = ids.map(() => ids.map(() => 0));
    for (let draw = 0; draw < draws; draw++) {
      const order = drawOrder(ids, { seed: hex(), publicValue: hex() });
      for (const [place, id] of ids.entries()) {
        const numbers = counts[place] as number[];
        numbers[order.indexOf(id)] = (numbers[order.indexOf(id)] ?? 0) + 1;
      }
    }
    const expected = draws / ids.length;
    for (const numbers of counts) {
      const chiSquared = numbers.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
      // 4 degrees of freedom: more than 18.5 in one of a thousand cases. The random numbers are the same each time.
      expect(chiSquared).toBeLessThan(18.5);
    }
  });
});
