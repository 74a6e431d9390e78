import type { Language } from '../../core/schemas.ts';
import type { Event } from './event.ts';

/** The locales in which dates of a language are formatted. */
export const locales: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** Formats the start of an event in its own time zone: `Saturday, 21 November 2026, 20:00 (Europe/Berlin)`. */
export function formatTime({ eventDate, timezone }: Event, language: Language = 'en'): string {
  const [day, time] = formatsOf(timezone, locales[language]).map((format) =>
    format.format(new Date(eventDate)),
  );
  return `${day}, ${time} (${timezone.replaceAll('_', ' ')})`;
}

/** Formats the start of an event in its own time zone: `21 Nov 2026, 20:00`. */
export function formatShortTime({ eventDate, timezone }: Event): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return format.format(new Date(eventDate));
}

const formats = new Map<string, Intl.DateTimeFormat[]>();

/** Returns the formats of a day and of a time in a time zone. Creating them costs more than using them. */
function formatsOf(timeZone: string, locale: string): Intl.DateTimeFormat[] {
  const key = `${locale} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const created = [
    new Intl.DateTimeFormat(locale, {
      timeZone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    }),
    new Intl.DateTimeFormat(locale, { timeZone, hour: '2-digit', minute: '2-digit' }),
  ];
  formats.set(key, created);
  return created;
}

/** Formats where an event takes place: the venue with its address. */
export function formatPlace({ venue, address, city, country }: Event): string {
  return [venue, address, city, country].filter(Boolean).join(', ');
}
