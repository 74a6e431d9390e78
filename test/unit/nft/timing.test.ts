import { describe, expect, it } from 'vitest';
import { getChain } from '../../../shared/chain/chains.ts';
import {
  checkDelaySeconds,
  selfCheckPeriodMilliseconds,
  sweepMilliseconds,
} from '../../../shared/nft/nonce/check-nonce.ts';

const fastChain = getChain(137);
const slowChain = getChain(1);

describe('the checks of a nonce', () => {
  it('start when the transaction should be final, follow at intervals that grow with its age, and then once a minute', () => {
    expect(checkDelaySeconds(fastChain, 0)).toBe(5);
    expect(checkDelaySeconds(fastChain, 3_000)).toBe(2);
    expect(checkDelaySeconds(fastChain, 20_000)).toBe(10);
    expect(checkDelaySeconds(fastChain, 600_000)).toBe(60);
    expect(checkDelaySeconds(slowChain, 0)).toBe(900);
    expect(checkDelaySeconds(slowChain, 900_000)).toBe(450);
  });

  it('are scheduled by delayed messages until the sweep takes over', () => {
    expect(selfCheckPeriodMilliseconds(fastChain)).toBe(sweepMilliseconds);
    expect(selfCheckPeriodMilliseconds(slowChain)).toBe(1_800_000);
  });
});

describe('a chain that is not listed in chains.ts', () => {
  it('uses the finalized tag of its nodes', () => {
    expect(getChain(424242)).toMatchObject({ id: 424242, finality: 'finalized' });
  });
});
