import type { Event } from 'boxoffice-client';
import { formatPlace, longTime, shortTime, visitorTime } from '../format.ts';

/** A time in the visitor's own zone. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at}>{shortTime(at)}</time>;
}

interface EventTimeProps {
  event: Pick<Event, 'timezone'> & Partial<Pick<Event, 'eventDate'>>;
  /** The time, when it is not that of the beginning: the start of a sale. */
  at?: string;
  /** Without the weekday, for lists. */
  short?: boolean;
}

/** When an event begins, on the clock of its place, and on the visitor's own clock where that differs. */
export function EventTime({ event: { eventDate = '', timezone }, at = eventDate, short }: EventTimeProps) {
  const onOwnClock = visitorTime(at, timezone);
  return (
    <>
      <time dateTime={at}>{short ? shortTime(at, timezone) : longTime(at, timezone)}</time>
      {onOwnClock && (
        <>
          {' '}
          <span class="quiet">({onOwnClock} your time)</span>
        </>
      )}
    </>
  );
}

/** When and where an event is, on two lines. */
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

/** The day of an event, as the stub of a ticket shows it. */
export function DateTile({ event }: { event: Pick<Event, 'eventDate' | 'timezone'> }) {
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
