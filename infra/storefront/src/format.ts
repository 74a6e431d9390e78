import type { Event } from 'boxoffice-client';

/** How places, counts and times are worded, in the visitor's language. Amounts are in money.ts. */

/** A time in the visitor's own zone, such as 1 Jun 2031, 20:30. */
export function shortTime(time: string): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(time),
  );
}

export function placeOf({
  venue,
  city,
  country,
}: Partial<Pick<Event, 'venue' | 'city' | 'country'>>): string {
  return [venue, city, country].filter(Boolean).join(', ');
}

export function whatIsLeft(available: number): string {
  if (available === 0) return 'Sold out';
  return available === 1 ? '1 ticket left' : `${new Intl.NumberFormat().format(available)} tickets left`;
}

/** What is left of all tiers that are shown. */
export function leftOf({ tiers }: Event): string {
  if (tiers.length === 0) return 'Tickets with a code only';
  return whatIsLeft(tiers.reduce((sum, { available }) => sum + available, 0));
}

export function tickets(quantity: number): string {
  return quantity === 1 ? '1 ticket' : `${quantity} tickets`;
}

/** MUSIC as Music. */
export function titleCase(name: string): string {
  return name.charAt(0) + name.slice(1).toLowerCase();
}
