import { describe, expect, it } from 'vitest';
import { newEvent } from '../../../shared/events/editing/new-event.ts';
import { creationOf, creationTime, eventOf, twoTiers } from './given.ts';

describe('a new event', () => {
  it('is published, public, in USD, and on sale from now until its end', () => {
    const event = eventOf({ endDate: '2027-05-02', image: 'ipfs://image' });
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
    expect(eventOf().saleEnd).toBe('2027-05-01T20:00:00.000Z');
  });

  it('computes its totals from its tiers', () => {
    const event = eventOf({ ...twoTiers, ticketPrice: 99, maxCapacity: 99 });
    expect(event).toMatchObject({ totalSupply: 50, ticketPrice: 500n, maxPerWallet: 6, isSimple: false });
    expect(event.tiers.map(({ name, price }) => [name, price])).toEqual([
      ['A', 500n],
      ['B', 700n],
    ]);
    expect(event.tiers[0]?.id).not.toBe(event.tiers[1]?.id);
  });

  it('has one general admission tier when created without tiers', () => {
    const event = eventOf({ ticketPrice: 12.5, maxCapacity: 80, tiers: [] });
    expect(event).toMatchObject({ totalSupply: 80, ticketPrice: 1250n, maxPerWallet: 10, isSimple: true });
    expect(event.tiers).toMatchObject([
      { name: 'General Admission', price: 1250n, quantity: 80, maxPerPerson: 10 },
    ]);
  });

  it('has nothing on sale without tiers and capacity', () => {
    expect(eventOf()).toMatchObject({ totalSupply: 0, ticketPrice: 0n });
  });

  it.each([
    [{ ticketPrice: 1.234 }, 'ticketPrice has more decimals than USD allows'],
    [
      { tiers: [{ name: 'A', price: 0.001, quantity: 1 }] },
      'tiers.0.price has more decimals than USD allows',
    ],
  ])('refuses %j', (fields, message) => {
    expect(() => newEvent(creationOf(fields), 'org', creationTime)).toThrow(message);
  });
});
