import { DomainError } from '../../core/errors.ts';
import { idInput } from '../../core/schemas.ts';
import { requiredSetting } from '../../runtime/config.ts';
import { log } from '../../runtime/log.ts';
import { findStorefrontPage, type StorefrontPage } from '../../runtime/storefront-page.ts';
import { formatPreviewTags } from './preview-tags.ts';
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
  <title>Boxoffice</title>
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
    return formatPreviewTags(event, `${requiredSetting('PUBLIC_URL')}/events/${event.id}`);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return { status: 404 };
    log.error('Event not read for its page', error as Error);
    return { status: 503 };
  }
}
