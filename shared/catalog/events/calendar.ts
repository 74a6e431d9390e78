import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { optionalSetting, requiredSetting } from '../../runtime/config.ts';
import type { Event } from './event.ts';

/**
 * Returns an event as an iCalendar file (RFC 5545). Times are in UTC, so that the file needs no definition of a time
 * zone. Calendars show them in their user's zone.
 */
export function toCalendarFile(event: Event): string {
  const isCancelled = event.status === 'CANCELLED';
  const updatedAt = new Date(event.updatedAt);
  const shop = requiredSetting('SHOP_NAME');
  const calendar = ical({
    prodId: { company: shop, product: shop },
    method: isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
    x: { 'X-WR-TIMEZONE': event.timezone },
  });
  // As in the API, an event without an end date ends with its sale.
  const end = event.endDate;
  calendar.createEvent({
    id: `${event.id}@boxoffice`,
    // Of two files for one event, calendars keep the one with the higher number, then the one with the later time. The
    // number is the age of the event at its last change, in seconds.
    sequence: Math.floor((updatedAt.getTime() - Date.parse(event.createdAt)) / 1000),
    stamp: updatedAt,
    lastModified: updatedAt,
    start: new Date(event.eventDate),
    end: end > event.eventDate ? new Date(end) : null,
    summary: event.title,
    description: event.description,
    location: toLocation(event),
    url: `${optionalSetting('PUBLIC_URL') ?? ''}/events/${event.id}`,
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  return calendar.toString();
}

function toLocation({ venue, address, city, country, latitude, longitude }: Event) {
  const title = [venue, address, city, country].filter(Boolean).join(', ');
  const geo = latitude !== null && longitude !== null && { lat: latitude, lon: longitude };
  return { title, ...(geo && { geo }) };
}
