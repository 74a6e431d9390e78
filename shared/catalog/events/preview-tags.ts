import { escapeMarkup } from '../../core/text.ts';
import type { Event } from './event.ts';

/** Search results and messengers show about this many characters of a description. */
const maximumDescriptionLength = 200;

/**
 * Returns the title and the meta tags of an event's page. Search engines, messengers and social networks make link
 * previews from them. They include Open Graph (https://ogp.me) and `twitter:card` for X. They contain only public
 * information, and no prices, since a tier can be hidden. Organizers write the texts, so all are escaped.
 * @param canonicalUrl the page's canonical address
 */
export function formatPreviewTags(event: Event, canonicalUrl: string): string {
  const { title, isPublic } = event;
  const image = event.imageUrl.startsWith('https:') ? event.imageUrl : undefined;
  const description = formatDescription(event);
  return [
    `<title>${toAttribute(title)} · Boxoffice</title>`,
    toMetaTag('name', 'description', description),
    // Search engines must not list an event that is not public.
    !isPublic && toMetaTag('name', 'robots', 'noindex'),
    `<link rel="canonical" href="${toAttribute(canonicalUrl)}">`,
    toMetaTag('property', 'og:type', 'website'),
    toMetaTag('property', 'og:site_name', 'Boxoffice'),
    toMetaTag('property', 'og:title', title),
    toMetaTag('property', 'og:description', description),
    toMetaTag('property', 'og:url', canonicalUrl),
    image && toMetaTag('property', 'og:image', image),
    image && toMetaTag('property', 'og:image:alt', title),
    toMetaTag('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
  ]
    .filter(Boolean)
    .join('\n  ');
}

function toMetaTag(key: 'name' | 'property', name: string, content: string): string {
  return `<meta ${key}="${name}" content="${toAttribute(content)}">`;
}

/** Escapes a text for an attribute, with spaces in place of line breaks. */
function toAttribute(text: string): string {
  return escapeMarkup(text.replace(/\s+/g, ' ').trim());
}

/** Returns date and place, then the beginning of the organizer's description. */
function formatDescription({
  status,
  eventDate,
  timezone,
  venue,
  city,
  country,
  description,
}: Event): string {
  const options = { dateStyle: 'full', timeStyle: 'short', timeZone: timezone } as const;
  const date = new Intl.DateTimeFormat('en-GB', options).format(new Date(eventDate));
  const place = [venue, city, country].filter(Boolean).join(', ');
  const dateAndPlace = `${date} (${timezone}), ${place}.`;
  return shorten(`${status === 'CANCELLED' ? 'Cancelled. ' : ''}${dateAndPlace} ${description}`);
}

/** Cuts a text after a whole character. */
function shorten(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.length <= maximumDescriptionLength) return characters.join('');
  return `${characters.slice(0, maximumDescriptionLength - 1).join('')}…`;
}
