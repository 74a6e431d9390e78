import { describe, expect, it } from 'vitest';
import { addTier, changeTier } from '../../../shared/catalog/events/editing/revise-event.ts';
import { maximumTiers } from '../../../shared/catalog/events/event.ts';
import { buildEvent, tierInput, twoTiers } from './event-fixtures.ts';

const event = buildEvent(twoTiers);
const tierIdAt = (index: number) => event.tiers[index]?.id ?? '';
const newTier = { name: 'C', description: '', price: 1, quantity: 10, maxPerPerson: 8 };

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
