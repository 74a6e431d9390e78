import { type Currency, exponentOf, toDecimal } from '../../core/money.ts';
import type { Event } from '../../events/event.ts';

/** Values in the words of a mail. Pure. */

/** E.g. `102.50 USD`; amounts of chains without trailing zeros. */
export function formatMoney(minor: bigint, currency: Currency): string {
  const [whole, fraction = ''] = toDecimal(minor, currency).split('.');
  const exponent = exponentOf(currency);
  const decimals = exponent <= 3 ? fraction.padEnd(exponent, '0') : fraction;
  return `${whole}${decimals && `.${decimals}`} ${currency}`;
}

/** E.g. `1 ticket`, `3 tickets`. */
export function formatTickets(quantity: number): string {
  return quantity === 1 ? '1 ticket' : `${quantity} tickets`;
}

/** When an event begins, on the clock of its venue: `Saturday, 21 November 2026, 20:00 (Europe/Berlin)`. */
export function formatTime({ eventDate, timezone }: Event): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: timezone }).format(new Date(eventDate));
  const day = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  return `${day}, ${format({ hour: '2-digit', minute: '2-digit' })} (${timezone.replaceAll('_', ' ')})`;
}

export function formatPlace({ venue, address, city, country }: Event): string {
  return [venue, address, city, country].filter(Boolean).join(', ');
}
