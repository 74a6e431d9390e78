import { showEventPage } from '../../shared/catalog/events/event-page.ts';
import { publicCaching } from '../../shared/http/cache.ts';
import { requireFront } from '../../shared/http/endpoint.ts';
import { http } from '../../shared/http/middleware.ts';
import { define } from '../../shared/runtime/function.ts';

/**
 * Serves the storefront's page of an event, with the tags for link previews. A page request has no caller, so a CDN may
 * cache the page. The greedy parameter also matches longer paths, which get the 404 page.
 */
export const handler = define(
  { route: 'GET /events/{id+}', table: ['BatchGetItem'], settings: ['PUBLIC_URL', 'SHOP_NAME'] },
  http()
    .use(requireFront())
    .handler(async ({ pathParameters }) => {
      const id = pathParameters?.id?.replace(/\/$/, '') ?? '';
      const { status, headers, html } = await showEventPage(id);
      return {
        statusCode: status,
        headers: {
          ...headers,
          'content-type': 'text/html; charset=utf-8',
          ...(status !== 503 && publicCaching(undefined)),
        },
        body: html,
      };
    }),
);
