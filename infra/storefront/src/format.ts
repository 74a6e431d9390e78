/** How places, counts and times are shown, in the visitor's language. Amounts are in money.ts. */

/**
 * A time with its zone, such as 1 Jun 2031, 20:30 CEST.
 * @param timeZone IANA name; the visitor's own by default
 */
export function shortTime(time: string, timeZone?: string): string {
  return inZone(time, { dateStyle: 'medium', timeStyle: 'short' }, timeZone);
}

/** A time with its weekday and zone, such as Sunday, 1 June 2031 at 20:30 CEST. */
export function longTime(time: string, timeZone?: string): string {
  return inZone(time, { dateStyle: 'full', timeStyle: 'short' }, timeZone);
}

/** An event's time on the visitor's clock, such as Sun, 14:30 EDT; undefined when it shows the same as the event's. */
export function visitorTime(time: string, timeZone: string): string | undefined {
  if (zoneOf(time, 'shortOffset', timeZone) === zoneOf(time, 'shortOffset')) return undefined;
  return inZone(time, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
}

function inZone(time: string, options: Intl.DateTimeFormatOptions, timeZone?: string): string {
  const text = new Intl.DateTimeFormat(undefined, { ...options, timeZone }).format(new Date(time));
  return `${text} ${zoneOf(time, 'short', timeZone)}`;
}

function zoneOf(time: string, timeZoneName: 'short' | 'shortOffset', timeZone?: string): string {
  return (
    new Intl.DateTimeFormat(undefined, { timeZone, timeZoneName })
      .formatToParts(new Date(time))
      .find(({ type }) => type === 'timeZoneName')?.value ?? ''
  );
}

export function placeOf({
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

export function whatIsLeft(available: number): string {
  if (available === 0) return 'Sold out';
  return available === 1 ? '1 ticket left' : `${new Intl.NumberFormat().format(available)} tickets left`;
}

/** What is left of all tiers that are shown. */
export function leftOf({ tiers }: { tiers: readonly { available: number }[] }): string {
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
