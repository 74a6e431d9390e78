import { describe, expect, it } from 'vitest';
import { removeHiddenTiers } from '../../../shared/catalog/events/event.ts';
import { buildEvent, twoTiers } from './event-fixtures.ts';

describe('hiding tiers', () => {
  const event = buildEvent(twoTiers);
  const hiddenEvent = { ...event, tiers: event.tiers.map((tier) => ({ ...tier, hidden: true })) };

  it('does not change an event without hidden tiers', () => {
    expect(removeHiddenTiers(event)).toEqual(event);
  });

  it('sets the price to zero when all tiers are hidden', () => {
    expect(removeHiddenTiers(hiddenEvent)).toMatchObject({ tiers: [], ticketPrice: 0n });
  });

  it('keeps the tiers that a code reveals, and the lowest of their prices', () => {
    for (const revealed of hiddenEvent.tiers) {
      const shown = removeHiddenTiers(hiddenEvent, (tier) => tier.id === revealed.id);
      expect(shown).toMatchObject({ tiers: [revealed], ticketPrice: revealed.price });
    }
  });
});
