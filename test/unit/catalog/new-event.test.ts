import { describe, expect, it } from 'vitest';
import { newEvent } from '../../../shared/catalog/events/editing/new-event.ts';
import { buildEvent, creationTime, parseCreation, twoTiers } from './event-fixtures.ts';

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
