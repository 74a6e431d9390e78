import type { Event } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { categoryLabel, formatPlace } from '../format.ts';
import { DateTile, EventTime } from './values.tsx';

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

interface EventPictureProps {
  event: Pick<Event, 'imageUrl' | 'title'>;
  /** Loads the picture when it scrolls into view, and shows a pattern for an event without a picture. */
  inList?: boolean;
}

/**
 * An event's picture. Only https addresses are loaded: browsers can't load ipfs ones, and the content security policy
 * forbids http ones.
 */
export function EventPicture({ event: { imageUrl, title }, inList }: EventPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (!imageUrl.startsWith('https:') || imageUrl === brokenUrl)
    return inList ? <div class="picture" /> : null;
  return (
    <img
      class="picture"
      src={imageUrl}
      alt={title}
      loading={inList ? 'lazy' : undefined}
      referrerPolicy="no-referrer"
      onError={() => setBrokenUrl(imageUrl)}
    />
  );
}
