import { escapeMarkup } from '../core/markup.ts';
import type { Event } from './event.ts';

/** Search results and messengers show about this many characters of a description. */
const maximumDescription = 200;

/**
 * Returns the title and the tags of an event's page from which search engines, messengers and social networks make a
 * preview of its link: Open Graph (https://ogp.me), and the one tag in which X differs. They have only what anybody with
 * the link sees, and no prices, which codes may hide. All texts come from organizers, so all are escaped.
 * @param address the page's canonical address
 */
export function previewTags(event: Event, address: string): string {
  const { title, isPublic } = event;
  const image = event.imageUrl.startsWith('https:') ? event.imageUrl : undefined;
  const description = describe(event);
  return [
    `<title>${attribute(title)} · Boxoffice</title>`,
    meta('name', 'description', description),
    // An unlisted event is found by its link alone.
    !isPublic && meta('name', 'robots', 'noindex'),
    `<link rel="canonical" href="${attribute(address)}">`,
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', 'Boxoffice'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    meta('property', 'og:url', address),
    image && meta('property', 'og:image', image),
    image && meta('property', 'og:image:alt', title),
    meta('name', 'twitter:card', image ? 'summary_large_image' : 'summary'),
  ]
    .filter(Boolean)
    .join('\n  ');
}

function meta(key: 'name' | 'property', name: string, content: string): string {
  return `<meta ${key}="${name}" content="${attribute(content)}">`;
}

/** Line breaks in a text are of no use in a preview. */
function attribute(text: string): string {
  return escapeMarkup(text.replace(/\s+/g, ' ').trim());
}

/** When and where, then the beginning of the organizer's description. */
function describe({ status, eventDate, timezone, venue, city, country, description }: Event): string {
  const options = { dateStyle: 'full', timeStyle: 'short', timeZone: timezone } as const;
  const day = new Intl.DateTimeFormat('en-GB', options).format(new Date(eventDate));
  const place = [venue, city, country].filter(Boolean).join(', ');
  const facts = `${day} (${timezone}), ${place}.`;
  return shorten(`${status === 'CANCELLED' ? 'Cancelled. ' : ''}${facts} ${description}`);
}

/** Cuts a text after a whole character. */
function shorten(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.length <= maximumDescription) return characters.join('');
  return `${characters.slice(0, maximumDescription - 1).join('')}…`;
}
