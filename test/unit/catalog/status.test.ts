import { describe, expect, it } from 'vitest';
import { contractStatusOf, type ObservedContract } from '../../../shared/catalog/contracts/contract.ts';

const observe = (transfersAllowed: boolean | null): ObservedContract => ({
  chainId: 137,
  address: '0xa',
  transfersAllowed,
  observedAt: '2027-01-01T00:00:00.000Z',
});

describe('the status of an event’s contract', () => {
  it.each([
    ['authorized', true, true],
    ['authorized', false, false],
    ['mismatch', true, false],
    ['mismatch', false, true],
    ['unchecked', true, null],
  ])(
    'is `%s` when allowTransfers is %s in the event and %s on the chain',
    (status, allowTransfers, onChain) => {
      expect(contractStatusOf({ allowTransfers }, 'authorized', observe(onChain))).toBe(status);
    },
  );

  it('is the organizer’s authorization when that is not `authorized`, or the contract was not observed', () => {
    expect(contractStatusOf({ allowTransfers: true }, 'authorized', undefined)).toBe('authorized');
    expect(contractStatusOf({ allowTransfers: true }, 'unauthorized', observe(false))).toBe('unauthorized');
    expect(contractStatusOf({ allowTransfers: true }, 'unchecked', observe(false))).toBe('unchecked');
  });
});
