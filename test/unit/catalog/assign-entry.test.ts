import { describe, expect, it } from 'vitest';
import { reviseEvent } from '../../../shared/catalog/events/editing/revise-event.ts';
import { buildEvent } from './event-fixtures.ts';

const contractAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const missingRequirement = /^entry by token needs a contractAddress and allowTransfers$/;

describe('the entry of an event', () => {
  it.each([
    [{}, 'account'],
    [{ contractAddress }, 'token'],
    [{ contractAddress, allowTransfers: false }, 'account'],
    [{ contractAddress, entry: 'account' }, 'account'],
    [{ contractAddress, entry: 'token' }, 'token'],
    [{ allowTransfers: false, entry: 'account' }, 'account'],
  ])('created with %j is %s', (fields, entry) => {
    expect(buildEvent(fields).entry).toBe(entry);
  });

  it.each([[{ entry: 'token' }], [{ entry: 'token', contractAddress, allowTransfers: false }]])(
    'is refused with %j',
    (fields) => {
      expect(() => buildEvent(fields)).toThrow(missingRequirement);
    },
  );

  it('depends on contract and transfers until the organizer chooses it', () => {
    const withoutContract = buildEvent();
    const withContract = reviseEvent(withoutContract, { contractAddress });
    expect(withContract.entry).toBe('token');
    expect(reviseEvent(withContract, { allowTransfers: false }).entry).toBe('account');

    const byAccount = reviseEvent(withContract, { entry: 'account' });
    expect(reviseEvent(byAccount, { title: 'Blues' }).entry).toBe('account');
    const byToken = reviseEvent(byAccount, { entry: 'token' });
    expect(() => reviseEvent(byToken, { allowTransfers: false })).toThrow(missingRequirement);
    expect(() => reviseEvent(byToken, { contractAddress: null })).toThrow(missingRequirement);
  });
});
