import { invalid } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { toPrice } from '../../../core/money.ts';
import { type Event, lowestPrice, type Tier } from '../event.ts';
import { assignEntry } from './assign-entry.ts';
import type { EventCreation, TierCreation } from './event-input.ts';

const defaultDurationMilliseconds = 2 * 60 * 60 * 1000;

/**
 * Builds an event from a request, with defaults for absent fields. Its inventory has no shards yet.
 * @throws DomainError 400 for a price with more decimals than the currency has, for a sale that ends before it starts,
 * and for entry by token when the event has no contract or does not allow transfers
 */
export function newEvent(creation: EventCreation, organizerId: string, id: string, now: Date): Event {
  const {
    tiers: tierCreations,
    startDate,
    image,
    imageUrl,
    ticketPrice,
    maxCapacity,
    saleStart,
    saleEnd,
    endDate,
    totalSupply,
    maxPerWallet,
    entry,
    ...fields
  } = creation;
  const { currency } = fields;
  const generalAdmission = {
    name: 'General Admission',
    description: '',
    price: ticketPrice,
    quantity: totalSupply ?? maxCapacity,
    maxPerPerson: maxPerWallet ?? 10,
  };
  const isSimple = tierCreations.length === 0;
  const tiers = isSimple
    ? [newTier(generalAdmission, toPrice(ticketPrice, currency, 'ticketPrice'))]
    : tierCreations.map((tier, index) =>
        newTier(tier, toPrice(tier.price, currency, `tiers.${index}.price`)),
      );
  const tierSummary = summarizeTiers(tiers);
  const createdAt = now.toISOString();
  const end = endDate ?? new Date(Date.parse(startDate) + defaultDurationMilliseconds).toISOString();
  const event: Event = {
    id,
    ...fields,
    eventDate: startDate,
    endDate: end,
    saleStart: saleStart ?? createdAt,
    saleEnd: saleEnd ?? end,
    totalSupply: totalSupply ?? tierSummary.totalSupply,
    ticketPrice: tierSummary.ticketPrice,
    maxPerWallet: maxPerWallet ?? tierSummary.maxPerWallet,
    imageUrl: image || imageUrl,
    entry: 'account',
    isEntryChosen: false,
    organizerId,
    tiers,
    isSimple,
    saleVersion: 1,
    supplyShards: 0,
    createdAt,
    updatedAt: createdAt,
  };
  if (saleStart || saleEnd) refuseReversedSaleWindow(event);
  return assignEntry(event, entry);
}

/** @throws DomainError 400 for a sale of an event or a tier that ends before it starts */
export function refuseReversedSaleWindow({
  saleStart,
  saleEnd,
}: Pick<TierCreation, 'saleStart' | 'saleEnd'>): void {
  if (saleStart && saleEnd && saleEnd < saleStart) throw invalid('saleEnd must not be before saleStart');
}

/**
 * Builds a tier with a price in minor units. Its inventory has no shards yet.
 * @throws DomainError 400 for a sale that ends before it starts
 */
export function newTier({ hidden, saleStart, saleEnd, ...fields }: TierCreation, price: bigint): Tier {
  refuseReversedSaleWindow({ saleStart, saleEnd });
  return {
    id: newId(),
    ...fields,
    price,
    hidden: hidden ?? false,
    ...(saleStart && { saleStart }),
    ...(saleEnd && { saleEnd }),
    shards: 0,
  };
}

/** Returns the fields of an event that summarize its tiers. */
export function summarizeTiers(tiers: readonly Tier[]) {
  return {
    totalSupply: tiers.reduce((sum, { quantity }) => sum + quantity, 0),
    ticketPrice: lowestPrice(tiers),
    maxPerWallet: Math.max(...tiers.map(({ maxPerPerson }) => maxPerPerson)),
  };
}
