import { describe, expect, it } from 'vitest';
import { tierCreation } from '../../../shared/catalog/events/editing/event-input.ts';
import { newEvent } from '../../../shared/catalog/events/editing/new-event.ts';
import { addTier, changeTier, reviseEvent } from '../../../shared/catalog/events/editing/revise-event.ts';
import { endOf, maximumTiers } from '../../../shared/catalog/events/event.ts';
import { buildEvent, creationTime, parseCreation, tierInput, twoTiers } from './event-fixtures.ts';

describe('a new event', () => {
  it('is published, public, in USD, and on sale from now until its end', () => {
    const event = buildEvent({ endDate: '2027-05-02', image: 'ipfs://image' });
    expect(event).toMatchObject({
      status: 'PUBLISHED',
      isPublic: true,
      allowTransfers: true,
      requireKYC: false,
      currency: 'USD',
      tags: '',
      imageUrl: 'ipfs://image',
      eventDate: '2027-05-01T18:00:00.000Z',
      saleStart: creationTime.toISOString(),
      saleEnd: '2027-05-02T00:00:00.000Z',
      createdAt: creationTime.toISOString(),
      updatedAt: creationTime.toISOString(),
      organizerId: 'org',
    });
  });

  it('is refused when its end would be after the year 9999', () => {
    const refusal = expect.objectContaining({ kind: 'invalid' });
    expect(() => buildEvent({ startDate: '9999-12-31T23:30:00Z' })).toThrow(refusal);
    const long = buildEvent({ startDate: '2027-05-01', endDate: '2028-05-01' });
    expect(() => reviseEvent(long, { eventDate: '9999-06-01T00:00:00.000Z' })).toThrow(refusal);
  });

  it('ends two hours after its start by default', () => {
    const end = '2027-05-01T20:00:00.000Z';
    expect(buildEvent()).toMatchObject({ endDate: end, saleEnd: end });
  });

  it('has its price in the currency sent', () => {
    expect(buildEvent({ currency: 'NGN', ticketPrice: 5000 })).toMatchObject({
      currency: 'NGN',
      ticketPrice: 500_000n,
    });
    expect(
      buildEvent({ currency: 'JPY', tiers: [{ name: 'A', price: 700, quantity: 1 }] }).tiers,
    ).toMatchObject([{ price: 700n }]);
  });

  it('has the fields sent instead of the defaults', () => {
    const sent = {
      tags: 'jazz,live',
      isPublic: false,
      allowTransfers: false,
      requireKYC: true,
      status: 'DRAFT',
      saleStart: '2027-02-01T00:00:00.000Z',
      saleEnd: '2027-03-01T00:00:00.000Z',
      imageUrl: 'https://example.com/poster.png',
    };
    expect(buildEvent(sent)).toMatchObject({ ...sent, endDate: '2027-05-01T20:00:00.000Z' });
  });

  it('has its own limits when they are sent with tiers', () => {
    const event = buildEvent({ ...twoTiers, totalSupply: 40, maxPerWallet: 5 });
    expect(event).toMatchObject({ totalSupply: 40, maxPerWallet: 5, supplyShards: 1 });
    expect(event.tiers).toMatchObject([{ quantity: 30 }, { quantity: 20 }]);
  });

  it('created without tiers gives its only tier the supply and the limit sent', () => {
    const { tiers } = buildEvent({ totalSupply: 7, maxPerWallet: 2 });
    expect(tiers).toMatchObject([{ quantity: 7, maxPerPerson: 2 }]);
  });

  it('computes its totals from its tiers', () => {
    const event = buildEvent({ ...twoTiers, ticketPrice: 99, maxCapacity: 99 });
    expect(event).toMatchObject({ totalSupply: 50, ticketPrice: 500n, maxPerWallet: 6, isSimple: false });
    expect(event.tiers.map(({ name, price }) => [name, price])).toEqual([
      ['A', 500n],
      ['B', 700n],
    ]);
    expect(event.tiers[0]?.id).not.toBe(event.tiers[1]?.id);
  });

  it('has one general admission tier when created without tiers', () => {
    const event = buildEvent({ ticketPrice: 12.5, maxCapacity: 80, tiers: [] });
    expect(event).toMatchObject({ totalSupply: 80, ticketPrice: 1250n, maxPerWallet: 10, isSimple: true });
    expect(event.tiers).toMatchObject([
      { name: 'General Admission', price: 1250n, quantity: 80, maxPerPerson: 10 },
    ]);
  });

  it('has no tickets without tiers and capacity', () => {
    expect(buildEvent()).toMatchObject({ totalSupply: 0, ticketPrice: 0n });
  });

  it.each([
    [{ saleStart: '2027-05-02' }, 'saleEnd must not be before saleStart'],
    [{ currency: 'JPY', ticketPrice: 1.5 }, 'ticketPrice has more decimals than JPY allows'],
    [{ ticketPrice: 1.234 }, 'ticketPrice has more decimals than USD allows'],
    [
      { tiers: [{ name: 'A', price: 0.001, quantity: 1 }] },
      'tiers.0.price has more decimals than USD allows',
    ],
  ])('is refused with %j: %s', (fields, message) => {
    expect(() => newEvent(parseCreation(fields), 'org', 'c1', creationTime)).toThrow(message);
  });
});

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

const event = buildEvent(twoTiers);
const tierIdAt = (index: number) => event.tiers[index]?.id ?? '';
const newTier = tierCreation.parse({ name: 'C', price: 1, quantity: 10, maxPerPerson: 8 });

describe('adding a tier', () => {
  it('adjusts the totals', () => {
    expect(addTier(event, newTier)).toMatchObject({ totalSupply: 60, ticketPrice: 100n, maxPerWallet: 8 });
  });

  it('keeps a total supply and a limit that were set explicitly', () => {
    const capped = { ...event, totalSupply: 40, maxPerWallet: 2 };
    expect(addTier(capped, newTier)).toMatchObject({ totalSupply: 40, maxPerWallet: 2 });
  });

  it('turns an event without tiers into one with tiers', () => {
    expect(addTier(buildEvent({ maxCapacity: 5 }), newTier)).toMatchObject({
      isSimple: false,
      totalSupply: 15,
    });
  });

  it('is refused above the maximum number of tiers', () => {
    const full = buildEvent({ tiers: Array(maximumTiers).fill(tierInput(1)) });
    expect(() => addTier(full, newTier)).toThrow('at most 30 tiers');
  });
});

describe('changing a tier', () => {
  it('changes the fields sent and adjusts the totals', () => {
    const changed = changeTier(event, tierIdAt(0), {
      name: 'Front',
      price: 9,
      quantity: 10,
      maxPerPerson: 1,
    });
    expect(changed).toMatchObject({ totalSupply: 30, ticketPrice: 700n, maxPerWallet: 6 });
    expect(changed.tiers[0]).toEqual({
      ...event.tiers[0],
      name: 'Front',
      price: 900n,
      quantity: 10,
      maxPerPerson: 1,
    });
    expect(changed.tiers[1]).toEqual(event.tiers[1]);
  });

  it('keeps a total supply that was set explicitly', () => {
    expect(changeTier({ ...event, totalSupply: 40 }, tierIdAt(0), { quantity: 100 }).totalSupply).toBe(40);
  });

  it('refuses an unknown tier, and a price with too many decimals', () => {
    expect(() => changeTier(event, 'other', {})).toThrow('Tier not found');
    expect(() => changeTier(event, tierIdAt(0), { price: 0.001 })).toThrow(
      'price has more decimals than USD',
    );
  });
});
