import { newId } from '../../core/ids.ts';
import { toPrice } from '../../core/money.ts';
import type { Event, Tier } from '../event.ts';
import type { EventCreation, TierCreation } from './event-input.ts';

const twoHours = 2 * 60 * 60 * 1000;

/**
 * The event that a creation asks for, with the defaults of what was not sent. Its stock is not cut yet.
 * @throws DomainError 400 for a price with more decimals than the currency has
 */
export function newEvent(creation: EventCreation, organizerId: string, now: Date): Event {
  const { tiers: given, startDate, endDate, image, ticketPrice, maxCapacity, ...fields } = creation;
  const currency = 'USD';
  const general = {
    name: 'General Admission',
    description: '',
    price: ticketPrice,
    quantity: maxCapacity,
    maxPerPerson: 10,
  };
  const isSimple = given.length === 0;
  const tiers = isSimple
    ? [newTier(general, toPrice(ticketPrice, currency, 'ticketPrice'))]
    : given.map((tier, at) => newTier(tier, toPrice(tier.price, currency, `tiers.${at}.price`)));
  const createdAt = now.toISOString();
  return {
    id: newId(now.getTime()),
    ...fields,
    eventDate: startDate,
    saleStart: createdAt,
    saleEnd: endDate ?? new Date(Date.parse(startDate) + twoHours).toISOString(),
    ...totalsOf(tiers),
    currency,
    imageUrl: image,
    tags: '',
    isPublic: true,
    allowTransfers: true,
    requireKYC: false,
    status: 'PUBLISHED',
    organizerId,
    tiers,
    isSimple,
    saleVersion: 1,
    supplyShards: 0,
    createdAt,
    updatedAt: createdAt,
  };
}

/** A tier at a price in minor units; its stock is not cut yet. */
export function newTier({ name, description, quantity, maxPerPerson }: TierCreation, price: bigint): Tier {
  return { id: newId(), name, description, price, quantity, maxPerPerson, shards: 0 };
}

/** What an event says of all its tiers together. */
export function totalsOf(tiers: readonly Tier[]) {
  const lowest = tiers.reduce((least, { price }) => (price < least ? price : least), tiers[0]?.price ?? 0n);
  return {
    totalSupply: tiers.reduce((sum, { quantity }) => sum + quantity, 0),
    ticketPrice: lowest,
    maxPerWallet: Math.max(...tiers.map(({ maxPerPerson }) => maxPerPerson)),
  };
}
