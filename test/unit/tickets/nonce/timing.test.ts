import { describe, expect, it } from 'vitest';
import { chainOf } from '../../../../shared/chain/chains.ts';
import { checkSeconds, ownMilliseconds, sweepMilliseconds } from '../../../../shared/tickets/nonce/timing.ts';

const quick = chainOf(137);
const slow = chainOf(1);

describe('checks of a nonce', () => {
  it('start when it should be final, and slow down to one a minute', () => {
    expect(checkSeconds(quick, 0)).toBe(5);
    expect(checkSeconds(quick, 3_000)).toBe(2);
    expect(checkSeconds(quick, 20_000)).toBe(10);
    expect(checkSeconds(quick, 600_000)).toBe(60);
    expect(checkSeconds(slow, 0)).toBe(900);
    expect(checkSeconds(slow, 900_000)).toBe(450);
  });

  it('are scheduled by the nonce until the sweep takes over', () => {
    expect(ownMilliseconds(quick)).toBe(sweepMilliseconds);
    expect(ownMilliseconds(slow)).toBe(1_800_000);
  });
});

describe('an unknown chain', () => {
  it('uses the node’s own finalized block', () => {
    expect(chainOf(424242)).toMatchObject({ id: 424242, finality: 'finalized' });
  });
});
