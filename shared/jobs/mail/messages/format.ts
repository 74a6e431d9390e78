import type { Event } from '../../../catalog/events/event.ts';
import { type Currency, exponentOf, toDecimal } from '../../../core/money.ts';

/** Formats an amount, e.g. `102.50 USD`. Crypto amounts have no trailing zeros. */
export function formatMoney(amount: bigint, currency: Currency): string {
  const [whole, fraction = ''] = toDecimal(amount, currency).split('.');
  const exponent = exponentOf(currency);
  const decimals = exponent <= 3 ? fraction.padEnd(exponent, '0') : fraction;
  return `${whole}${decimals && `.${decimals}`} ${currency}`;
}

/** Formats a number of tickets: `1 ticket`, `3 tickets`. */
export function formatTickets(quantity: number): string {
  return quantity === 1 ? '1 ticket' : `${quantity} tickets`;
}

/** Formats the start of an event in its own time zone: `Saturday, 21 November 2026, 20:00 (Europe/Berlin)`. */
export function formatTime({ eventDate, timezone }: Event): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: timezone }).format(new Date(eventDate));
  const day = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  return `${day}, ${format({ hour: '2-digit', minute: '2-digit' })} (${timezone.replaceAll('_', ' ')})`;
}

export function formatPlace({ venue, address, city, country }: Event): string {
  return [venue, address, city, country].filter(Boolean).join(', ');
}
