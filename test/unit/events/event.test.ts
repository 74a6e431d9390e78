import { describe, expect, it } from 'vitest';
import { hideTiers } from '../../../shared/events/event.ts';
import { eventOf, twoTiers } from './given.ts';

describe('hiding tiers', () => {
  const event = eventOf(twoTiers);
  const hidden = { ...event, tiers: event.tiers.map((tier) => ({ ...tier, hidden: true })) };

  it('leaves an event without hidden tiers as it is', () => {
    expect(hideTiers(event)).toEqual(event);
  });

  it('shows no price when no tier is shown', () => {
    expect(hideTiers(hidden)).toMatchObject({ tiers: [], ticketPrice: 0n });
  });

  it('shows the lowest price of the tiers that are opened', () => {
    for (const opened of hidden.tiers) {
      const shown = hideTiers(hidden, (tier) => tier.id === opened.id);
      expect(shown).toMatchObject({ tiers: [opened], ticketPrice: opened.price });
    }
  });
});
