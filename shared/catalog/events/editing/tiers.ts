import { conflict, notFound } from '../../../core/errors.ts';
import { toPrice } from '../../../core/money.ts';
import { type Event, maximumTiers, type Tier } from '../event.ts';
import type { TierChange, TierCreation } from './event-input.ts';
import { newTier, refuseReversedSaleWindow, summarizeTiers } from './new-event.ts';

/**
 * Appends a tier to an event.
 * @throws DomainError 400 for a price with too many decimals, 409 for an event with the maximum number of tiers
 */
export function addTier(event: Event, tier: TierCreation): Event {
  if (event.tiers.length >= maximumTiers) {
    throw conflict('too-many-tiers', `An event has at most ${maximumTiers} tiers`);
  }
  const added = newTier(tier, toPrice(tier.price, event.currency, 'price'));
  return { ...withTiers(event, [...event.tiers, added]), isSimple: false };
}

/**
 * Changes a tier of an event. Null removes the tier's own start or end of sale, so that the event's applies.
 * @throws DomainError 404 for an unknown tier, 400 for a price with too many decimals or a sale that ends before it
 * starts
 */
export function changeTier(event: Event, tierId: string, { price, ...change }: TierChange): Event {
  const before = event.tiers.find(({ id }) => id === tierId);
  if (!before) throw notFound('Tier');
  const { saleStart = before.saleStart, saleEnd = before.saleEnd, ...fields } = change;
  const { saleStart: _, saleEnd: __, ...otherFields } = before;
  const changed = {
    ...otherFields,
    ...fields,
    ...(price !== undefined && { price: toPrice(price, event.currency, 'price') }),
    ...(saleStart && { saleStart }),
    ...(saleEnd && { saleEnd }),
  };
  refuseReversedSaleWindow(changed);
  return withTiers(
    event,
    event.tiers.map((tier) => (tier === before ? changed : tier)),
  );
}

/**
 * Replaces an event's tiers. Its ticket price follows the tiers, and so do its total supply and its limit per wallet,
 * unless the organizer has set them to other values.
 */
function withTiers(event: Event, tiers: Tier[]): Event {
  const before = summarizeTiers(event.tiers);
  const after = summarizeTiers(tiers);
  return {
    ...event,
    tiers,
    ticketPrice: after.ticketPrice,
    totalSupply: event.totalSupply === before.totalSupply ? after.totalSupply : event.totalSupply,
    maxPerWallet: event.maxPerWallet === before.maxPerWallet ? after.maxPerWallet : event.maxPerWallet,
  };
}
