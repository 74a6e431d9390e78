import * as z from 'zod';
import { showPage } from '../../shared/catalog/organizer-page/change-page.ts';
import { organizerPageView } from '../../shared/catalog/organizer-page/page.ts';
import { publicCaching } from '../../shared/http/cache.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/organizers/{slug}',
    summary: 'Get an organizer’s page',
    description: '`GET /api/events?organizerId=` lists their events.',
    caller: 'anyone',
    path: z.object({
      slug: z
        .string()
        .toLowerCase()
        .max(100)
        .meta({ description: 'The end of the page’s address', examples: ['old-station'] }),
    }),
    response: z.object({ organizer: organizerPageView }),
    errors: ['page-not-found'],
    table: ['GetItem'],
  },
  async ({ path }) =>
    new Reply({ organizer: await showPage(path.slug) }, { headers: publicCaching(undefined) }),
);
