import { describe, expect, it } from 'vitest';
import { addTier, changeTier } from '../../../shared/events/editing/tiers.ts';
import { maximumTiers } from '../../../shared/events/event.ts';
import { eventOf, tierOf, twoTiers } from './given.ts';

const tiered = eventOf(twoTiers);
const idOf = (at: number) => tiered.tiers[at]?.id ?? '';
const added = { name: 'C', description: '', price: 1, quantity: 10, maxPerPerson: 8 };

describe('adding a tier', () => {
  it('adjusts the totals', () => {
    expect(addTier(tiered, added)).toMatchObject({ totalSupply: 60, ticketPrice: 100n, maxPerWallet: 8 });
  });

  it('keeps a cap and a limit that were set explicitly', () => {
    const capped = { ...tiered, totalSupply: 40, maxPerWallet: 2 };
    expect(addTier(capped, added)).toMatchObject({ totalSupply: 40, maxPerWallet: 2 });
  });

  it('turns an event without tiers into one with tiers', () => {
    expect(addTier(eventOf({ maxCapacity: 5 }), added)).toMatchObject({ isSimple: false, totalSupply: 15 });
  });

  it('is refused beyond the maximum of tiers', () => {
    const full = eventOf({ tiers: Array(maximumTiers).fill(tierOf(1)) });
    expect(() => addTier(full, added)).toThrow('at most 30 tiers');
  });
});

describe('changing a tier', () => {
  it('changes the fields sent and adjusts the totals', () => {
    const changed = changeTier(tiered, idOf(0), { name: 'Front', price: 9, quantity: 10, maxPerPerson: 1 });
    expect(changed).toMatchObject({ totalSupply: 30, ticketPrice: 700n, maxPerWallet: 6 });
    expect(changed.tiers[0]).toEqual({
      ...tiered.tiers[0],
      name: 'Front',
      price: 900n,
      quantity: 10,
      maxPerPerson: 1,
    });
    expect(changed.tiers[1]).toEqual(tiered.tiers[1]);
  });

  it('keeps a cap that was set explicitly', () => {
    expect(changeTier({ ...tiered, totalSupply: 40 }, idOf(0), { quantity: 100 }).totalSupply).toBe(40);
  });

  it('refuses an unknown tier, and a price with too many decimals', () => {
    expect(() => changeTier(tiered, 'other', {})).toThrow('Tier not found');
    expect(() => changeTier(tiered, idOf(0), { price: 0.001 })).toThrow('price has more decimals than USD');
  });
});
