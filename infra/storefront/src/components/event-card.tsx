import type { Event } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { placeOf } from '../format.ts';
import { DateTile } from './time.tsx';

/** An event in a list: it looks like a ticket, and the whole of it leads to `href`. */
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
    <li class="stub">
      <DateTile event={event} />
      <div>
        <h2>
          <a href={href}>{event.title}</a>
        </h2>
        <p class="quiet">{placeOf(event)}</p>
        <p>{children}</p>
      </div>
    </li>
  );
}
