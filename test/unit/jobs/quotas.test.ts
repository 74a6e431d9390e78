import { describe, expect, it } from 'vitest';
import { chooseDueWork, type QuotaUse } from '../../../shared/jobs/sweep/quotas.ts';

const createRefunds = (owner: string, count: number, failingProvider?: string) =>
  Array.from(
    { length: count },
    (): QuotaUse => ({
      kind: 'refund',
      owner,
      ...(failingProvider && { failingProvider }),
    }),
  );
const ownersOf = (chosen: readonly QuotaUse[]) => chosen.map(({ owner }) => owner).sort();

describe('chooseDueWork', () => {
  it('chooses work of the owners in turn, for each up to its quota', () => {
    const chosen = chooseDueWork([...createRefunds('many', 1_000), ...createRefunds('few', 3)]);
    expect(chosen.filter(({ owner }) => owner === 'many').length).toBe(200);
    expect(ownersOf(chosen.slice(0, 6))).toEqual(['few', 'few', 'few', 'many', 'many', 'many']);
  });

  it('divides the limited calls to a failing provider between the owners', () => {
    const chosen = chooseDueWork([
      ...createRefunds('first', 10, 'gateway-a'),
      ...createRefunds('second', 10, 'gateway-a'),
    ]);
    expect(ownersOf(chosen)).toEqual(['first', 'first', 'first', 'second', 'second']);
  });

  it('chooses an owner’s work for other providers despite many calls to a failing one', () => {
    const chosen = chooseDueWork([...createRefunds('one', 500, 'gateway-a'), ...createRefunds('one', 10)]);
    expect(chosen.filter(({ failingProvider }) => failingProvider === undefined).length).toBe(10);
    expect(chosen.length).toBe(15);
  });
});
