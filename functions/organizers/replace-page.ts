import * as z from 'zod';
import { acceptKeys } from '../../shared/accounts/api-keys/accept-keys.ts';
import { replacePage } from '../../shared/catalog/organizer-page/change-page.ts';
import { organizerPageView, pageInput } from '../../shared/catalog/organizer-page/page.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const handler = endpoint(
  {
    route: 'PUT /api/organizer/page',
    summary: 'Create or replace the caller’s page',
    description:
      'Buyers see it at `/o/<slug>`. Events show its name, contact and color; tickets, passes and mails about them have the color. Another slug frees the former one.',
    caller: 'organizer',
    apiKey: acceptKeys('events:write', 'all-events'),
    body: pageInput,
    response: z.object({ organizer: organizerPageView }),
    errors: ['slug-taken', 'busy', 'too-many-attempts'],
    table: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
    indexes: ['byOwner'],
    sends: ['run-event-jobs'],
    timeoutSeconds: 29,
  },
  async ({ caller, body }) => ({ organizer: await replacePage(caller.userId, body) }),
);
