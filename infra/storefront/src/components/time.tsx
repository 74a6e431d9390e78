import type { Event } from 'boxoffice-client';
import { placeOf, shortTime } from '../format.ts';

/** A time in the visitor's own zone. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at}>{shortTime(at)}</time>;
}

/** When an event begins, on the clock of the place where it is, with that clock's zone. */
export function EventTime({ event }: { event: { eventDate: string; timezone: string } }) {
  const { eventDate, timezone: timeZone } = event;
  const time = new Date(eventDate);
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short', timeZone });
  const zone = new Intl.DateTimeFormat(undefined, { timeZone, timeZoneName: 'short' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName');
  return (
    <time dateTime={eventDate}>
      {format.format(time)} {zone?.value}
    </time>
  );
}

/** When and where an event is, on two lines. */
export function WhenAndWhere({
  event,
}: {
  event: Pick<Event, 'eventDate' | 'timezone'> & Parameters<typeof placeOf>[0];
}) {
  return (
    <p class="quiet">
      <EventTime event={event} />
      <br />
      {placeOf(event)}
    </p>
  );
}

/** The day of an event, as the stub of a ticket shows it. */
export function DateTile({ event }: { event: { eventDate: string; timezone: string } }) {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...options, timeZone: event.timezone }).format(
      new Date(event.eventDate),
    );
  return (
    <p class="tile">
      <span>{part({ month: 'short' })}</span> <b>{part({ day: 'numeric' })}</b>{' '}
      <span>{part({ year: 'numeric' })}</span>
    </p>
  );
}
