import { describe, expect, it } from 'vitest';
import { automaticRate, type LastMinute, nextAutomaticRate } from '../../../shared/catalog/queue/queue.ts';

describe('the automatic rate of a queue', () => {
  const usual: LastMinute = { admitted: 3_000, ordered: 1_500, refused: 0, isProviderFailing: false };
  const { floor, ceiling } = automaticRate;

  it.each<[string, number, Partial<LastMinute>, number]>([
    ['rises by a quarter while people order', 3_000, {}, 3_750],
    ['rises when a quarter of the admitted people order', 3_000, { ordered: 750 }, 3_750],
    ['stays when fewer do', 3_000, { ordered: 749 }, 3_000],
    [
      'stays when 5% of the people of a minute are refused, and fewer order',
      3_000,
      { ordered: 0, refused: 150 },
      3_000,
    ],
    ['is halved when more are refused', 3_000, { refused: 151 }, 1_500],
    ['is halved while a payment provider fails', 3_000, { isProviderFailing: true }, 1_500],
    ['stays when nobody is left to admit', 3_000, { admitted: 0, ordered: 0 }, 3_000],
    ['stays when few order, of few who were admitted', 3_000, { admitted: 150, ordered: 150 }, 3_000],
    ['is not above the ceiling', ceiling, {}, ceiling],
    ['is not below the floor', floor, { refused: 600 }, floor],
    ['is not changed by one person, even near the floor', 700, { admitted: 1, ordered: 1, refused: 1 }, 700],
  ])('%s', (_, perMinute, changes, expected) => {
    expect(nextAutomaticRate(perMinute, { ...usual, ...changes })).toBe(expected);
  });
});
