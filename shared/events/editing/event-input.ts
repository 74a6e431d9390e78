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
    name: filledText(200).meta({ description: 'As buyers see it' }),
    description: optionalOr(text(2000), '').meta({ description: 'Plain text. Default: empty' }),
    price: price.meta({
      description:
        'Of one ticket, before the fee of 2.5 %, in the event’s currency with at most its decimals; 0 is free',
    }),
    quantity: quantity.meta({ description: 'The number of tickets; 0: none on sale' }),
    maxPerPerson: optionalOr(perPerson, 10).meta({
      description: 'The maximum of tickets that one user may hold. Default: 10',
    }),
    hidden: z.boolean().nullish().meta(hiddenMeta),
    saleStart: timestamp.nullish().meta(saleWindowMeta),
    saleEnd: timestamp.nullish().meta(saleWindowMeta),
  })
  .meta({ examples: [{ name: 'Balcony', price: 80, quantity: 40, maxPerPerson: 2 }] });
export type TierCreation = z.infer<typeof tierCreation>;

export const tierChange = z
  .object({
    name: filledText(200).optional().meta({ description: 'As buyers see it' }),
    description: text(2000).optional().meta({ description: 'Plain text' }),
    price: price.optional().meta({
      description: 'Of one ticket, before the fee of 2.5 %, in the event’s currency. Applies to new orders',
    }),
    quantity: quantity
      .optional()
      .meta({ description: 'The number of tickets, at least as many as are sold and held' }),
    maxPerPerson: perPerson.optional().meta({ description: 'The maximum of tickets that one user may hold' }),
    hidden: z.boolean().optional().meta(hiddenMeta),
    saleStart: timestamp.nullable().optional().meta(saleWindowMeta),
    saleEnd: timestamp.nullable().optional().meta(saleWindowMeta),
  })
  .meta({ examples: [{ quantity: 120 }] });
export type TierChange = z.infer<typeof tierChange>;

export const eventCreation = z
  .object({
    title: filledText(200).meta({ description: 'As buyers see it' }),
    description: optionalOr(text(5000), '').meta({ description: 'Plain text. Default: empty' }),
    venue: filledText(200).meta({ description: 'The name of the place' }),
    address: optionalOr(text(500), '').meta({ description: 'The street address. Default: empty' }),
    city: optionalOr(text(200), '').meta({ description: 'The list of events filters by it. Default: empty' }),
    country: optionalOr(text(200), '').meta({ description: 'Its name. Default: empty' }),
    latitude: optionalOr(latitude, null).meta({ description: 'In degrees. Default: null' }),
    longitude: optionalOr(longitude, null).meta({ description: 'In degrees. Default: null' }),
    timezone: optionalOr(timezone, 'UTC').meta({
      description: 'The IANA name of the time zone in which the event’s times are shown. Default: UTC',
    }),
    startDate: timestamp.meta({
      description: 'When the event begins (`eventDate` in responses). ISO 8601; UTC without an offset',
    }),
    endDate: optionalOr(timestamp, undefined).meta({
      description: 'When the event ends, not before it begins. Default: two hours later',
    }),
    category: optionalOr(categoryInput, 'OTHER' as const).meta({
      description:
        'Default: `other`. Responses use other names: `concert` is `MUSIC`, `networking` is `MEETUP`',
    }),
    image: optionalOr(imageLink, '').meta({ description: 'An http, https or ipfs address. Default: none' }),
    imageUrl: optionalOr(imageLink, '').meta({ description: 'The same as `image`' }),
    contractAddress: optionalOr(walletAddress, null).meta({
      description: 'The ERC-721 contract that mints the tickets. Default: none, and no tokens are minted',
    }),
    chainId: optionalOr(chainId, 137).meta({
      description: 'The EIP-155 id of the contract’s chain. Default: 137 (Polygon)',
    }),
    metadataUri: optionalOr(link, null).meta({
      description: 'An http, https or ipfs address of metadata for the tokens. Default: null',
    }),
    tiers: optionalOr(z.array(tierCreation).max(maximumTiers), []).meta({
      description:
        'At most 30 tiers of tickets. Default: one tier `General Admission` from `ticketPrice` and `maxCapacity`',
    }),
    ticketPrice: optionalOr(price, 0).meta({
      description: 'The price in an event without `tiers`. Default: 0',
    }),
    maxCapacity: optionalOr(quantity, 0).meta({
      description: 'The number of tickets in an event without `tiers`. Default: 0, nothing on sale yet',
    }),
    currency: optionalOr(currency, 'USD' as const).meta({
      description:
        'Of all prices of the event. Default: USD. For payment by crypto, a coin or token of the event’s chain',
    }),
    saleStart: optionalOr(timestamp, undefined).meta({ description: 'No orders before. Default: now' }),
    saleEnd: optionalOr(timestamp, undefined).meta({
      description: 'No orders after. Default: the end of the event',
    }),
    totalSupply: optionalOr(quantity, undefined).meta({
      description: 'The maximum of tickets over all tiers. Default: the sum of their quantities',
    }),
    maxPerWallet: optionalOr(perPerson, undefined).meta({
      description:
        'The maximum of tickets over all tiers for one user. Default: the largest `maxPerPerson`, 10 without `tiers`',
    }),
    tags: optionalOr(text(1000), '').meta({ description: 'Keywords, separated by commas. Default: empty' }),
    isPublic: optionalOr(z.boolean(), true).meta({
      description: 'Whether it is listed; otherwise it is found by its id only. Default: true',
    }),
    allowTransfers: optionalOr(z.boolean(), true).meta({
      description:
        'Whether holders may hand tickets over, and tokens may move between wallets. Default: true',
    }),
    entry: optionalOr(entry, undefined),
    requireKYC: optionalOr(z.boolean(), false).meta({
      description: 'Whether buyers need the KYC status `VERIFIED`. Default: false',
    }),
    status: optionalOr(z.enum(eventStatuses), 'PUBLISHED' as const).meta({
      description: 'Default: `PUBLISHED`. Only the organizer and the staff see a `DRAFT`',
    }),
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
    title: filledText(200).optional().meta({ description: 'As buyers see it' }),
    description: text(5000).optional().meta({ description: 'Plain text' }),
    venue: filledText(200).optional().meta({ description: 'The name of the place' }),
    address: text(500).optional().meta({ description: 'The street address' }),
    city: text(200).optional().meta({ description: 'The list of events filters by it' }),
    country: text(200).optional().meta({ description: 'Its name' }),
    latitude: latitude.nullable().optional().meta({ description: 'In degrees' }),
    longitude: longitude.nullable().optional().meta({ description: 'In degrees' }),
    timezone: timezone
      .optional()
      .meta({ description: 'The IANA name of the time zone in which the event’s times are shown' }),
    eventDate: timestamp
      .optional()
      .meta({ description: 'When the event begins. ISO 8601; UTC without an offset' }),
    endDate: timestamp.optional().meta({ description: 'Default: moves with eventDate' }),
    saleStart: timestamp.optional().meta({ description: 'No orders before' }),
    saleEnd: timestamp.optional().meta({ description: 'No orders after' }),
    totalSupply: quantity
      .optional()
      .meta({ description: 'The maximum of tickets over all tiers, at least as many as are sold and held' }),
    ticketPrice: price
      .optional()
      .meta({ description: 'The price of the only tier; with several tiers a 409' }),
    currency: currency
      .optional()
      .meta({ description: 'Of all prices of the event; fixed once tickets are sold or held' }),
    maxPerWallet: perPerson
      .optional()
      .meta({ description: 'The maximum of tickets over all tiers for one user' }),
    contractAddress: walletAddress.nullable().optional().meta({
      description:
        'The ERC-721 contract that mints the tickets; null for none. Fixed once tickets are sold or held',
    }),
    chainId: chainId
      .optional()
      .meta({ description: 'The EIP-155 id of the contract’s chain. Fixed once tickets are sold or held' }),
    imageUrl: imageLink.optional().meta({ description: 'An http, https or ipfs address; empty for none' }),
    metadataUri: link
      .nullable()
      .optional()
      .meta({ description: 'An http, https or ipfs address of metadata for the tokens; null for none' }),
    category: z.enum(categories).optional().meta({ description: 'What kind of event it is' }),
    tags: text(1000).optional().meta({ description: 'Keywords, separated by commas' }),
    isPublic: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it is listed; otherwise it is found by its id only' }),
    allowTransfers: z
      .boolean()
      .optional()
      .meta({ description: 'Whether holders may hand tickets over, and tokens may move between wallets' }),
    entry: entry.optional(),
    requireKYC: z.boolean().optional().meta({ description: 'Whether buyers need the KYC status `VERIFIED`' }),
    status: z.enum(eventStatuses).optional().meta({
      description: '`CANCELLED` is final: it ends sales, fails pending orders and refunds paid ones',
    }),
  })
  .meta({ examples: [{ description: 'Doors open at seven.', currency: 'NGN' }] });
export type EventChange = z.infer<typeof eventChange>;

const id = z.string().max(100);
const eventId = id.meta({ description: 'The id of the event' });
export const eventPath = z.object({ id: eventId });
export const tierPath = z.object({ id: eventId, tierId: id.meta({ description: 'The id of the tier' }) });

/** Errors common to all changes of an event or its tiers. */
export const eventChangeErrorCodes = [
  'forbidden',
  'event-not-found',
  'below-sold',
  'busy',
] as const satisfies ErrorCode[];
