import { conflict } from '../../core/errors.ts';
import { type Currency, toDecimal, toMinor, toPrice } from '../../core/money.ts';
import type { Event, Tier } from '../event.ts';
import type { EventChange } from './event-input.ts';
import { refuseEmptySale, totalsOf } from './new-event.ts';

/**
 * The event as its organizer wants it changed. The one tier of an event made without tiers follows the event's
 * supply and limit; the prices of several tiers are changed tier by tier.
 * @throws DomainError 400 for dates in the wrong order and for a price with more decimals than the currency has,
 * 409 for what the event's state, its present prices or its several tiers forbid
 */
export function reviseEvent(event: Event, change: EventChange): Event {
  const { currency = event.currency, ticketPrice, ...plain } = change;
  if (event.status === 'CANCELLED' && plain.status && plain.status !== 'CANCELLED') {
    throw conflict('event-cancelled', 'A cancelled event stays cancelled');
  }
  const revised = {
    ...event,
    ...plain,
    ...(plain.eventDate && { endDate: movedEnd(event, plain.eventDate) }),
  };
  if (plain.saleStart || plain.saleEnd) refuseEmptySale(revised);
  const tiers = repriced(event, currency, ticketPrice);
  return {
    ...revised,
    currency,
    ticketPrice: totalsOf(tiers).ticketPrice,
    tiers: event.isSimple ? tiers.map((tier) => following(tier, change)) : tiers,
  };
}

/** The end of an event that begins at another time: it takes as long as before. */
function movedEnd({ eventDate, saleEnd, endDate = saleEnd }: Event, to: string): string {
  return new Date(Date.parse(endDate) + Date.parse(to) - Date.parse(eventDate)).toISOString();
}

/** The tiers with the price asked for; those whose price is not say the same number in the new currency. */
function repriced(event: Event, currency: Currency, ticketPrice: number | undefined): Tier[] {
  const price = ticketPrice === undefined ? undefined : toPrice(ticketPrice, currency, 'ticketPrice');
  const isOnly = event.tiers.length === 1;
  const tiers = event.tiers.map((tier) => ({
    ...tier,
    price: (isOnly ? price : undefined) ?? converted(tier.price, event.currency, currency),
  }));
  // A caller who sends back what it read changes nothing.
  if (price !== undefined && price !== totalsOf(tiers).ticketPrice) {
    throw conflict('several-tiers', 'Change the tier prices instead');
  }
  return tiers;
}

function converted(price: bigint, from: Currency, to: Currency): bigint {
  if (from === to) return price;
  const same = toMinor(toDecimal(price, from), to);
  if (same !== undefined) return same;
  throw conflict('price-too-precise', `The present prices have more decimals than ${to} allows`);
}

function following(tier: Tier, { totalSupply, maxPerWallet }: EventChange): Tier {
  return {
    ...tier,
    quantity: totalSupply ?? tier.quantity,
    maxPerPerson: maxPerWallet ?? tier.maxPerPerson,
  };
}
