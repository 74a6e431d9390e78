import type { Event } from 'boxoffice-client';
import { useState } from 'preact/hooks';

interface EventPictureProps {
  event: Pick<Event, 'imageUrl' | 'title'>;
  /** In a list, the picture is loaded when it scrolls into view. An event without a picture has a pattern. */
  inList?: boolean;
}

/** An event's picture. Only https addresses are loaded: browsers can't show ipfs ones, and refuse http ones here. */
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
