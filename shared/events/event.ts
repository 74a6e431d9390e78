import type { Currency } from '../core/money.ts';
import { eventPool, type Inventory } from '../inventory/inventory.ts';

export const eventStatuses = ['PUBLISHED', 'DRAFT', 'CANCELLED'] as const;
export const categories = [
  'CONFERENCE',
  'MUSIC',
  'WORKSHOP',
  'MEETUP',
  'FESTIVAL',
  'SPORTS',
  'THEATER',
  'OTHER',
] as const;

/** A change of the inventory is one transaction over all pools, which limits their number. */
export const maximumTiers = 30;

/** A tier as stored: `price` in minor units, `shards` the number of items that hold its free tickets. */
export interface Tier {
  id: string;
  name: string;
  description: string;
  price: bigint;
  quantity: number;
  maxPerPerson: number;
  shards: number;
}

/** An event as stored. Prices are bigint minor units of `currency`, times ISO 8601 in UTC. */
export interface Event {
  id: string;
  title: string;
  description: string;
  venue: string;
  address: string;
  city: string;
  country: string;
  latitude: number | null;
  longitude: number | null;
  timezone: string;
  eventDate: string;
  saleStart: string;
  saleEnd: string;
  totalSupply: number;
  ticketPrice: bigint;
  currency: Currency;
  maxPerWallet: number;
  contractAddress: string | null;
  chainId: number;
  imageUrl: string;
  metadataUri: string | null;
  category: (typeof categories)[number];
  tags: string;
  isPublic: boolean;
  allowTransfers: boolean;
  requireKYC: boolean;
  status: (typeof eventStatuses)[number];
  organizerId: string;
  tiers: Tier[];
  /** Created without tiers: its only tier follows the event's ticketPrice and totalSupply. */
  isSimple: boolean;
  /** Increases with every change of the terms of sale; see inventory/inventory.ts. */
  saleVersion: number;
  /** Shards of the pool for the whole event, 0 while the tiers alone limit it. */
  supplyShards: number;
  createdAt: string;
  updatedAt: string;
}

/** Whether the public list contains the event. */
export function isListed({ status, isPublic }: Event): boolean {
  return status === 'PUBLISHED' && isPublic;
}

/** The inventory of an event. */
export function inventoryOf(event: Event): Inventory {
  return {
    eventId: event.id,
    version: event.saleVersion,
    pools: [
      ...event.tiers.map(({ id, quantity, shards }) => ({ id, capacity: quantity, shards })),
      ...(event.supplyShards > 0
        ? [{ id: eventPool, capacity: event.totalSupply, shards: event.supplyShards }]
        : []),
    ],
  };
}
