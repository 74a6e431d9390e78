import type { Event } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { categoryLabel } from '../categories.ts';
import { formatPlace } from '../format.ts';
import { EventPicture } from './event-picture.tsx';
import { DateTile, EventTime } from './time.tsx';

/** An event in a list. The whole card links to `href`. */
export function EventCard({
  event,
  href,
  children,
}: {
  event: Event;
  href: string;
  children: ComponentChildren;
}) {
  return (
    <li class="event-card">
      <EventPicture event={event} inList />
      <DateTile event={event} />
      <div>
        <p class="quiet">{categoryLabel(event.category)}</p>
        <h2>
          <a href={href}>{event.title}</a>
        </h2>
        <p class="quiet">
          <EventTime event={event} short />
          <br />
          {formatPlace(event)}
        </p>
        <p>{children}</p>
      </div>
    </li>
  );
}
