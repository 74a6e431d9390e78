import { conflict, notFound } from '../../core/errors.ts';
import { toPrice } from '../../core/money.ts';
import { type Event, maximumTiers, type Tier } from '../event.ts';
import type { TierChange, TierCreation } from './event-input.ts';
import { newTier, totalsOf } from './new-event.ts';

/**
 * The event with one more tier at its end.
 * @throws DomainError 400 for a price with too many decimals, 409 when there are as many tiers as there may be
 */
export function addTier(event: Event, tier: TierCreation): Event {
  if (event.tiers.length >= maximumTiers) {
    throw conflict('too-many-tiers', `An event has at most ${maximumTiers} tiers`);
  }
  const added = newTier(tier, toPrice(tier.price, event.currency, 'price'));
  return { ...withTiers(event, [...event.tiers, added]), isSimple: false };
}

/** The event with one of its tiers changed. @throws DomainError 404, 400 for a price with too many decimals */
export function changeTier(event: Event, tierId: string, { price, ...change }: TierChange): Event {
  if (!event.tiers.some(({ id }) => id === tierId)) throw notFound('Tier');
  const priced = price === undefined ? {} : { price: toPrice(price, event.currency, 'price') };
  return withTiers(
    event,
    event.tiers.map((tier) => (tier.id === tierId ? { ...tier, ...change, ...priced } : tier)),
  );
}

/**
 * The event with other tiers. Its total supply and its limit per wallet go along as long as they say no more
 * than the tiers do; once the organizer set them apart they stay.
 */
function withTiers(event: Event, tiers: Tier[]): Event {
  const before = totalsOf(event.tiers);
  const after = totalsOf(tiers);
  return {
    ...event,
    tiers,
    ticketPrice: after.ticketPrice,
    totalSupply: event.totalSupply === before.totalSupply ? after.totalSupply : event.totalSupply,
    maxPerWallet: event.maxPerWallet === before.maxPerWallet ? after.maxPerWallet : event.maxPerWallet,
  };
}
