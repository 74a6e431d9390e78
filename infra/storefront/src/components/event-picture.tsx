import type { Event } from 'boxoffice-client';
import { useState } from 'preact/hooks';

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
