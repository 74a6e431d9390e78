import * as z from 'zod';
import { toNumber } from '../../core/money.ts';
import { address, amount, currency, identifier, languages, time, toView } from '../../core/schemas.ts';
import { type ContractStatus, contractStatuses } from '../contracts/contract.ts';
import { eventPool } from '../inventory/inventory.ts';
import { organizerMarkView, toOrganizerMarkView } from '../organizer-page/page.ts';
import { queueTerms } from '../queue/queue.ts';
import { staffRole } from '../staff/staff.ts';
import {
  allowsGuests,
  buyerKinds,
  categories,
  checkInList,
  type Event,
  entryTypes,
  eventStatuses,
  feePayers,
  isAddOn,
  offlineModes,
  question,
  questionTimes,
  returnPolicy,
  seller,
  sellsToList,
  tierKinds,
} from './event.ts';

const count = z.int().min(0);

export const tierView = z
  .object({
    id: identifier,
    name: z.string().meta({ examples: ['Floor'] }),
    description: z.string(),
    price: amount.meta({ description: 'The price of one ticket, without the fee of 2.5 %', examples: [50] }),
    quantity: count.meta({
      description: 'The number of tickets of the tier, including sold ones',
      examples: [100],
    }),
    maxPerPerson: count.meta({
      description: 'The maximum number of tickets that one user may hold',
      examples: [4],
    }),
    hidden: z.boolean().meta({ description: 'Whether buyers need a code to see the tier' }),
    saleStart: time.meta({
      description:
        'When the tier’s sale begins; the event’s `saleStart` unless the tier has its own. The event’s sale must have begun too',
    }),
    saleEnd: time.meta({
      description:
        'When the tier’s sale ends; the event’s `saleEnd` unless the tier has its own. The event’s sale must not have ended either',
    }),
    kind: z.enum(tierKinds).meta({ description: '`addon`: sold only beside tickets of the same order' }),
    perTicket: count.meta({
      description: 'For an add-on: how many an order may have for each of its tickets',
      examples: [1],
    }),
    minPerOrder: count.meta({
      description: 'The minimum number in an order that contains the tier',
      examples: [1],
    }),
    taxPercent: z
      .number()
      .nullable()
      .meta({ description: 'The tax that the price includes, in percent', examples: [19] }),
    available: count.meta({ description: 'The number of tickets that can be bought now', examples: [87] }),
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
    timezone: z.string().meta({ description: 'The IANA name of the time zone', examples: ['Africa/Lagos'] }),
    source: z.literal('boxoffice'),
    externalUrl: z.null(),
    eventDate: time.meta({ description: 'When the event begins' }),
    endDate: time.meta({ description: 'When the event ends' }),
    saleStart: time.meta({ description: 'When the sale begins' }),
    saleEnd: time.meta({ description: 'When the sale ends' }),
    totalSupply: count.meta({
      description: 'The maximum number of tickets over all tiers',
      examples: [100],
    }),
    ticketPrice: amount.meta({
      description: 'The lowest price in `tiers`; 0 when `tiers` is empty',
      examples: [50],
    }),
    currency,
    maxPerWallet: count.meta({
      description: 'The maximum number of tickets over all tiers for one user',
      examples: [4],
    }),
    contractAddress: address
      .nullable()
      .meta({ description: 'The contract that mints the tickets; null for none' }),
    chainId: z.int().meta({ examples: [137] }),
    contractStatus: z.enum(contractStatuses).meta({
      description:
        'Whether tickets can be minted. `none`: the event has no contract. `authorized`: yes. `unauthorized`: the organizer has not proved that they administer the contract. `unchecked`: the chain has not answered yet. `mismatch`: the organizer is authorized, but only one of contract and event allows transfers',
      examples: ['authorized'],
    }),
    imageUrl: z.string().meta({ description: 'Empty without an image' }),
    metadataUri: z.string().nullable(),
    category: z.enum(categories),
    tags: z.string().meta({ description: 'Separated by commas' }),
    isPublic: z.boolean().meta({ description: 'Whether the event is in the public list' }),
    allowTransfers: z.boolean().meta({ description: 'Whether holders may transfer their tickets' }),
    entry: z.enum(entryTypes).meta({
      description:
        'Who is admitted: `account` admits the account that holds the seat, `token` the account whose linked wallet owns the seat’s token. Fixed once tickets are sold or held',
      examples: ['account'],
    }),
    requireKYC: z.boolean().meta({ description: 'Whether buyers need the KYC status `VERIFIED`' }),
    lockAfterAdmission: z.boolean().meta({
      description:
        'Whether the token of a ticket can no longer be transferred once somebody was admitted with it',
    }),
    status: z.enum(eventStatuses).meta({
      description:
        '`PUBLISHED`: on sale. `DRAFT`: visible only to the organizer and the staff. `CANCELLED`: final',
    }),
    buyers: z.enum(buyerKinds).meta({
      description: 'Who can buy: users with an account, or anyone. With `requireKYC` always `accounts`',
    }),
    feePaidBy: z.enum(feePayers).meta({
      description: 'Who pays the fee of 2.5 %: `buyer` pays it on top of the price, `organizer` out of it',
    }),
    language: z.enum(languages),
    questions: z.array(question).meta({ description: 'What buyers are asked' }),
    questionsWhen: z.enum(questionTimes).meta({
      description:
        'Whether required questions are answered with the `order`, or `later`, until the event begins',
    }),
    offlineMode: z.enum(offlineModes).meta({
      description:
        'What devices at the door do without network: `ask` whether to go on offline, do so in `automatic` mode, or `never`',
    }),
    checkInLists: z.array(checkInList).meta({
      description: 'The lists by which tickets are checked in; empty: each ticket once at the event',
    }),
    seller: seller.nullable().meta({ description: 'Who sells the tickets, as invoices name them' }),
    attachPdf: z
      .boolean()
      .meta({ description: 'Whether the mail with the tickets has them as a PDF file, up to ten' }),
    returns: returnPolicy.nullable().meta({ description: 'How buyers may return tickets; null: not at all' }),
    waitingList: z.boolean().meta({ description: 'Whether people can wait for tickets of sold-out tiers' }),
    queue: queueTerms
      .extend({
        perMinute: z.int().nullable().meta({ description: 'Admissions a minute; null: automatic' }),
      })
      .nullable()
      .meta({ description: 'How people queue for the tickets; null: not at all' }),
    organizerId: identifier,
    organizer: organizerMarkView.nullable().meta({ description: 'Who organizes it; null without a page' }),
    tiers: z.array(tierView),
    createdAt: time,
    updatedAt: time,
    staffRole: staffRole
      .optional()
      .meta({ description: 'The caller’s role at the event; only with `staff=me`' }),
  })
  .meta({ id: 'Event' });
export type EventView = z.infer<typeof eventView>;

/**
 * Returns an event as API responses contain it.
 * @param freeTickets the number of free tickets by pool: a tier's id, or `eventPool` if the event has fewer tickets than
 * its tiers together
 */
export function toEventView(
  event: Event,
  freeTickets: ReadonlyMap<string, number>,
  contractStatus: ContractStatus,
): EventView {
  const freeInEventPool = freeTickets.get(eventPool) ?? Number.POSITIVE_INFINITY;
  return toView(eventView, event, {
    source: 'boxoffice',
    externalUrl: null,
    ticketPrice: toNumber(event.ticketPrice, event.currency),
    contractStatus,
    questions: event.questions ?? [],
    organizer: toOrganizerMarkView(event) ?? null,
    queue: event.queue && { ...event.queue, perMinute: event.queueState?.perMinute ?? null },
    buyers: allowsGuests(event) ? 'anyone' : 'accounts',
    tiers: event.tiers.map((tier) =>
      toView(tierView, tier, {
        price: toNumber(tier.price, event.currency),
        saleStart: tier.saleStart ?? event.saleStart,
        saleEnd: tier.saleEnd ?? event.saleEnd,
        available: sellsToList(event, tier)
          ? 0
          : Math.min(
              freeTickets.get(tier.id) ?? 0,
              isAddOn(tier) ? Number.POSITIVE_INFINITY : freeInEventPool,
            ),
      }),
    ),
  });
}
