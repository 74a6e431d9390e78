import * as z from 'zod';
import { walletAddress } from '../../core/address.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { currency, filledText, text } from '../../core/schemas.ts';
import { categories, entryTypes, eventStatuses, maximumTiers } from '../event.ts';
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
const categoryInput = z
  .enum(Object.keys(categoryNames) as (keyof typeof categoryNames)[])
  .transform((name) => categoryNames[name]);

/** The address of an image, or an empty text for none. */
const imageLink = link.or(z.literal(''));

const entry = z.enum(entryTypes).meta({
  description:
    'Default: `token` with a contract and transfers, else `account`. `token` needs both. Fixed once tickets are sold or held',
});

/** Makes a field optional and nullable, with a default. */
function optionalOr<Schema extends z.ZodType, Fallback>(schema: Schema, fallback: Fallback) {
  return schema.nullish().transform((value) => value ?? fallback);
}

const hiddenMeta = { description: 'Whether it is shown and sold only with a code that opens it' };
const saleWindowMeta = { description: 'Lies within the event’s sale period; null uses the event’s own' };

export const tierCreation = z
  .object({
    name: filledText(200),
    description: optionalOr(text(2000), ''),
    price,
    quantity,
    maxPerPerson: optionalOr(perPerson, 10),
    hidden: z.boolean().nullish().meta(hiddenMeta),
    saleStart: timestamp.nullish().meta(saleWindowMeta),
    saleEnd: timestamp.nullish().meta(saleWindowMeta),
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
    hidden: z.boolean().optional().meta(hiddenMeta),
    saleStart: timestamp.nullable().optional().meta(saleWindowMeta),
    saleEnd: timestamp.nullable().optional().meta(saleWindowMeta),
  })
  .meta({ examples: [{ quantity: 120 }] });
export type TierChange = z.infer<typeof tierChange>;

export const eventCreation = z
  .object({
    title: filledText(200),
    description: optionalOr(text(5000), ''),
    venue: filledText(200),
    address: optionalOr(text(500), ''),
    city: optionalOr(text(200), ''),
    country: optionalOr(text(200), ''),
    latitude: optionalOr(latitude, null),
    longitude: optionalOr(longitude, null),
    timezone: optionalOr(timezone, 'UTC'),
    startDate: timestamp,
    endDate: optionalOr(timestamp, undefined),
    category: optionalOr(categoryInput, 'OTHER' as const),
    image: optionalOr(imageLink, ''),
    imageUrl: optionalOr(imageLink, '').meta({ description: 'The same as `image`' }),
    contractAddress: optionalOr(walletAddress, null),
    chainId: optionalOr(chainId, 137),
    metadataUri: optionalOr(link, null),
    tiers: optionalOr(z.array(tierCreation).max(maximumTiers), []),
    ticketPrice: optionalOr(price, 0),
    maxCapacity: optionalOr(quantity, 0),
    currency: optionalOr(currency, 'USD' as const),
    saleStart: optionalOr(timestamp, undefined),
    saleEnd: optionalOr(timestamp, undefined),
    totalSupply: optionalOr(quantity, undefined),
    maxPerWallet: optionalOr(perPerson, undefined),
    tags: optionalOr(text(1000), ''),
    isPublic: optionalOr(z.boolean(), true),
    allowTransfers: optionalOr(z.boolean(), true),
    entry: optionalOr(entry, undefined),
    requireKYC: optionalOr(z.boolean(), false),
    status: optionalOr(z.enum(eventStatuses), 'PUBLISHED' as const),
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
export const eventChangeErrorCodes = [
  'forbidden',
  'event-not-found',
  'below-sold',
  'busy',
] as const satisfies ErrorCode[];
