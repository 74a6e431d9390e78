import { describe, expect, it } from 'vitest';
import { removeHiddenTiers } from '../../../shared/events/event.ts';
import { buildEvent, twoTiers } from './event-fixtures.ts';

describe('hiding tiers', () => {
  const event = buildEvent(twoTiers);
  const hidden = { ...event, tiers: event.tiers.map((tier) => ({ ...tier, hidden: true })) };

  it('does not change an event without hidden tiers', () => {
    expect(removeHiddenTiers(event)).toEqual(event);
  });

  it('sets the price to zero when all tiers are hidden', () => {
    expect(removeHiddenTiers(hidden)).toMatchObject({ tiers: [], ticketPrice: 0n });
  });

  it('keeps the tiers that a code shows, and the lowest of their prices', () => {
    for (const opened of hidden.tiers) {
      const shown = removeHiddenTiers(hidden, (tier) => tier.id === opened.id);
      expect(shown).toMatchObject({ tiers: [opened], ticketPrice: opened.price });
    }
  });
});
