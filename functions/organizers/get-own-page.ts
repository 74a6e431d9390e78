import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { showOwnPage } from '../../shared/catalog/organizer-page/change-page.ts';
import { organizerPageView } from '../../shared/catalog/organizer-page/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'GET /api/organizer/page',
    summary: 'Get the caller’s page',
    caller: 'organizer',
    apiKey: acceptKeys('events:read', 'all-events'),
    response: z.object({ organizer: organizerPageView }),
    errors: ['page-not-found'],
    table: ['GetItem'],
  },
  async ({ caller }) => ({ organizer: await showOwnPage(caller.userId) }),
);
