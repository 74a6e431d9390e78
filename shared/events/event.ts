import * as z from 'zod';
import { currency, minorUnits } from '../core/schemas.ts';
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

/** Limited because a change of the inventory is one transaction over all pools. */
export const maximumTiers = 30;

/** A tier as it is stored. */
const tier = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Minor units of the event's currency. */
  price: minorUnits,
  quantity: z.number(),
  maxPerPerson: z.number(),
  /** The number of items that hold its inventory. */
  shards: z.number(),
});
export type Tier = z.infer<typeof tier>;

/** An event as it is stored. Times are ISO 8601 in UTC. */
const event = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  venue: z.string(),
  address: z.string(),
  city: z.string(),
  country: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  timezone: z.string(),
  eventDate: z.string(),
  /** Absent on events stored before it was; then the end of the sale stands for it. */
  endDate: z.string().optional(),
  saleStart: z.string(),
  saleEnd: z.string(),
  totalSupply: z.number(),
  /** The lowest price of a tier, in minor units of `currency`. */
  ticketPrice: minorUnits,
  currency,
  maxPerWallet: z.number(),
  contractAddress: z.string().nullable(),
  chainId: z.number(),
  imageUrl: z.string(),
  metadataUri: z.string().nullable(),
  category: z.enum(categories),
  tags: z.string(),
  isPublic: z.boolean(),
  allowTransfers: z.boolean(),
  requireKYC: z.boolean(),
  status: z.enum(eventStatuses),
  organizerId: z.string(),
  tiers: z.array(tier),
  /** Created without tiers: its one tier follows the event's ticketPrice and totalSupply. */
  isSimple: z.boolean(),
  /** Incremented by every change that inventory decisions depend on; see inventory/inventory.ts. */
  saleVersion: z.number(),
  /** Shards of the pool for the whole event, 0 while the tiers alone limit it. */
  supplyShards: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Event = z.infer<typeof event>;

/** Parses a stored item as an event. @throws ZodError for any other item */
export function toEvent(item: unknown): Event {
  return event.parse(item);
}

/** Returns whether the public list contains the event. */
export function isListed({ status, isPublic }: Event): boolean {
  return status === 'PUBLISHED' && isPublic;
}

/** Returns the end of the event or of its sale, the later of both, in epoch milliseconds. */
export function endOf({ eventDate, endDate = eventDate, saleEnd }: Event): number {
  return Math.max(...[eventDate, endDate, saleEnd].map(Date.parse));
}

/** Returns the inventory of an event. */
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
