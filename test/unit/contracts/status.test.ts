import { describe, expect, it } from 'vitest';
import { contractStatusOf, type ObservedContract } from '../../../shared/contracts/contract.ts';

const observe = (transfersAllowed: boolean | null): ObservedContract => ({
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
  ])(
    'is, with transfers allowed %s in the event and %s on the chain: %s',
    (allowTransfers, onChain, status) => {
      expect(contractStatusOf({ allowTransfers }, 'authorized', observe(onChain))).toBe(status);
    },
  );

  it('is the authorization while the contract is not observed or not authorized', () => {
    expect(contractStatusOf({ allowTransfers: true }, 'authorized', undefined)).toBe('authorized');
    expect(contractStatusOf({ allowTransfers: true }, 'unauthorized', observe(false))).toBe('unauthorized');
    expect(contractStatusOf({ allowTransfers: true }, 'unchecked', observe(false))).toBe('unchecked');
  });
});
