import { describe, expect, it } from 'vitest';
import { getChain } from '../../../../shared/chain/chains.ts';
import {
  checkDelaySeconds,
  selfCheckMilliseconds,
  sweepMilliseconds,
} from '../../../../shared/tickets/nonce/timing.ts';

const quick = getChain(137);
const slow = getChain(1);

describe('the checks of a nonce', () => {
  it('start when the chain should be final, slow down with age, and end at one a minute', () => {
    expect(checkDelaySeconds(quick, 0)).toBe(5);
    expect(checkDelaySeconds(quick, 3_000)).toBe(2);
    expect(checkDelaySeconds(quick, 20_000)).toBe(10);
    expect(checkDelaySeconds(quick, 600_000)).toBe(60);
    expect(checkDelaySeconds(slow, 0)).toBe(900);
    expect(checkDelaySeconds(slow, 900_000)).toBe(450);
  });

  it('are scheduled by the nonce itself until the sweep takes over', () => {
    expect(selfCheckMilliseconds(quick)).toBe(sweepMilliseconds);
    expect(selfCheckMilliseconds(slow)).toBe(1_800_000);
  });
});

describe('a chain that is not in the table', () => {
  it('uses the finalized tag of its nodes', () => {
    expect(getChain(424242)).toMatchObject({ id: 424242, finality: 'finalized' });
  });
});
