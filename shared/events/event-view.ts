import { toNumber } from '../money.ts';
import { eventPool } from '../stock/stock.ts';
import type { Event } from './event.ts';

/**
 * An event as the API shows it.
 * @param free how many tickets its pools have free, by their ids
 */
export function toEventView(event: Event, free: ReadonlyMap<string, number>) {
  const freeOfAll = free.get(eventPool) ?? Number.POSITIVE_INFINITY;
  return {
    id: event.id,
    title: event.title,
    description: event.description,
    venue: event.venue,
    address: event.address,
    city: event.city,
    country: event.country,
    latitude: event.latitude,
    longitude: event.longitude,
    timezone: event.timezone,
    source: 'boxoffice',
    externalUrl: null,
    eventDate: event.eventDate,
    saleStart: event.saleStart,
    saleEnd: event.saleEnd,
    totalSupply: event.totalSupply,
    ticketPrice: toNumber(event.ticketPrice, event.currency),
    currency: event.currency,
    maxPerWallet: event.maxPerWallet,
    contractAddress: event.contractAddress,
    chainId: event.chainId,
    imageUrl: event.imageUrl,
    metadataUri: event.metadataUri,
    category: event.category,
    tags: event.tags,
    isPublic: event.isPublic,
    allowTransfers: event.allowTransfers,
    requireKYC: event.requireKYC,
    status: event.status,
    organizerId: event.organizerId,
    tiers: event.tiers.map((tier) => ({
      id: tier.id,
      name: tier.name,
      description: tier.description,
      price: toNumber(tier.price, event.currency),
      quantity: tier.quantity,
      maxPerPerson: tier.maxPerPerson,
      available: Math.min(free.get(tier.id) ?? 0, freeOfAll),
    })),
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
  };
}
export type EventView = ReturnType<typeof toEventView>;
