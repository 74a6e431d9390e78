import { DomainError } from '../../core/errors.ts';
import { toDecimal } from '../../core/money.ts';
import { idInput } from '../../core/schemas.ts';
import { escapeMarkup } from '../../core/text.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { findStorefrontPage, type StorefrontPage } from '../../runtime/storefront-page.ts';
import { log } from '../../runtime/telemetry.ts';
import { inWidth } from '../pictures/picture.ts';
import { type Event, isAddOn, removeHiddenTiers } from './event.ts';
import { getVisibleEvent } from './read-events.ts';

/** The storefront's page with its status. */
interface EventPage extends StorefrontPage {
  status: 200 | 404 | 503;
}

/** Served while the storefront's host does not answer. */
const unavailablePage: StorefrontPage = {
  html: `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Tickets</title>
</head>
<body>
  <p>This page can’t be shown right now. Please try again in a moment.</p>
</body>
</html>
`,
  headers: { 'content-security-policy': "default-src 'none'", 'retry-after': '10' },
};

/**
 * Returns the storefront's page of an event, with the tags for link previews. Browsers request a page without an access
 * token, so a draft gets the page of an unknown event: 404, without tags. The scripts of that page then show the draft
 * to its organizer. The status is 503 when the event or the storefront's page can't be read. If only the event can't be
 * read, the storefront's page shows the error. If the storefront's page can't be read, a plain page replaces it.
 */
export async function showEventPage(eventId: string): Promise<EventPage> {
  const [page, tags] = await Promise.all([findStorefrontPage(), findTags(eventId)]);
  const { html, headers } = page ?? unavailablePage;
  if (typeof tags !== 'string') return { status: page ? tags.status : 503, html, headers };
  return {
    status: page ? 200 : 503,
    // A function, since `replace` interprets `$` in a replacement string.
    html: html.replace(/<title>[^<]*<\/title>/, () => tags),
    headers,
  };
}

/** Returns the tags of an event, or the status of a page without tags. */
async function findTags(eventId: string): Promise<string | { status: 404 | 503 }> {
  if (!idInput.safeParse(eventId).success) return { status: 404 };
  try {
    const event = await getVisibleEvent(eventId, undefined);
    const url = `${requiredSetting('PUBLIC_URL')}/events/${event.id}`;
    const tags = formatPreviewTags(event, url, requiredSetting('SHOP_NAME'));
    return `${tags}\n  ${formatStructuredData(removeHiddenTiers(event), url)}`;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return { status: 404 };
    log.error('Event not read for its page', error as Error);
    return { status: 503 };
  }
}

/** Search results and messengers show about this many characters of a description. */
const maximumDescriptionLength = 200;

/**
 * Returns the title and the meta tags of an event's page. Search engines, messengers and social networks make link
 * previews from them. They include Open Graph (https://ogp.me) and `twitter:card` for X. Organizers write the texts, so
 * all are escaped.
 * @param canonicalUrl the page's canonical address
 */
export function formatPreviewTags(event: Event, canonicalUrl: string, shopName: string): string {
  const { title, isPublic } = event;
  const image = pictureOf(event);
  const description = formatDescription(event);
  return [
    `<title>${toAttribute(title)} · ${toAttribute(shopName)}</title>`,
    toMetaTag('name', 'description', description),
    // Search engines must not list an event that is not public.
    !isPublic && toMetaTag('name', 'robots', 'noindex'),
    `<link rel="canonical" href="${toAttribute(canonicalUrl)}">`,
    toMetaTag('property', 'og:type', 'website'),
    toMetaTag('property', 'og:site_name', shopName),
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

/**
 * Returns the event as search engines read it (https://schema.org/Event), in a script that no browser runs. Prices are
 * those before the fee, as on the page.
 * @param event without its hidden tiers
 */
export function formatStructuredData(event: Event, url: string): string {
  const prices = event.tiers.filter((tier) => !isAddOn(tier)).map(({ price }) => price);
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: event.title,
    description: event.description || undefined,
    startDate: event.eventDate,
    endDate: event.endDate,
    eventStatus: `https://schema.org/${event.status === 'CANCELLED' ? 'EventCancelled' : 'EventScheduled'}`,
    image: pictureOf(event),
    url,
    location: {
      '@type': 'Place',
      name: event.venue,
      address: [event.address, event.city, event.country].filter(Boolean).join(', ') || undefined,
    },
    offers: prices.map((price) => ({
      '@type': 'Offer',
      price: toDecimal(price, event.currency),
      priceCurrency: event.currency,
      validFrom: event.saleStart,
      url,
    })),
  };
  // The text of a script has no entities: without a `<`, nothing in it ends the script.
  return `<script type="application/ld+json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`;
}

/** A picture of this shop in 800 pixels: some messengers show no preview with a larger file. */
function pictureOf({ imageUrl }: Event): string | undefined {
  return imageUrl.startsWith('https:') ? inWidth(imageUrl, 800, requiredSetting('PUBLIC_URL')) : undefined;
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
