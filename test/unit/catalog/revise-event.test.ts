import { describe, expect, it } from 'vitest';
import { reviseEvent } from '../../../shared/catalog/events/editing/revise-event.ts';
import { endOf } from '../../../shared/catalog/events/event.ts';
import { buildEvent, twoTiers } from './event-fixtures.ts';

const withoutTiers = buildEvent({ ticketPrice: 10.5, maxCapacity: 100 });
const withTiers = buildEvent(twoTiers);

describe('changing an event', () => {
  it('changes only the fields sent', () => {
    const revised = reviseEvent(withTiers, { title: 'Blues', isPublic: false, latitude: null });
    expect(revised).toEqual({ ...withTiers, title: 'Blues', isPublic: false, latitude: null });
  });

  it('changes nothing when the fields are sent as they were read', () => {
    const { title, totalSupply, maxPerWallet, status, saleEnd } = withTiers;
    const storedFields = {
      title,
      totalSupply,
      maxPerWallet,
      status,
      saleEnd,
      ticketPrice: 5,
      currency: 'USD',
    } as const;
    expect(reviseEvent(withTiers, storedFields)).toEqual(withTiers);
  });

  it('moves the end with the date, but not with the end of the sale', () => {
    const event = buildEvent({ endDate: '2027-05-03T18:00:00Z' });
    const earlier = reviseEvent(event, { saleEnd: '2027-04-30T00:00:00.000Z' });
    expect(new Date(endOf(earlier)).toISOString()).toBe('2027-05-03T18:00:00.000Z');
    const moved = reviseEvent(earlier, { eventDate: '2027-06-01T18:00:00.000Z' });
    expect(new Date(endOf(moved)).toISOString()).toBe('2027-06-03T18:00:00.000Z');
  });

  it('sets the end that is sent, with or without the date, and refuses an end before the date', () => {
    const later = reviseEvent(withTiers, { endDate: '2027-05-02T01:00:00.000Z' });
    expect(later.endDate).toBe('2027-05-02T01:00:00.000Z');
    const moved = reviseEvent(withTiers, {
      eventDate: '2027-06-01T18:00:00.000Z',
      endDate: '2027-06-01T19:00:00.000Z',
    });
    expect(moved.endDate).toBe('2027-06-01T19:00:00.000Z');
    expect(() => reviseEvent(moved, { endDate: '2027-06-01T17:00:00.000Z' })).toThrow(
      'endDate must not be before eventDate',
    );
  });

  it('keeps the duration when the stored end is sent with a new date after that end', () => {
    const event = buildEvent({ endDate: '2027-05-03T18:00:00Z' });
    const change = { eventDate: '2027-06-01T18:00:00.000Z', endDate: event.endDate };
    expect(reviseEvent(event, change).endDate).toBe('2027-06-03T18:00:00.000Z');
  });

  it('keeps the stored end when it is sent with a new date before that end', () => {
    const event = buildEvent({ endDate: '2027-05-03T18:00:00Z' });
    const earlier = { eventDate: '2027-05-01T17:00:00.000Z', endDate: event.endDate };
    expect(reviseEvent(event, earlier).endDate).toBe(event.endDate);
  });

  it('changes the only tier of an event created without tiers', () => {
    const revised = reviseEvent(withoutTiers, { totalSupply: 7, ticketPrice: 3, maxPerWallet: 2 });
    expect(revised).toMatchObject({ totalSupply: 7, ticketPrice: 300n, maxPerWallet: 2 });
    expect(revised.tiers).toMatchObject([{ quantity: 7, price: 300n, maxPerPerson: 2 }]);
  });

  it('keeps several tiers when the total supply or the limit per wallet changes', () => {
    const revised = reviseEvent(withTiers, { totalSupply: 40, maxPerWallet: 2 });
    expect(revised).toEqual({ ...withTiers, totalSupply: 40, maxPerWallet: 2 });
  });

  it('refuses another ticket price for several tiers', () => {
    expect(() => reviseEvent(withTiers, { ticketPrice: 6 })).toThrow('Change the tier prices instead');
  });

  describe('to another currency', () => {
    it('keeps the numbers of the prices', () => {
      const revised = reviseEvent(withTiers, { currency: 'JPY' });
      expect(revised).toMatchObject({ currency: 'JPY', ticketPrice: 5n });
      expect(revised.tiers.map(({ price }) => price)).toEqual([5n, 7n]);
    });

    it('reads a price in the same request as an amount of the new currency', () => {
      const revised = reviseEvent(withoutTiers, { currency: 'ETH', ticketPrice: 0.001 });
      expect(revised).toMatchObject({ currency: 'ETH', ticketPrice: 10n ** 15n });
    });

    it('is refused when a stored price has too many decimals for that currency', () => {
      expect(() => reviseEvent(withoutTiers, { currency: 'JPY' })).toThrow('more decimals than JPY allows');
      expect(reviseEvent(withoutTiers, { currency: 'JPY', ticketPrice: 11 }).ticketPrice).toBe(11n);
    });
  });

  it('checks the sale window against the stored times', () => {
    expect(() => reviseEvent(withTiers, { saleEnd: '2020-01-01T00:00:00.000Z' })).toThrow(
      'saleEnd must not be before saleStart',
    );
    const both = { saleStart: '2019-01-01T00:00:00.000Z', saleEnd: '2020-01-01T00:00:00.000Z' };
    expect(reviseEvent(withTiers, both)).toMatchObject(both);
  });

  it('allows every change of status except from CANCELLED', () => {
    for (const status of ['DRAFT', 'PUBLISHED', 'CANCELLED'] as const) {
      expect(reviseEvent({ ...withTiers, status: 'DRAFT' }, { status }).status).toBe(status);
      expect(reviseEvent({ ...withTiers, status: 'PUBLISHED' }, { status }).status).toBe(status);
    }
    const cancelled = { ...withTiers, status: 'CANCELLED' } as const;
    expect(() => reviseEvent(cancelled, { status: 'DRAFT' })).toThrow('stays cancelled');
    expect(() => reviseEvent(cancelled, { status: 'PUBLISHED' })).toThrow('stays cancelled');
    expect(reviseEvent(cancelled, { status: 'CANCELLED', title: 'Off' }).title).toBe('Off');
  });
});
