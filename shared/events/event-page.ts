import { DomainError } from '../core/errors.ts';
import { id } from '../core/schemas.ts';
import { requiredSetting } from '../runtime/config.ts';
import { log } from '../runtime/log.ts';
import { findStorefrontPage, type StorefrontPage } from '../runtime/storefront-page.ts';
import { previewTags } from './preview-tags.ts';
import { getVisibleEvent } from './read-events.ts';

/** The storefront's page with its status. */
interface EventPage extends StorefrontPage {
  status: 200 | 404 | 503;
}

/** Stands in while the storefront's host does not answer. */
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
  headers: { 'content-security-policy': "default-src 'none'", 'retry-after': '5' },
};

/**
 * Returns the storefront's page of an event, with the tags for previews. The caller is unknown, since browsers open a
 * page without a token. So the page of a draft is that of an unknown event: 404, without tags. The storefront then shows
 * the draft to its organizer.
 * The status is 503 when the event or the storefront's page can't be read. In the first case the storefront shows the
 * error, in the second a plain page does.
 */
export async function showEventPage(eventId: string): Promise<EventPage> {
  const [page, found] = await Promise.all([findStorefrontPage(), findTags(eventId)]);
  const { html, headers } = page ?? unavailablePage;
  if (typeof found !== 'string') return { status: page ? found.status : 503, html, headers };
  return {
    status: page ? 200 : 503,
    // A function, since in a text `$` would have a meaning.
    html: html.replace(/<title>[^<]*<\/title>/, () => found),
    headers,
  };
}

/** Returns the tags of an event, or the status of a page without them. */
async function findTags(text: string): Promise<string | { status: 404 | 503 }> {
  if (!id.safeParse(text).success) return { status: 404 };
  try {
    const event = await getVisibleEvent(text, undefined);
    return previewTags(event, `${requiredSetting('PUBLIC_URL').replace(/\/+$/, '')}/events/${event.id}`);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not-found') return { status: 404 };
    log.error('Event of a page not read', error as Error);
    return { status: 503 };
  }
}
