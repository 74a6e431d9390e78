import * as z from 'zod';
import type { ErrorCode } from '../../../core/errors.ts';
import { currency, filledText, languages, text, walletAddress } from '../../../core/schemas.ts';
import {
  buyerKinds,
  categories,
  entryTypes,
  eventStatuses,
  feePayers,
  maximumCheckInLists,
  maximumQuestions,
  maximumTiers,
  offlineModes,
  questionKinds,
  questionTimes,
  returnModes,
  returnModesMeta,
  tierKinds,
} from '../event.ts';
import {
  chainId,
  latitude,
  longitude,
  maximumPerPerson,
  perTicket,
  price,
  quantity,
  queuePerMinute,
  resourceUrl,
  taxPercent,
  timestamp,
  timezone,
} from '../fields.ts';

/** Maps the category names of event creation to the names in storage and responses. */
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

/** The URL of an image; empty for no image. */
const imageUrl = resourceUrl.or(z.literal(''));

const entryType = z.enum(entryTypes).meta({
  description:
    'Who is admitted: `account` admits the account that holds the seat, `token` the account whose linked wallet owns the seat’s token. `token` requires a contract and `allowTransfers`. Default: `token` where possible. Fixed once tickets are sold or held',
});

/** Makes a field optional and nullable, and replaces an absent or null value by a default. */
function withDefault<Schema extends z.ZodType, Default>(schema: Schema, defaultValue: Default) {
  return schema.nullish().transform((value) => value ?? defaultValue);
}

const hiddenMeta = { description: 'Whether buyers need a code to see the tier and buy its tickets' };
const saleStartMeta = {
  description:
    'When the tier’s sale begins. The event’s sale must have begun too. Null: with the event’s sale',
};
const saleEndMeta = {
  description: 'When the tier’s sale ends, unless the event’s sale ends earlier. Null: with the event’s sale',
};

const perTicketMeta = {
  description: 'For an add-on: how many an order may have for each of its tickets. Default: 1',
};
const minPerOrderMeta = {
  description: 'The minimum number in an order that contains the tier. Default: 1',
};
const taxPercentMeta = { description: 'The tax that the price includes, in percent. Null: none' };

export const tierCreation = z
  .object({
    name: filledText(200).meta({ description: 'Shown to buyers' }),
    description: withDefault(text(2000), '').meta({ description: 'Plain text. Default: empty' }),
    price: price.meta({
      description:
        'The price of one ticket in the event’s currency, without the fee of 2.5 %; 0 for a free ticket',
    }),
    quantity: quantity.meta({ description: 'The number of tickets. With 0, none are on sale' }),
    maxPerPerson: withDefault(maximumPerPerson, 10).meta({
      description: 'The maximum number of tickets that one user may hold. Default: 10',
    }),
    hidden: z.boolean().nullish().meta(hiddenMeta),
    saleStart: timestamp.nullish().meta(saleStartMeta),
    saleEnd: timestamp.nullish().meta(saleEndMeta),
    kind: withDefault(z.enum(tierKinds), 'ticket' as const).meta({
      description:
        '`addon`: sold only beside tickets of the same order, such as parking. It has a code at the door, but no token. Fixed. Default: `ticket`',
    }),
    perTicket: withDefault(perTicket, 1).meta(perTicketMeta),
    minPerOrder: withDefault(maximumPerPerson, 1).meta(minPerOrderMeta),
    taxPercent: taxPercent
      .nullish()
      .transform((value) => value ?? undefined)
      .meta(taxPercentMeta),
  })
  .meta({ examples: [{ name: 'Balcony', price: 80, quantity: 40, maxPerPerson: 2 }] });
export type TierCreation = z.infer<typeof tierCreation>;

export const tierChange = z
  .object({
    name: filledText(200).optional().meta({ description: 'Shown to buyers' }),
    description: text(2000).optional().meta({ description: 'Plain text' }),
    price: price.optional().meta({
      description:
        'The price of one ticket in the event’s currency, without the fee of 2.5 %. Applies to new orders',
    }),
    quantity: quantity
      .optional()
      .meta({ description: 'The number of tickets, not less than the tickets sold and held' }),
    maxPerPerson: maximumPerPerson
      .optional()
      .meta({ description: 'The maximum number of tickets that one user may hold' }),
    hidden: z.boolean().optional().meta(hiddenMeta),
    saleStart: timestamp.nullable().optional().meta(saleStartMeta),
    saleEnd: timestamp.nullable().optional().meta(saleEndMeta),
    kind: z
      .enum(tierKinds)
      .optional()
      .meta({ description: 'Fixed: another kind than the tier has returns 409' }),
    perTicket: perTicket.optional().meta(perTicketMeta),
    minPerOrder: maximumPerPerson.optional().meta(minPerOrderMeta),
    taxPercent: taxPercent.nullable().optional().meta(taxPercentMeta),
  })
  .meta({ examples: [{ quantity: 120 }] });
export type TierChange = z.infer<typeof tierChange>;

const buyersMeta = {
  description:
    'Who can buy: `accounts`, or `anyone`, who then name themselves with the order. `requireKYC` implies `accounts`. Default: `accounts`',
};
const feePaidByMeta = {
  description:
    'Who pays the fee of 2.5 %: `buyer` adds it to the price, `organizer` takes it out of the price. Applies to new orders. Default: `buyer`',
};
const languageMeta = { description: 'The language of the event’s mails. Default: `en`' };
const sellerInput = z.object({
  name: filledText(200).meta({ description: 'The name of the person or company' }),
  address: filledText(500).meta({ description: 'The postal address' }),
  taxId: withDefault(filledText(50), null).meta({ description: 'The tax number. Default: null' }),
});
const questionInput = z
  .object({
    id: z.string().max(64).optional().meta({ description: 'Absent for a new question' }),
    label: filledText(200).meta({ description: 'The question', examples: ['What do you eat?'] }),
    kind: z.enum(questionKinds).meta({
      description:
        '`text` is a line of up to 200 characters, `longtext` has up to 2,000, `date` is a day. Fixed',
    }),
    required: withDefault(z.boolean(), false).meta({
      description: 'Whether it must be answered; a `checkbox` must then be ticked. Default: false',
    }),
    options: withDefault(z.array(filledText(200)).max(50), []).meta({
      description: 'For `choice` and `multiple`: what can be chosen, at least two',
    }),
    tierIds: withDefault(z.array(z.string().max(64)).max(maximumTiers), []).meta({
      description: 'The tiers whose buyers are asked. Default: all tickets, but no add-ons',
    }),
    per: withDefault(z.enum(['order', 'ticket']), 'order' as const).meta({
      description: 'Whether it is asked once for the order, or for each ticket. Fixed. Default: `order`',
    }),
  })
  .refine(
    ({ kind, options }) =>
      kind === 'choice' || kind === 'multiple'
        ? options.length >= 2 && new Set(options).size === options.length
        : options.length === 0,
    {
      path: ['options'],
      message: 'must have at least two different entries for choice and multiple, and none for other kinds',
    },
  );
export type QuestionInput = z.infer<typeof questionInput>;
const questions = z.array(questionInput).max(maximumQuestions);
const questionsMeta = {
  description:
    'What buyers are asked, at most 20 questions. A list replaces the earlier one; the answers to a removed question stay',
};
const questionsWhenMeta = {
  description:
    'When required questions have to be answered: with the `order`, or `later`, until the event begins. Default: `order`',
};
const offlineModeMeta = {
  description:
    'What devices at the door do without network: `ask` whether to go on offline, when a ticket could be used at two gates; do so in `automatic` mode; or `never`. Default: `ask`',
};
const checkInListInput = z.object({
  id: z.string().max(64).optional().meta({ description: 'Absent for a new list' }),
  name: filledText(100).meta({ description: 'Unique in the event', examples: ['Main gate'] }),
  tierIds: withDefault(z.array(z.string().max(64)).max(maximumTiers), []).meta({
    description: 'The tiers that are admitted. Default: all',
  }),
  allowExit: withDefault(z.boolean(), false).meta({
    description: 'Whether people who go out, and are scanned then, come in again. Default: false',
  }),
  oncePer: withDefault(z.enum(['event', 'day']), 'event' as const).meta({
    description:
      'How often a ticket is admitted: once, or once a day in the event’s time zone. Default: `event`',
  }),
});
export type CheckInListInput = z.infer<typeof checkInListInput>;
const checkInListsMeta = {
  description:
    'The lists by which tickets are checked in, such as gates, days and areas, at most 20. A list replaces the earlier ones. Default: none, and a ticket is admitted once',
};
const returnsInput = z.object({
  until: timestamp.meta({
    description: 'The last moment at which a ticket can be returned, at the latest the end of the event',
  }),
  feePercent: z
    .int()
    .min(0)
    .max(100)
    .meta({ description: 'What you keep of a ticket’s worth, in percent', examples: [10] }),
  mode: z
    .enum(returnModes)
    .default('always')
    .meta({
      description: `${returnModesMeta.description}. It needs \`waitingList\`, entry by \`account\`, and a currency that is paid at a gateway`,
    }),
});
const returnsMeta = {
  description: 'How buyers may return tickets. Null: not at all. An order keeps the policy of its purchase',
};
const waitingListMeta = {
  description:
    'Whether people can wait for tickets of sold-out tiers. Default: false. After true, false ends all entries',
};
const queueInput = z
  .object({
    opensAt: timestamp.meta({ description: 'When people can join' }),
    drawAt: withDefault(timestamp, undefined).meta({
      description:
        'Who joined before is drawn, who joins later follows. Not before `saleStart`, which is the default',
    }),
    until: withDefault(timestamp, undefined).meta({
      description: 'When everybody may order again. Default: the end of the sale',
    }),
    perMinute: withDefault(queuePerMinute, undefined).meta({
      description: 'How many people are admitted a minute. Default: automatic',
    }),
  })
  .refine(({ opensAt, drawAt = opensAt, until = '9999' }) => opensAt <= drawAt && drawAt < until, {
    path: ['drawAt'],
    message: 'must not be before opensAt, and must be before until',
  });
export type QueueInput = z.infer<typeof queueInput>;
const queueMeta = {
  description:
    'How people queue for the tickets; null: not at all. Once the queue has opened, only `until` can be changed',
};
const attachPdfMeta = {
  description: 'Whether the mail with up to ten tickets has them as a PDF file, too. Default: false',
};
const sellerMeta = { description: 'Who sells the tickets, as invoices name them. Null: none' };

export const eventCreation = z
  .object({
    title: filledText(200).meta({ description: 'Shown to buyers' }),
    description: withDefault(text(5000), '').meta({ description: 'Markdown, without HTML. Default: empty' }),
    venue: filledText(200).meta({ description: 'The name of the place' }),
    address: withDefault(text(500), '').meta({ description: 'The street address. Default: empty' }),
    city: withDefault(text(200), '').meta({
      description: 'The city, a filter of the event list. Default: empty',
    }),
    country: withDefault(text(200), '').meta({ description: 'The name of the country. Default: empty' }),
    latitude: withDefault(latitude, null).meta({ description: 'In degrees. Default: null' }),
    longitude: withDefault(longitude, null).meta({ description: 'In degrees. Default: null' }),
    timezone: withDefault(timezone, 'UTC').meta({
      description: 'The IANA name of the time zone in which the event’s times are shown. Default: UTC',
    }),
    startDate: timestamp.meta({
      description: 'When the event begins (`eventDate` in responses). ISO 8601; UTC without an offset',
    }),
    endDate: withDefault(timestamp, undefined).meta({
      description: 'When the event ends, not before it begins. Default: two hours later',
    }),
    category: withDefault(categoryInput, 'OTHER' as const).meta({
      description:
        'The kind of event. Responses use upper case, `MUSIC` for `concert` and `MEETUP` for `networking`. Default: `other`',
    }),
    image: withDefault(imageUrl, '').meta({ description: 'An http, https or ipfs address. Default: none' }),
    imageUrl: withDefault(imageUrl, '').meta({ description: 'Alias of `image`' }),
    contractAddress: withDefault(walletAddress, null).meta({
      description: 'The ERC-721 contract that mints the tickets. Default: none, and no tokens are minted',
    }),
    chainId: withDefault(chainId, 137).meta({
      description: 'The EIP-155 id of the contract’s chain. Default: 137 (Polygon)',
    }),
    metadataUri: withDefault(resourceUrl, null).meta({
      description: 'An http, https or ipfs address of metadata for the tokens. Default: null',
    }),
    tiers: withDefault(z.array(tierCreation).max(maximumTiers), []).meta({
      description:
        'At most 30 tiers of tickets. Default: one tier `General Admission` from `ticketPrice` and `maxCapacity`',
    }),
    ticketPrice: withDefault(price, 0).meta({
      description: 'The price in an event without `tiers`. Default: 0',
    }),
    maxCapacity: withDefault(quantity, 0).meta({
      description: 'The number of tickets in an event without `tiers`. Default: 0, none on sale',
    }),
    currency: withDefault(currency, 'USD' as const).meta({
      description:
        'The currency of all prices. Payment by crypto requires a coin or token of the event’s chain. Default: USD',
    }),
    saleStart: withDefault(timestamp, undefined).meta({ description: 'When the sale begins. Default: now' }),
    saleEnd: withDefault(timestamp, undefined).meta({
      description: 'When the sale ends. Default: the end of the event',
    }),
    totalSupply: withDefault(quantity, undefined).meta({
      description: 'The maximum number of tickets over all tiers. Default: the sum of their quantities',
    }),
    maxPerWallet: withDefault(maximumPerPerson, undefined).meta({
      description:
        'The maximum number of tickets over all tiers for one user. Default: the largest `maxPerPerson`; 10 without `tiers`',
    }),
    tags: withDefault(text(1000), '').meta({ description: 'Keywords, separated by commas. Default: empty' }),
    isPublic: withDefault(z.boolean(), true).meta({
      description:
        'Whether the event is in the public list. Otherwise it is found only by its id. Default: true',
    }),
    allowTransfers: withDefault(z.boolean(), true).meta({
      description: 'Whether holders may transfer their tickets, including the tokens. Default: true',
    }),
    entry: withDefault(entryType, undefined),
    requireKYC: withDefault(z.boolean(), false).meta({
      description: 'Whether buyers need the KYC status `VERIFIED`. Default: false',
    }),
    lockAfterAdmission: withDefault(z.boolean(), false).meta({
      description:
        'Whether the token of a ticket can no longer be transferred once somebody was admitted with it. Applies to admissions from then on. Default: false',
    }),
    status: withDefault(z.enum(eventStatuses), 'PUBLISHED' as const).meta({
      description: 'Default: `PUBLISHED`. Only the organizer and the staff see a `DRAFT`',
    }),
    buyers: withDefault(z.enum(buyerKinds), 'accounts' as const).meta(buyersMeta),
    feePaidBy: withDefault(z.enum(feePayers), 'buyer' as const).meta(feePaidByMeta),
    language: withDefault(z.enum(languages), 'en' as const).meta(languageMeta),
    seller: withDefault(sellerInput, null).meta(sellerMeta),
    attachPdf: withDefault(z.boolean(), false).meta(attachPdfMeta),
    returns: withDefault(returnsInput, null).meta(returnsMeta),
    waitingList: withDefault(z.boolean(), false).meta(waitingListMeta),
    queue: withDefault(queueInput, null).meta(queueMeta),
    questions: withDefault(questions, undefined).meta(questionsMeta),
    questionsWhen: withDefault(z.enum(questionTimes), 'order' as const).meta(questionsWhenMeta),
    offlineMode: withDefault(z.enum(offlineModes), 'ask' as const).meta(offlineModeMeta),
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

/** When the copy of an event begins. */
export const eventDuplication = z
  .object({ startDate: timestamp.meta({ description: 'When the copy begins' }) })
  .meta({ examples: [{ startDate: '2030-06-08T20:00:00+01:00' }] });
export type EventDuplication = z.infer<typeof eventDuplication>;

/** Absent fields stay unchanged. Null clears a nullable field. */
export const eventChange = z
  .object({
    title: filledText(200).optional().meta({ description: 'Shown to buyers' }),
    description: text(5000).optional().meta({ description: 'Markdown, without HTML' }),
    venue: filledText(200).optional().meta({ description: 'The name of the place' }),
    address: text(500).optional().meta({ description: 'The street address' }),
    city: text(200).optional().meta({ description: 'The city, a filter of the event list' }),
    country: text(200).optional().meta({ description: 'The name of the country' }),
    latitude: latitude.nullable().optional().meta({ description: 'In degrees' }),
    longitude: longitude.nullable().optional().meta({ description: 'In degrees' }),
    timezone: timezone
      .optional()
      .meta({ description: 'The IANA name of the time zone in which the event’s times are shown' }),
    eventDate: timestamp
      .optional()
      .meta({ description: 'When the event begins. ISO 8601; UTC without an offset' }),
    endDate: timestamp
      .optional()
      .meta({ description: 'When the event ends. Without it, the end moves with `eventDate`' }),
    saleStart: timestamp.optional().meta({ description: 'When the sale begins' }),
    saleEnd: timestamp.optional().meta({ description: 'When the sale ends' }),
    totalSupply: quantity.optional().meta({
      description: 'The maximum number of tickets over all tiers, not less than the tickets sold and held',
    }),
    ticketPrice: price
      .optional()
      .meta({ description: 'The price of the only tier. An event with several tiers returns 409' }),
    currency: currency
      .optional()
      .meta({ description: 'The currency of all prices. Fixed once tickets are sold or held' }),
    maxPerWallet: maximumPerPerson
      .optional()
      .meta({ description: 'The maximum number of tickets over all tiers for one user' }),
    contractAddress: walletAddress.nullable().optional().meta({
      description:
        'The ERC-721 contract that mints the tickets; null for none. Fixed once tickets are sold or held',
    }),
    chainId: chainId
      .optional()
      .meta({ description: 'The EIP-155 id of the contract’s chain. Fixed once tickets are sold or held' }),
    imageUrl: imageUrl.optional().meta({ description: 'An http, https or ipfs address; empty for none' }),
    metadataUri: resourceUrl
      .nullable()
      .optional()
      .meta({ description: 'An http, https or ipfs address of metadata for the tokens; null for none' }),
    category: z.enum(categories).optional().meta({ description: 'The kind of event' }),
    tags: text(1000).optional().meta({ description: 'Keywords, separated by commas' }),
    isPublic: z
      .boolean()
      .optional()
      .meta({ description: 'Whether the event is in the public list. Otherwise it is found only by its id' }),
    allowTransfers: z
      .boolean()
      .optional()
      .meta({ description: 'Whether holders may transfer their tickets, including the tokens' }),
    entry: entryType.optional(),
    requireKYC: z.boolean().optional().meta({ description: 'Whether buyers need the KYC status `VERIFIED`' }),
    lockAfterAdmission: z.boolean().optional().meta({
      description:
        'Whether the token of a ticket can no longer be transferred once somebody was admitted with it. Applies to admissions from then on',
    }),
    status: z.enum(eventStatuses).optional().meta({
      description: '`CANCELLED` is final: it ends sales, fails pending orders and refunds paid ones',
    }),
    buyers: z.enum(buyerKinds).optional().meta(buyersMeta),
    feePaidBy: z.enum(feePayers).optional().meta(feePaidByMeta),
    language: z.enum(languages).optional().meta(languageMeta),
    seller: sellerInput.nullable().optional().meta(sellerMeta),
    attachPdf: z.boolean().optional().meta(attachPdfMeta),
    returns: returnsInput.nullable().optional().meta(returnsMeta),
    waitingList: z.boolean().optional().meta(waitingListMeta),
    queue: queueInput.nullable().optional().meta(queueMeta),
    questions: questions.optional().meta(questionsMeta),
    questionsWhen: z.enum(questionTimes).optional().meta(questionsWhenMeta),
    offlineMode: z.enum(offlineModes).optional().meta(offlineModeMeta),
    checkInLists: z.array(checkInListInput).max(maximumCheckInLists).optional().meta(checkInListsMeta),
  })
  .meta({ examples: [{ description: 'Doors open at seven.', currency: 'NGN' }] });
export type EventChange = z.infer<typeof eventChange>;

const pathId = z.string().max(100);
const eventId = pathId.meta({ description: 'The id of the event' });
export const eventPath = z.object({ id: eventId });
export const tierPath = z.object({ id: eventId, tierId: pathId.meta({ description: 'The id of the tier' }) });

/** Errors common to all changes of an event or its tiers. */
export const eventChangeErrorCodes = [
  'forbidden',
  'event-not-found',
  'below-sold',
  'busy',
] as const satisfies ErrorCode[];
