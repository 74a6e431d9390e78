import * as z from 'zod';
import { walletAddress } from '../../core/address.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { currency, filledText, text } from '../../core/schemas.ts';
import { categories, entries, eventStatuses, maximumTiers } from '../event.ts';
import {
  chainId,
  latitude,
  link,
  longitude,
  perPerson,
  price,
  quantity,
  timestamp,
  timezone,
} from '../fields.ts';

/** Names of categories in the request that creates an event, and their names everywhere else. */
const categoryNames = {
  conference: 'CONFERENCE',
  concert: 'MUSIC',
  workshop: 'WORKSHOP',
  networking: 'MEETUP',
  festival: 'FESTIVAL',
  sports: 'SPORTS',
  theater: 'THEATER',
  other: 'OTHER',
} as const;
const createdCategory = z
  .enum(Object.keys(categoryNames) as (keyof typeof categoryNames)[])
  .transform((name) => categoryNames[name]);

/** The address of an image, or an empty text for none. */
const imageLink = link.or(z.literal(''));

const entry = z.enum(entries).meta({
  description:
    'Default: `token` with a contract and transfers, else `account`. `token` needs both. Fixed once tickets are sold or held',
});

/** Makes a field optional and nullable, with a default. */
function or<Schema extends z.ZodType, Fallback>(schema: Schema, fallback: Fallback) {
  return schema.nullish().transform((value) => value ?? fallback);
}

const hidden = { description: 'Whether it is shown and sold only with a code that opens it' };
const ownWindow = { description: 'Lies within the event’s sale period; null uses the event’s own' };

export const tierCreation = z
  .object({
    name: filledText(200),
    description: or(text(2000), ''),
    price,
    quantity,
    maxPerPerson: or(perPerson, 10),
    hidden: z.boolean().nullish().meta(hidden),
    saleStart: timestamp.nullish().meta(ownWindow),
    saleEnd: timestamp.nullish().meta(ownWindow),
  })
  .meta({ examples: [{ name: 'Balcony', price: 80, quantity: 40, maxPerPerson: 2 }] });
export type TierCreation = z.infer<typeof tierCreation>;

export const tierChange = z
  .object({
    name: filledText(200).optional(),
    description: text(2000).optional(),
    price: price.optional(),
    quantity: quantity.optional(),
    maxPerPerson: perPerson.optional(),
    hidden: z.boolean().optional().meta(hidden),
    saleStart: timestamp.nullable().optional().meta(ownWindow),
    saleEnd: timestamp.nullable().optional().meta(ownWindow),
  })
  .meta({ examples: [{ quantity: 120 }] });
export type TierChange = z.infer<typeof tierChange>;

export const eventCreation = z
  .object({
    title: filledText(200),
    description: or(text(5000), ''),
    venue: filledText(200),
    address: or(text(500), ''),
    city: or(text(200), ''),
    country: or(text(200), ''),
    latitude: or(latitude, null),
    longitude: or(longitude, null),
    timezone: or(timezone, 'UTC'),
    startDate: timestamp,
    endDate: or(timestamp, undefined),
    category: or(createdCategory, 'OTHER' as const),
    image: or(imageLink, ''),
    imageUrl: or(imageLink, '').meta({ description: 'The same as `image`' }),
    contractAddress: or(walletAddress, null),
    chainId: or(chainId, 137),
    metadataUri: or(link, null),
    tiers: or(z.array(tierCreation).max(maximumTiers), []),
    ticketPrice: or(price, 0),
    maxCapacity: or(quantity, 0),
    currency: or(currency, 'USD' as const),
    saleStart: or(timestamp, undefined),
    saleEnd: or(timestamp, undefined),
    totalSupply: or(quantity, undefined),
    maxPerWallet: or(perPerson, undefined),
    tags: or(text(1000), ''),
    isPublic: or(z.boolean(), true),
    allowTransfers: or(z.boolean(), true),
    entry: or(entry, undefined),
    requireKYC: or(z.boolean(), false),
    status: or(z.enum(eventStatuses), 'PUBLISHED' as const),
  })
  .refine(({ startDate, endDate }) => !endDate || endDate >= startDate, {
    path: ['endDate'],
    message: 'must not be before startDate',
  })
  .meta({
    examples: [
      {
        title: 'Night of the Lambdas',
        venue: 'Old Station',
        city: 'Lagos',
        country: 'Nigeria',
        timezone: 'Africa/Lagos',
        startDate: '2030-06-01T20:00:00+01:00',
        category: 'concert',
        currency: 'NGN',
        tiers: [{ name: 'Floor', price: 5000, quantity: 100, maxPerPerson: 4 }],
      },
    ],
  });
export type EventCreation = z.infer<typeof eventCreation>;

/** Fields that are not sent stay unchanged. Null clears a nullable field. */
export const eventChange = z
  .object({
    title: filledText(200).optional(),
    description: text(5000).optional(),
    venue: filledText(200).optional(),
    address: text(500).optional(),
    city: text(200).optional(),
    country: text(200).optional(),
    latitude: latitude.nullable().optional(),
    longitude: longitude.nullable().optional(),
    timezone: timezone.optional(),
    eventDate: timestamp.optional(),
    endDate: timestamp.optional().meta({ description: 'Default: moves with eventDate' }),
    saleStart: timestamp.optional(),
    saleEnd: timestamp.optional(),
    totalSupply: quantity.optional(),
    ticketPrice: price.optional(),
    currency: currency.optional(),
    maxPerWallet: perPerson.optional(),
    contractAddress: walletAddress.nullable().optional(),
    chainId: chainId.optional(),
    imageUrl: imageLink.optional(),
    metadataUri: link.nullable().optional(),
    category: z.enum(categories).optional(),
    tags: text(1000).optional(),
    isPublic: z.boolean().optional(),
    allowTransfers: z.boolean().optional(),
    entry: entry.optional(),
    requireKYC: z.boolean().optional(),
    status: z.enum(eventStatuses).optional(),
  })
  .meta({ examples: [{ description: 'Doors open at seven.', currency: 'NGN' }] });
export type EventChange = z.infer<typeof eventChange>;

const id = z.string().max(100);
export const eventPath = z.object({ id });
export const tierPath = z.object({ id, tierId: id });

/** Errors common to all changes of an event or its tiers. */
export const changeRefusals = [
  'forbidden',
  'event-not-found',
  'below-sold',
  'busy',
] as const satisfies ErrorCode[];
