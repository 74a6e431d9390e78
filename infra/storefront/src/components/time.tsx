import type { Event } from 'boxoffice-client';
import { formatPlace, longTime, shortTime, visitorTime } from '../format.ts';

/** A time in the visitor's own zone. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at}>{shortTime(at)}</time>;
}

interface EventTimeProps {
  event: Pick<Event, 'eventDate' | 'timezone'>;
  /** Omits the weekday. */
  short?: boolean;
}

/** An event's start in the event's time zone, with the visitor's time where it differs. */
export function EventTime({ event: { eventDate, timezone }, short }: EventTimeProps) {
  const timeForVisitor = visitorTime(eventDate, timezone);
  return (
    <>
      <time dateTime={eventDate}>
        {short ? shortTime(eventDate, timezone) : longTime(eventDate, timezone)}
      </time>
      {timeForVisitor && (
        <>
          {' '}
          <span class="quiet">({timeForVisitor} your time)</span>
        </>
      )}
    </>
  );
}

/** An event's time and place, on two lines. */
export function WhenAndWhere({
  event,
}: {
  event: Pick<Event, 'eventDate' | 'timezone'> & Parameters<typeof formatPlace>[0];
}) {
  return (
    <p class="quiet">
      <EventTime event={event} />
      <br />
      {formatPlace(event)}
    </p>
  );
}

/** An event's date: month, day and year, one above the other. */
export function DateTile({ event }: { event: Pick<Event, 'eventDate' | 'timezone'> }) {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(undefined, { ...options, timeZone: event.timezone }).format(
      new Date(event.eventDate),
    );
  return (
    <p class="date-tile">
      <span>{format({ month: 'short' })}</span> <b>{format({ day: 'numeric' })}</b>{' '}
      <span>{format({ year: 'numeric' })}</span>
    </p>
  );
}
