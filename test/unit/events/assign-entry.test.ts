import { describe, expect, it } from 'vitest';
import { reviseEvent } from '../../../shared/events/editing/revise-event.ts';
import { toEvent } from '../../../shared/events/event.ts';
import { eventOf } from './given.ts';

const contractAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const needsBoth = /^entry by token needs a contractAddress and allowTransfers$/;

describe('the entry of an event', () => {
  it.each([
    [{}, 'account'],
    [{ contractAddress }, 'token'],
    [{ contractAddress, allowTransfers: false }, 'account'],
    [{ contractAddress, entry: 'account' }, 'account'],
    [{ contractAddress, entry: 'token' }, 'token'],
    [{ allowTransfers: false, entry: 'account' }, 'account'],
  ])('of a new event with %j is %s', (fields, entry) => {
    expect(eventOf(fields).entry).toBe(entry);
  });

  it.each([[{ entry: 'token' }], [{ entry: 'token', contractAddress, allowTransfers: false }]])(
    'can not be what %j asks for',
    (fields) => {
      expect(() => eventOf(fields)).toThrow(needsBoth);
    },
  );

  it('follows contract and transfers until the organizer chooses', () => {
    const without = eventOf();
    const later = reviseEvent(without, { contractAddress });
    expect(later.entry).toBe('token');
    expect(reviseEvent(later, { allowTransfers: false }).entry).toBe('account');

    const chosen = reviseEvent(later, { entry: 'account' });
    expect(reviseEvent(chosen, { title: 'Blues' }).entry).toBe('account');
    const back = reviseEvent(chosen, { entry: 'token' });
    expect(() => reviseEvent(back, { allowTransfers: false })).toThrow(needsBoth);
    expect(() => reviseEvent(back, { contractAddress: null })).toThrow(needsBoth);
  });

  it('is by account for events stored before there was a choice', () => {
    const { entry, isEntryChosen, ...stored } = eventOf({ contractAddress });
    expect(toEvent(stored)).toMatchObject({ entry: 'account', isEntryChosen: false });
  });
});
