import type { createEvent, Event } from 'boxoffice-client';

/** Formats places, counts and times in the visitor's language. For amounts see money.ts. */

/**
 * Formats a time with its zone, such as 1 Jun 2031, 20:30 CEST.
 * @param timeZone IANA name; the visitor's own by default
 */
export function shortTime(time: string, timeZone?: string): string {
  return formatInZone(time, { dateStyle: 'medium', timeStyle: 'short' }, timeZone);
}

/** Formats a time with its weekday and zone, such as Sunday, 1 June 2031 at 20:30 CEST. */
export function longTime(time: string, timeZone?: string): string {
  return formatInZone(time, { dateStyle: 'full', timeStyle: 'short' }, timeZone);
}

/**
 * Formats an event's time on the visitor's clock, such as Sun, 14:30 EDT. Returns undefined when both clocks show the
 * same time.
 * @param timeZone the event's, an IANA name
 */
export function visitorTime(time: string, timeZone: string): string | undefined {
  if (zoneName(time, 'shortOffset', timeZone) === zoneName(time, 'shortOffset')) return undefined;
  return formatInZone(time, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
}

function formatInZone(time: string, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  const text = new Intl.DateTimeFormat(undefined, { ...options, timeZone }).format(new Date(time));
  return `${text} ${zoneName(time, 'short', timeZone)}`;
}

function zoneName(time: string, timeZoneName: 'short' | 'shortOffset', timeZone?: string): string {
  return (
    new Intl.DateTimeFormat(undefined, { timeZone, timeZoneName })
      .formatToParts(new Date(time))
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  );
}

export function formatPlace({
  venue,
  city,
  country,
}: {
  venue?: string;
  city?: string;
  country?: string;
}): string {
  return [venue, city, country].filter(Boolean).join(', ');
}

export function formatAvailability(available: number): string {
  if (available === 0) return 'Sold out';
  return available === 1 ? '1 ticket left' : `${new Intl.NumberFormat().format(available)} tickets left`;
}

/** Formats the number of tickets left in all tiers. An event without visible tiers has only hidden ones. */
export function formatEventAvailability({ tiers }: { tiers: readonly { available: number }[] }): string {
  if (tiers.length === 0) return 'Tickets with a code only';
  return formatAvailability(tiers.reduce((sum, { available }) => sum + available, 0));
}

export function formatTickets(quantity: number): string {
  return quantity === 1 ? '1 ticket' : `${quantity} tickets`;
}

/** Formats the items of an order: 2 × Adult, 1 × Parking. */
export function formatItems(items: readonly { name: string; quantity: number }[]): string {
  return items.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ');
}

type CreationName = NonNullable<Parameters<typeof createEvent>[0]['category']>;

interface Category {
  /** The name in responses and in the request that updates an event. */
  value: Event['category'];
  /** The name in the request that creates an event. */
  creationName: CreationName;
  label: string;
}

/** The categories of events: their names in the API, and their labels. */
export const categories: readonly Category[] = [
  { value: 'MUSIC', creationName: 'concert', label: 'Concert' },
  { value: 'CONFERENCE', creationName: 'conference', label: 'Conference' },
  { value: 'FESTIVAL', creationName: 'festival', label: 'Festival' },
  { value: 'MEETUP', creationName: 'networking', label: 'Meetup' },
  { value: 'SPORTS', creationName: 'sports', label: 'Sports' },
  { value: 'THEATER', creationName: 'theater', label: 'Theater' },
  { value: 'WORKSHOP', creationName: 'workshop', label: 'Workshop' },
  { value: 'OTHER', creationName: 'other', label: 'Other' },
];

/** Returns a category's label, such as Concert for MUSIC. */
export function categoryLabel(value: Event['category']): string {
  return categories.find((category) => category.value === value)?.label ?? '';
}

/** Returns a category's name in the request that creates an event, such as concert for MUSIC. */
export function categoryForCreation(value: Event['category']): CreationName {
  return categories.find((category) => category.value === value)?.creationName ?? 'other';
}
