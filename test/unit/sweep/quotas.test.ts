import { describe, expect, it } from 'vitest';
import { chooseDueWork, type QuotaUse } from '../../../shared/sweep/quotas.ts';

const refunds = (owner: string, count: number, failingProvider?: string) =>
  Array.from(
    { length: count },
    (): QuotaUse => ({
      kind: 'refund',
      owner,
      ...(failingProvider && { failingProvider }),
    }),
  );
const ownersOf = (chosen: readonly QuotaUse[]) => chosen.map(({ owner }) => owner).sort();

describe('a sweep', () => {
  it('takes the owners of a kind in turns, each up to its quota', () => {
    const chosen = chooseDueWork([...refunds('many', 1_000), ...refunds('few', 3)]);
    expect(chosen.filter(({ owner }) => owner === 'many').length).toBe(200);
    expect(ownersOf(chosen.slice(0, 6))).toEqual(['few', 'few', 'few', 'many', 'many', 'many']);
  });

  it('shares the few calls to a failing provider between the owners', () => {
    const chosen = chooseDueWork([
      ...refunds('first', 10, 'gateway-a'),
      ...refunds('second', 10, 'gateway-a'),
    ]);
    expect(ownersOf(chosen)).toEqual(['first', 'first', 'first', 'second', 'second']);
  });

  it('queues an owner’s work for other providers behind any number of calls to a failing one', () => {
    const chosen = chooseDueWork([...refunds('one', 500, 'gateway-a'), ...refunds('one', 10)]);
    expect(chosen.filter(({ failingProvider }) => failingProvider === undefined).length).toBe(10);
    expect(chosen.length).toBe(15);
  });
});
