import * as z from 'zod';
import { type ContractStatus, contractStatuses } from '../contracts/contract.ts';
import { toNumber } from '../core/money.ts';
import { address, amount, currency, identifier, time } from '../core/schemas.ts';
import { eventPool } from '../inventory/inventory.ts';
import { staffRole } from '../staff/staff.ts';
import { categories, type Event, entryTypes, eventStatuses } from './event.ts';

const count = z.int().min(0);

export const tierView = z
  .object({
    id: identifier,
    name: z.string().meta({ examples: ['Floor'] }),
    description: z.string(),
    price: amount.meta({ description: 'The price of one ticket, without the fee of 2.5 %', examples: [50] }),
    quantity: count.meta({ description: 'All tickets of the tier, sold ones too', examples: [100] }),
    maxPerPerson: count.meta({
      description: 'The maximum number of tickets that one user may hold',
      examples: [4],
    }),
    hidden: z.boolean().meta({ description: 'Whether buyers need a code to see the tier' }),
    saleStart: time.meta({ description: 'The event’s, unless the tier has its own; both apply' }),
    saleEnd: time.meta({ description: 'The event’s, unless the tier has its own; both apply' }),
    available: count.meta({ description: 'Tickets that can be bought right now', examples: [87] }),
  })
  .meta({ id: 'Tier' });
export type TierView = z.infer<typeof tierView>;

export const eventView = z
  .object({
    id: identifier,
    title: z.string().meta({ examples: ['Night of the Lambdas'] }),
    description: z.string(),
    venue: z.string().meta({ examples: ['Old Station'] }),
    address: z.string(),
    city: z.string().meta({ examples: ['Lagos'] }),
    country: z.string().meta({ examples: ['Nigeria'] }),
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    timezone: z.string().meta({ description: 'IANA name', examples: ['Africa/Lagos'] }),
    source: z.literal('boxoffice'),
    externalUrl: z.null(),
    eventDate: time.meta({ description: 'When the event begins' }),
    endDate: time.meta({
      description: 'When the event ends. An event stored without an end ends with its sale',
    }),
    saleStart: time.meta({ description: 'When the sale begins' }),
    saleEnd: time.meta({ description: 'When the sale ends' }),
    totalSupply: count.meta({ description: 'Tickets over all tiers', examples: [100] }),
    ticketPrice: amount.meta({
      description: 'The lowest price of the tiers shown; 0 while none is',
      examples: [50],
    }),
    currency,
    maxPerWallet: count.meta({ description: 'Tickets per person over all tiers', examples: [4] }),
    contractAddress: address
      .nullable()
      .meta({ description: 'The contract that mints the tickets; null for none' }),
    chainId: z.int().meta({ examples: [137] }),
    contractStatus: z.enum(contractStatuses).meta({
      description:
        'Whether tickets are minted: `none` has no contract, `unauthorized` needs a proof that the organizer administers the contract, `unchecked` waits for the chain to answer; `mismatch` is authorized, but the contract allows transfers and the event does not, or the reverse',
      examples: ['authorized'],
    }),
    imageUrl: z.string().meta({ description: 'Empty without an image' }),
    metadataUri: z.string().nullable(),
    category: z.enum(categories),
    tags: z.string().meta({ description: 'Separated by commas' }),
    isPublic: z.boolean().meta({ description: 'Whether the event is in the public list' }),
    allowTransfers: z.boolean().meta({ description: 'Whether tickets may be handed over' }),
    entry: z.enum(entryTypes).meta({
      description:
        'Who is admitted: `account` admits the account that holds the seat, `token` the account whose linked wallet owns the seat’s token. Fixed once tickets are sold',
      examples: ['account'],
    }),
    requireKYC: z.boolean().meta({ description: 'Whether buyers need the kycStatus VERIFIED' }),
    status: z.enum(eventStatuses).meta({
      description:
        '`PUBLISHED` sells tickets; only the organizer and the staff see a `DRAFT`; `CANCELLED` is final',
    }),
    organizerId: identifier,
    tiers: z.array(tierView),
    createdAt: time,
    updatedAt: time,
    staffRole: staffRole.optional().meta({ description: 'With `staff=me`: the caller’s role at the event' }),
  })
  .meta({ id: 'Event' });
export type EventView = z.infer<typeof eventView>;

/**
 * Returns an event as the API shows it.
 * @param freeTickets the free tickets of its pools, by pool id
 */
export function toEventView(
  event: Event,
  freeTickets: ReadonlyMap<string, number>,
  contractStatus: ContractStatus,
): EventView {
  const freeInEventPool = freeTickets.get(eventPool) ?? Number.POSITIVE_INFINITY;
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
    endDate: event.endDate ?? event.saleEnd,
    saleStart: event.saleStart,
    saleEnd: event.saleEnd,
    totalSupply: event.totalSupply,
    ticketPrice: toNumber(event.ticketPrice, event.currency),
    currency: event.currency,
    maxPerWallet: event.maxPerWallet,
    contractAddress: event.contractAddress,
    chainId: event.chainId,
    contractStatus,
    imageUrl: event.imageUrl,
    metadataUri: event.metadataUri,
    category: event.category,
    tags: event.tags,
    isPublic: event.isPublic,
    allowTransfers: event.allowTransfers,
    entry: event.entry,
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
      hidden: tier.hidden,
      saleStart: tier.saleStart ?? event.saleStart,
      saleEnd: tier.saleEnd ?? event.saleEnd,
      available: Math.min(freeTickets.get(tier.id) ?? 0, freeInEventPool),
    })),
    createdAt: event.createdAt,
    updatedAt: event.updatedAt,
  };
}
