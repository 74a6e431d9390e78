import { describe, expect, it } from 'vitest';
import { contractStatusOf, type ObservedContract } from '../../../shared/contracts/contract.ts';

const observed = (transfersAllowed: boolean | null): ObservedContract => ({
  chainId: 137,
  address: '0xa',
  transfersAllowed,
  observedAt: '2027-01-01T00:00:00.000Z',
});

describe('the status of an event’s contract', () => {
  it.each([
    [true, true, 'authorized'],
    [false, false, 'authorized'],
    [true, false, 'mismatch'],
    [false, true, 'mismatch'],
    [true, null, 'unchecked'],
  ])('with transfers allowed %s, on the chain %s, is %s', (allowTransfers, onChain, status) => {
    expect(contractStatusOf({ allowTransfers }, 'authorized', observed(onChain))).toBe(status);
  });

  it('is the authorization while the contract was not checked, and where there is no contract', () => {
    expect(contractStatusOf({ allowTransfers: true }, 'authorized', undefined)).toBe('authorized');
    expect(contractStatusOf({ allowTransfers: true }, 'unauthorized', observed(false))).toBe('unauthorized');
    expect(contractStatusOf({ allowTransfers: true }, 'unchecked', observed(false))).toBe('unchecked');
  });
});
