import { conflict, invalid, notFound } from '../../../core/errors.ts';
import { type Currency, toDecimal, toMinor, toPrice } from '../../../core/money.ts';
import { type Event, maximumTiers, type Tier } from '../event.ts';
import { derivedTime } from '../fields.ts';
import type { EventChange, TierChange, TierCreation } from './event-input.ts';
import {
  assignCheckInLists,
  assignEntry,
  assignQuestions,
  assignQueue,
  newTier,
  refuseMisplacedDraw,
  refuseReversedSaleWindow,
  refuseUnsellableReturns,
  summarizeTiers,
} from './new-event.ts';

/**
 * Applies an organizer's change to an event. The single tier of an event created without tiers follows the event's
 * supply and limit per person. The prices of several tiers can't be changed by `ticketPrice`.
 * @param now epoch milliseconds
 * @throws DomainError 400 for dates in the wrong order, a price with more decimals than the currency has, or entry by
 * token without a contract or without transfers; 409 for a change that the event's state, its current prices or its
 * several tiers do not allow
 */
export function reviseEvent(event: Event, change: EventChange, now = Date.now()): Event {
  const { currency = event.currency, ticketPrice, entry, questions, queue, checkInLists, ...fields } = change;
  if (event.status === 'CANCELLED' && fields.status && fields.status !== 'CANCELLED') {
    throw conflict('event-cancelled', 'A cancelled event stays cancelled');
  }
  // The refunds of a cancellation need not be covered, since the earnings are locked until the event is over.
  if (event.earningsUnlockedAt && event.status !== 'CANCELLED' && fields.status === 'CANCELLED') {
    throw conflict(
      'earnings-unlocked',
      'The event is over and its earnings are available, so it can’t be cancelled. Refund its orders instead',
    );
  }
  const asked = questions ? assignQuestions(event, questions) : event;
  const revised = assignEntry(
    {
      ...(checkInLists ? assignCheckInLists(asked, checkInLists) : asked),
      ...fields,
      ...retireSeller(event, fields.seller),
      ...(fields.eventDate && { endDate: computeEnd(event, fields.eventDate, fields.endDate) }),
    },
    entry,
  );
  if (fields.endDate && revised.endDate && revised.endDate < revised.eventDate) {
    throw invalid('endDate must not be before eventDate');
  }
  if (fields.saleStart || fields.saleEnd) refuseReversedSaleWindow(revised);
  const queued = queue === undefined ? revised : assignQueue(revised, queue, now);
  refuseMisplacedDraw(queued);
  refuseUnsellableReturns({ ...queued, currency });
  const tiers = repriceTiers(event, currency, ticketPrice);
  return {
    ...queued,
    currency,
    ticketPrice: summarizeTiers(tiers).ticketPrice,
    tiers: event.isSimple ? tiers.map((tier) => applyEventLimits(tier, change)) : tiers,
  };
}

/** The maximum number of sellers that an event has had: each reader of the event reads them. */
const maximumSellers = 20;

/** Keeps the present seller for its orders when another one takes over. @throws DomainError 409 */
function retireSeller(
  { seller, formerSellers }: Event,
  next: Event['seller'] | undefined,
): Partial<Pick<Event, 'formerSellers'>> {
  if (next === undefined || !seller || JSON.stringify(next) === JSON.stringify(seller)) return {};
  if (formerSellers.length === maximumSellers) {
    throw conflict('seller-fixed', 'The seller was changed too often');
  }
  return { formerSellers: [...formerSellers, seller] };
}

/**
 * Returns the end of an event that moves to another date. Without an end in the request, the event keeps its duration.
 * The same applies when the request repeats the event's present end and this end lies before the new date.
 */
function computeEnd({ eventDate, endDate }: Event, newEventDate: string, requestedEnd?: string): string {
  if (requestedEnd !== undefined && (requestedEnd !== endDate || requestedEnd >= newEventDate))
    return requestedEnd;
  return derivedTime(Date.parse(endDate) + Date.parse(newEventDate) - Date.parse(eventDate));
}

/**
 * Returns the tiers with the requested price, if there is a single tier, and in the requested currency. Prices are not
 * converted: 50 USD becomes 50 EUR.
 */
function repriceTiers(event: Event, currency: Currency, ticketPrice: number | undefined): Tier[] {
  const price = ticketPrice === undefined ? undefined : toPrice(ticketPrice, currency, 'ticketPrice');
  const hasSingleTier = event.tiers.length === 1;
  const tiers = event.tiers.map((tier) => ({
    ...tier,
    price: (hasSingleTier ? price : undefined) ?? changeCurrency(tier.price, event.currency, currency),
  }));
  // With several tiers, the request may still repeat the event's current `ticketPrice`.
  if (price !== undefined && price !== summarizeTiers(tiers).ticketPrice) {
    throw conflict('several-tiers', 'Change the tier prices instead');
  }
  return tiers;
}

function changeCurrency(price: bigint, from: Currency, to: Currency): bigint {
  if (from === to) return price;
  const converted = toMinor(toDecimal(price, from), to);
  if (converted !== undefined) return converted;
  throw conflict('price-too-precise', `The current prices have more decimals than ${to} allows`);
}

function applyEventLimits(tier: Tier, { totalSupply, maxPerWallet }: EventChange): Tier {
  return {
    ...tier,
    quantity: totalSupply ?? tier.quantity,
    maxPerPerson: maxPerWallet ?? tier.maxPerPerson,
  };
}

/**
 * Appends a tier to an event.
 * @throws DomainError 400 for a price with too many decimals, 409 for an event with the maximum number of tiers
 */
export function addTier(event: Event, tier: TierCreation): Event {
  if (event.tiers.length >= maximumTiers) {
    throw conflict('too-many-tiers', `An event has at most ${maximumTiers} tiers`);
  }
  const added = newTier(tier, toPrice(tier.price, event.currency, 'price'));
  return { ...withTiers(event, [...event.tiers, added]), isSimple: false };
}

/**
 * Changes a tier of an event. Null removes the tier's tax, and its own start or end of sale, so that the event's
 * applies.
 * @throws DomainError 404 for an unknown tier, 400 for a price with too many decimals or a sale that ends before it
 * starts
 */
export function changeTier(event: Event, tierId: string, { price, ...change }: TierChange): Event {
  const before = event.tiers.find(({ id }) => id === tierId);
  if (!before) throw notFound('Tier');
  if (change.kind !== undefined && change.kind !== before.kind) {
    throw conflict('tier-kind-fixed', 'A tier stays a ticket or an add-on. Add a new tier instead.');
  }
  const {
    saleStart = before.saleStart,
    saleEnd = before.saleEnd,
    taxPercent = before.taxPercent,
    ...fields
  } = change;
  const { saleStart: _, saleEnd: __, taxPercent: ___, ...otherFields } = before;
  const changed = {
    ...otherFields,
    ...fields,
    ...(price !== undefined && { price: toPrice(price, event.currency, 'price') }),
    ...(saleStart && { saleStart }),
    ...(saleEnd && { saleEnd }),
    ...(typeof taxPercent === 'number' && { taxPercent }),
  };
  refuseReversedSaleWindow(changed);
  return withTiers(
    event,
    event.tiers.map((tier) => (tier === before ? changed : tier)),
  );
}

/**
 * Replaces an event's tiers. Its ticket price follows the tiers, and so do its total supply and its limit per wallet,
 * unless the organizer has set them to other values.
 */
function withTiers(event: Event, tiers: Tier[]): Event {
  const before = summarizeTiers(event.tiers);
  const after = summarizeTiers(tiers);
  return {
    ...event,
    tiers,
    ticketPrice: after.ticketPrice,
    totalSupply: event.totalSupply === before.totalSupply ? after.totalSupply : event.totalSupply,
    maxPerWallet: event.maxPerWallet === before.maxPerWallet ? after.maxPerWallet : event.maxPerWallet,
  };
}
