import type { createEvent, Event } from 'boxoffice-client';
import { t } from './texts/shop.ts';
import { language } from './texts/texts.ts';

/** Formats places, counts and times. For amounts see money.ts. */

/** The visitor's kind of the page's language, so that dates and amounts are in that language. */
export const locale =
  navigator.languages.find((tag) => tag.split('-', 1)[0] === language) ??
  (language === 'en' ? 'en-GB' : language);

/** Returns a formatter of times, in UTC where the browser does not know the zone: the service may know newer ones. */
export function timeFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  }
}

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

/** Formats an event's end: 22:30, with its date when it is on another day than the start. */
export function timeOfDay({
  eventDate,
  endDate,
  timezone,
}: {
  eventDate: string;
  endDate: string;
  timezone: string;
}): string {
  const format = (time: string, options: Intl.DateTimeFormatOptions) =>
    timeFormat({ ...options, timeZone: timezone }).format(new Date(time));
  const isSameDay = format(eventDate, { dateStyle: 'short' }) === format(endDate, { dateStyle: 'short' });
  return format(endDate, { timeStyle: 'short', ...(!isSameDay && { dateStyle: 'medium' }) });
}

/** Formats a duration of up to two days in hours: 2 h, 1 h 30 min; a longer one in days. */
export function durationBetween(start: string, end: string): string {
  const minutes = Math.round((Date.parse(end) - Date.parse(start)) / 60_000);
  if (minutes > 48 * 60) return t('values.days', { count: Math.ceil(minutes / (24 * 60)) });
  const parts = [[Math.floor(minutes / 60), 'hours'] as const, [minutes % 60, 'minutes'] as const];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => t(`values.${unit}`, { count }))
    .join(' ');
}

/** Returns the address of a map that shows an event's place. */
export function mapLink({
  latitude,
  longitude,
  ...place
}: {
  latitude: number | null;
  longitude: number | null;
  venue: string;
  address: string;
  city: string;
  country: string;
}): string {
  const map = 'https://www.openstreetmap.org';
  if (latitude !== null && longitude !== null)
    return `${map}/?mlat=${latitude}&mlon=${longitude}#map=17/${latitude}/${longitude}`;
  const query = [place.address || place.venue, place.city, place.country].filter(Boolean).join(', ');
  return `${map}/search?${new URLSearchParams({ query })}`;
}

function formatInZone(time: string, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  const text = timeFormat({ ...options, timeZone }).format(new Date(time));
  return `${text} ${zoneName(time, 'short', timeZone)}`;
}

function zoneName(time: string, timeZoneName: 'short' | 'shortOffset', timeZone?: string): string {
  return (
    timeFormat({ timeZone, timeZoneName })
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
  return available === 0 ? t('values.soldOut') : t('values.left', { count: available });
}

/** Formats the number of tickets left in all tiers. An event without visible tiers has only hidden ones. */
export function formatEventAvailability({ tiers }: { tiers: readonly { available: number }[] }): string {
  if (tiers.length === 0) return t('values.withCodeOnly');
  return formatAvailability(tiers.reduce((sum, { available }) => sum + available, 0));
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
}

/** The categories of events: their names in the API. */
export const categories: readonly Category[] = [
  { value: 'MUSIC', creationName: 'concert' },
  { value: 'CONFERENCE', creationName: 'conference' },
  { value: 'FESTIVAL', creationName: 'festival' },
  { value: 'MEETUP', creationName: 'networking' },
  { value: 'SPORTS', creationName: 'sports' },
  { value: 'THEATER', creationName: 'theater' },
  { value: 'WORKSHOP', creationName: 'workshop' },
  { value: 'OTHER', creationName: 'other' },
];

/** Returns a category's label, such as Concert for MUSIC. */
export function categoryLabel(value: Event['category']): string {
  return t(`categories.${value}`);
}

/** Returns a category's name in the request that creates an event, such as concert for MUSIC. */
export function categoryForCreation(value: Event['category']): CreationName {
  return categories.find((category) => category.value === value)?.creationName ?? 'other';
}
