import * as z from 'zod';
import type { User } from '../../accounts/users/user.ts';
import { forbidden } from '../../core/errors.ts';
import { currency, languages, minorUnits, time } from '../../core/schemas.ts';
import { eventPool, type Inventory } from '../inventory/inventory.ts';
import { queueState, queueTerms } from '../queue/queue.ts';

/** What an answer is: a line, a text, one or several of the options, a tick, or a day. */
export const questionKinds = ['text', 'longtext', 'choice', 'multiple', 'checkbox', 'date'] as const;

/** A question to the buyer. */
export const question = z.object({
  /** Short, since an order contains it with each answer. */
  id: z.string(),
  label: z.string(),
  kind: z.enum(questionKinds),
  required: z.boolean(),
  /** What can be chosen; empty for other kinds than `choice` and `multiple`. */
  options: z.array(z.string()),
  /** The tiers whose buyers are asked; empty for all tickets, but no add-ons. */
  tierIds: z.array(z.string()),
  /** Whether it is asked once, or for each ticket. */
  per: z.enum(['order', 'ticket']),
});
export type Question = z.infer<typeof question>;

/** The maximum number of questions of an event. */
export const maximumQuestions = 20;

/** When required questions have to be answered: with the order, or until the event begins. */
export const questionTimes = ['order', 'later'] as const;

/**
 * What devices at the door do without network: they ask whether to go on offline, do so by themselves, or admit nobody.
 */
export const offlineModes = ['ask', 'automatic', 'never'] as const;

/** A list of an event's check-in: a gate, a day or an area, with its own rule about who comes in how often. */
export const checkInList = z
  .object({
    id: z.string(),
    name: z.string(),
    tierIds: z.array(z.string()).meta({ description: 'The tiers that are admitted; empty for all' }),
    allowExit: z
      .boolean()
      .meta({ description: 'Whether people who go out, and are scanned then, come in again' }),
    oncePer: z.enum(['event', 'day']).meta({
      description: 'How often a ticket is admitted: once, or once a day in the event’s time zone',
    }),
  })
  .meta({ id: 'CheckInList' });
export type CheckInList = z.infer<typeof checkInList>;

/** The maximum number of lists of an event. */
export const maximumCheckInLists = 20;

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

/** Who is admitted: the account that holds a seat, or the account whose linked wallet owns the seat's token. */
export const entryTypes = ['account', 'token'] as const;
export type EntryType = (typeof entryTypes)[number];

/** Who pays the platform's fee of 2.5 %: the buyer, on top of the price, or the organizer, out of it. */
export const feePayers = ['buyer', 'organizer'] as const;

/** Who can buy: users with an account, or also guests, who only name themselves. */
export const buyerKinds = ['accounts', 'anyone'] as const;

/** Who sells the tickets, as invoices name them. */
export const seller = z.object({ name: z.string(), address: z.string(), taxId: z.string().nullable() });
type Seller = z.infer<typeof seller>;

/**
 * `always`: a returned ticket is refunded at once. `when-resold`: it is listed, stays valid, and is refunded when somebody on
 * the waiting list takes it.
 */
export const returnModes = ['always', 'when-resold'] as const;
export const returnModesMeta = {
  description:
    '`always`: a returned ticket is refunded at once. `when-resold`: it stays valid until somebody on the waiting list takes it, and is refunded then',
};

/** How buyers may return tickets. `until` is ISO 8601 in UTC. */
export const returnPolicy = z
  .object({
    until: time.meta({ description: 'The last moment' }),
    feePercent: z.number().meta({ description: 'What the organizer keeps of a ticket’s worth, in percent' }),
    mode: z.enum(returnModes).meta(returnModesMeta),
  })
  .meta({ id: 'ReturnPolicy' });
export type ReturnPolicy = z.infer<typeof returnPolicy>;

export const tierKinds = ['ticket', 'addon'] as const;

/** Limited, since one transaction changes the inventory of all tiers. */
export const maximumTiers = 30;

/** A stored tier. */
const tier = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Minor units of the event's currency. */
  price: minorUnits,
  quantity: z.number(),
  maxPerPerson: z.number(),
  /** Whether only buyers with a code that reveals the tier see it and can buy its tickets. */
  hidden: z.boolean().default(false),
  /** When the tier's own sale starts and ends; absent when only the event's sale window applies. */
  saleStart: z.string().optional(),
  saleEnd: z.string().optional(),
  /** What it sells: admission, or an add-on such as parking, which is sold beside tickets and has no token. */
  kind: z.enum(tierKinds).default('ticket'),
  /** The maximum number of an add-on for each ticket of the order. */
  perTicket: z.number().default(1),
  /** The minimum number in an order that contains the tier. */
  minPerOrder: z.number().default(1),
  /** The tax that the price includes, in percent; absent without one. */
  taxPercent: z.number().optional(),
  /** Whether its free tickets are sold against offers of its waiting list only, because somebody waits. */
  sellsToList: z.boolean().optional(),
  /** The number of items that store the tier's inventory. */
  shards: z.number(),
});
export type Tier = z.infer<typeof tier>;

export function isAddOn({ kind }: Pick<Tier, 'kind'>): boolean {
  return kind === 'addon';
}

/** The families of letters that an organizer's pages may have. All are on the reader's device. */
export const fonts = ['sans', 'serif', 'rounded', 'mono'] as const;

/** What an event shows of its organizer's page. */
export const organizerMark = z.object({
  slug: z.string().meta({ description: 'The page’s address is `/o/<slug>`', examples: ['old-station'] }),
  name: z.string().meta({ examples: ['Old Station'] }),
  contact: z.string().nullable().meta({ description: 'An e-mail address, or an https address' }),
  accent: z
    .string()
    .nullable()
    .meta({ description: '`#rrggbb`', examples: ['#0b6e4f'] }),
  logoUrl: z.string().nullable().default(null).meta({ description: 'The https address of a picture' }),
  font: z.enum(fonts).nullable().default(null),
});

/** A stored event. Times are ISO 8601 in UTC. */
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
  endDate: z.string(),
  /** The latest end that the event had since tickets were sold or held. Set when the event is moved to an earlier end. */
  latestEnd: z.string().optional(),
  /** When earnings of the event first became available for payouts (PAYOUTS_FROM=event). It can't be cancelled any more. */
  earningsUnlockedAt: z.string().optional(),
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
  /** Whether a ticket's token is locked once somebody was admitted with it. */
  lockAfterAdmission: z.boolean(),
  entry: z.enum(entryTypes),
  /**
   * Whether the entry was chosen by the organizer or fixed by a sale. Otherwise it depends on the contract and
   * `allowTransfers`.
   */
  isEntryChosen: z.boolean(),
  status: z.enum(eventStatuses),
  buyers: z.enum(buyerKinds).default('accounts'),
  feePaidBy: z.enum(feePayers).default('buyer'),
  language: z.enum(languages).default('en'),
  seller: seller.nullable().default(null),
  /** Whether the mail with the tickets has them as a PDF file, too. */
  attachPdf: z.boolean().default(false),
  /** How buyers may return tickets; each order keeps that of its purchase. Null: not at all. */
  returns: returnPolicy.nullable().default(null),
  /** Whether people can wait for tickets that come free. */
  waitingList: z.boolean().default(false),
  /** How people queue for its tickets; null: orders are served as they come. */
  queue: queueTerms.nullable().default(null),
  /** What is decided about its queue. Its seed is secret until the draw. */
  queueState: queueState.optional(),
  /**
   * Whether all its free tickets are sold against offers only: somebody waits for a tier that has tickets, and the pool
   * for the whole event has too few.
   */
  poolSellsToList: z.boolean().optional(),
  /** The sellers before the current one, oldest first: orders name theirs by its position. */
  formerSellers: z.array(seller).default([]),
  /** What buyers are asked; absent until the event has had a question. */
  questions: z.array(question).optional(),
  questionsWhen: z.enum(questionTimes).default('order'),
  offlineMode: z.enum(offlineModes).default('ask'),
  /** The lists that its tickets are checked in by; empty: once at the event. */
  checkInLists: z.array(checkInList).default([]),
  organizerId: z.string(),
  /** Whether the organizer has webhook endpoints, and the number of their changes at which this was copied. */
  hasWebhooks: z.boolean().optional(),
  webhookVersion: z.number().optional(),
  /** What is shown of the organizer's page, and the number of its changes at which this was copied. */
  organizer: organizerMark.optional(),
  organizerVersion: z.number().optional(),
  tiers: z.array(tier),
  /**
   * Whether the event was created without tiers. Its single tier then follows the event's ticketPrice, totalSupply and
   * maxPerWallet.
   */
  isSimple: z.boolean(),
  /** Incremented by every change that inventory decisions depend on; see inventory/inventory.ts. */
  saleVersion: z.number(),
  /** The number of shards of the pool for the whole event; 0 while only the tiers limit its tickets. */
  supplyShards: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Event = z.infer<typeof event>;

/** Parses a stored item as an event. @throws ZodError for any other item */
export function toEvent(item: unknown): Event {
  return event.parse(item);
}

/** Returns whether the free tickets of a tier are sold against offers of the waiting list only. */
export function sellsToList({ poolSellsToList }: Pick<Event, 'poolSellsToList'>, tier: Tier): boolean {
  return tier.sellsToList === true || (poolSellsToList === true && !isAddOn(tier));
}

/** @throws DomainError 403 for a person without KYC, where the event requires it */
export function requireVerifiedIdentity({ requireKYC }: Event, { kycStatus }: Pick<User, 'kycStatus'>): void {
  if (requireKYC && kycStatus !== 'VERIFIED') {
    throw forbidden('This event requires a verified identity', 'kyc-required');
  }
}

/** Returns whether people without an account can buy. An identity is verified for accounts only. */
export function allowsGuests({ buyers, requireKYC }: Pick<Event, 'buyers' | 'requireKYC'>): boolean {
  return buyers === 'anyone' && !requireKYC;
}

/** Returns the seller of an order as it was sold; null without one. @param sellerVersion the seller's position */
export function sellerOf(
  { seller, formerSellers }: Pick<Event, 'seller' | 'formerSellers'>,
  sellerVersion: number | undefined,
): Seller | null {
  return sellerVersion === undefined ? null : ([...formerSellers, seller][sellerVersion] ?? null);
}

/** Returns whether the public list contains the event. */
export function isListed({ status, isPublic }: Event): boolean {
  return status === 'PUBLISHED' && isPublic;
}

/**
 * Returns the event without its hidden tiers, and the questions about them, except those that the caller's code reveals.
 * `ticketPrice` becomes the lowest price of the remaining tiers, 0 without any, since it must not reveal a hidden price.
 */
export function removeHiddenTiers(event: Event, isRevealed: (tier: Tier) => boolean = () => false): Event {
  const tiers = event.tiers.filter((tier) => !tier.hidden || isRevealed(tier));
  if (tiers.length === event.tiers.length) return event;
  const isShown = (id: string) => tiers.some((tier) => tier.id === id);
  const questions = event.questions
    ?.filter(({ tierIds }) => tierIds.length === 0 || tierIds.some(isShown))
    .map((asked) => ({ ...asked, tierIds: asked.tierIds.filter(isShown) }));
  return { ...event, tiers, ticketPrice: lowestPrice(tiers), ...(questions && { questions }) };
}

/** Returns the lowest price of a ticket; 0 for none. */
export function lowestPrice(tiers: readonly Tier[]): bigint {
  const prices = tiers.filter((tier) => !isAddOn(tier)).map(({ price }) => price);
  return prices.reduce((lowest, price) => (price < lowest ? price : lowest), prices[0] ?? 0n);
}

/** Returns the end of the event or of its sale, the later of both, in epoch milliseconds. */
export function endOf({ eventDate, endDate, saleEnd }: Event): number {
  return Math.max(...[eventDate, endDate, saleEnd].map(Date.parse));
}

/** Returns whether an event is published, and the event or its sale has not ended. */
export function isUnfinished(event: Event, now: number): boolean {
  return event.status === 'PUBLISHED' && endOf(event) > now;
}

/**
 * Returns the latest end that the event had since tickets were sold or held, in epoch milliseconds. It never decreases,
 * so that an organizer can't release money early by back-dating an event.
 */
export function latestEndOf(event: Event): number {
  return Math.max(endOf(event), event.latestEnd === undefined ? 0 : Date.parse(event.latestEnd));
}

/**
 * Returns the last moment at which tickets can be returned, ISO 8601 in UTC: never after the latest end of the event, from
 * which on its earnings may be paid out, also when the event is then moved to a later date.
 */
export function returnsEndAt({ until }: ReturnPolicy, event: Event): string {
  const { earningsUnlockedAt = until } = event;
  const end = Math.min(Date.parse(until), latestEndOf(event), Date.parse(earningsUnlockedAt));
  return new Date(end).toISOString();
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Returns when an event's earnings are unlocked, in epoch milliseconds: some days after its latest end, in which an event
 * that never took place is noticed. Those of a draft stay locked, which is checked again a day later.
 */
export function earningsUnlockAt(event: Event, now: number, holdDays = 0): number {
  const holdEndsAt = latestEndOf(event) + holdDays * dayMilliseconds;
  return Math.max(holdEndsAt, event.status === 'DRAFT' ? now + dayMilliseconds : 0);
}

/** Returns whether a change moved a published event to another date or venue. */
export function hasMoved(before: Event, after: Event): boolean {
  const fields = ['eventDate', 'venue', 'address', 'city', 'country'] as const;
  return (
    before.status === 'PUBLISHED' &&
    after.status === 'PUBLISHED' &&
    fields.some((name) => before[name] !== after[name])
  );
}

/** Returns the inventory of an event. */
export function inventoryOf(event: Event): Inventory {
  return {
    eventId: event.id,
    version: event.saleVersion,
    pools: [
      ...event.tiers.map((tier) => ({
        id: tier.id,
        capacity: tier.quantity,
        shards: tier.shards,
        isAddOn: isAddOn(tier),
      })),
      ...(event.supplyShards > 0
        ? [{ id: eventPool, capacity: event.totalSupply, shards: event.supplyShards }]
        : []),
    ],
  };
}

/**
 * The descriptions of an event and its tiers. They are a separate item, since sales and lists read the event without
 * them.
 */
const texts = z.object({
  description: z.string(),
  /** The tiers' descriptions, by tier id. */
  tiers: z.record(z.string(), z.string()),
});
export type EventTexts = z.infer<typeof texts>;

/** Parses a stored item as texts. @throws ZodError for any other item */
export function toEventTexts(item: unknown): EventTexts {
  return texts.parse(item);
}

export function textsOf({ description, tiers }: Event): EventTexts {
  return { description, tiers: Object.fromEntries(tiers.map((tier) => [tier.id, tier.description])) };
}

/** Returns the event with empty descriptions, as its item stores it: the texts have an item of their own. */
export function withoutTexts(event: Event): Event {
  return { ...event, description: '', tiers: event.tiers.map((tier) => ({ ...tier, description: '' })) };
}

/** Returns the event with its texts. */
export function withTexts(event: Event, texts: EventTexts | undefined): Event {
  return {
    ...event,
    description: texts?.description ?? '',
    tiers: event.tiers.map((tier) => ({
      ...tier,
      description: texts?.tiers[tier.id] ?? '',
    })),
  };
}

/** The maximum number of characters of all descriptions together. */
export const maximumTextLength = 20_000;

export function textLength({ description, tiers }: Event): number {
  return tiers.reduce((sum, tier) => sum + tier.description.length, description.length);
}

/** Returns the name of a tier; empty for an unknown one. */
export function tierNameOf({ tiers }: Event, { tierId }: { tierId: string }): string {
  return tiers.find(({ id }) => id === tierId)?.name ?? '';
}
