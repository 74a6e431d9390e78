import type { Event } from 'boxoffice-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { categoryLabel, formatEventAvailability, formatPlace } from '../format.ts';
import { formatPriceRange } from '../money.ts';
import { srcsetOf } from '../pictures.ts';
import { DateTile, EventTime } from './values.tsx';

/** Events that people can buy tickets to, with prices and what is left. */
export function EventCards({ events }: { events: readonly Event[] }) {
  return (
    <ul class="cards">
      {events.map((event) => (
        <EventCard key={event.id} event={event} href={`/events/${event.id}`}>
          {event.tiers.length > 0 && <b>{formatPriceRange(event)}</b>}{' '}
          <span>{formatEventAvailability(event)}</span>
        </EventCard>
      ))}
    </ul>
  );
}

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
        {event.category !== 'OTHER' && <p class="quiet">{categoryLabel(event.category)}</p>}
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
  /** Loads the picture when it scrolls into view. */
  inList?: boolean;
}

/**
 * An event's picture, or a cover that is made from its title. Only https addresses and this shop's own are loaded:
 * browsers can't load ipfs ones, and the content security policy forbids http ones.
 */
export function EventPicture({ event: { imageUrl, title }, inList }: EventPictureProps) {
  const [brokenUrl, setBrokenUrl] = useState<string>();
  if (!isLoadable(imageUrl) || imageUrl === brokenUrl) return <Cover title={title} />;
  return (
    <img
      class="picture"
      src={imageUrl}
      srcset={srcsetOf(imageUrl)}
      sizes={inList ? '(width >= 42rem) 24rem, 100vw' : '(width >= 66rem) 64rem, 100vw'}
      alt={title}
      width={1600}
      height={900}
      loading={inList ? 'lazy' : 'eager'}
      fetchPriority={inList ? undefined : 'high'}
      referrerPolicy="no-referrer"
      onError={() => setBrokenUrl(imageUrl)}
    />
  );
}

const isLoadable = (url: string) => url.startsWith('https:') || url.startsWith(`${location.origin}/`);

/** A cover for an event without a picture. Its title decides its colours and shapes, so it is always the same. */
function Cover({ title }: { title: string }) {
  let seed = 7;
  for (const character of title) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 100_003;
  const draw = (maximum: number) => {
    seed = (seed * 7_919 + 17) % 100_003;
    return seed % maximum;
  };
  const hue = draw(360);
  const colour = (shift: number, lightness: number) => `hsl(${(hue + shift) % 360} 55% ${lightness}%)`;
  return (
    <svg class="picture" viewBox="0 0 160 90" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <rect width={160} height={90} fill={colour(0, 30)} />
      {[0, 1, 2, 3].map((index) => (
        <circle
          key={index}
          cx={draw(160)}
          cy={draw(90)}
          r={20 + draw(35)}
          fill={colour(12 + 10 * index, 38 + 6 * index)}
          fill-opacity={0.55}
        />
      ))}
    </svg>
  );
}
